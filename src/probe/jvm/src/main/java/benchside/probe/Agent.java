package benchside.probe;

import java.io.File;
import java.lang.instrument.Instrumentation;
import java.nio.file.Path;
import java.util.jar.JarFile;

/**
 * What the JVM calls: at its start (-javaagent) or when the probe is loaded into it while it runs. The class loader of the app loads this class
 * alone; everything else comes from the bootstrap loader, so that every class loader of the app sees the same hooks.
 */
public final class Agent {
  private Agent() {}

  public static void premain(String options, Instrumentation instrumentation) {
    start(options, instrumentation);
  }

  public static void agentmain(String options, Instrumentation instrumentation) {
    start(options, instrumentation);
  }

  private static void start(String options, Instrumentation instrumentation) {
    try {
      String address = option(options, "address", "BENCHSIDE_PROBE_ADDRESS");
      String token = option(options, "token", "BENCHSIDE_PROBE_TOKEN");
      boolean isLed = System.getenv("BENCHSIDE_PROBE_DATABASE") != null;
      if (address.isEmpty() && !isLed) return;
      if (!isInBootstrapLoader()) instrumentation.appendToBootstrapClassLoaderSearch(new JarFile(ownJar()));
      // resolved only now, when the bootstrap loader has it
      Probe.start(instrumentation, address, token);
    } catch (Throwable thrown) {
      // The app is worth more than its observation: nothing is reported and nothing is changed.
    }
  }

  private static boolean isInBootstrapLoader() {
    try {
      Class.forName("benchside.probe.Probe", false, null);
      return true;
    } catch (ClassNotFoundException e) {
      return false;
    }
  }

  private static File ownJar() throws Exception {
    return Path.of(Agent.class.getProtectionDomain().getCodeSource().getLocation().toURI()).toFile();
  }

  /** From {@code name=value,name=value}, else from the environment, else empty. */
  private static String option(String options, String name, String variable) {
    if (options != null) {
      for (String part : options.split(",")) {
        if (part.startsWith(name + "=")) return part.substring(name.length() + 1);
      }
    }
    String value = System.getenv(variable);
    return value == null ? "" : value;
  }
}
