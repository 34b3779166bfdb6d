package bulletin;

import bulletin.database.PoolLibrary;
import bulletin.database.PoolSettings;
import bulletin.documents.DocumentSettings;
import bulletin.http.Json;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;

/**
 * The settings, read from environment variables.
 *
 * @param searchWorkers threads on which texts are searched, or 0 for the thread of the request
 */
record Configuration(
    String host,
    int port,
    PoolSettings pool,
    int threadsMin,
    int threadsMax,
    String threadKind,
    int searchWorkers,
    Path staticFolder,
    DocumentSettings documents) {

  /** Jetty keeps some threads for accepting and selecting; below this it would have none left for requests. */
  private static final int FEWEST_THREADS = 4;

  static Configuration read(Map<String, String> variables) throws ConfigurationException {
    Environment environment = new Environment(variables);
    int threadsMax = environment.integer("HTTP_THREADS_MAX", 50, FEWEST_THREADS, 10_000);
    return new Configuration(
        environment.text("HOST", "127.0.0.1"),
        environment.integer("PORT", 8080, 0, 65_535),
        pool(environment),
        environment.integer("HTTP_THREADS_MIN", Math.min(8, threadsMax), 1, threadsMax),
        threadsMax,
        environment.choice("HTTP_THREADS_KIND", "platform", "virtual"),
        searchWorkers(environment),
        appFolder().resolve(environment.text("STATIC_DIR", "../static")).normalize(),
        documents(environment));
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
    String library = environment.choice("DB_POOL_LIBRARY", "hikari", "dbcp2", "pgjdbc");
    return new PoolSettings(
        PoolLibrary.valueOf(library.toUpperCase(Locale.ROOT)),
        url,
        environment.text("DATABASE_USER", null),
        environment.text("DATABASE_PASSWORD", null),
        environment.integer("DB_POOL_SIZE", 10, 1, 1000),
        environment.integer("DB_POOL_TIMEOUT_MS", 2000, 250, 60_000));
  }

  /** A process of its own, which Node has as a choice, would only be one more JVM here: its threads already run beside each other. */
  private static int searchWorkers(Environment environment) throws ConfigurationException {
    String place = environment.choice("SEARCH_IN", "request", "worker", "process");
    int workers = environment.integer("SEARCH_WORKERS", 1, 1, 64);
    return place.equals("request") ? 0 : workers;
  }

  private static DocumentSettings documents(Environment environment) throws ConfigurationException {
    String url = environment.text("DOCUMENT_STORE_URL", null);
    return new DocumentSettings(
        url == null ? null : storeAddress(url),
        storeDatabase(environment),
        environment.integer("DOCUMENT_POOL_SIZE", 2, 1, 1000),
        environment.choice("DOCUMENT_CLIENT", "blocking", "async").equals("async"));
  }

  private static URI storeAddress(String url) throws ConfigurationException {
    try {
      URI address = new URI(url);
      if (address.getHost() != null && url.matches("https?://.*")) return address;
    } catch (URISyntaxException e) {
      // said below
    }
    throw new ConfigurationException("DOCUMENT_STORE_URL must be an address such as http://127.0.0.1:5984.");
  }

  private static String storeDatabase(Environment environment) throws ConfigurationException {
    String name = environment.text("DOCUMENT_STORE_DB", "documents");
    if (name.matches("[a-z][a-z0-9_-]{0,99}")) return name;
    throw new ConfigurationException(
        "DOCUMENT_STORE_DB must be a name of lower-case letters, digits, dashes and underscores, but it is " + Json.quote(name) + ".");
  }

  /** The folder of the project: two above the jar, and two above the classes that it is made of. */
  private static Path appFolder() throws ConfigurationException {
    try {
      return Path.of(Configuration.class.getProtectionDomain().getCodeSource().getLocation().toURI()).getParent().getParent();
    } catch (URISyntaxException e) {
      throw new ConfigurationException("The folder of the app is not known: " + e.getMessage() + ".");
    }
  }
}
