package benchside.probe.hooks;

import benchside.probe.pools.C3p0Connections;
import benchside.probe.pools.Loans;
import benchside.probe.pools.PoolRegistry;

/** What c3p0's pool calls. As {@link Hooks} says. */
public final class C3p0Hooks {
  private C3p0Hooks() {}

  public static void borrowed(Object pool, Object resource, long startNs) {
    if (Hooks.isOff()) return;
    try {
      C3p0Connections known = PoolRegistry.c3p0(pool);
      known.acquire.recordNs(System.nanoTime() - startNs);
      Loans.lend(known, resource, startNs);
    } catch (Throwable thrown) {
      Hooks.failed(thrown);
    }
  }

  public static void notBorrowed(Object pool, Throwable reason, long startNs) {
    if (Hooks.isOff()) return;
    try {
      if (!reason.getClass().getSimpleName().equals("TimeoutException")) return;
      C3p0Connections known = PoolRegistry.c3p0(pool);
      known.timeouts.increment();
      known.acquire.recordNs(System.nanoTime() - startNs);
    } catch (Throwable thrown) {
      Hooks.failed(thrown);
    }
  }
}
