package benchside.probe.threads;

import benchside.probe.Access;
import benchside.probe.ProbeThread;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Jetty's QueuedThreadPool. It ends threads only when they have been idle for long, so that under load it never shrinks: surplus threads are
 * given something to wait for instead, until they are wanted again or Jetty has ended others.
 */
final class JettyThreads extends ThreadPool {
  private static final long KEEP_EVERY_NS = TimeUnit.MILLISECONDS.toNanos(50);

  private final int ownMin;
  private final Ballast ballast = new Ballast();
  private boolean isKept;

  JettyThreads(Object pool) throws ReflectiveOperationException {
    super("jetty", String.valueOf(Access.call(pool, "getName")), pool);
    ownMin = Access.number(pool, "getMinThreads");
  }

  @Override
  protected boolean isClosed(Object pool) throws ReflectiveOperationException {
    return Boolean.TRUE.equals(Access.call(pool, "isStopped"));
  }

  @Override
  protected Reading read() throws ReflectiveOperationException {
    Object pool = target();
    int max = Access.number(pool, "getMaxThreads");
    int threads = Access.number(pool, "getThreads");
    int held = ballast.parked();
    int busy = Access.number(pool, "getBusyThreads") - held;
    int queue = Access.number(pool, "getQueueSize") - ballast.queued();
    return new Reading(max, Access.number(pool, "getMinThreads"), Math.max(max, threads) - held, threads, busy, queue);
  }

  @Override
  protected String note() {
    try {
      int leased = Access.number(target(), "getLeasedThreads");
      return leased > 0 ? leased + " of its threads accept connections and wait for what comes on them, and answer no requests." : null;
    } catch (ReflectiveOperationException | RuntimeException e) {
      return null;
    }
  }

  @Override
  protected void begin(int max) throws ReflectiveOperationException {
    Object pool = target();
    try {
      // Lowers the minimum with it where that must be.
      Access.set(pool, "setMaxThreads", max);
    } catch (IllegalStateException e) {
      String why = String.valueOf(e.getMessage()).replaceFirst(" for QueuedThreadPool.*", "");
      throw new IllegalArgumentException("Jetty needs more than " + max + " threads for itself: " + why + ".");
    }
    Access.set(pool, "setMinThreads", Math.min(ownMin, max));
  }

  @Override
  protected boolean step(int max) throws ReflectiveOperationException {
    balance();
    keep();
    return effective() == max;
  }

  @Override
  protected String missing(int max) throws ReflectiveOperationException {
    if (effective() < max) return "Only " + effective() + " of " + max + " threads could work when the time was over: others were still held back.";
    return super.missing(max);
  }

  /** Holds back as many threads as there are above the maximum. */
  private void balance() throws ReflectiveOperationException {
    Object pool = target();
    boolean runs = Boolean.TRUE.equals(Access.call(pool, "isRunning"));
    int surplus = runs ? Math.max(0, Access.number(pool, "getThreads") - Access.number(pool, "getMaxThreads")) : 0;
    int missing = ballast.want(surplus);
    for (int i = 0; i < missing; i += 1) {
      try {
        ((Executor) pool).execute(ballast);
      } catch (RejectedExecutionException e) {
        ballast.refused();
      }
    }
  }

  /** While threads are held back, looks whether they still must be: Jetty may end idle ones, or be stopped. */
  private void keep() {
    synchronized (ballast) {
      if (isKept || ballast.parked() + ballast.queued() == 0) return;
      isKept = true;
    }
    new ProbeThread("threads", () -> {
      try {
        while (mustBeKept()) {
          LockSupport.parkNanos(KEEP_EVERY_NS);
          synchronized (this) {
            balance();
          }
        }
      } catch (ReflectiveOperationException | RuntimeException e) {
        ballast.want(0);
        synchronized (ballast) {
          isKept = false;
        }
      }
    }).start();
  }

  private boolean mustBeKept() {
    synchronized (ballast) {
      isKept = ballast.parked() + ballast.queued() > 0;
      return isKept;
    }
  }
}
