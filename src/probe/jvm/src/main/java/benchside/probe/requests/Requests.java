package benchside.probe.requests;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.WeakHashMap;

/**
 * The requests that the app's HTTP servers have under way, as far as the probe knows such a server. A request is known by an object that the server has for it
 * alone until it is over. One that nothing refers to any more is under way no longer.
 */
public final class Requests {
  private static final int STRIPES = 16;
  private static final List<Map<Object, Request>> stripes = new ArrayList<>();
  /** The one that a thread works for at present, or the last one. */
  private static final ThreadLocal<Request> own = new ThreadLocal<>();
  private static volatile boolean seen;

  static {
    for (int i = 0; i < STRIPES; i += 1) stripes.add(new WeakHashMap<>());
  }

  private Requests() {}

  /** This thread works for a request from now on, which may have begun on another. */
  public static void work(Object key) {
    Map<Object, Request> stripe = stripeOf(key);
    Request request;
    synchronized (stripe) {
      request = stripe.get(key);
      if (request == null) {
        request = new Request();
        stripe.put(key, request);
      }
    }
    own.set(request);
    if (!seen) seen = true;
  }

  /** This thread does something else from now on. The request may go on. */
  public static void leave() {
    own.remove();
  }

  public static void end(Object key) {
    Map<Object, Request> stripe = stripeOf(key);
    Request request;
    synchronized (stripe) {
      request = stripe.remove(key);
    }
    if (request != null) request.end();
  }

  /** Whether there ever was one. */
  public static boolean wereSeen() {
    return seen;
  }

  /** The one that this thread works for, or null where none is known. */
  public static Request ofThisThread() {
    Request request = own.get();
    return request != null && request.isUnderWay() ? request : null;
  }

  public static boolean areUnderWay() {
    for (Map<Object, Request> stripe : stripes) {
      synchronized (stripe) {
        if (!stripe.isEmpty()) return true;
      }
    }
    return false;
  }

  /** When the oldest that is under way began; now, where none is. */
  public static long oldestNs(long nowNs) {
    long oldest = nowNs;
    for (Map<Object, Request> stripe : stripes) {
      synchronized (stripe) {
        for (Request request : stripe.values()) if (request.startNs - oldest < 0) oldest = request.startNs;
      }
    }
    return oldest;
  }

  private static Map<Object, Request> stripeOf(Object key) {
    int hash = System.identityHashCode(key);
    return stripes.get((hash ^ (hash >>> 12)) & (STRIPES - 1));
  }
}
