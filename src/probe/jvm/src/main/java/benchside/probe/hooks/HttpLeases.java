package benchside.probe.hooks;

import benchside.probe.pools.HttpConnections;
import benchside.probe.pools.Loans;
import benchside.probe.pools.PoolRegistry;
import java.util.Collections;
import java.util.Map;
import java.util.WeakHashMap;
import java.util.concurrent.TimeoutException;

/** What callers of Apache HttpClient's pools do: ask, wait, hold, give back. */
final class HttpLeases {
  private record Waiting(HttpConnections pool, long startNs) {}

  /** Of a lease that this thread has just started: the request for it, made in the same call, does not know its pool. */
  private final ThreadLocal<Waiting> begun = new ThreadLocal<>();
  /** A caller that gives up leaves its request behind, hence weak. */
  private final Map<Object, Waiting> requests = Collections.synchronizedMap(new WeakHashMap<>());

  void begin(Object pool) throws ReflectiveOperationException {
    begun.set(new Waiting(PoolRegistry.http(pool), System.nanoTime()));
  }

  void ask(Object request) {
    Waiting waiting = begun.get();
    if (waiting == null) return;
    begun.remove();
    requests.put(request, waiting);
  }

  void lease(Object request, Object entry) {
    Waiting waiting = requests.remove(request);
    if (waiting == null) return;
    waiting.pool.acquire.recordNs(System.nanoTime() - waiting.startNs);
    Loans.deliver(waiting.pool, entry, waiting.startNs);
  }

  /** Only where the caller itself waits, as of version 4. */
  void lease(Object pool, Object entry, long startNs) throws ReflectiveOperationException {
    HttpConnections known = PoolRegistry.http(pool);
    known.acquire.recordNs(System.nanoTime() - startNs);
    Loans.lend(known, entry, startNs);
  }

  void giveUp(Object pool, Throwable reason, long startNs) throws ReflectiveOperationException {
    if (!(reason instanceof TimeoutException)) return;
    HttpConnections known = PoolRegistry.http(pool);
    known.timeouts.increment();
    known.acquire.recordNs(System.nanoTime() - startNs);
  }

  /** A request whose time was over while it waited, as of asynchronous callers. */
  void giveUp(Object request) {
    Waiting waiting = requests.remove(request);
    if (waiting == null) return;
    waiting.pool.timeouts.increment();
    waiting.pool.acquire.recordNs(System.nanoTime() - waiting.startNs);
  }

  void giveBack(Object pool, Object entry) throws ReflectiveOperationException {
    Loans.giveBack(entry);
    PoolRegistry.http(pool).givenBack(entry);
  }
}
