package benchside.probe.look;

import benchside.probe.Access;
import java.util.List;
import java.util.Locale;

/** Clients of PostgreSQL that do not speak JDBC: the database that each names, and the login in its place where the app is led. */
public final class LedClients {
  private LedClients() {}

  /** @param builder of the configuration of R2DBC’s driver, 0.8 to 1.0, right before it is built */
  public static void ofR2dbc(Object builder) throws ReflectiveOperationException {
    Object place = placeOf(builder);
    Login login = NamedDatabases.inPlaceOf(text(place, "host"), optional(place, "port") instanceof Integer port ? port : 5432, text(builder, "database"));
    if (login == null) return;
    // A host and a socket, or one host and several, exclude each other.
    for (String other : List.of("singleHostConfiguration", "multiHostConfiguration", "socket")) if (optional(builder, other) != null) Access.setField(builder, other, null);
    Access.call(builder, "host", String.class, login.host());
    Access.set(builder, "port", login.port());
    Access.call(builder, "database", String.class, login.database());
    Access.call(builder, "username", String.class, login.user());
    Access.call(builder, "password", CharSequence.class, login.password());
    Access.setField(builder, "sslMode", modeLike(Access.field(builder, "sslMode"), login));
    if (login.rootCertificate() != null) Access.call(builder, "sslRootCert", String.class, login.rootCertificate());
  }

  /** Since 1.0 the place is an object of its own, and there may be several. */
  private static Object placeOf(Object builder) {
    Object several = optional(builder, "multiHostConfiguration");
    if (several != null && optional(several, "hosts") instanceof List<?> hosts && !hosts.isEmpty()) return hosts.get(0);
    Object single = optional(builder, "singleHostConfiguration");
    return single == null ? builder : single;
  }

  /** @param options of a client of Vert.x, 3 to 5, or of its predecessor, right before one of them is read */
  public static void ofVertx(Object options) throws ReflectiveOperationException {
    if (!isOfPostgres(options.getClass())) return;
    String host = text(options, "host");
    int port = Access.numberField(options, "port");
    Login login = NamedDatabases.inPlaceOf(host, port, text(options, "database"));
    if (login == null) return;
    Access.setField(options, "host", login.host());
    Access.setField(options, "port", login.port());
    Access.setField(options, "database", login.database());
    Access.setField(options, "user", login.user());
    Access.setField(options, "password", login.password());
    Object mode = optional(options, "sslMode");
    if (mode != null) Access.setField(options, "sslMode", modeLike(mode, login));
  }

  private static boolean isOfPostgres(Class<?> type) {
    return type != null && (type.getName().endsWith(".pgclient.PgConnectOptions") || isOfPostgres(type.getSuperclass()));
  }

  /** @param mode one of an enumeration that has libpq’s modes in capitals */
  private static Object modeLike(Object mode, Login login) throws ReflectiveOperationException {
    String name = login.sslMode().replace('-', '_').toUpperCase(Locale.ROOT);
    return Access.staticField(((Enum<?>) mode).getDeclaringClass(), name);
  }

  private static String text(Object owner, String name) {
    return optional(owner, name) instanceof String found ? found : "";
  }

  /** Null where this version has no such field, too. */
  private static Object optional(Object owner, String name) {
    try {
      return Access.field(owner, name);
    } catch (ReflectiveOperationException e) {
      return null;
    }
  }
}
