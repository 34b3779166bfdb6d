package benchside.probe.hooks;

import benchside.probe.look.NamedDatabases;
import java.util.List;
import java.util.Map;

/** Calls from the driver of PostgreSQL, right before it connects: of an app that is introspected, or led to a database. */
public final class LeadHooks {
  static final Map<String, List<MethodHook>> hooks = Map.of(
      "org/postgresql/Driver",
      List.of(MethodHook.Place.FIRST_TEXT.of("connect", "(Ljava/lang/String;Ljava/util/Properties;)Ljava/sql/Connection;", "LeadHooks.address")));

  private LeadHooks() {}

  /** Never throws into the app. */
  public static String address(String named) {
    return NamedDatabases.inPlaceOf(named);
  }
}
