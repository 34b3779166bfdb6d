package bulletin.lab;

import bulletin.ConfigurationException;
import bulletin.Environment;
import bulletin.documents.DocumentSettings;
import bulletin.http.Json;
import bulletin.pools.PoolLibrary;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;

/**
 * The settings of the workloads, in addition to those of the sample.
 *
 * @param searchWorkers threads on which texts are searched, or 0 for the thread of the request
 */
record Configuration(
    bulletin.Configuration sample, PoolLibrary poolLibrary, int searchWorkers, Path staticFolder, DocumentSettings documents) {

  static Configuration read(Map<String, String> variables) throws ConfigurationException {
    Environment environment = new Environment(variables);
    return new Configuration(
        bulletin.Configuration.read(variables),
        PoolLibrary.valueOf(environment.choice("DB_POOL_LIBRARY", "hikari", "dbcp2", "pgjdbc").toUpperCase(Locale.ROOT)),
        searchWorkers(environment),
        appFolder().resolve(environment.text("STATIC_DIR", "../static")).normalize(),
        documents(environment));
  }

  /** A process of its own, which Node has as a choice, would only be one more JVM here: its threads already run at the same time. */
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
