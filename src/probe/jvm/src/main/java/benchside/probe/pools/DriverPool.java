package benchside.probe.pools;

import benchside.probe.Access;
import java.util.Collection;
import java.util.concurrent.atomic.AtomicInteger;

/** The PGPoolingDataSource of PostgreSQL's driver. */
public final class DriverPool extends ConnectionPool {
  /** Callers within its method that gives a connection: those that wait, and those with a connection that is being opened. */
  public final AtomicInteger asking = new AtomicInteger();

  DriverPool(Object pool) throws ReflectiveOperationException {
    super("pgjdbc", nameOf(pool), pool);
  }

  private static String nameOf(Object pool) throws ReflectiveOperationException {
    Object name = Access.call(pool, "getDataSourceName");
    return name == null ? "pgjdbc" : String.valueOf(name);
  }

  @Override
  protected boolean isClosed(Object pool) throws ReflectiveOperationException {
    return Boolean.TRUE.equals(Access.field(pool, "isClosed"));
  }

  @Override
  protected String fixedBecause() {
    return "The pool of PostgreSQL’s driver takes its size before its first use only.";
  }

  @Override
  protected Reading read() throws ReflectiveOperationException {
    Object pool = target();
    int max = max();
    int busy = ((Collection<?>) Access.field(pool, "used")).size();
    int idle = ((Collection<?>) Access.field(pool, "available")).size();
    return new Reading(max == 0 ? null : max, null, busy + idle, idle, busy, Math.max(0, asking.get()));
  }

  @Override
  public int max() throws ReflectiveOperationException {
    return Access.number(target(), "getMaxConnections");
  }
}
