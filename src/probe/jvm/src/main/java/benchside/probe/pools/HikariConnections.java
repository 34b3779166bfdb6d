package benchside.probe.pools;

import benchside.probe.Access;
import java.lang.reflect.Method;
import java.util.List;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** A HikariPool, 3 to 7. */
public final class HikariConnections extends ConnectionPool {
  private static final int NOT_IN_USE = 0;
  private static final int IN_USE = 1;
  private static final int SHUTDOWN = 2;
  private static final int MOST_OPENERS = 4;
  private static final String RETIRED = "(the pool was made smaller)";

  /** As the app has set them. A pool of fixed size, the preset, stays one. */
  private final int ownMin;
  private final boolean isFixedSize;

  HikariConnections(Object pool) throws ReflectiveOperationException {
    super("hikari", nameOf(pool), pool);
    Object config = Access.field(pool, "config");
    ownMin = Access.number(config, "getMinimumIdle");
    isFixedSize = ownMin < 0 || ownMin >= Access.number(config, "getMaximumPoolSize");
  }

  private static String nameOf(Object pool) throws ReflectiveOperationException {
    return String.valueOf(Access.call(Access.field(pool, "config"), "getPoolName"));
  }

  @Override
  protected boolean isClosed(Object pool) throws ReflectiveOperationException {
    return ((Number) Access.field(pool, "poolState")).intValue() == SHUTDOWN;
  }

  @Override
  protected Reading read() throws ReflectiveOperationException {
    Object pool = target();
    Object config = config();
    int total = Access.number(pool, "getTotalConnections");
    int busy = Access.number(pool, "getActiveConnections");
    int idle = Access.number(pool, "getIdleConnections");
    int pending = Access.number(pool, "getThreadsAwaitingConnection");
    return new Reading(Access.number(config, "getMaximumPoolSize"), Access.number(config, "getMinimumIdle"), total, idle, busy, pending);
  }

  @Override
  protected LendingGate makeGate() throws ReflectiveOperationException {
    Object bag = Access.field(target(), "connectionBag");
    Method count = Access.findMethod(bag.getClass(), "getCount", int.class);
    if (count == null) return null;
    Method borrow = Access.findMethod(bag.getClass(), "borrow", long.class, TimeUnit.class);
    return LendingGate.before(bag, borrow, () -> (int) Access.invoke(count, Access.field(target(), "connectionBag"), IN_USE));
  }

  @Override
  protected void begin(int max) throws ReflectiveOperationException {
    Object config = config();
    // The one that grows is set first, so that min never exceeds max.
    if (max > max()) {
      Access.set(config, "setMaximumPoolSize", max);
      Access.set(config, "setMinimumIdle", minFor(max));
    } else {
      Access.set(config, "setMinimumIdle", minFor(max));
      Access.set(config, "setMaximumPoolSize", max);
    }
  }

  private int minFor(int max) {
    return isFixedSize ? max : Math.min(ownMin, max);
  }

  @Override
  protected boolean step(int max) throws ReflectiveOperationException {
    Object pool = target();
    ThreadPoolExecutor opener = opener(pool);
    // Asked first: the opening of the current one began under the size before.
    boolean isOpening = opener != null && opener.getActiveCount() > 0;
    int total = Access.number(pool, "getTotalConnections");
    int missing = minFor(max) - total;
    // With more than one, as many too many could be opened as there are others: one alone opens the last.
    openWith(opener, missing > 2 * MOST_OPENERS ? MOST_OPENERS : 1);
    if (total > max) retire(pool, max);
    else if (missing > 0 && (opener == null || opener.getQueue().isEmpty())) fill(pool);
    else if (missing > 0) return false;
    else return !isOpening && marked(pool) == 0;
    return false;
  }

  @Override
  protected void end(int max) throws ReflectiveOperationException {
    openWith(opener(target()), 1);
  }

  /** What opens its connections, one after the other and with a pause of 30 ms after each. */
  private static ThreadPoolExecutor opener(Object pool) throws ReflectiveOperationException {
    return Access.field(pool, "addConnectionExecutor") instanceof ThreadPoolExecutor opener ? opener : null;
  }

  private static void openWith(ThreadPoolExecutor opener, int threads) {
    if (opener == null || opener.getMaximumPoolSize() == threads) return;
    // The one that grows is set last, so that the core never exceeds the maximum.
    if (threads == 1) opener.setCorePoolSize(1);
    opener.setMaximumPoolSize(threads);
    opener.setCorePoolSize(threads);
  }

  /** Without callers that wait, the pool opens connections only every 30 s. */
  private static void fill(Object pool) throws ReflectiveOperationException {
    Method fill = Access.findMethod(pool.getClass(), "fillPool", boolean.class);
    if (fill != null) Access.invoke(fill, pool, true);
    else Access.call(pool, "fillPool");
  }

  /** The pool never shrinks on its own: idle connections are closed at once, busy ones when they are returned. */
  private static void retire(Object pool, int max) throws ReflectiveOperationException {
    Object bag = Access.field(pool, "connectionBag");
    Method evict = Access.findMethod(pool.getClass(), "softEvictConnection", entryClass(pool), String.class, boolean.class);
    if (evict == null) throw new NoSuchMethodException("HikariPool.softEvictConnection");
    int marked = marked(pool);
    // Counted after the marked ones: one that is closed between the two counts must not count as one that is still to be marked.
    int left = Access.number(pool, "getTotalConnections") - max - marked;
    for (Object entry : entries(bag, NOT_IN_USE)) {
      boolean isCounted = isMarked(entry);
      if (left <= 0 && !isCounted) continue;
      if (Boolean.TRUE.equals(Access.invoke(evict, pool, entry, RETIRED, false)) && !isCounted) left -= 1;
    }
    for (Object entry : entries(bag, IN_USE)) {
      if (left <= 0) return;
      if (isMarked(entry)) continue;
      Access.invoke(evict, pool, entry, RETIRED, false);
      left -= 1;
    }
  }

  /** How many are to be closed as soon as they are returned or next examined. */
  private static int marked(Object pool) throws ReflectiveOperationException {
    int marked = 0;
    for (Object entry : (List<?>) Access.field(Access.field(pool, "connectionBag"), "sharedList")) if (isMarked(entry)) marked += 1;
    return marked;
  }

  private static Class<?> entryClass(Object pool) throws ClassNotFoundException {
    return Class.forName("com.zaxxer.hikari.pool.PoolEntry", false, pool.getClass().getClassLoader());
  }

  private static List<?> entries(Object bag, int state) throws ReflectiveOperationException {
    return (List<?>) Access.call(bag, "values", int.class, state);
  }

  private static boolean isMarked(Object entry) throws ReflectiveOperationException {
    return Boolean.TRUE.equals(Access.call(entry, "isMarkedEvicted"));
  }

  @Override
  protected String missing(int total, int max) {
    if (total == max) return "Connections were still being replaced when the time was over.";
    return "Only " + total + " of " + minFor(max) + " connections could be opened in time: look whether the database takes more.";
  }

  private Object config() throws ReflectiveOperationException {
    return Access.field(target(), "config");
  }
}
