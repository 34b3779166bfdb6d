package benchside.probe.threads;

import benchside.probe.Registry;
import java.util.concurrent.ThreadPoolExecutor;

/** The pools of threads that were found. */
public final class ThreadPoolRegistry {
  public static final Registry<ThreadPool> pools = new Registry<>();

  private ThreadPoolRegistry() {}

  static void jetty(Object pool) throws ReflectiveOperationException {
    pools.findOrAdd(pool, JettyThreads::new);
  }

  static void tomcat(Object executor, String threadName) throws ReflectiveOperationException {
    pools.findOrAdd(executor, found -> new ServerThreads("tomcat", withoutNumber(threadName), found));
  }

  /** @param executor of XNIO's worker: one of jboss-threads, or a ThreadPoolExecutor in older versions */
  static void undertow(Object executor, String threadName) throws ReflectiveOperationException {
    pools.findOrAdd(executor, found -> new UndertowThreads(withoutNumber(threadName), found));
  }

  static void executor(ThreadPoolExecutor executor, String threadName) throws ReflectiveOperationException {
    if (pools.find(executor) != null || isOfLibrary(executor.getThreadFactory().getClass().getName())) return;
    pools.findOrAdd(executor, found -> new ExecutorThreads(withoutNumber(threadName), found));
  }

  /** Threads by which a pool of connections, a server or the JDK looks after itself. */
  private static boolean isOfLibrary(String factory) {
    return factory.startsWith("com.zaxxer.hikari.") || factory.startsWith("org.eclipse.jetty.") || factory.startsWith("io.agroal.") || factory.contains(".pool2.") || factory.startsWith("sun.") || factory.startsWith("jdk.internal.");
  }

  static String withoutNumber(String threadName) {
    String name = threadName.replaceFirst("[-#\\s_]*[0-9]+$", "");
    return name.isEmpty() ? "unnamed" : name;
  }
}
