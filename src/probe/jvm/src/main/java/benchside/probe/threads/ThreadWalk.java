package benchside.probe.threads;

import benchside.probe.Access;
import benchside.probe.Notes;
import benchside.probe.pools.PoolRegistry;
import java.lang.ref.Reference;
import java.util.Arrays;
import java.util.concurrent.FutureTask;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadPoolExecutor;

/**
 * Finds pools by what the threads run: a worker leads to its executor, a scheduler to what it has scheduled, that to the pool of connections it
 * looks after. So pools are found that are older than the probe.
 */
public final class ThreadWalk {
  private static final int DEEPEST = 4;
  private static final int MOST_SCHEDULED = 1000;
  private static final String TOMCAT_CLEANER = "org.apache.tomcat.jdbc.pool.ConnectionPool$PoolCleaner";
  private static boolean isImpossible;

  private ThreadWalk() {}

  /** Gives how many platform threads there are. */
  public static int walk() {
    Thread[] threads = allThreads();
    for (Thread thread : threads) {
      if (isImpossible) break;
      look(thread);
    }
    VirtualThreadSearch.search();
    EventLoops.search();
    return threads.length;
  }

  private static Thread[] allThreads() {
    ThreadGroup root = Thread.currentThread().getThreadGroup();
    while (root.getParent() != null) root = root.getParent();
    Thread[] threads = new Thread[root.activeCount() + 64];
    int count = root.enumerate(threads, true);
    while (count == threads.length) {
      threads = new Thread[count * 2];
      count = root.enumerate(threads, true);
    }
    return Arrays.copyOf(threads, count);
  }

  private static void look(Thread thread) {
    try {
      switch (thread.getClass().getName()) {
        case "java.util.TimerThread" -> timer(thread);
        case TOMCAT_CLEANER -> PoolRegistry.of(Access.field(thread, "this$0"));
        default -> {}
      }
      follow(taskOf(thread), thread.getName(), 0);
    } catch (Throwable thrown) {
      Notes.add("The pool of a thread could not be looked at: " + thrown);
    }
  }

  /** Null for a thread that overrides run, and for one that has ended. */
  private static Object taskOf(Thread thread) throws ReflectiveOperationException {
    try {
      if (Runtime.version().feature() < 19) return Access.field(thread, "target");
      Object holder = Access.field(thread, "holder");
      return holder == null ? null : Access.field(holder, "task");
    } catch (ReflectiveOperationException | RuntimeException e) {
      isImpossible = true;
      Notes.add("What the threads of this JVM run cannot be seen, so that only pools that are used are found: " + e);
      return null;
    }
  }

  private static void follow(Object task, String threadName, int depth) throws ReflectiveOperationException {
    if (task == null || depth > DEEPEST) return;
    String type = task.getClass().getName();
    switch (type) {
      case "org.apache.tomcat.util.threads.TaskThread$WrappingRunnable" -> follow(Access.field(task, "wrappedRunnable"), threadName, depth + 1);
      case "org.xnio.XnioWorker$WorkerThreadFactory$1$1" -> follow(Access.field(Access.field(task, "this$2"), "val$r"), threadName, depth + 1);
      case "java.util.concurrent.ThreadPoolExecutor$Worker", "org.apache.tomcat.util.threads.ThreadPoolExecutor$Worker" -> executor(Access.field(task, "this$0"), threadName);
      default -> {
        if (type.startsWith("org.eclipse.jetty.util.thread.QueuedThreadPool$")) ThreadPool.pools.findOrAdd(Access.field(task, "this$0"), JettyThreads::new);
        // The workers of XNIO run in one of jboss-threads; its thread names are enough to recognise them. Other products’ are not known to serve requests.
        else if (type.startsWith("org.jboss.threads.EnhancedQueueExecutor$") && threadName.startsWith("XNIO")) undertow(Access.field(task, "this$0"), threadName);
      }
    }
  }

  private static void executor(Object executor, String threadName) throws ReflectiveOperationException {
    String type = executor.getClass().getName();
    if (type.startsWith("org.apache.tomcat.util.threads.")) ThreadPool.pools.findOrAdd(executor, found -> new ServerThreads("tomcat", ThreadPool.withoutNumber(threadName), found));
    else if (type.startsWith("org.xnio.XnioWorker$")) undertow(executor, threadName);
    else if (executor instanceof ThreadPoolExecutor known && !isOfLibrary(known.getThreadFactory().getClass().getName()))
      ThreadPool.pools.findOrAdd(known, found -> new ExecutorThreads(ThreadPool.withoutNumber(threadName), found));
    if (executor instanceof ScheduledThreadPoolExecutor scheduler) for (Object scheduled : scheduledBy(scheduler)) pool(scheduled);
  }

  /** @param executor of XNIO's worker: one of jboss-threads, or a ThreadPoolExecutor in older versions */
  private static void undertow(Object executor, String threadName) throws ReflectiveOperationException {
    ThreadPool.pools.findOrAdd(executor, found -> new UndertowThreads(ThreadPool.withoutNumber(threadName), found));
  }

  /** Threads by which a pool of connections, a server or the JDK looks after itself. */
  private static boolean isOfLibrary(String factory) {
    return factory.startsWith("com.zaxxer.hikari.") || factory.startsWith("org.eclipse.jetty.") || factory.startsWith("io.agroal.") || factory.contains(".pool2.") || factory.startsWith("sun.") || factory.startsWith("jdk.internal.");
  }

  private static Object[] scheduledBy(ScheduledThreadPoolExecutor scheduler) {
    return scheduler.getQueue().size() > MOST_SCHEDULED ? new Object[0] : scheduler.getQueue().toArray();
  }

  private static void pool(Object scheduled) throws ReflectiveOperationException {
    if (!(scheduled instanceof FutureTask<?>)) return;
    Object callable = Access.field(scheduled, "callable");
    if (callable == null || !callable.getClass().getName().equals("java.util.concurrent.Executors$RunnableAdapter")) return;
    Object task = Access.field(callable, "task");
    if (task.getClass().getName().equals("com.zaxxer.hikari.pool.HikariPool$HouseKeeper")) PoolRegistry.of(Access.field(task, "this$0"));
  }

  /** What a timer has before it: Tomcat JDBC looks after all its pools by one. */
  private static void timer(Thread thread) throws ReflectiveOperationException {
    Object queue = Access.field(thread, "queue");
    Object[] tasks;
    synchronized (queue) {
      tasks = ((Object[]) Access.field(queue, "queue")).clone();
    }
    for (Object task : tasks) {
      if (task == null || !task.getClass().getName().equals(TOMCAT_CLEANER)) continue;
      Object pool = ((Reference<?>) Access.field(task, "pool")).get();
      if (pool != null) PoolRegistry.of(pool);
    }
  }
}
