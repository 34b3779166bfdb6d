package benchside.probe.pools;

import java.lang.ref.WeakReference;
import java.lang.reflect.Method;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Lets callers into a pool in turn, so that it lends no more connections at once than its limit. The pool itself is asked how many are lent, and a caller that
 * returns nothing does no harm: only those that were let in and have no connection yet are counted here.
 */
public final class LendingGate {
  private static final int NONE = Integer.MAX_VALUE;
  /** A pool may take a connection out of use without a word. */
  private static final long LOOK_AGAIN_NS = TimeUnit.MILLISECONDS.toNanos(50);

  /** Classes whose callers come to a gate first. */
  private static final Set<String> gated = ConcurrentHashMap.newKeySet();
  /** Those that have been used. */
  private static volatile LendingGate[] used = {};

  /** How many connections a pool has lent. */
  interface Lent {
    int count() throws ReflectiveOperationException;
  }

  /** Of one caller. */
  private static final class Turn {
    private final Condition change;
    private boolean hasCome;

    Turn(Condition change) {
      this.change = change;
    }
  }

  private final ReentrantLock lock = new ReentrantLock();
  private final ArrayDeque<Turn> waiting = new ArrayDeque<>();
  private final WeakReference<Object> owner;
  private final Method borrow;
  private final Lent lent;
  private volatile int limit = NONE;
  private int entering;

  private LendingGate(Object owner, Method borrow, Lent lent) {
    this.owner = new WeakReference<>(owner);
    this.borrow = borrow;
    this.lent = lent;
  }

  /** @param name of a class, with slashes */
  public static void isPutBefore(String name) {
    gated.add(name.replace('/', '.'));
  }

  /**
   * The gate before a method; null where callers do not come to it.
   *
   * @param owner the object of that method
   */
  static LendingGate before(Object owner, Method borrow, Lent lent) {
    return borrow == null || !gated.contains(borrow.getDeclaringClass().getName()) ? null : new LendingGate(owner, borrow, lent);
  }

  /** Null while it has never been used. */
  public static LendingGate of(Object owner) {
    for (LendingGate gate : used) if (gate.owner.refersTo(owner)) return gate;
    return null;
  }

  private static synchronized void use(LendingGate gate) {
    if (List.of(used).contains(gate)) return;
    List<LendingGate> next = new ArrayList<>(List.of(gate));
    for (LendingGate one : used) if (!one.owner.refersTo(null)) next.add(one);
    used = next.toArray(LendingGate[]::new);
  }

  /** What callers call, and what lets them through when they have been let in. */
  public Method borrow() {
    return borrow;
  }

  public boolean isShut() {
    return limit != NONE;
  }

  /** Null: all are lent. */
  Integer limit() {
    int now = limit;
    return now == NONE ? null : now;
  }

  void limit(Integer next) {
    use(this);
    lock.lock();
    try {
      limit = next == null ? NONE : next;
      letIn();
    } finally {
      lock.unlock();
    }
  }

  int waiting() {
    lock.lock();
    try {
      return waiting.size();
    } finally {
      lock.unlock();
    }
  }

  /** Waits to be let in; false when the time was over first. A caller that is let in calls {@link #left} when it has a connection, or has got none. */
  public boolean enter(long deadlineNs) throws InterruptedException {
    lock.lock();
    try {
      if (waiting.isEmpty() && hasRoom()) {
        entering += 1;
        return true;
      }
      Turn turn = new Turn(lock.newCondition());
      waiting.add(turn);
      try {
        for (long leftNs = deadlineNs - System.nanoTime(); !turn.hasCome && leftNs > 0; leftNs = deadlineNs - System.nanoTime()) {
          if (turn.change.awaitNanos(Math.min(leftNs, LOOK_AGAIN_NS)) <= 0) letIn();
        }
      } catch (InterruptedException e) {
        if (turn.hasCome) entering -= 1;
        waiting.remove(turn);
        letIn();
        throw e;
      }
      waiting.remove(turn);
      return turn.hasCome;
    } finally {
      lock.unlock();
    }
  }

  /** The pool itself counts it from now on. */
  public void left() {
    lock.lock();
    try {
      entering -= 1;
      letIn();
    } finally {
      lock.unlock();
    }
  }

  /** The pool has one more that it could lend. */
  public void changed() {
    lock.lock();
    try {
      letIn();
    } finally {
      lock.unlock();
    }
  }

  /** Whether more are lent than the limit, to callers that were in the pool when the limit was set. */
  public boolean isExceeded() {
    return isShut() && lentNow() > limit;
  }

  private void letIn() {
    while (!waiting.isEmpty() && hasRoom()) {
      Turn next = waiting.poll();
      next.hasCome = true;
      entering += 1;
      next.change.signal();
    }
  }

  private boolean hasRoom() {
    return !isShut() || lentNow() + entering < limit;
  }

  /** A pool that cannot be read keeps no caller out. */
  private int lentNow() {
    try {
      return lent.count();
    } catch (ReflectiveOperationException | RuntimeException e) {
      return -NONE;
    }
  }
}
