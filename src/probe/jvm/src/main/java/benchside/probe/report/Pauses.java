package benchside.probe.report;

import benchside.probe.ProbeThread;
import benchside.probe.wire.JsonWriter;
import java.lang.management.ManagementFactory;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/**
 * Stretches of time in which no thread of the app ran: collections, as their beans report them, and whatever else makes a thread that sleeps for 20 ms wake late (a
 * safepoint, or a machine that has no time). By the machine's monotonic clock, which {@link System#nanoTime} reads.
 */
final class Pauses {
  private static final long NS_PER_MS = 1_000_000L;
  private static final long LOOK_EVERY_NS = 20 * NS_PER_MS;
  /** Shorter ones are the usual turns of a scheduler. */
  private static final long LEAST_NS = 10 * NS_PER_MS;
  private static final int KEPT = 100;

  private record Pause(String kind, long atNs, long ns) {}

  private static final Deque<Pause> kept = new ArrayDeque<>();
  private static volatile boolean watched;

  private Pauses() {}

  /** Does nothing while it is at it. */
  static synchronized void start() {
    if (watched) return;
    watched = true;
    ProbeThread watch = new ProbeThread("pauses", Pauses::watch);
    // Others of the same priority would make it wake late where the CPU is only full.
    watch.setPriority(Thread.MAX_PRIORITY);
    watch.start();
  }

  static void stop() {
    watched = false;
  }

  /** A collection, by when it began and how long it took, both in ms and the first since the JVM began. */
  static void collection(long startMs, long durationMs) {
    long sinceNs = (ManagementFactory.getRuntimeMXBean().getUptime() - startMs) * NS_PER_MS;
    note("collector", System.nanoTime() - sinceNs, durationMs * NS_PER_MS);
  }

  static void write(JsonWriter json) {
    List<Pause> told;
    synchronized (kept) {
      told = new ArrayList<>(kept);
    }
    json.openArray("pauses");
    for (Pause pause : told) json.openObject(null).text("kind", pause.kind).number("atUs", pause.atNs / 1000).number("us", pause.ns / 1000).closeObject();
    json.closeArray();
  }

  private static void watch() {
    long before = System.nanoTime();
    while (watched) {
      LockSupport.parkNanos(LOOK_EVERY_NS);
      long now = System.nanoTime();
      long late = now - before - LOOK_EVERY_NS;
      // The standstill began anywhere between two samples.
      if (late >= LEAST_NS) note("standstill", now - late - LOOK_EVERY_NS / 2, late + LOOK_EVERY_NS / 2);
      before = now;
    }
  }

  private static void note(String kind, long atNs, long ns) {
    if (ns < LEAST_NS) return;
    synchronized (kept) {
      kept.addLast(new Pause(kind, atNs, ns));
      if (kept.size() > KEPT) kept.removeFirst();
    }
  }
}
