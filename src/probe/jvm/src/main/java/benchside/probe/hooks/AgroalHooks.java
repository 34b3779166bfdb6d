package benchside.probe.hooks;

import benchside.probe.ProbeThread;
import benchside.probe.pools.AgroalConnections;
import benchside.probe.pools.Loans;
import benchside.probe.pools.PoolRegistry;

/** What Agroal's pool calls. As {@link Hooks} says. */
public final class AgroalHooks {
  /** When this thread last asked: what it gets is noted in another method. */
  private static final ThreadLocal<long[]> asked = ThreadLocal.withInitial(() -> new long[1]);

  private AgroalHooks() {}

  public static void asked(Object pool) {
    if (Hooks.isOff()) return;
    try {
      asked.get()[0] = System.nanoTime();
    } catch (Throwable thrown) {
      Hooks.failed(thrown);
    }
  }

  public static void got(Object pool, Object handler) {
    borrowed(pool, handler, asked.get()[0]);
  }

  /** Where the call began before the probe came, only the holding from now on is known. */
  private static void taken(Object pool, Object handler, long startNs) throws ReflectiveOperationException {
    AgroalConnections known = PoolRegistry.agroal(pool);
    if (startNs != 0) known.acquire.recordNs(System.nanoTime() - startNs);
    Loans.lend(known, handler, startNs == 0 ? System.nanoTime() : startNs);
  }

  /** @param handler null where none of the thread's own was free */
  public static void borrowed(Object pool, Object handler, long startNs) {
    if (handler == null || Hooks.isOff() || ProbeThread.isCurrent()) return;
    try {
      taken(pool, handler, startNs);
    } catch (Throwable thrown) {
      Hooks.failed(thrown);
    }
  }

  public static void notBorrowed(Object pool, Throwable reason, long startNs) {
    if (Hooks.isOff() || ProbeThread.isCurrent()) return;
    try {
      if (!String.valueOf(reason.getMessage()).toLowerCase(java.util.Locale.ROOT).contains("acquisition timeout")) return;
      AgroalConnections known = PoolRegistry.agroal(pool);
      known.timeouts.increment();
      known.acquire.recordNs(System.nanoTime() - startNs);
    } catch (Throwable thrown) {
      Hooks.failed(thrown);
    }
  }
}
