package bulletin.limits;

/** One lock for the whole app: requests that need it go one after the other. */
public final class SharedLock {
  private final Object lock = new Object();

  void waitForLock(int ms) {
    synchronized (lock) {
      holdLock(ms);
    }
  }

  private static void holdLock(int ms) {
    Pause.pause(ms);
  }
}
