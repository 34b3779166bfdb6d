package benchside.probe.hooks;

import benchside.probe.Access;
import benchside.probe.ProbeThread;
import benchside.probe.pools.LendingGate;
import java.lang.reflect.InvocationTargetException;
import java.util.concurrent.TimeUnit;

/**
 * What pools call that may be told how many connections to lend. As {@link Hooks} says; but what lends throws what the pool itself throws.
 */
public final class LendingHooks {
  /** So that a time which is as long as for ever can be added to the clock. */
  private static final long LONGEST_NS = TimeUnit.DAYS.toNanos(10_000);
  /** Deadline of a call that has been let in. */
  private static final long LET_IN = Long.MIN_VALUE;
  /** Set while this thread’s call has been let in. */
  private static final ThreadLocal<Boolean> isLetIn = new ThreadLocal<>();

  private LendingHooks() {}

  /** Whether a call has to be let in first. */
  public static boolean isGated(Object owner) {
    LendingGate gate = LendingGate.of(owner);
    return gate != null && gate.isShut() && isLetIn.get() == null && !ProbeThread.isCurrent();
  }

  /** A connection was given back, or is out of use. */
  public static void changed(Object owner) {
    LendingGate gate = LendingGate.of(owner);
    if (gate != null) gate.changed();
  }

  public static long hikariDeadline(Object bag, long timeout, TimeUnit unit) {
    return deadline(unit.toNanos(timeout));
  }

  /** In place of the method of Hikari’s bag; null when the time is over. */
  public static Object hikariBorrow(Object bag, long timeout, TimeUnit unit) throws InterruptedException {
    return hikariBorrow(bag, System.nanoTime() + Math.min(unit.toNanos(timeout), LONGEST_NS));
  }

  private static Object hikariBorrow(Object bag, long deadlineNs) throws InterruptedException {
    LendingGate gate = LendingGate.of(bag);
    if (!gate.enter(deadlineNs)) return null;
    return letIn(gate, bag, Math.max(0, deadlineNs - System.nanoTime()), TimeUnit.NANOSECONDS);
  }

  /** Who was waiting within the bag when it was told to lend fewer comes to the gate with what he has got. */
  public static Object hikariLent(Object bag, Object entry, long deadlineNs) throws InterruptedException {
    LendingGate gate = entry == null || deadlineNs == LET_IN ? null : LendingGate.of(bag);
    if (gate == null || !gate.isExceeded() || ProbeThread.isCurrent()) return entry;
    try {
      Access.call(bag, "requite", entryType(entry), entry);
    } catch (ReflectiveOperationException | RuntimeException thrown) {
      Hooks.failed(thrown);
      return entry;
    }
    return hikariBorrow(bag, deadlineNs);
  }

  private static Class<?> entryType(Object entry) throws ClassNotFoundException {
    return Class.forName("com.zaxxer.hikari.util.ConcurrentBag$IConcurrentBagEntry", false, entry.getClass().getClassLoader());
  }

  private static long deadline(long ns) {
    return isLetIn.get() == null ? System.nanoTime() + Math.min(ns, LONGEST_NS) : LET_IN;
  }

  /** Calls the pool’s own method for somebody whom its gate has let in. */
  private static Object letIn(LendingGate gate, Object owner, Object... arguments) {
    isLetIn.set(true);
    try {
      return gate.borrow().invoke(owner, arguments);
    } catch (InvocationTargetException e) {
      throw LendingHooks.<RuntimeException>asItIs(e.getCause());
    } catch (IllegalAccessException e) {
      throw new IllegalStateException(e);
    } finally {
      isLetIn.remove();
      gate.left();
    }
  }

  /** The pool’s method declares it. */
  @SuppressWarnings("unchecked")
  private static <T extends Throwable> T asItIs(Throwable thrown) throws T {
    throw (T) thrown;
  }
}
