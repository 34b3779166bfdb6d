package benchside.probe.hooks;

import static benchside.probe.hooks.MethodHook.Place.*;

import benchside.probe.Notes;
import benchside.probe.look.LedClients;
import benchside.probe.look.NamedDatabases;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** Calls from drivers of PostgreSQL, right before they connect: of an app that is introspected, or led to a database. None throws into the app. */
public final class LeadHooks {
  /** Whatever connects reads all of it there, in any order. */
  private static final List<MethodHook> ofVertx = Stream.of("getHost", "getPort", "getDatabase", "getUser", "getPassword", "getSslMode")
      .map(getter -> ENTRY.of(getter, null, "LeadHooks.vertxOptions")).toList();

  static final Map<String, List<MethodHook>> hooks = Map.of(
      "org/postgresql/Driver",
      List.of(FIRST_TEXT.of("connect", "(Ljava/lang/String;Ljava/util/Properties;)Ljava/sql/Connection;", "LeadHooks.address")),
      "io/r2dbc/postgresql/PostgresqlConnectionConfiguration$Builder",
      List.of(ENTRY.of("build", "()Lio/r2dbc/postgresql/PostgresqlConnectionConfiguration;", "LeadHooks.r2dbcBuilder")),
      "io/vertx/sqlclient/SqlConnectOptions", ofVertx,
      "io/vertx/pgclient/PgConnectOptions", ofVertx,
      "io/reactiverse/pgclient/PgConnectOptions", ofVertx);

  private LeadHooks() {}

  public static String address(String named) {
    try {
      return NamedDatabases.inPlaceOf(named);
    } catch (RuntimeException e) {
      notLed(e);
      return named;
    }
  }

  public static void r2dbcBuilder(Object builder) {
    try {
      LedClients.ofR2dbc(builder);
    } catch (ReflectiveOperationException | RuntimeException e) {
      notLed(e);
    }
  }

  public static void vertxOptions(Object options) {
    try {
      LedClients.ofVertx(options);
    } catch (ReflectiveOperationException | RuntimeException e) {
      notLed(e);
    }
  }

  private static void notLed(Exception why) {
    Notes.add("The app was not led to its database: " + why);
  }
}
