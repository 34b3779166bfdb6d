package benchside.probe.pools;

import java.util.IdentityHashMap;

/**
 * When each connection was taken. By identity, since the objects are the app's and may say of themselves that they are equal; in stripes, so that
 * threads seldom meet.
 */
public final class HoldTimes {
  private static final int STRIPES = 64;

  /** Written by the thread that takes the connection, read by the one that gives it back; handing it over orders the two. */
  private static final class Taken {
    long atNs;
    boolean held;
  }

  private final Stripe[] stripes = new Stripe[STRIPES];

  private static final class Stripe {
    private final IdentityHashMap<Object, Taken> taken = new IdentityHashMap<>();
  }

  public HoldTimes() {
    for (int i = 0; i < STRIPES; i += 1) stripes[i] = new Stripe();
  }

  public void take(Object connection) {
    Stripe stripe = stripeOf(connection);
    synchronized (stripe) {
      Taken known = stripe.taken.get(connection);
      if (known == null) {
        known = new Taken();
        stripe.taken.put(connection, known);
      }
      known.atNs = System.nanoTime();
      known.held = true;
    }
  }

  /** How long it was held, in ns, or -1 when it was not taken while the probe was there. Its next taking costs nothing. */
  public long giveBack(Object connection) {
    Stripe stripe = stripeOf(connection);
    synchronized (stripe) {
      Taken known = stripe.taken.get(connection);
      if (known == null || !known.held) return -1;
      known.held = false;
      return System.nanoTime() - known.atNs;
    }
  }

  /** Like {@link #giveBack}, for a connection that is not seen again. */
  public void forget(Object connection) {
    Stripe stripe = stripeOf(connection);
    synchronized (stripe) {
      stripe.taken.remove(connection);
    }
  }

  private Stripe stripeOf(Object connection) {
    int hash = System.identityHashCode(connection);
    return stripes[(hash ^ (hash >>> 12)) & (STRIPES - 1)];
  }
}
