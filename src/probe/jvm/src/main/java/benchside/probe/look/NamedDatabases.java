package benchside.probe.look;

import benchside.probe.wire.JsonWriter;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The databases that the app names for its clients of PostgreSQL, and the one to which it is led in their place, where there is such a one. */
public final class NamedDatabases {
  /** An address of JDBC with its login; null where connections go to what the app names. */
  private static final String ledTo = System.getenv("BENCHSIDE_PROBE_DATABASE");
  private static final int MOST = 20;
  private static final Pattern address = Pattern.compile("^jdbc:postgresql:(?://(\\[[^\\]]*\\]|[^/:?,]*)(?::(\\d+))?[^/?]*)?/?([^?]*)(?:\\?(.*))?$");
  /** What says whose the connection is, where it goes and how it is secured: the rest of what the app asks of a connection stays. */
  private static final Pattern ofLogin = Pattern.compile("^(?:user|password|ssl|gss|PG|service=|targetServerType|loadBalanceHosts|authenticationPlugin|channelBinding)");
  private static final Login login = login();
  private static final Set<Named> named = new LinkedHashSet<>();

  private record Named(String host, int port, String database, boolean led) {}

  private NamedDatabases() {}

  private static Login login() {
    Matcher given = address.matcher(ledTo == null ? "" : ledTo);
    return given.matches() ? Login.of(given) : null;
  }

  public static boolean areLed() {
    return login != null;
  }

  /** The address in place of one that the app names; the driver prefers what stands in it to a login that comes beside it. */
  public static String inPlaceOf(String url) {
    Matcher own = url == null ? null : address.matcher(url);
    if (own == null || !own.matches() || inPlaceOf(host(own), port(own), own.group(3)) == null) return url;
    String query = own.group(4) == null ? "" : own.group(4);
    return Stream.concat(Stream.of(ledTo), Stream.of(query.split("&")).filter(one -> !one.isEmpty() && !ofLogin.matcher(one).find())).collect(Collectors.joining("&"));
  }

  /** Who goes where in place of what a client names; null where the client goes there itself. */
  static synchronized Login inPlaceOf(String host, int port, String database) {
    boolean led = login != null && !login.isAt(host, port, database);
    if (named.size() < MOST) named.add(new Named(host, port, database, led));
    return login;
  }

  static String host(Matcher url) {
    return url.group(1) == null || url.group(1).isEmpty() ? "localhost" : url.group(1);
  }

  static int port(Matcher url) {
    return url.group(2) == null ? 5432 : Integer.parseInt(url.group(2));
  }

  static synchronized void write(JsonWriter json) {
    json.openArray("databases");
    for (Named one : named)
      json.openObject(null).text("host", one.host()).number("port", one.port()).text("database", one.database()).flag("led", one.led()).closeObject();
    json.closeArray();
  }
}
