package benchside.probe.pools;

import benchside.probe.Access;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.Lock;

/**
 * c3p0's pool, 0.9.5 to 0.14. Its data source answers a new size by throwing the pool away and making another one, which is no change under load:
 * the bounds of the pool that works are changed in it, under its own lock.
 */
public final class C3p0Connections extends ConnectionPool {
  private interface Locked<T> {
    T get() throws ReflectiveOperationException;
  }

  private final int ownMin;

  C3p0Connections(Object pool) throws ReflectiveOperationException {
    super("c3p0", "c3p0", "c3p0", pool);
    ownMin = Access.numberField(pool, "min");
  }

  @Override
  protected boolean isClosed(Object pool) throws ReflectiveOperationException {
    return Boolean.TRUE.equals(Access.field(pool, "broken"));
  }

  @Override
  protected Reading read() throws ReflectiveOperationException {
    Object pool = target();
    return locked(pool, () -> {
      // Excluded ones are still in use, and closed when they are given back.
      int total = size(pool, "managed") + excluded(pool).size();
      int idle = ((Collection<?>) Access.field(pool, "unused")).size();
      int pending = ((Collection<?>) Access.field(pool, "acquireWaiters")).size();
      return new Reading(Access.numberField(pool, "max"), Access.numberField(pool, "min"), total, idle, total - idle, pending);
    });
  }

  @Override
  protected void begin(int max) throws ReflectiveOperationException {
    Object pool = target();
    locked(pool, () -> {
      Access.setField(pool, "min", Math.min(ownMin, max));
      Access.setField(pool, "max", max);
      if (Access.numberField(pool, "target_pool_size") > max) Access.setField(pool, "target_pool_size", max);
      return null;
    });
  }

  @Override
  protected boolean step(int max) throws ReflectiveOperationException {
    Object pool = target();
    return locked(pool, () -> {
      if (size(pool, "managed") > max) retire(pool, max);
      Reading reading = read();
      if (reading.total() > max) return false;
      if (reading.pending() == 0 || reading.total() >= max) return true;
      // Callers that wait already do not check for room again.
      Access.set(pool, "setTargetPoolSize", Math.max(Math.min(ownMin, max), Math.min(max, reading.total() + reading.pending())));
      return false;
    });
  }

  /** Idle ones go at once, busy ones when they are given back: by c3p0's own ways. */
  private static void retire(Object pool, int max) throws ReflectiveOperationException {
    Access.call(pool, "removeTowards", int.class, max);
    int left = size(pool, "managed") - max;
    if (left <= 0) return;
    Collection<?> unused = (Collection<?>) Access.field(pool, "unused");
    List<Object> busy = new ArrayList<>(((Map<?, ?>) Access.field(pool, "managed")).keySet());
    busy.removeAll(unused);
    for (Object resource : busy.subList(0, Math.min(left, busy.size()))) Access.call(pool, "excludeResource", Object.class, resource);
  }

  /**
   * Without those that are closed: one that was on its way back when it was excluded, which c3p0 does in a thread of its own, is closed by that thread, and stays
   * in the pool's list for ever.
   */
  private static Collection<?> excluded(Object pool) throws ReflectiveOperationException {
    Collection<?> excluded = (Collection<?>) Access.field(pool, "excluded");
    for (Iterator<?> each = excluded.iterator(); each.hasNext(); ) {
      Object resource = each.next();
      if (resource.getClass().getName().endsWith(".NewPooledConnection") && Access.field(resource, "invalidatingException") != null) each.remove();
    }
    return excluded;
  }

  private static int size(Object pool, String map) throws ReflectiveOperationException {
    return ((Map<?, ?>) Access.field(pool, map)).size();
  }

  /** Newer versions have a lock of their own, older ones the pool itself. */
  private static <T> T locked(Object pool, Locked<T> task) throws ReflectiveOperationException {
    Lock lock;
    try {
      lock = (Lock) Access.field(pool, "lockMain");
    } catch (NoSuchFieldException e) {
      synchronized (pool) {
        return task.get();
      }
    }
    lock.lock();
    try {
      return task.get();
    } finally {
      lock.unlock();
    }
  }
}
