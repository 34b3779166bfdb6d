package benchside.probe.threads;

import benchside.probe.Access;
import java.util.Collection;

/** The executor of a server, as Tomcat has it: that of a connector or one that connectors share. */
class ServerThreads extends ThreadPool {
  private final int ownMin;

  ServerThreads(String kind, String name, Object executor) throws ReflectiveOperationException {
    super(kind, name, executor);
    ownMin = Access.number(executor, "getCorePoolSize");
  }

  @Override
  protected boolean isClosed(Object executor) throws ReflectiveOperationException {
    return Boolean.TRUE.equals(Access.call(executor, "isTerminated"));
  }

  @Override
  protected final Reading read() throws ReflectiveOperationException {
    Object executor = target();
    int max = Access.number(executor, "getMaximumPoolSize");
    int threads = Access.number(executor, "getPoolSize");
    int queue = queueOf(executor);
    // Until those above the maximum have ended their request.
    int effective = Math.max(max, threads);
    return new Reading(max, Access.number(executor, "getCorePoolSize"), effective, threads, busyOf(executor, threads), queue);
  }

  int queueOf(Object executor) throws ReflectiveOperationException {
    return ((Collection<?>) Access.call(executor, "getQueue")).size();
  }

  int busyOf(Object executor, int threads) throws ReflectiveOperationException {
    return Access.number(executor, "getActiveCount");
  }

  int minFor(int max) {
    return Math.min(ownMin, max);
  }

  @Override
  protected void begin(int max) throws ReflectiveOperationException {
    Object executor = target();
    int min = minFor(max);
    // It refuses a minimum above the maximum, in between too.
    if (max < max()) Access.set(executor, "setCorePoolSize", min);
    Access.set(executor, "setMaximumPoolSize", max);
    Access.set(executor, "setCorePoolSize", min);
  }

  @Override
  protected boolean step(int max) throws ReflectiveOperationException {
    return Access.number(target(), "getPoolSize") <= max;
  }
}
