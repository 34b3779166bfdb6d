package benchside.probe.look;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.regex.Matcher;

/**
 * The database to which the app is led, and as whom.
 *
 * @param sslMode in the words of libpq
 * @param rootCertificate a file, or null
 */
record Login(String host, int port, String database, String user, String password, String sslMode, String rootCertificate) {
  /** @param url of {@link NamedDatabases#address} */
  static Login of(Matcher url) {
    Map<String, String> asked = new HashMap<>();
    for (String one : url.group(4) == null ? new String[0] : url.group(4).split("&")) {
      int is = one.indexOf('=');
      if (is > 0) asked.put(one.substring(0, is), decoded(one.substring(is + 1)));
    }
    String host = NamedDatabases.host(url).replaceAll("^\\[(.*)]$", "$1");
    return new Login(
        host, NamedDatabases.port(url), decoded(url.group(3)), asked.get("user"), asked.get("password"), asked.getOrDefault("sslmode", "disable"),
        asked.get("sslrootcert"));
  }

  private static String decoded(String text) {
    return URLDecoder.decode(text, StandardCharsets.UTF_8);
  }

  boolean isAt(String otherHost, int otherPort, String otherDatabase) {
    return host.equals(otherHost) && port == otherPort && database.equals(otherDatabase);
  }
}
