package benchside.probe;

import benchside.probe.pools.ConnectionPool;
import benchside.probe.pools.PoolRegistry;
import benchside.probe.threads.ThreadPool;
import benchside.probe.threads.ThreadWalk;
import java.lang.reflect.InvocationTargetException;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** Changes sizes for one engine, sees to it that they are reached, and puts them back when that engine has gone; limits on lending, too. */
public final class Resize {
  private static final long STEP_NS = TimeUnit.MILLISECONDS.toNanos(2);
  private static final int PUT_BACK_MS = 5_000;
  private final Map<Resource, Integer> originals = new ConcurrentHashMap<>();
  private final Set<ConnectionPool> limited = ConcurrentHashMap.newKeySet();

  /**
   * @param max what the pool says of itself afterwards
   * @param effective connections open, or threads that can work
   * @param message why it is not as it was asked for, or null
   */
  public record Outcome(boolean ok, Integer max, Integer effective, long tookMs, String message) {}

  /** Waits until the size is reached, or for so long. */
  public Outcome apply(String what, String id, int max, int timeoutMs) {
    long startNs = System.nanoTime();
    Resource resource = find(what, id);
    if (resource == null) {
      // Perhaps the app has just made it.
      ThreadWalk.walk();
      resource = find(what, id);
    }
    if (resource == null) return refused(startNs, "This app has no " + ("threads".equals(what) ? "thread pool" : "pool") + " “" + id + "” at present.");
    String fixed = resource.fixedBecause();
    if (fixed != null) return outcome(resource, startNs, fixed);
    try {
      int before = resource.max();
      originals.putIfAbsent(resource, before);
      return outcome(resource, startNs, change(resource, max, timeoutMs, startNs));
    } catch (IllegalArgumentException refusal) {
      return outcome(resource, startNs, refusal.getMessage());
    } catch (ReflectiveOperationException | RuntimeException thrown) {
      Throwable cause = thrown instanceof InvocationTargetException && thrown.getCause() != null ? thrown.getCause() : thrown;
      return outcome(resource, startNs, "The pool could not be changed: " + cause);
    }
  }

  /** @param limit how many connections the pool lends at once from now on; null: all it has */
  public Outcome lend(String id, Integer limit) {
    long startNs = System.nanoTime();
    ConnectionPool pool = PoolRegistry.pools.find(id);
    if (pool == null) return refused(startNs, "This app has no pool “" + id + "” at present.");
    try {
      pool.lend(limit);
      if (limit == null) limited.remove(pool);
      else limited.add(pool);
      return outcome(pool, startNs, null);
    } catch (IllegalArgumentException refusal) {
      return outcome(pool, startNs, refusal.getMessage());
    }
  }

  /** Null when the size was reached. */
  private static String change(Resource resource, int max, int timeoutMs, long startNs) throws ReflectiveOperationException {
    int claim = resource.claim();
    long deadlineNs = startNs + TimeUnit.MILLISECONDS.toNanos(timeoutMs);
    synchronized (resource) {
      try {
        resource.begin(max);
        while (resource.isClaimedBy(claim)) {
          if (resource.step(max)) return resource.max() == max ? null : "The pool went back to " + resource.max() + " by itself.";
          if (System.nanoTime() - deadlineNs > 0) return resource.missing(max);
          LockSupport.parkNanos(STEP_NS);
        }
        return "A later change has taken its place.";
      } finally {
        resource.end(max);
      }
    }
  }

  /** Without the engine nobody would know why the app runs with other sizes than its own. */
  public void putBack() {
    for (ConnectionPool pool : limited) lend(pool.id(), null);
    originals.forEach((resource, max) -> {
      try {
        if (!resource.isGone()) change(resource, max, PUT_BACK_MS, System.nanoTime());
      } catch (ReflectiveOperationException | RuntimeException e) {
        Notes.add("The size of " + resource.id() + " could not be put back to " + max + ".");
      }
    });
    originals.clear();
  }

  private static Resource find(String what, String id) {
    return switch (what) {
      case "pool" -> PoolRegistry.pools.find(id);
      case "threads" -> ThreadPool.pools.find(id);
      default -> null;
    };
  }

  private static Outcome refused(long startNs, String message) {
    return new Outcome(false, null, null, tookMs(startNs), message);
  }

  private static Outcome outcome(Resource resource, long startNs, String problem) {
    try {
      return new Outcome(problem == null, resource.max(), resource.effective(), tookMs(startNs), problem);
    } catch (ReflectiveOperationException | RuntimeException thrown) {
      return refused(startNs, problem == null ? "The pool cannot be read any more: " + thrown : problem);
    }
  }

  private static long tookMs(long startNs) {
    return TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - startNs);
  }
}
