package benchside.probe.pools;

import benchside.probe.Access;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.time.Duration;

/** A GenericObjectPool of commons-pool2: that of commons-dbcp2, or of another client. */
public final class GenericObjects extends ConnectionPool {
  private static final int NOT_RETIRING = -1;
  private static final int UNLIMITED = -1;
  private static final long BORROW_MS = 1;

  /** As the app has set them. */
  private final int ownMax;
  private final int ownMaxIdle;
  private final int ownMinIdle;
  /** While it is above this many, nothing that is given back is kept. */
  private volatile int retireTo = NOT_RETIRING;

  GenericObjects(Object pool) throws ReflectiveOperationException {
    super(kindOf(pool), nameOf(pool), pool);
    ownMax = Access.number(pool, "getMaxTotal");
    ownMaxIdle = Access.number(pool, "getMaxIdle");
    ownMinIdle = Access.number(pool, "getMinIdle");
  }

  private static String kindOf(Object pool) throws ReflectiveOperationException {
    return factoryOf(pool).contains(".dbcp") ? "dbcp2" : "other";
  }

  private static String nameOf(Object pool) throws ReflectiveOperationException {
    String factory = factoryOf(pool);
    return factory.contains(".dbcp") ? "dbcp2" : factory.substring(factory.lastIndexOf('.') + 1);
  }

  private static String factoryOf(Object pool) throws ReflectiveOperationException {
    return Access.call(pool, "getFactory").getClass().getName();
  }

  @Override
  protected boolean isClosed(Object pool) throws ReflectiveOperationException {
    return Boolean.TRUE.equals(Access.call(pool, "isClosed"));
  }

  @Override
  protected Reading read() throws ReflectiveOperationException {
    Object pool = target();
    int max = Access.number(pool, "getMaxTotal");
    int busy = Access.number(pool, "getNumActive");
    int idle = Access.number(pool, "getNumIdle");
    int min = Access.number(pool, "getMinIdle");
    return new Reading(max < 0 ? null : max, Math.max(0, min), busy + idle, idle, busy, Access.number(pool, "getNumWaiters"));
  }

  @Override
  protected String note() {
    return "It is known from its first use on. Waiting includes the check of a connection before it is lent, where there is one.";
  }

  @Override
  protected LendingGate makeGate() throws ReflectiveOperationException {
    Class<?> type = target().getClass();
    Method borrow = Access.findMethod(type, "borrowObject", Duration.class);
    Method active = Access.findMethod(type, "getNumActive");
    return LendingGate.before(target(), borrow == null ? Access.findMethod(type, "borrowObject", long.class) : borrow, () -> (int) Access.invoke(active, target()));
  }

  @Override
  public int max() throws ReflectiveOperationException {
    return Access.number(target(), "getMaxTotal");
  }

  @Override
  protected void begin(int max) throws ReflectiveOperationException {
    Object pool = target();
    Access.set(pool, "setMinIdle", Math.min(ownMinIdle, max));
    // Kept idle as many as there may be, or connections are closed and opened all the time.
    if (max >= max()) Access.set(pool, "setMaxIdle", maxIdleFor(max));
    Access.set(pool, "setMaxTotal", max);
  }

  private int maxIdleFor(int max) {
    if (ownMaxIdle < 0) return UNLIMITED;
    return ownMax >= 0 && ownMaxIdle >= ownMax ? max : Math.min(ownMaxIdle, max);
  }

  @Override
  protected boolean step(int max) throws ReflectiveOperationException {
    Object pool = target();
    Reading reading = read();
    if (reading.total() > max) {
      retire(pool, max, Math.min(reading.idle(), reading.total() - max));
      return false;
    }
    stopRetiring(pool, max);
    if (reading.pending() == 0 || reading.total() >= max) return true;
    // Callers that wait already do not check for room again.
    for (int i = Math.min(reading.pending(), max - reading.total()); i > 0; i -= 1) Access.call(pool, "addObject");
    return false;
  }

  /** A returned connection is closed while none may be idle; an idle one is borrowed and closed. */
  private void retire(Object pool, int max, int idle) throws ReflectiveOperationException {
    if (retireTo != max) {
      retireTo = max;
      Access.set(pool, "setMaxIdle", 0);
    }
    Method invalidate = Access.findMethod(pool.getClass(), "invalidateObject", Object.class);
    for (int i = 0; i < idle; i += 1) {
      try {
        Object taken = Access.call(pool, "borrowObject", long.class, BORROW_MS);
        Access.invoke(invalidate, pool, taken);
      } catch (InvocationTargetException | RuntimeException e) {
        // a thread of the app was faster: then it is busy, and is closed when it is returned
        return;
      }
    }
  }

  /** Called when a caller has given something back, by its thread. */
  public void givenBack() throws ReflectiveOperationException {
    int wanted = retireTo;
    if (wanted != NOT_RETIRING && effective() <= wanted) stopRetiring(target(), wanted);
  }

  private void stopRetiring(Object pool, int max) throws ReflectiveOperationException {
    if (retireTo == NOT_RETIRING) return;
    retireTo = NOT_RETIRING;
    Access.set(pool, "setMaxIdle", maxIdleFor(max));
  }

  @Override
  protected void end(int max) throws ReflectiveOperationException {
    retireTo = NOT_RETIRING;
    Access.set(target(), "setMaxIdle", maxIdleFor(max));
  }
}
