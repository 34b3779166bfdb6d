package benchside.probe.pools;

import benchside.probe.Access;
import java.lang.reflect.Method;
import java.util.Queue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;

/** The pool of Tomcat JDBC (org.apache.tomcat.jdbc.pool), 7 to 11. */
public final class TomcatJdbcConnections extends ConnectionPool {
  private static final int NOT_RETIRING = -1;

  /** As the app has set them. */
  private final int ownMax;
  private final int ownMaxIdle;
  private final int ownMinIdle;
  /** While it has more than this many, what is given back is closed. */
  private volatile int retireTo = NOT_RETIRING;
  /** So that not more are closed at once than there are too many. */
  private final Object retiring = new Object();

  TomcatJdbcConnections(Object pool) throws ReflectiveOperationException {
    super("tomcat-jdbc", String.valueOf(Access.call(pool, "getName")), pool);
    Object config = Access.call(pool, "getPoolProperties");
    ownMax = Access.number(config, "getMaxActive");
    ownMaxIdle = Access.number(config, "getMaxIdle");
    ownMinIdle = Access.number(config, "getMinIdle");
  }

  @Override
  protected boolean isClosed(Object pool) throws ReflectiveOperationException {
    return Boolean.TRUE.equals(Access.call(pool, "isClosed"));
  }

  @Override
  protected Reading read() throws ReflectiveOperationException {
    Object pool = target();
    int total = Access.number(pool, "getSize");
    int busy = Access.number(pool, "getActive");
    Object config = config();
    return new Reading(Access.number(config, "getMaxActive"), Access.number(config, "getMinIdle"), total, Math.max(0, total - busy), busy, Access.number(pool, "getWaitCount"));
  }

  @Override
  protected LendingGate makeGate() throws ReflectiveOperationException {
    Object pool = target();
    Method borrow = Access.findMethod(pool.getClass(), "borrowConnection", int.class, String.class, String.class);
    return LendingGate.before(pool, borrow, () -> ((Queue<?>) Access.field(target(), "busy")).size());
  }

  @Override
  protected void begin(int max) throws ReflectiveOperationException {
    // Old versions keep connections in arrays, which have the size that the pool was made with.
    BlockingQueue<?> busy = (BlockingQueue<?>) Access.field(target(), "busy");
    int room = busy.size() + busy.remainingCapacity();
    if (room > 0 && room < max) throw new IllegalArgumentException("This version of Tomcat JDBC has room for the " + room + " connections that the pool was made with, and for no more.");
    Object config = config();
    Access.set(config, "setMinIdle", Math.min(ownMinIdle, max));
    // Kept idle as many as there may be, or connections are closed and opened all the time.
    Access.set(config, "setMaxIdle", ownMaxIdle >= ownMax ? max : Math.min(ownMaxIdle, max));
    Access.set(config, "setMaxActive", max);
    retireTo = max;
  }

  @Override
  protected boolean step(int max) throws ReflectiveOperationException {
    Object pool = target();
    Reading reading = read();
    if (reading.total() > max) {
      synchronized (retiring) {
        Object idle = Access.number(pool, "getSize") > max ? ((Queue<?>) Access.field(pool, "idle")).poll() : null;
        if (idle != null) close(pool, idle);
      }
      return false;
    }
    if (reading.pending() == 0 || reading.total() >= max) return true;
    // Callers that wait already do not check for room again: they get what is returned.
    try {
      ((AutoCloseable) Access.call(pool, "getConnection")).close();
    } catch (Exception e) {
      // a thread of the app was faster, or the database accepts no more
    }
    return false;
  }

  /**
   * Called when a caller returns a connection, by its thread; says whether it was closed instead. The pool itself would open another one for a
   * waiting caller.
   */
  public boolean retire(Object connection) throws ReflectiveOperationException {
    if (retireTo == NOT_RETIRING) return false;
    synchronized (retiring) {
      Object pool = target();
      if (retireTo == NOT_RETIRING) return false;
      if (Access.number(pool, "getSize") <= retireTo) {
        retireTo = NOT_RETIRING;
        return false;
      }
      if (!((Queue<?>) Access.field(pool, "busy")).remove(connection)) return false;
      close(pool, connection);
      return true;
    }
  }

  private static void close(Object pool, Object connection) throws ReflectiveOperationException {
    Access.call(connection, "lock");
    try {
      if (Boolean.TRUE.equals(Access.call(connection, "release"))) ((AtomicInteger) Access.field(pool, "size")).decrementAndGet();
    } finally {
      Access.call(connection, "unlock");
    }
  }

  private Object config() throws ReflectiveOperationException {
    return Access.call(target(), "getPoolProperties");
  }
}
