package benchside.probe.pools;

import benchside.probe.Access;
import java.util.Collections;
import java.util.Map;
import java.util.WeakHashMap;

/** The pool of R2DBC (io.r2dbc.pool), 0.8 to 1.0: one of reactor-pool that holds connections to a database. */
public final class R2dbcConnections extends ConnectionPool {
  /** Pools of reactor-pool that hold something else. */
  private static final Map<Object, Boolean> others = Collections.synchronizedMap(new WeakHashMap<>());

  R2dbcConnections(Object pool) {
    super("r2dbc", "r2dbc", "R2DBC", pool);
  }

  /** By what it has just delivered; null when that is no connection to a database. */
  public static ConnectionPool of(Object pool, Object delivered) throws ReflectiveOperationException {
    ConnectionPool found = PoolRegistry.pools.find(pool);
    if (found != null || others.containsKey(pool)) return found;
    if (isConnection(Access.field(delivered, "poolable").getClass())) return PoolRegistry.r2dbc(pool);
    others.put(pool, true);
    return null;
  }

  private static boolean isConnection(Class<?> type) {
    if (type == null) return false;
    if (type.getName().equals("io.r2dbc.spi.Connection") || isConnection(type.getSuperclass())) return true;
    for (Class<?> one : type.getInterfaces()) if (isConnection(one)) return true;
    return false;
  }

  @Override
  protected boolean isClosed(Object pool) throws ReflectiveOperationException {
    return Boolean.TRUE.equals(Access.call(pool, "isDisposed"));
  }

  @Override
  protected String fixedBecause() {
    return "The pool of R2DBC takes its size when it is made: nothing in it changes that afterwards.";
  }

  @Override
  protected Reading read() throws ReflectiveOperationException {
    Object pool = target();
    int max = Access.number(pool, "getMaxAllocatedSize");
    int total = Access.number(pool, "allocatedSize");
    int busy = Access.number(pool, "acquiredSize");
    return new Reading(max == Integer.MAX_VALUE ? null : max, null, total, Access.number(pool, "idleSize"), busy, Access.number(pool, "pendingAcquireSize"));
  }
}
