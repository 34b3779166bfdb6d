package benchside.probe.threads;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.WeakHashMap;
import java.util.concurrent.ConcurrentHashMap;

/** Event loops of Netty, in groups by what their threads are called: how many there are, and how much of the time they work. */
public final class EventLoops extends ThreadPool {
  /** Shorter windows would say more of a moment than of the loop. */
  private static final long WINDOW_NS = 500_000_000L;
  /** What a loop's thread notes of itself; a thread that has ended leaves it behind, hence weak. */
  private static final Map<Thread, LoopTime> loops = new WeakHashMap<>();
  private static final ThreadLocal<LoopTime> own = ThreadLocal.withInitial(EventLoops::join);
  private static final Map<String, Group> groups = new ConcurrentHashMap<>();

  /** Loops whose threads have the same name, but for a number. */
  private record Group(String name) {
    List<LoopTime> loops() {
      synchronized (EventLoops.loops) {
        List<LoopTime> all = new ArrayList<>();
        EventLoops.loops.forEach((thread, time) -> {
          if (thread.isAlive() && withoutNumber(thread.getName()).equals(name)) all.add(time);
        });
        return all;
      }
    }
  }

  private long lookedNs;
  private double lastBusy;
  private double lastBusiest;

  private EventLoops(Object group) {
    super("netty", ((Group) group).name, group);
  }

  /** Called by a loop's own thread before and after it waits for something to do. */
  public static LoopTime ofThisThread() {
    return own.get();
  }

  private static LoopTime join() {
    LoopTime time = new LoopTime();
    synchronized (loops) {
      loops.put(Thread.currentThread(), time);
    }
    return time;
  }

  static void search() {
    List<String> names = new ArrayList<>();
    synchronized (loops) {
      for (Thread thread : loops.keySet()) if (thread.isAlive()) names.add(withoutNumber(thread.getName()));
    }
    for (String name : names) {
      Group group = groups.computeIfAbsent(name, Group::new);
      try {
        pools.findOrAdd(group, EventLoops::new);
      } catch (ReflectiveOperationException e) {
        // nothing of the app is asked
      }
    }
  }

  @Override
  protected boolean isClosed(Object group) {
    return ((Group) group).loops().isEmpty();
  }

  @Override
  protected synchronized Reading read() {
    List<LoopTime> all = ((Group) target()).loops();
    long now = System.nanoTime();
    long passedNs = now - lookedNs;
    if (lookedNs == 0 || passedNs >= WINDOW_NS) {
      double busy = 0;
      double busiest = 0;
      for (LoopTime loop : all) {
        double share = loop.busyShare(now);
        busy += share;
        busiest = Math.max(busiest, share);
      }
      lastBusy = busy;
      lastBusiest = busiest;
      lookedNs = now;
    }
    return new Reading(null, null, null, all.size(), lastBusy, 0);
  }

  @Override
  protected synchronized Double busiest() {
    return lastBusiest;
  }

  @Override
  protected String fixedBecause() {
    return "A group of event loops has as many as it was made with, and every connection stays with one of them. Busy is how many of them work, as a mean over time.";
  }
}
