package benchside.probe.report;

import benchside.probe.Notes;
import benchside.probe.wire.JsonWriter;
import com.sun.management.GarbageCollectionNotificationInfo;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import javax.management.NotificationEmitter;
import javax.management.openmbean.CompositeData;

/** Collections that stop the app, as the JVM's beans count them, to the millisecond. */
final class GarbageCollection {
  private final List<GarbageCollectorMXBean> beans = new ArrayList<>();
  private final AtomicLong maxPauseMs = new AtomicLong();

  private GarbageCollection() {}

  /** Null where the JVM has no such beans, as one that was cut down to few modules. */
  static GarbageCollection find() {
    try {
      GarbageCollection found = new GarbageCollection();
      for (GarbageCollectorMXBean bean : ManagementFactory.getGarbageCollectorMXBeans()) found.add(bean);
      return found;
    } catch (Throwable thrown) {
      Notes.add("This JVM has no management beans, so that its garbage collections cannot be seen.");
      return null;
    }
  }

  private void add(GarbageCollectorMXBean bean) {
    // Collectors that work beside the app have a second bean for their cycles, which stop nobody.
    if (bean.getName().endsWith("Cycles")) return;
    beans.add(bean);
    if (!(bean instanceof NotificationEmitter emitter)) return;
    emitter.addNotificationListener((notification, handback) -> {
      try {
        if (!GarbageCollectionNotificationInfo.GARBAGE_COLLECTION_NOTIFICATION.equals(notification.getType())) return;
        long ms = GarbageCollectionNotificationInfo.from((CompositeData) notification.getUserData()).getGcInfo().getDuration();
        maxPauseMs.accumulateAndGet(ms, Math::max);
      } catch (Throwable thrown) {
        // one pause not looked at
      }
    }, null, null);
  }

  void write(JsonWriter json) {
    long count = 0;
    long pauseMs = 0;
    for (GarbageCollectorMXBean bean : beans) {
      count += Math.max(0, bean.getCollectionCount());
      pauseMs += Math.max(0, bean.getCollectionTime());
    }
    json.openObject("gc").number("count", count).number("pauseUs", pauseMs * 1000).number("maxPauseUs", maxPauseMs.get() * 1000).closeObject();
  }
}
