package benchside.probe.hooks;

import benchside.probe.Access;
import benchside.probe.ProbeThread;
import benchside.probe.pools.LendingGate;
import java.lang.reflect.InvocationTargetException;
import java.time.Duration;
import java.util.NoSuchElementException;
import java.util.concurrent.TimeUnit;

/**
 * Calls from pools whose number of lent connections can be limited. As {@link Hooks} says; but the replacement of a pool’s own method throws what that
 * throws. A caller comes to the gate first. A caller that was waiting within the pool when the limit was set comes to the gate with its connection, and returns it.
 */
public final class LendingHooks {
  /** So that a time which is as long as for ever can be added to the clock. */
  private static final long LONGEST_NS = TimeUnit.DAYS.toNanos(10_000);
  /** In place of a deadline, for a caller that has been let in. */
  private static final long LET_IN = Long.MIN_VALUE;
  /** In place of a start, for a caller whose call is timed elsewhere. */
  private static final long TIMED_ALREADY = Long.MIN_VALUE;
  /** Since when the call of this thread waits that has been let in. */
  private static final ThreadLocal<Long> letIn = new ThreadLocal<>();

  private LendingHooks() {}

  /** Whether a call has to be let in first. */
  public static boolean isGated(Object owner) {
    LendingGate gate = LendingGate.of(owner);
    return gate != null && gate.isShut() && letIn.get() == null && !ProbeThread.isCurrent();
  }

  /** A connection was given back, or is out of use. */
  public static void changed(Object owner) {
    LendingGate gate = LendingGate.of(owner);
    if (gate != null) gate.changed();
  }

  public static long hikariDeadline(Object bag, long timeout, TimeUnit unit) {
    return deadline(unit.toNanos(timeout));
  }

  /** Null when the time is over. */
  public static Object hikariBorrow(Object bag, long timeout, TimeUnit unit) throws Exception {
    return hikariBorrow(bag, System.nanoTime(), hikariDeadline(bag, timeout, unit));
  }

  private static Object hikariBorrow(Object bag, long sinceNs, long deadlineNs) throws Exception {
    LendingGate gate = LendingGate.of(bag);
    if (!gate.enter(deadlineNs)) return null;
    return borrow(gate, bag, sinceNs, Math.max(0, deadlineNs - System.nanoTime()), TimeUnit.NANOSECONDS);
  }

  public static Object hikariLent(Object bag, Object entry, long deadlineNs) throws Exception {
    if (!isTooMany(bag, entry, deadlineNs)) return entry;
    ClassLoader loader = entry.getClass().getClassLoader();
    Class<?> type = Class.forName("com.zaxxer.hikari.util.ConcurrentBag$IConcurrentBagEntry", false, loader);
    Access.call(bag, "requite", type, entry);
    return hikariBorrow(bag, TIMED_ALREADY, deadlineNs);
  }

  public static long objectDeadline(Object pool, Duration wait) {
    // Less than no time is for ever.
    boolean isLong = wait.isNegative() || wait.getSeconds() > TimeUnit.NANOSECONDS.toSeconds(LONGEST_NS);
    return deadline(isLong ? LONGEST_NS : wait.toNanos());
  }

  public static long objectDeadline(Object pool, long waitMs) {
    return objectDeadline(pool, Duration.ofMillis(waitMs));
  }

  public static Object objectBorrow(Object pool, Duration wait) throws Exception {
    return objectBorrow(pool, System.nanoTime(), objectDeadline(pool, wait));
  }

  public static Object objectBorrow(Object pool, long waitMs) throws Exception {
    return objectBorrow(pool, System.nanoTime(), objectDeadline(pool, waitMs));
  }

  private static Object objectBorrow(Object pool, long sinceNs, long deadlineNs) throws Exception {
    LendingGate gate = LendingGate.of(pool);
    boolean waits = Boolean.TRUE.equals(Access.call(pool, "getBlockWhenExhausted"));
    if (!gate.enter(waits ? deadlineNs : System.nanoTime())) {
      NoSuchElementException late = new NoSuchElementException(waits ? "Timeout waiting for idle object" : "Pool exhausted");
      Hooks.notBorrowed(pool, late, sinceNs == TIMED_ALREADY ? System.nanoTime() : sinceNs);
      throw late;
    }
    Duration left = Duration.ofNanos(Math.max(0, deadlineNs - System.nanoTime()));
    return borrow(gate, pool, sinceNs, gate.borrow().getParameterTypes()[0] == long.class ? left.toMillis() : left);
  }

