package benchside.probe.hooks;

import benchside.probe.Access;
import benchside.probe.Notes;
import benchside.probe.ProbeThread;
import benchside.probe.pools.ConnectionPool;
import benchside.probe.pools.DriverPool;
import benchside.probe.pools.DruidConnections;
import benchside.probe.pools.GenericObjects;
import benchside.probe.pools.Loans;
import benchside.probe.pools.PoolRegistry;
import benchside.probe.pools.TomcatJdbcConnections;
import java.util.EventObject;
import java.util.Locale;
import java.util.NoSuchElementException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * What pools of the app call. None of these throws into the app, since {@link HookTransformer} puts a {@link Guard} around each; when one
 * fails again and again they all stop to look. Called by methods that it has written, by name: change a name or a parameter at both places.
 */
public final class Hooks {
  private static final int MOST_FAILURES = 20;
  private static final long PLAUSIBLE_WAIT_NS = TimeUnit.HOURS.toNanos(1);
  private static final AtomicInteger failures = new AtomicInteger();
  private static volatile boolean off;
  /** When this thread last asked Agroal's pool: what it gets is noted in another method. */
  private static final ThreadLocal<long[]> agroalAsked = ThreadLocal.withInitial(() -> new long[1]);
  /** What the driver's pool gives to this thread: which pool that was is known one call later. */
  private static final ThreadLocal<Object> driverGives = new ThreadLocal<>();

  private Hooks() {}

  public static void created(Object pool) throws ReflectiveOperationException {
    if (!off) PoolRegistry.of(pool);
  }

  public static void hikariBorrowed(Object pool, Object connection, long startNs) throws ReflectiveOperationException {
    if (!off) PoolRegistry.of(pool).lent(Access.field(connection, "poolEntry"), startNs);
  }

  /** @param start Hikari's own clock: System.nanoTime, on macOS the milliseconds of the day */
  public static void hikariTimedOut(Object pool, long start) throws ReflectiveOperationException {
    if (off) return;
    long nowNs = System.nanoTime();
    boolean isNano = nowNs - start >= 0 && nowNs - start < PLAUSIBLE_WAIT_NS;
    PoolRegistry.of(pool).gaveUp(isNano ? start : nowNs - TimeUnit.MILLISECONDS.toNanos(System.currentTimeMillis() - start));
  }

  /** @param lent what a caller gives back: the connection, or what the pool has for it */
  public static void givenBack(Object pool, Object lent) {
    if (lent != null) Loans.giveBack(lent);
  }

  /** What was lent is closed; a pool that the probe does not know may own it. */
  public static void closed(Object lent) {
    Loans.forget(lent);
  }

  public static void borrowed(Object pool, Object lent, long startNs) throws ReflectiveOperationException {
    if (!off) PoolRegistry.of(pool).lent(lent, startNs);
  }

  /** Of a pool with a gate. */
  public static void gatedBorrowed(Object pool, Object lent, long startNs) throws ReflectiveOperationException {
    if (off || ProbeThread.isCurrent() || LendingHooks.isTimedAlready()) return;
    PoolRegistry.of(pool).lent(lent, LendingHooks.since(startNs));
  }

  public static void notBorrowed(Object pool, Throwable reason, long startNs) throws ReflectiveOperationException {
    if (!off && !ProbeThread.isCurrent() && isTimeOut(reason)) PoolRegistry.of(pool).gaveUp(LendingHooks.since(startNs));
  }

  /** Whether a pool says by this that the time of a caller was over: each in its own way. */
  private static boolean isTimeOut(Throwable reason) {
    String message = String.valueOf(reason.getMessage());
    // Of commons-pool2.
    if (reason instanceof NoSuchElementException) return message.startsWith("Timeout") || message.startsWith("Pool exhausted");
    // Of Apache HttpClient, c3p0, Tomcat JDBC and Druid.
    String type = reason.getClass().getSimpleName();
    if (reason instanceof TimeoutException || type.equals("TimeoutException") || type.equals("PoolExhaustedException") || type.equals("GetConnectionTimeoutException")) return true;
    // Of Agroal.
    return message.toLowerCase(Locale.ROOT).contains("acquisition timeout");
  }

  public static void agroalAsked(Object pool) {
    if (!off) agroalAsked.get()[0] = System.nanoTime();
  }

  public static void agroalGot(Object pool, Object handler) throws ReflectiveOperationException {
    agroalBorrowed(pool, handler, agroalAsked.get()[0]);
  }

  /** @param handler null where none of the thread's own was free */
  public static void agroalBorrowed(Object pool, Object handler, long startNs) throws ReflectiveOperationException {
    if (handler == null || off || ProbeThread.isCurrent()) return;
    ConnectionPool known = PoolRegistry.of(pool);
    // Where the call began before the probe came, only the holding from now on is known.
    if (startNs == 0) Loans.lend(known, handler, System.nanoTime());
    else known.lent(handler, startNs);
  }

  public static void druidBorrowed(Object pool, Object connection, long startNs) throws ReflectiveOperationException {
    if (!off) PoolRegistry.of(pool).lent(Access.field(connection, "holder"), startNs);
  }

  /** Says whether it was closed instead, since the pool is to have fewer. */
  public static boolean druidGivenBack(Object pool, Object connection) throws ReflectiveOperationException {
    Object holder = connection == null ? null : Access.field(connection, "holder");
    if (holder == null) return false;
    Loans.giveBack(holder);
    return !off && ((DruidConnections) PoolRegistry.of(pool)).retire(holder);
  }

  /** Says whether it was closed instead, since the pool is to have fewer. */
  public static boolean tomcatGivenBack(Object pool, Object connection) throws ReflectiveOperationException {
    if (connection == null) return false;
    Loans.giveBack(connection);
    return !off && ((TomcatJdbcConnections) PoolRegistry.of(pool)).retire(connection);
  }

  public static void tomcatReleased(Object pool, Object connection) {
    if (connection != null) Loans.forget(connection);
  }

  public static void objectSettled(Object pool) throws ReflectiveOperationException {
    if (PoolRegistry.pools.find(pool) instanceof GenericObjects known) known.givenBack();
  }

  private static DriverPool driver(Object pool) throws ReflectiveOperationException {
    return (DriverPool) PoolRegistry.of(pool);
  }

  public static void driverAsked(Object pool) throws ReflectiveOperationException {
    if (!off) driver(pool).asking.incrementAndGet();
  }

  public static void driverBorrowed(Object pool, Object connection, long startNs) throws ReflectiveOperationException {
    if (off) return;
    DriverPool known = driver(pool);
    known.asking.decrementAndGet();
    known.acquire.recordNs(System.nanoTime() - startNs);
    Object given = driverGives.get();
    driverGives.remove();
    if (given != null) Loans.lend(known, given, startNs);
  }

  public static void driverNotBorrowed(Object pool, Throwable reason, long startNs) throws ReflectiveOperationException {
    if (!off) driver(pool).asking.decrementAndGet();
  }

  public static void driverTaken(Object connection) {
    if (!off) driverGives.set(connection);
  }

  public static void driverGivenBack(Object listener, Object event) {
    Loans.giveBack(((EventObject) event).getSource());
  }

  /** Whether they have all stopped to look. */
  static boolean isOff() {
    return off;
  }

  static void failed(Throwable thrown) {
    try {
      if (failures.incrementAndGet() < MOST_FAILURES || off) return;
      off = true;
      Notes.add("Pools of connections are no longer timed, since that failed: " + thrown);
    } catch (Throwable ignored) {
      // not even that
    }
  }
}
