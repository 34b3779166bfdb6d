package benchside.probe.report;

import benchside.probe.wire.JsonWriter;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;

/** How many threads the JVM ever started. Virtual ones are not among them. */
final class StartedThreads {
  private final ThreadMXBean threads = ManagementFactory.getThreadMXBean();

  /** Null where the JVM has no such bean. */
  static StartedThreads find() {
    try {
      return new StartedThreads();
    } catch (Throwable thrown) {
      return null;
    }
  }

  void write(JsonWriter json) {
    json.number("startedThreads", threads.getTotalStartedThreadCount());
  }
}
