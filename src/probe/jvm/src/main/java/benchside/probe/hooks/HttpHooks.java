package benchside.probe.hooks;

import benchside.probe.Access;
import benchside.probe.pools.ConnectionPool;
import benchside.probe.pools.HttpConnections;
import benchside.probe.pools.Loans;
import benchside.probe.pools.PoolRegistry;
import java.util.Collections;
import java.util.Map;
import java.util.WeakHashMap;

/** What pools of Apache HttpClient call: callers ask, wait, hold, give back. As {@link Hooks} says. */
public final class HttpHooks {
  private record Waiting(ConnectionPool pool, long startNs) {}

  /** Of a lease that this thread has just started: the request for it, made in the same call, does not know its pool. */
  private static final ThreadLocal<Waiting> begun = new ThreadLocal<>();
  /** A caller that gives up leaves its request behind, hence weak. */
  private static final Map<Object, Waiting> requests = Collections.synchronizedMap(new WeakHashMap<>());

  private HttpHooks() {}

  public static void asked(Object pool) throws ReflectiveOperationException {
    if (!Hooks.isOff()) begun.set(new Waiting(PoolRegistry.of(pool), System.nanoTime()));
  }

  public static void requested(Object request) {
    if (Hooks.isOff()) return;
    Waiting waiting = begun.get();
    if (waiting == null) return;
    begun.remove();
    requests.put(request, waiting);
  }

  public static void leased(Object request, Object entry) {
    if (Hooks.isOff()) return;
    Waiting waiting = requests.remove(request);
    if (waiting == null) return;
    waiting.pool.acquire.recordNs(System.nanoTime() - waiting.startNs);
    Loans.deliver(waiting.pool, entry, waiting.startNs);
  }

  /** A request whose time was over while it waited, as of asynchronous callers. */
  public static void expired(Object request) {
    if (Hooks.isOff()) return;
    Waiting waiting = requests.remove(request);
    if (waiting != null) waiting.pool.gaveUp(waiting.startNs);
  }

  /** @param future that a blocking caller waits for; the lease is timed where it was asked for, and only whether the caller gives up is seen here */
  public static void notAwaited(Object future, Throwable reason, long startNs) throws ReflectiveOperationException {
    if (!Hooks.isOff()) Hooks.notBorrowed(Access.field(future, "this$0"), reason, startNs);
  }

  public static void givenBack(Object pool, Object entry) throws ReflectiveOperationException {
    if (entry == null) return;
    Loans.giveBack(entry);
    ((HttpConnections) PoolRegistry.of(pool)).givenBack(entry);
  }
}
