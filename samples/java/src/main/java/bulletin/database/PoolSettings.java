package bulletin.database;

/**
 * The pool of connections.
 *
 * @param user null when the address has it or none is needed
 * @param password as {@code user}
 * @param timeoutMs how long to wait for a connection
 */
public record PoolSettings(PoolLibrary library, String jdbcUrl, String user, String password, int size, int timeoutMs) {
  /** A statement that the server has not finished by then is cancelled; it is above the longest GET /wait. */
  private static final int STATEMENT_TIMEOUT_MS = 15_000;

  /** A server that has not answered by then is taken for lost. */
  static final int ANSWER_TIMEOUT_SECONDS = 20;
  /**
   * Where a request opens its connection itself, that may take so long, whatever the time-out of the pool: the first one in a JVM that
   * has just started takes seconds on a busy machine.
   */
  static final int OPEN_TIMEOUT_SECONDS = 10;
  static final String APPLICATION_NAME = "bulletin-board";
  /** Statements are prepared on the server from their first use on. */
  static final int PREPARE_THRESHOLD = 1;
  static final String SESSION_OPTIONS = "-c statement_timeout=" + STATEMENT_TIMEOUT_MS;
}
