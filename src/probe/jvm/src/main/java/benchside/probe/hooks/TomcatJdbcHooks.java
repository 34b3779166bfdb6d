package benchside.probe.hooks;

import benchside.probe.pools.Loans;
import benchside.probe.pools.PoolRegistry;
import benchside.probe.pools.TomcatJdbcConnections;

/** What the pool of Tomcat JDBC calls when a connection comes back. As {@link Hooks} says. */
public final class TomcatJdbcHooks {
  private TomcatJdbcHooks() {}

  /** Says whether it was closed instead, since the pool is to have fewer. */
  public static boolean givenBack(Object pool, Object connection) throws ReflectiveOperationException {
    if (connection == null) return false;
    Loans.giveBack(connection);
    return !Hooks.isOff() && ((TomcatJdbcConnections) PoolRegistry.of(pool)).retire(connection);
  }

  public static void released(Object pool, Object connection) {
    if (connection != null) Loans.forget(connection);
  }
}
