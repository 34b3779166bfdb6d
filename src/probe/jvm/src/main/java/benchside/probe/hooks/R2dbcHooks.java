package benchside.probe.hooks;

import benchside.probe.Access;
import benchside.probe.pools.HoldTimes;
import benchside.probe.pools.PoolRegistry;
import benchside.probe.pools.R2dbcConnections;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * What the pool of R2DBC and reactor-pool below it call. Nobody waits in a method there: whoever subscribes is a borrower, to whom a connection is
 * delivered later. As {@link Hooks} says.
 */
public final class R2dbcHooks {
  /** Borrowers that have got nothing yet, and what was delivered. */
  private static final HoldTimes waits = new HoldTimes();
  private static final HoldTimes holds = new HoldTimes();

  private R2dbcHooks() {}

  public static void created(Object pool) {
    if (Hooks.isOff()) return;
    try {
      PoolRegistry.r2dbc(R2dbcConnections.within(pool));
    } catch (Throwable thrown) {
      Hooks.failed(thrown);
    }
  }

  public static void asked(Object borrower) {
    if (Hooks.isOff()) return;
    try {
      waits.take(borrower);
    } catch (Throwable thrown) {
      Hooks.failed(thrown);
    }
  }

  public static void delivered(Object borrower, Object delivered) {
    try {
      long waitedNs = waitedNs(borrower);
      // One that gave up meanwhile: what was meant for it goes back at once.
      if (Hooks.isOff() || ((AtomicBoolean) borrower).get()) return;
      R2dbcConnections known = R2dbcConnections.of(Access.field(borrower, "pool"), delivered);
      if (known == null) return;
      if (waitedNs >= 0) known.acquire.recordNs(waitedNs);
      holds.take(delivered);
    } catch (Throwable thrown) {
      Hooks.failed(thrown);
    }
  }

  /** Its time is over, or whoever asked is no longer interested, which is how a time-out further out arrives here. */
  public static void gaveUp(Object borrower) {
    try {
      long waitedNs = waitedNs(borrower);
      if (waitedNs < 0 || Hooks.isOff()) return;
      R2dbcConnections known = R2dbcConnections.known(Access.field(borrower, "pool"));
      if (known == null) return;
      known.timeouts.increment();
      known.acquire.recordNs(waitedNs);
    } catch (Throwable thrown) {
      Hooks.failed(thrown);
    }
  }

  /** The pool is closed or has too many that wait. */
  public static void refused(Object borrower, Object reason) {
    try {
      waitedNs(borrower);
    } catch (Throwable thrown) {
      Hooks.failed(thrown);
    }
  }

  public static void givenBack(Object delivered) {
    try {
      long heldNs = holds.giveBack(delivered);
      holds.forget(delivered);
      if (heldNs < 0 || Hooks.isOff()) return;
      R2dbcConnections known = R2dbcConnections.ofDelivered(delivered);
      if (known != null) known.hold.recordNs(heldNs);
    } catch (Throwable thrown) {
      Hooks.failed(thrown);
    }
  }

  /** In ns, once; -1 for a borrower that is not waiting. */
  private static long waitedNs(Object borrower) {
    long ns = waits.giveBack(borrower);
    waits.forget(borrower);
    return ns;
  }
}
