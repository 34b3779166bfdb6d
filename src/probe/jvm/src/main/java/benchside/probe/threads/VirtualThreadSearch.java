package benchside.probe.threads;

import benchside.probe.Access;
import benchside.probe.Notes;
import java.lang.reflect.Method;
import java.util.Collection;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Stream;

/** Finds executors of virtual threads, Java 21 and later, through the JDK's own list of what has threads. */
final class VirtualThreadSearch {
  private static final int MOST = 50;
  private static boolean isImpossible = Runtime.version().feature() < 21;

  private VirtualThreadSearch() {}

  static void search() {
    if (isImpossible) return;
    try {
      Class<?> containers = Class.forName("jdk.internal.vm.ThreadContainers", false, null);
      Object root = Access.invoke(Access.findMethod(containers, "root"), null);
      Class<?> container = Class.forName("jdk.internal.vm.ThreadContainer", false, null);
      Method children = Access.findMethod(containers, "children", container);
      try (Stream<?> all = (Stream<?>) Access.invoke(children, null, root)) {
        for (Object child : all.limit(1000).toList()) add(child);
      }
      addUnstructured(root);
      // Asking for the carriers would start them in an app that has no virtual threads.
      for (ThreadPool pool : ThreadPool.pools.all()) if (pool instanceof VirtualThreads) Carriers.add();
    } catch (Throwable thrown) {
      isImpossible = true;
      Notes.add("Virtual threads cannot be counted in this JVM: " + thrown);
    }
  }

  private static void add(Object container) throws ReflectiveOperationException {
    if (!container.getClass().getName().equals("java.util.concurrent.ThreadPerTaskExecutor")) return;
    if (ThreadPool.pools.find(container) != null || ThreadPool.pools.all().size() >= MOST) return;
    Object factory = Access.field(container, "factory");
    if (!factory.getClass().getName().contains("Virtual")) return;
    String name = nameOf(factory);
    ThreadPool.pools.findOrAdd(container, found -> new VirtualThreads(name, name, found, owner -> ((Number) Access.call(owner, "threadCount")).longValue()));
  }

  /** What its threads' names begin with, where they have names. */
  private static String nameOf(Object factory) throws ReflectiveOperationException {
    try {
      String name = String.valueOf(Access.field(factory, "name")).replaceFirst("[-#\\s_]+$", "");
      if (!name.isEmpty() && !name.equals("null")) return name;
    } catch (NoSuchFieldException e) {
      // another JDK keeps it elsewhere
    }
    return "executor of virtual threads";
  }

  /** Those that were started one by one, as Tomcat does it. */
  private static void addUnstructured(Object root) throws ReflectiveOperationException {
    if (ThreadPool.pools.find(root) != null || unstructured(root) == 0) return;
    ThreadPool.pools.findOrAdd(root, found -> new VirtualThreads("unstructured", "virtual threads without an executor", found, VirtualThreadSearch::unstructured));
  }

  private static long unstructured(Object root) throws ReflectiveOperationException {
    try {
      return ((Collection<?>) Access.staticField(root.getClass(), "VTHREADS")).size();
    } catch (NoSuchFieldException e) {
      return ((LongAdder) Access.staticField(root.getClass(), "VTHREAD_COUNT")).sum();
    }
  }
}
