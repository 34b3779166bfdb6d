package benchside.probe.report;

import benchside.probe.Notes;
import benchside.probe.wire.JsonWriter;
import com.sun.management.GarbageCollectionNotificationInfo;
import com.sun.management.GcInfo;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;
import java.lang.management.MemoryUsage;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import javax.management.NotificationEmitter;
import javax.management.openmbean.CompositeData;

/** Collections that stop the app, as the JVM's beans count them, to the millisecond. */
final class GarbageCollection {
  private static final long UNKNOWN = -1;
  /** Collectors of the whole heap: of all generations where there are some. */
  private static final Set<String> ofWholeHeap =
      Set.of("G1 Old Generation", "PS MarkSweep", "MarkSweepCompact", "ZGC Cycles", "ZGC Major Cycles", "Shenandoah Cycles");

  private final List<GarbageCollectorMXBean> beans = new ArrayList<>();
  private final List<GarbageCollectorMXBean> fullBeans = new ArrayList<>();
  private final Set<String> heapPools = new HashSet<>();
  private final DurationHistogram pauses = new DurationHistogram();
  private final AtomicLong usedAfter = new AtomicLong(UNKNOWN);
  /** In all heap pools, up to the last collection; guarded by this. */
  private long allocated;
  private long usedThen;
  private boolean beside;
  private final AtomicLong maxPauseMs = new AtomicLong();

  private GarbageCollection() {}

  /** Null where the JVM has no such beans, as one that was cut down to few modules. */
  static GarbageCollection find() {
    try {
      GarbageCollection found = new GarbageCollection();
      for (MemoryPoolMXBean pool : ManagementFactory.getMemoryPoolMXBeans()) if (pool.getType() == MemoryType.HEAP) found.heapPools.add(pool.getName());
      for (GarbageCollectorMXBean bean : ManagementFactory.getGarbageCollectorMXBeans()) found.add(bean);
      return found;
    } catch (Throwable thrown) {
      Notes.add("This JVM has no management beans, so that its garbage collections cannot be seen.");
      return null;
    }
  }

  private void add(GarbageCollectorMXBean bean) {
    if (ofWholeHeap.contains(bean.getName())) fullBeans.add(bean);
    // Concurrent collectors have a second bean for their cycles, which do not stop the app.
    boolean stopsTheApp = !bean.getName().endsWith("Cycles");
    if (stopsTheApp) beans.add(bean);
    else beside = true;
    if (!(bean instanceof NotificationEmitter emitter)) return;
    emitter.addNotificationListener((notification, handback) -> {
      try {
        if (!GarbageCollectionNotificationInfo.GARBAGE_COLLECTION_NOTIFICATION.equals(notification.getType())) return;
        GcInfo collection = GarbageCollectionNotificationInfo.from((CompositeData) notification.getUserData()).getGcInfo();
        usedAfter.set(used(collection.getMemoryUsageAfterGc()));
        // A concurrent collector also reports its cycle, which began before pauses that were reported already.
        if (stopsTheApp) count(used(collection.getMemoryUsageBeforeGc()), used(collection.getMemoryUsageAfterGc()));
        if (!stopsTheApp) return;
        maxPauseMs.accumulateAndGet(collection.getDuration(), Math::max);
        pauses.recordNs(TimeUnit.MILLISECONDS.toNanos(collection.getDuration()));
        Pauses.collection(collection.getStartTime(), collection.getDuration());
      } catch (Throwable thrown) {
        // one pause is missed
      }
    }, null, null);
  }

  private synchronized void count(long before, long after) {
    allocated += Math.max(0, before - usedThen);
    usedThen = after;
  }

  /** Null for concurrent collectors: the heap use at the begin of their cycle is not what the app has left. */
  Long allocatedOf(long usedNow) {
    return beside ? null : (Long) allocated(usedNow);
  }

  /** What was ever allocated: what each collection found more than the one before it had left, and what came since. */
  private synchronized long allocated(long usedNow) {
    return allocated + Math.max(0, usedNow - usedThen);
  }

  private long used(Map<String, MemoryUsage> pools) {
    long used = 0;
    for (Map.Entry<String, MemoryUsage> pool : pools.entrySet()) {
      if (heapPools.contains(pool.getKey())) used += Math.max(0, pool.getValue().getUsed());
    }
    return used;
  }

  /** What the heap held when the last collection was over, or null before the first. */
  Long usedAfterLast() {
    long used = usedAfter.get();
    return used == UNKNOWN ? null : used;
  }

  void write(JsonWriter json) {
    long pauseMs = 0;
    for (GarbageCollectorMXBean bean : beans) pauseMs += Math.max(0, bean.getCollectionTime());
    json.openObject("gc").number("count", countOf(beans)).number("pauseUs", pauseMs * 1000).number("maxPauseUs", maxPauseMs.get() * 1000);
    json.number("full", countOf(fullBeans));
    pauses.write(json, "pauses");
    json.closeObject();
  }

  private static long countOf(List<GarbageCollectorMXBean> some) {
    long count = 0;
    for (GarbageCollectorMXBean bean : some) count += Math.max(0, bean.getCollectionCount());
    return count;
  }
}