  public static Object objectLent(Object pool, Object object, long deadlineNs) throws Exception {
    if (!isTooMany(pool, object, deadlineNs)) return object;
    Access.call(pool, "returnObject", Object.class, object);
    return objectBorrow(pool, TIMED_ALREADY, deadlineNs);
  }

  /** When the call began: how long it may take is asked only where it has to be known. A caller with a user of its own keeps what it gets. */
  public static long tomcatBegan(Object pool, int waitMs, String user, String password) {
    return user == null ? deadline(0) : LET_IN;
  }

  public static Object tomcatBorrow(Object pool, int waitMs, String user, String password) throws Exception {
    return tomcatBorrow(pool, System.nanoTime(), System.nanoTime(), waitMs, user, password);
  }

  private static Object tomcatBorrow(Object pool, long sinceNs, long beganNs, int waitMs, String user, String password) throws Exception {
    int mostMs = waitMs == -1 ? Access.number(Access.call(pool, "getPoolProperties"), "getMaxWait") : waitMs;
    // Where the pool has no time of its own, it is for ever.
    long deadlineNs = beganNs + (waitMs == -1 && mostMs <= 0 ? LONGEST_NS : TimeUnit.MILLISECONDS.toNanos(mostMs));
    LendingGate gate = LendingGate.of(pool);
    if (!gate.enter(deadlineNs)) {
      Class<?> type = Class.forName("org.apache.tomcat.jdbc.pool.PoolExhaustedException", false, pool.getClass().getClassLoader());
      // An SQLException, whose class is not visible here.
      Exception late = (Exception) type.getConstructor(String.class).newInstance("Timeout: Pool empty. Unable to fetch a connection in time.");
      Hooks.notBorrowed(pool, late, beganNs);
      throw late;
    }
    long leftMs = TimeUnit.NANOSECONDS.toMillis(Math.max(0, deadlineNs - System.nanoTime()));
    return borrow(gate, pool, sinceNs, (int) Math.min(leftMs, Integer.MAX_VALUE), user, password);
  }

  public static Object tomcatLent(Object pool, Object connection, long beganNs) throws Exception {
    if (!isTooMany(pool, connection, beganNs)) return connection;
    Access.call(pool, "returnConnection", connection.getClass(), connection);
    return tomcatBorrow(pool, TIMED_ALREADY, beganNs, -1, null, null);
  }

  /** Since when a caller waits whose call began at a time. */
  static long since(long startNs) {
    Long known = letIn.get();
    return known == null || known == TIMED_ALREADY ? startNs : known;
  }

  /** Whether what this thread gets now is timed where it was asked for. */
  static boolean isTimedAlready() {
    Long known = letIn.get();
    return known != null && known == TIMED_ALREADY;
  }

  private static long deadline(long ns) {
    return letIn.get() == null ? System.nanoTime() + Math.min(ns, LONGEST_NS) : LET_IN;
  }

  private static boolean isTooMany(Object owner, Object got, long deadlineNs) {
    if (got == null || deadlineNs == LET_IN || ProbeThread.isCurrent()) return false;
    LendingGate gate = LendingGate.of(owner);
    return gate != null && gate.isExceeded();
  }

  /** Calls the pool’s own method for a caller that its gate has let in. */
  private static Object borrow(LendingGate gate, Object owner, long sinceNs, Object... arguments) throws Exception {
    letIn.set(sinceNs);
    try {
      return gate.borrow().invoke(owner, arguments);
    } catch (InvocationTargetException e) {
      if (e.getCause() instanceof Error error) throw error;
      throw (Exception) e.getCause();
    } finally {
      letIn.remove();
      gate.left();
    }
  }
}
