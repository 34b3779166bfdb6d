package benchside.probe.pools;

import benchside.probe.Access;
import java.util.Collection;
import java.util.Map;

/** A pool of connections to other HTTP services: of Apache HttpClient 5 (httpcore5's strict and lax pool, blocking and asynchronous) and 4 (httpcore's). */
public final class HttpConnections extends ConnectionPool {
  private static final String STRICT = "org.apache.hc.core5.pool.StrictConnPool";
  private static final String LAX = "org.apache.hc.core5.pool.LaxConnPool";
  private static final int LONGEST_NAME = 200;
  private static final int NOT_RETIRING = -1;

  private final boolean isStrict;
  private final boolean isLax;
  private final int ownTotal;
  private final int ownPerRoute;
  private final int ownMax;
  private volatile String seenName = "Apache HttpClient";
  /** While it has more than this many, what is given back is closed. */
  private volatile int retireTo = NOT_RETIRING;

  HttpConnections(Object pool) throws ReflectiveOperationException {
    super("http-client", "http-client", "Apache HttpClient", pool);
    isStrict = isA(pool, STRICT);
    isLax = isA(pool, LAX);
    ownTotal = Access.number(pool, "getMaxTotal");
    ownPerRoute = Access.number(pool, "getDefaultMaxPerRoute");
    ownMax = limitOf(pool);
  }

  /** The client makes subclasses of them. */
  private static boolean isA(Object pool, String name) {
    for (Class<?> type = pool.getClass(); type != null; type = type.getSuperclass()) if (type.getName().equals(name)) return true;
    return false;
  }

  /** The service that it goes to, as soon as it has gone there. */
  @Override
  protected String name() {
    return seenName;
  }

  @Override
  protected boolean isClosed(Object pool) throws ReflectiveOperationException {
    return Boolean.TRUE.equals(Access.call(pool, "isShutdown"));
  }

  @Override
  protected String fixedBecause() {
    if (isStrict) return null;
    return isLax
        ? "The lax pool of Apache HttpClient has a size for each host that is set when it is first used; waiting and holding are not timed in it."
        : "The pool of Apache HttpClient 4 is only looked at: its size cannot be changed while the app runs.";
  }

  @Override
  protected String note() {
    return isStrict ? null : fixedBecause();
  }

  @Override
  protected Reading read() throws ReflectiveOperationException {
    Object pool = target();
    lookAtName(pool);
    Object stats = Access.call(pool, "getTotalStats");
    int idle = Access.number(stats, "getAvailable");
    int busy = Access.number(stats, "getLeased");
    return new Reading(limitOf(pool), null, busy + idle, idle, busy, Access.number(stats, "getPending"));
  }

  private void lookAtName(Object pool) throws ReflectiveOperationException {
    Collection<?> routes = routesOf(pool);
    if (routes.isEmpty()) return;
    String host = String.valueOf(Access.call(routes.iterator().next(), "getTargetHost"));
    String others = routes.size() == 1 ? "" : " and " + (routes.size() - 1) + " more";
    seenName = host.substring(0, Math.min(host.length(), LONGEST_NAME)) + others;
  }

  private static Collection<?> routesOf(Object pool) throws ReflectiveOperationException {
    return (Collection<?>) Access.call(pool, "getRoutes");
  }

  /** How many can be leased at once: what its hosts may have together, and not more than the limit of all. */
  private static int limitOf(Object pool) throws ReflectiveOperationException {
    int perRoute = Access.number(pool, "getDefaultMaxPerRoute");
    long together = 0;
    for (Object route : routesOf(pool)) together += perRouteOf(pool, route);
    if (together == 0) together = perRoute;
    int total = Access.number(pool, "getMaxTotal");
    return (int) Math.min(together, total <= 0 ? Integer.MAX_VALUE : total);
  }

  private static int perRouteOf(Object pool, Object route) throws ReflectiveOperationException {
    return ((Number) Access.invoke(Access.findMethod(pool.getClass(), "getMaxPerRoute", Object.class), pool, route)).intValue();
  }

  /** The limit of all and that of each host: an app seldom distinguishes them, and with one host the smaller one is the size. */
  @Override
  protected void begin(int max) throws ReflectiveOperationException {
    Object pool = target();
    boolean isOwn = max == ownMax;
    Access.set(pool, "setMaxTotal", isOwn ? ownTotal : max);
    Access.set(pool, "setDefaultMaxPerRoute", isOwn ? ownPerRoute : max);
    Map<?, ?> given = (Map<?, ?>) Access.field(pool, "maxPerRoute");
    for (Object route : given.keySet().toArray()) {
      if (!isOwn) Access.invoke(Access.findMethod(pool.getClass(), "setMaxPerRoute", Object.class, int.class), pool, route, max);
    }
    retireTo = max;
  }

  @Override
  protected boolean step(int max) throws ReflectiveOperationException {
    Object pool = target();
    Reading reading = read();
    if (reading.total() > max) {
      if (reading.idle() > 0) closeIdle(pool);
      return false;
    }
    if (reading.pending() == 0 || reading.total() >= max) return true;
    // Callers that wait already do not check for room again.
    Access.call(pool, "closeExpired");
    Access.call(pool, "fireCallbacks");
    return false;
  }

  private static void closeIdle(Object pool) throws ReflectiveOperationException {
    Class<?> timeValue = Class.forName("org.apache.hc.core5.util.TimeValue", false, pool.getClass().getClassLoader());
    Access.call(pool, "closeIdle", timeValue, Access.staticField(timeValue, "ZERO_MILLISECONDS"));
  }

  /** Called as a caller gives a connection back. One that is surplus is closed, which is how the pool learns not to keep it. */
  public void givenBack(Object entry) throws ReflectiveOperationException {
    int wanted = retireTo;
    if (wanted == NOT_RETIRING) return;
    if (effective() <= wanted) {
      retireTo = NOT_RETIRING;
      return;
    }
    Class<?> mode = Class.forName("org.apache.hc.core5.io.CloseMode", false, entry.getClass().getClassLoader());
    Access.call(entry, "discardConnection", mode, Access.staticField(mode, "GRACEFUL"));
  }

  @Override
  protected String missing(int total, int max) {
    return "Callers still waited for one of " + max + " connections when the time was over.";
  }
}
