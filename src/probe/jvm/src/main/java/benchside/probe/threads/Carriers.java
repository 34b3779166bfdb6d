package benchside.probe.threads;

import benchside.probe.Access;
import java.lang.management.ManagementFactory;
import java.lang.management.PlatformManagedObject;
import java.util.concurrent.ForkJoinPool;

/** The platform threads that carry virtual threads. Since JDK 24 the JDK itself reports them, and accepts another number. */
final class Carriers extends ThreadPool {
  private static final int FIRST_RESIZABLE = 24;
  private static final boolean isResizable = Runtime.version().feature() >= FIRST_RESIZABLE;
  /** Of the JDK's management, or its scheduler. It lives as long as the JVM does. */
  private static Object known;

  private Carriers(Object scheduler) {
    super("carriers", "carriers", "carriers of virtual threads", scheduler);
  }

  static void add() throws ReflectiveOperationException {
    if (known == null) known = isResizable ? management() : Access.staticField(Class.forName("java.lang.VirtualThread"), "DEFAULT_SCHEDULER");
    pools.findOrAdd(known, Carriers::new);
  }

  private static Object management() throws ClassNotFoundException {
    return ManagementFactory.getPlatformMXBean(Class.forName("jdk.management.VirtualThreadSchedulerMXBean").asSubclass(PlatformManagedObject.class));
  }

  @Override
  protected boolean isClosed(Object scheduler) {
    return false;
  }

  @Override
  protected String fixedBecause() {
    return isResizable ? null : "How many threads carry virtual threads can be changed while the app runs since JDK 24 only: -Djdk.virtualThreadScheduler.parallelism sets it at the start.";
  }

  @Override
  protected Reading read() throws ReflectiveOperationException {
    if (target() instanceof ForkJoinPool pool) {
      int parallelism = pool.getParallelism();
      int queue = (int) Math.min(Integer.MAX_VALUE, pool.getQueuedTaskCount() + pool.getQueuedSubmissionCount());
      return new Reading(parallelism, null, parallelism, pool.getPoolSize(), pool.getActiveThreadCount(), queue);
    }
    Object scheduler = target();
    int parallelism = Access.number(scheduler, "getParallelism");
    int mounted = Access.number(scheduler, "getMountedVirtualThreadCount");
    // Those above the number that may be go on until their virtual thread waits.
    return new Reading(parallelism, null, Math.max(parallelism, mounted), Access.number(scheduler, "getPoolSize"), mounted, Access.number(scheduler, "getQueuedVirtualThreadCount"));
  }

  @Override
  protected void begin(int max) throws ReflectiveOperationException {
    if (!isResizable) throw new IllegalArgumentException(fixedBecause());
    Access.set(target(), "setParallelism", max);
  }

  @Override
  protected boolean step(int max) throws ReflectiveOperationException {
    return effective() == max;
  }

  @Override
  protected String missing(int max) throws ReflectiveOperationException {
    return effective() + " carriers still worked when the time was over: the JDK lets one go only when it finds nothing to do.";
  }
}
