package bulletin.database;

/**
 * The pool of connections.
 *
 * @param user null when the address has it or none is needed
 * @param password as {@code user}
 * @param timeoutMs how long to wait for a connection
 */
public record PoolSettings(String jdbcUrl, String user, String password, int size, int timeoutMs) {
  /** A statement that the server has not finished by then is cancelled; it is above the longest GET /wait. */
  private static final int STATEMENT_TIMEOUT_MS = 15_000;

  /** A server that has not answered by then counts as lost. */
  public static final int ANSWER_TIMEOUT_SECONDS = 20;
  public static final String APPLICATION_NAME = "bulletin-board";
  /** Statements are prepared on the server from their first use on. */
  public static final int PREPARE_THRESHOLD = 1;
  public static final String SESSION_OPTIONS = "-c statement_timeout=" + STATEMENT_TIMEOUT_MS;
}
