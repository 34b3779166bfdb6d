package benchside.probe.hooks;

import benchside.probe.ProbeThread;
import benchside.probe.pools.Loans;
import benchside.probe.pools.PoolRegistry;
import benchside.probe.pools.TomcatJdbcConnections;

/** What the pool of Tomcat JDBC calls. As {@link Hooks} says. */
public final class TomcatJdbcHooks {
  private TomcatJdbcHooks() {}

  public static void borrowed(Object pool, Object connection, long startNs) {
    if (Hooks.isOff() || ProbeThread.isCurrent() || LendingHooks.isTimedAlready()) return;
    try {
      TomcatJdbcConnections known = PoolRegistry.tomcatJdbc(pool);
      long askedNs = LendingHooks.since(startNs);
      known.acquire.recordNs(System.nanoTime() - askedNs);
      Loans.lend(known, connection, askedNs);
    } catch (Throwable thrown) {
      Hooks.failed(thrown);
    }
  }

  public static void notBorrowed(Object pool, Throwable reason, long startNs) {
    if (Hooks.isOff() || ProbeThread.isCurrent()) return;
    try {
      if (!reason.getClass().getSimpleName().equals("PoolExhaustedException")) return;
      TomcatJdbcConnections known = PoolRegistry.tomcatJdbc(pool);
      known.timeouts.increment();
      known.acquire.recordNs(System.nanoTime() - LendingHooks.since(startNs));
    } catch (Throwable thrown) {
      Hooks.failed(thrown);
    }
  }

  /** Says whether it was closed instead, since the pool is to have fewer. */
  public static boolean givenBack(Object pool, Object connection) {
    if (connection == null) return false;
    try {
      Loans.giveBack(connection);
      return !Hooks.isOff() && PoolRegistry.tomcatJdbc(pool).retire(connection);
    } catch (Throwable thrown) {
      Hooks.failed(thrown);
      return false;
    }
  }

  public static void released(Object pool, Object connection) {
    if (connection == null) return;
    try {
      Loans.forget(connection);
    } catch (Throwable thrown) {
      Hooks.failed(thrown);
    }
  }
}
