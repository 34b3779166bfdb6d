package benchside.probe.pools;

import benchside.probe.requests.Request;
import benchside.probe.requests.Requests;
import java.lang.StackWalker.StackFrame;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * The connections that the app's pools have lent. By identity, since the objects are the app's and may say of themselves that they are equal; in stripes, so
 * that threads seldom meet.
 */
public final class Loans {
  private static final int STRIPES = 64;
  /** What gives its connection back after its answer has as long for it. */
  private static final long LATE_NS = TimeUnit.MILLISECONDS.toNanos(500);
  private static final Stripe[] stripes = new Stripe[STRIPES];

  private static final class Stripe {
    private final IdentityHashMap<Object, Loan> lent = new IdentityHashMap<>();
  }

  /** Guarded by its stripe. */
  private static final class Loan {
    private final ConnectionPool pool;
    private final long askedNs;
    private final long sinceNs;
    /** The request whose thread took it; null where that is not known. */
    private final Request request;
    /** Whether it can belong to a request at all: one was under way when it was asked for. */
    private final boolean isOfRequest;
    /** The place of the borrowing call; empty where the stack was not read. */
    private final List<StackFrame> place;
    private boolean outlived;

    private Loan(ConnectionPool pool, long askedNs, boolean isByCaller) {
      this.pool = pool;
      this.askedNs = askedNs;
      sinceNs = System.nanoTime();
      request = isByCaller ? Requests.ofThisThread() : null;
      isOfRequest = request != null || Requests.areUnderWay();
      place = isByCaller ? Places.look(sinceNs) : List.of();
    }

    /**
     * Whether the request that took it is over. Where nobody knows which that was, it is one that began before it was asked for: all of those are over when
     * the oldest request under way began later.
     */
    private boolean isOutlived(long nowNs, long oldestNs) {
      if (outlived || nowNs - sinceNs < LATE_NS) return outlived;
      outlived = request == null ? isOfRequest && askedNs - oldestNs < 0 : request.isOverSince(LATE_NS, nowNs);
      return outlived;
    }
  }

  /**
   * Connections that were held longer than the request that took them.
   *
   * @param held now
   * @param places the places of the borrowing calls, where the stack was read, and how many of them each made
   */
  record Outlived(int held, Map<String, Integer> places) {}

  static {
    for (int i = 0; i < STRIPES; i += 1) stripes[i] = new Stripe();
  }

  private Loans() {}

  /**
   * Called by the thread that asked for it.
   *
   * @param askedNs when it did, by System.nanoTime
   */
  public static void lend(ConnectionPool pool, Object connection, long askedNs) {
    note(connection, new Loan(pool, askedNs, true));
  }

  /** Like {@link #lend}, called by any thread. */
  public static void deliver(ConnectionPool pool, Object connection, long askedNs) {
    note(connection, new Loan(pool, askedNs, false));
  }

  private static void note(Object connection, Loan loan) {
    Stripe stripe = stripeOf(connection);
    synchronized (stripe) {
      stripe.lent.put(connection, loan);
    }
  }

  /** One that was not lent while the probe was there is none of its pool's figures. */
  public static void giveBack(Object connection) {
    Loan loan = remove(connection);
    if (loan == null) return;
    loan.pool.hold.recordNs(System.nanoTime() - loan.sinceNs);
    if (loan.outlived) loan.pool.cameBack.increment();
  }

  /** It was closed instead of given back. */
  public static void forget(Object connection) {
    remove(connection);
  }

  /** Null where it is not known whose the connections are that the pool has lent: the app has another HTTP server than those that are known. */
  static Outlived outlivedOf(ConnectionPool pool) {
    if (!Requests.wereSeen()) return null;
    long nowNs = System.nanoTime();
    long oldestNs = Requests.oldestNs(nowNs);
    int lent = 0;
    int ofNobody = 0;
    int held = 0;
    Map<String, Integer> places = new HashMap<>();
    for (Stripe stripe : stripes) {
      synchronized (stripe) {
        for (Loan loan : stripe.lent.values()) {
          if (loan.pool != pool) continue;
          lent += 1;
          if (!loan.isOfRequest) ofNobody += 1;
          if (!loan.isOutlived(nowNs, oldestNs)) continue;
          held += 1;
          if (!loan.place.isEmpty()) places.merge(Places.text(loan.place), 1, Integer::sum);
        }
      }
    }
    if (held > 0) Places.suspect(nowNs);
    return 2 * ofNobody > lent ? null : new Outlived(held, places);
  }

  private static Loan remove(Object connection) {
    Stripe stripe = stripeOf(connection);
    synchronized (stripe) {
      return stripe.lent.remove(connection);
    }
  }

  private static Stripe stripeOf(Object connection) {
    int hash = System.identityHashCode(connection);
    return stripes[(hash ^ (hash >>> 12)) & (STRIPES - 1)];
  }
}
