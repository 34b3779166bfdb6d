package benchside.probe.pools;

import benchside.probe.Access;
import java.lang.reflect.Method;
import java.util.List;
import java.util.concurrent.ExecutorService;

/** Agroal's pool, 1 to 3. */
public final class AgroalConnections extends ConnectionPool {
  private final int ownMin;

  AgroalConnections(Object pool) throws ReflectiveOperationException {
    super("agroal", "agroal", "Agroal", pool);
    ownMin = Access.number(Access.field(pool, "configuration"), "minSize");
  }

  @Override
  protected boolean isClosed(Object pool) throws ReflectiveOperationException {
    return ((ExecutorService) Access.field(pool, "housekeepingExecutor")).isShutdown();
  }

  @Override
  protected Reading read() throws ReflectiveOperationException {
    Object pool = target();
    int total = 0;
    int busy = 0;
    // Its own count of those in use does not change where its metrics are switched off.
    for (Object handler : (Iterable<?>) Access.field(pool, "allConnections")) {
      total += 1;
      if (String.valueOf(Access.field(handler, "state")).equals("CHECKED_OUT")) busy += 1;
    }
    Object config = config();
    return new Reading(Access.number(config, "maxSize"), Access.number(config, "minSize"), total, total - busy, busy, Access.number(pool, "awaitingCount"));
  }

  @Override
  protected String note() {
    return "It is known from its first use on.";
  }

  @Override
  protected void begin(int max) throws ReflectiveOperationException {
    Object config = config();
    // The one that grows is set first, so that min never exceeds max.
    if (max > max()) Access.set(config, "setMaxSize", max);
    Access.set(config, "setMinSize", Math.min(ownMin, max));
    Access.set(config, "setMaxSize", max);
  }

  @Override
  protected boolean step(int max) throws ReflectiveOperationException {
    Reading reading = read();
    if (reading.total() > max) {
      // What is given back while there are too many is closed: those in use by their callers, idle ones by us.
      if (reading.idle() > 0) borrowAndGiveBack();
      return false;
    }
    if (reading.pending() == 0 || reading.total() >= max) return true;
    fillTo(Math.min(max, reading.total() + reading.pending()));
    return false;
  }

  private void borrowAndGiveBack() throws ReflectiveOperationException {
    try {
      ((AutoCloseable) Access.call(target(), "getConnection")).close();
    } catch (Exception e) {
      // a thread of the app was faster
    }
  }

  /** Callers that wait already do not check for room again: the pool is filled, as its own flush mode FILL does, and keeps its minimum afterwards. */
  private void fillTo(int count) throws ReflectiveOperationException {
    Object pool = target();
    Access.set(config(), "setMinSize", count);
    Class<?> mode = Class.forName("io.agroal.api.AgroalDataSource$FlushMode", false, pool.getClass().getClassLoader());
    Object fill = List.of(mode.getEnumConstants()).stream().filter(one -> one.toString().equals("FILL")).findFirst().orElseThrow();
    Method flush = Access.findMethod(pool.getClass(), "flushPool", mode);
    if (flush == null) flush = Access.findMethod(pool.getClass(), "flush", mode);
    Access.invoke(flush, pool, fill);
  }

  @Override
  protected void end(int max) throws ReflectiveOperationException {
    Access.set(config(), "setMinSize", Math.min(ownMin, max));
  }

  private Object config() throws ReflectiveOperationException {
    return Access.field(target(), "configuration");
  }
}
