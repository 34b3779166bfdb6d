package bulletin;

import java.util.Map;

/** The settings, read from environment variables; a variable that is not set or is empty takes its default. */
record Configuration(
    String host,
    int port,
    String jdbcUrl,
    String user,
    String password,
    int poolSize,
    int poolTimeoutMs,
    int threadsMin,
    int threadsMax,
    String threadKind) {

  /** Jetty keeps some threads for accepting and selecting; below this it would have none left for requests. */
  private static final int FEWEST_THREADS = 4;

  static Configuration read(Map<String, String> environment) throws ConfigurationException {
    int threadsMax = integer(environment, "HTTP_THREADS_MAX", 50, FEWEST_THREADS, 10_000);
    return new Configuration(
        text(environment, "HOST", "127.0.0.1"),
        integer(environment, "PORT", 8080, 0, 65_535),
        jdbcUrl(environment),
        text(environment, "DATABASE_USER", null),
        text(environment, "DATABASE_PASSWORD", null),
        integer(environment, "DB_POOL_SIZE", 10, 1, 1000),
        integer(environment, "DB_POOL_TIMEOUT_MS", 2000, 250, 60_000),
        integer(environment, "HTTP_THREADS_MIN", Math.min(8, threadsMax), 1, threadsMax),
        threadsMax,
        threadKind(environment));
  }

  boolean virtualThreads() {
    return threadKind.equals("virtual");
  }

  private static String text(Map<String, String> environment, String name, String preset) {
    String value = environment.get(name);
    return value == null || value.isEmpty() ? preset : value;
  }

  private static int integer(Map<String, String> environment, String name, int preset, int min, int max) throws ConfigurationException {
    String text = text(environment, name, null);
    if (text == null) return preset;
    if (text.matches("[0-9]{1,9}")) {
      int value = Integer.parseInt(text);
      if (value >= min && value <= max) return value;
    }
    throw new ConfigurationException(name + " must be a whole number from " + min + " to " + max + ", but it is " + Json.quote(text) + ".");
  }

  private static String jdbcUrl(Map<String, String> environment) throws ConfigurationException {
    String url = text(environment, "DATABASE_JDBC_URL", "jdbc:postgresql://127.0.0.1:5432/bulletin_board");
    // the value is not shown, since it may hold a password
    if (org.postgresql.Driver.parseURL(url, null) == null) {
      throw new ConfigurationException("DATABASE_JDBC_URL must be an address such as jdbc:postgresql://host:5432/database.");
    }
    return url;
  }

  private static String threadKind(Map<String, String> environment) throws ConfigurationException {
    String kind = text(environment, "HTTP_THREADS_KIND", "platform");
    if (kind.equals("platform") || kind.equals("virtual")) return kind;
    throw new ConfigurationException("HTTP_THREADS_KIND must be platform or virtual, but it is " + Json.quote(kind) + ".");
  }
}
