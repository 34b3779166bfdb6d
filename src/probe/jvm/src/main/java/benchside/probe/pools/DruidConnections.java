package benchside.probe.pools;

import benchside.probe.Access;
import java.lang.reflect.Array;
import java.util.concurrent.locks.Lock;

/** Druid's pool, 1.1 and 1.2. */
public final class DruidConnections extends ConnectionPool {
  /** As the app has set it. */
  private final int ownMin;
  /** Whether what is given back may have to be closed, since there are more than there are to be. */
  private volatile boolean retires;

  DruidConnections(Object pool) throws ReflectiveOperationException {
    super("druid", String.valueOf(Access.call(pool, "getName")), pool);
    ownMin = Access.number(pool, "getMinIdle");
  }

  @Override
  protected boolean isClosed(Object pool) throws ReflectiveOperationException {
    return Boolean.TRUE.equals(Access.field(pool, "closed"));
  }

  @Override
  protected Reading read() throws ReflectiveOperationException {
    Object pool = target();
    Lock lock = lockOf(pool);
    lock.lock();
    try {
      int idle = Access.numberField(pool, "poolingCount");
      int busy = Access.numberField(pool, "activeCount");
      return new Reading(Access.numberField(pool, "maxActive"), Access.numberField(pool, "minIdle"), idle + busy, idle, busy, Access.numberField(pool, "notEmptyWaitThreadCount"));
    } finally {
      lock.unlock();
    }
  }

  @Override
  protected void begin(int max) throws ReflectiveOperationException {
    Object pool = target();
    // Its own setter refuses fewer than are to stay idle.
    Access.setField(pool, "minIdle", Math.min(ownMin, max));
    retires = true;
    Access.set(pool, "setMaxActive", max);
  }

  @Override
  protected boolean step(int max) throws ReflectiveOperationException {
    Object pool = target();
    Lock lock = lockOf(pool);
    Object idle = null;
    lock.lock();
    try {
      Reading reading = read();
      if (reading.total() <= max) {
        retires = false;
        if (reading.pending() == 0 || reading.total() >= max) return true;
        // What makes connections waits until somebody asks for one again.
        Access.call(pool, "emptySignal");
      } else if (reading.idle() > 0) {
        Object connections = Access.field(pool, "connections");
        idle = Array.get(connections, reading.idle() - 1);
        Array.set(connections, reading.idle() - 1, null);
        Access.setField(pool, "poolingCount", reading.idle() - 1);
      }
    } finally {
      lock.unlock();
    }
    if (idle != null) close(idle);
    return false;
  }

  /** Called when a caller returns a connection, by its thread; says whether it was closed instead. */
  public boolean retire(Object holder) throws ReflectiveOperationException {
    if (!retires) return false;
    Object pool = target();
    Lock lock = lockOf(pool);
    lock.lock();
    try {
      Reading reading = read();
      if (reading.total() <= reading.max()) return false;
      Access.call(pool, "discardConnection", holder.getClass(), holder);
      return true;
    } finally {
      lock.unlock();
    }
  }

  private static void close(Object holder) throws ReflectiveOperationException {
    try {
      ((AutoCloseable) Access.field(holder, "conn")).close();
    } catch (ReflectiveOperationException | RuntimeException e) {
      throw e;
    } catch (Exception e) {
      // The server has closed it before.
    }
  }

  private static Lock lockOf(Object pool) throws ReflectiveOperationException {
    return (Lock) Access.field(pool, "lock");
  }
}
