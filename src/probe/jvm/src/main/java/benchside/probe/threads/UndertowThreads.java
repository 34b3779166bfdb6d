package benchside.probe.threads;

import benchside.probe.Access;
import java.util.concurrent.ThreadPoolExecutor;

/** The workers of Undertow: the task pool of XNIO's worker, in 3.3 a ThreadPoolExecutor, later an executor of jboss-threads. */
final class UndertowThreads extends ThreadPool {
  private static final int MOST_IDLE = 10_000;
  private final int ownMin;
  /** As Undertow presets it: as many threads are kept as there may be. */
  private final boolean isFixedSize;

  UndertowThreads(String id, String name, Object executor) throws ReflectiveOperationException {
    super(id, "undertow", name, executor);
    ownMin = Access.number(executor, "getCorePoolSize");
    isFixedSize = ownMin >= Access.number(executor, "getMaximumPoolSize");
  }

  @Override
  protected boolean isClosed(Object executor) throws ReflectiveOperationException {
    return Boolean.TRUE.equals(Access.call(executor, "isTerminated"));
  }

  @Override
  protected Reading read() throws ReflectiveOperationException {
    Object executor = target();
    int max = Access.number(executor, "getMaximumPoolSize");
    int threads = Access.number(executor, "getPoolSize");
    boolean isOfJdk = executor instanceof ThreadPoolExecutor;
    int queue = isOfJdk ? ((ThreadPoolExecutor) executor).getQueue().size() : Access.number(executor, "getQueueSize");
    // Its own count of the working ones is switched off by default.
    int busy = isOfJdk ? ((ThreadPoolExecutor) executor).getActiveCount() : threads - idle(executor);
    return new Reading(max, Access.number(executor, "getCorePoolSize"), Math.max(max, threads), threads, Math.max(0, busy), Math.max(0, queue));
  }

  /** The queue contains threads without work in place of tasks. */
  private static int idle(Object executor) throws ReflectiveOperationException {
    Object waiting = Access.staticField(executor.getClass(), "WAITING");
    int idle = 0;
    Object node = Access.call(head(executor), "getNext");
    for (int i = 0; i < MOST_IDLE && node != null && node.getClass().getSimpleName().equals("PoolThreadNode"); i += 1) {
      if (Access.field(node, "task") == waiting) idle += 1;
      node = Access.call(node, "getNext");
    }
    return idle;
  }

  private static Object head(Object executor) throws ReflectiveOperationException {
    try {
      return Access.call(executor, "getHead");
    } catch (NoSuchMethodException e) {
      // Since 3.9 it is one of an array’s, so that no two of them share a line of the CPU’s cache.
      Class<?> indices = Class.forName(executor.getClass().getName() + "$RuntimeFields", false, executor.getClass().getClassLoader());
      int index = ((Number) Access.staticField(indices, "headIndex")).intValue();
      return ((Object[]) Access.field(executor, "unsharedTaskNodes"))[index];
    }
  }

  @Override
  public int max() throws ReflectiveOperationException {
    return Access.number(target(), "getMaximumPoolSize");
  }

  @Override
  protected void begin(int max) throws ReflectiveOperationException {
    Object executor = target();
    int min = isFixedSize ? max : Math.min(ownMin, max);
    // The minimum is never above the maximum, in between too.
    if (max < max()) Access.set(executor, "setCorePoolSize", min);
    Access.set(executor, "setMaximumPoolSize", max);
    Access.set(executor, "setCorePoolSize", min);
  }

  @Override
  protected boolean step(int max) throws ReflectiveOperationException {
    return Access.number(target(), "getPoolSize") <= max;
  }
}
