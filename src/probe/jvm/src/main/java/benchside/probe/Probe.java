package benchside.probe;

import benchside.probe.hooks.HookTransformer;
import benchside.probe.wire.Session;
import java.lang.instrument.Instrumentation;

/** What is done once in a JVM, and what is done for each engine that wants to look into it. */
public final class Probe {
  private static boolean hooked;

  private Probe() {}

  /**
   * Returns at once; the rest happens on threads that do not keep the JVM alive.
   *
   * @param address empty where nobody looks, and the app is only led to its database
   */
  public static synchronized void start(Instrumentation instrumentation, String address, String token) {
    if (!hooked) {
      hooked = true;
      Access.use(instrumentation);
      HookTransformer.install(instrumentation, !address.isEmpty());
    }
    if (!address.isEmpty()) Session.start(address, token);
  }
}
