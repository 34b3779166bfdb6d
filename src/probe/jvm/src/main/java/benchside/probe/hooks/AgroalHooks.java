package benchside.probe.hooks;

import benchside.probe.ProbeThread;
import benchside.probe.pools.ConnectionPool;
import benchside.probe.pools.Loans;
import benchside.probe.pools.PoolRegistry;

/** What Agroal's pool calls. As {@link Hooks} says. */
public final class AgroalHooks {
  /** When this thread last asked: what it gets is noted in another method. */
  private static final ThreadLocal<long[]> asked = ThreadLocal.withInitial(() -> new long[1]);

  private AgroalHooks() {}

  public static void asked(Object pool) {
    if (!Hooks.isOff()) asked.get()[0] = System.nanoTime();
  }

  public static void got(Object pool, Object handler) throws ReflectiveOperationException {
    borrowed(pool, handler, asked.get()[0]);
  }

  /** @param handler null where none of the thread's own was free */
  public static void borrowed(Object pool, Object handler, long startNs) throws ReflectiveOperationException {
    if (handler == null || Hooks.isOff() || ProbeThread.isCurrent()) return;
    ConnectionPool known = PoolRegistry.of(pool);
    // Where the call began before the probe came, only the holding from now on is known.
    if (startNs == 0) Loans.lend(known, handler, System.nanoTime());
    else known.lent(handler, startNs);
  }
}
