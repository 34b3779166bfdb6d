package bulletin;

import bulletin.database.PoolSettings;
import java.util.Map;
import org.eclipse.jetty.util.VirtualThreads;

/** The settings, read from environment variables. */
public record Configuration(String host, int port, PoolSettings pool, int threadsMin, int threadsMax, String threadKind) {

  /** Jetty keeps some threads for accepting and selecting; below this it would have none left for requests. */
  private static final int FEWEST_THREADS = 4;

  public static Configuration read(Map<String, String> variables) throws ConfigurationException {
    Environment environment = new Environment(variables);
    int threadsMax = environment.integer("HTTP_THREADS_MAX", 50, FEWEST_THREADS, 10_000);
    Configuration configuration = new Configuration(
        environment.text("HOST", "127.0.0.1"),
        environment.integer("PORT", 8080, 0, 65_535),
        pool(environment),
        environment.integer("HTTP_THREADS_MIN", Math.min(8, threadsMax), 1, threadsMax),
        threadsMax,
        environment.choice("HTTP_THREADS_KIND", "platform", "virtual"));
    if (configuration.virtualThreads() && !VirtualThreads.areSupported()) {
      throw new ConfigurationException(
          "HTTP_THREADS_KIND=virtual needs Java 21 or later, but this is Java " + Runtime.version().feature() + ".");
    }
    return configuration;
  }

  boolean virtualThreads() {
    return threadKind.equals("virtual");
  }

  private static PoolSettings pool(Environment environment) throws ConfigurationException {
    String url = environment.text("DATABASE_JDBC_URL", "jdbc:postgresql://127.0.0.1:5432/bulletin_board");
    // the value is not shown, since it may hold a password
    if (org.postgresql.Driver.parseURL(url, null) == null) {
      throw new ConfigurationException("DATABASE_JDBC_URL must be an address such as jdbc:postgresql://host:5432/database.");
    }
    return new PoolSettings(
        url,
        environment.text("DATABASE_USER", null),
        environment.text("DATABASE_PASSWORD", null),
        environment.integer("DB_POOL_SIZE", 10, 1, 1000),
        environment.integer("DB_POOL_TIMEOUT_MS", 2000, 250, 60_000));
  }
}
