package benchside.probe.threads;

import benchside.probe.Access;
import java.util.Collection;

/** Tomcat's executor, that of a connector or one that connectors share. */
final class TomcatThreads extends ThreadPool {
  private final int ownMin;

  TomcatThreads(String id, String name, Object executor) throws ReflectiveOperationException {
    super(id, "tomcat", name, executor);
    ownMin = Access.number(executor, "getCorePoolSize");
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
    int queue = ((Collection<?>) Access.call(executor, "getQueue")).size();
    // Until those above the maximum have ended their request.
    int effective = Math.max(max, threads);
    return new Reading(max, Access.number(executor, "getCorePoolSize"), effective, threads, Access.number(executor, "getActiveCount"), queue);
  }

  @Override
  public int max() throws ReflectiveOperationException {
    return Access.number(target(), "getMaximumPoolSize");
  }

  @Override
  protected void begin(int max) throws ReflectiveOperationException {
    Object executor = target();
    int min = Math.min(ownMin, max);
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
