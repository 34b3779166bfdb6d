package benchside.probe.report;

import benchside.probe.wire.JsonWriter;
import java.lang.management.ClassLoadingMXBean;
import java.lang.management.CompilationMXBean;
import java.lang.management.ManagementFactory;

/** What a JVM does less and less of the longer it runs: compiling, and loading classes. */
final class Warming {
  private final ClassLoadingMXBean classes = ManagementFactory.getClassLoadingMXBean();
  private final CompilationMXBean compiler = ManagementFactory.getCompilationMXBean();

  /** Null where the JVM has no such beans. */
  static Warming find() {
    try {
      return new Warming();
    } catch (Throwable thrown) {
      return null;
    }
  }

  void write(JsonWriter json) {
    boolean timed = compiler != null && compiler.isCompilationTimeMonitoringSupported();
    json.openObject("warming").number("compileUs", timed ? (Long) (compiler.getTotalCompilationTime() * 1000) : null);
    json.number("loadedClasses", classes.getTotalLoadedClassCount()).closeObject();
  }
}
