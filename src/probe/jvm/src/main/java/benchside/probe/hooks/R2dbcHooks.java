package benchside.probe.hooks;

import benchside.probe.Access;
import benchside.probe.pools.ConnectionPool;
import benchside.probe.pools.Loans;
import benchside.probe.pools.PoolRegistry;
import benchside.probe.pools.R2dbcConnections;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Calls from the pool of R2DBC and from reactor-pool below it. Nobody waits in a method there: each subscriber is a borrower, which gets its connection
 * later. As {@link Hooks} says.
 */
public final class R2dbcHooks {
  /** When borrowers asked that have got nothing yet. */
  private static final Map<Object, Long> waits = new ConcurrentHashMap<>();

  private R2dbcHooks() {}

  public static void asked(Object borrower) {
    if (!Hooks.isOff()) waits.put(borrower, System.nanoTime());
  }

  public static void delivered(Object borrower, Object delivered) throws ReflectiveOperationException {
    Long askedNs = waits.remove(borrower);
    // It gave up in the meantime: its connection is returned at once.
    if (Hooks.isOff() || ((AtomicBoolean) borrower).get()) return;
    ConnectionPool known = R2dbcConnections.of(Access.field(borrower, "pool"), delivered);
    if (known == null) return;
    long nowNs = System.nanoTime();
    if (askedNs != null) known.acquire.recordNs(nowNs - askedNs);
    Loans.deliver(known, delivered, askedNs == null ? nowNs : askedNs);
  }

  /** Its time is over, or the caller has cancelled, which is how an outer time-out arrives here. */
  public static void gaveUp(Object borrower) throws ReflectiveOperationException {
    Long askedNs = waits.remove(borrower);
    if (askedNs == null || Hooks.isOff()) return;
    ConnectionPool known = PoolRegistry.pools.find(Access.field(borrower, "pool"));
    if (known != null) known.gaveUp(askedNs);
  }

  /** The pool is closed or has too many that wait. */
  public static void refused(Object borrower, Object reason) {
    waits.remove(borrower);
  }

  public static void givenBack(Object delivered) {
    Loans.giveBack(delivered);
  }
}
