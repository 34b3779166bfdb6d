package benchside.probe.threads;

import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadPoolExecutor;

/** A ThreadPoolExecutor of the JDK. */
final class ExecutorThreads extends ThreadPool {
  ExecutorThreads(String name, Object executor) {
    super("executor", name, executor);
  }

  @Override
  protected boolean isClosed(Object target) {
    return ((ThreadPoolExecutor) target).isTerminated();
  }

  @Override
  protected Reading read() {
    ThreadPoolExecutor executor = (ThreadPoolExecutor) target();
    int core = executor.getCorePoolSize();
    int max = executor.getMaximumPoolSize();
    // More threads than the core come only when the queue is full, which one without a bound never is.
    boolean growsNever = executor instanceof ScheduledThreadPoolExecutor || executor.getQueue().remainingCapacity() == Integer.MAX_VALUE;
    int effective = growsNever ? Math.max(core, executor.getPoolSize()) : max;
    return new Reading(bound(max), core, bound(effective), executor.getPoolSize(), executor.getActiveCount(), executor.getQueue().size());
  }

  private static Integer bound(int threads) {
    return threads == Integer.MAX_VALUE ? null : threads;
  }

  @Override
  protected String fixedBecause() {
    return "An executor of the app’s own is looked at, not changed: only the app knows what depends on its size.";
  }
}
