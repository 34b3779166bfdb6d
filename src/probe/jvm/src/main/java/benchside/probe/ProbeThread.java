package benchside.probe;

/** A thread of the probe: keeps no JVM alive, says nothing when it fails, and what it borrows from a pool is not counted. */
public final class ProbeThread extends Thread {
  public ProbeThread(String what, Runnable task) {
    super(null, () -> quietly(task), "benchside-probe-" + what, 0, false);
    setDaemon(true);
    setContextClassLoader(null);
  }

  public static boolean isCurrent() {
    return Thread.currentThread() instanceof ProbeThread;
  }

  private static void quietly(Runnable task) {
    try {
      task.run();
    } catch (Throwable thrown) {
      // nobody of the app must see it
    }
  }
}
