package benchside.probe.threads;

import benchside.probe.Access;
import java.util.concurrent.ThreadPoolExecutor;

/** The workers of Undertow: the task pool of XNIO's worker, in 3.3 a ThreadPoolExecutor, later an executor of jboss-threads. */
final class UndertowThreads extends ServerThreads {
  private static final int MOST_IDLE = 10_000;
  /** As Undertow presets it: as many threads are kept as there may be. */
  private final boolean isFixedSize;

  UndertowThreads(String name, Object executor) throws ReflectiveOperationException {
    super("undertow", name, executor);
    isFixedSize = Access.number(executor, "getCorePoolSize") >= Access.number(executor, "getMaximumPoolSize");
  }

  @Override
  int queueOf(Object executor) throws ReflectiveOperationException {
    return executor instanceof ThreadPoolExecutor known ? known.getQueue().size() : Math.max(0, Access.number(executor, "getQueueSize"));
  }

  /** Its own count of the working ones is switched off by default. */
  @Override
  int busyOf(Object executor, int threads) throws ReflectiveOperationException {
    return executor instanceof ThreadPoolExecutor known ? known.getActiveCount() : Math.max(0, threads - idle(executor));
  }

  @Override
  int minFor(int max) {
    return isFixedSize ? max : super.minFor(max);
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
}
