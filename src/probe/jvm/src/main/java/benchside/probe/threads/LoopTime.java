package benchside.probe.threads;

/** How long one event loop has waited for something to do. Written by its thread, read by others. */
public final class LoopTime {
  private static final long WORKS = 0;
  private volatile long idleNs;
  private volatile long idleSinceNs = WORKS;
  private long lookedNs = System.nanoTime();
  private long lookedIdleNs;

  public void idles() {
    idleSinceNs = System.nanoTime();
  }

  public void works() {
    long since = idleSinceNs;
    if (since == WORKS) return;
    idleNs += System.nanoTime() - since;
    idleSinceNs = WORKS;
  }

  /** The share of the time since the last call that it did not wait; 0 to 1. */
  double busyShare(long now) {
    long since = idleSinceNs;
    long idle = idleNs + (since == WORKS ? 0 : Math.max(0, now - since));
    long passed = Math.max(1, now - lookedNs);
    double share = 1 - Math.min(1.0, Math.max(0.0, (double) (idle - lookedIdleNs) / passed));
    lookedNs = now;
    lookedIdleNs = idle;
    return share;
  }
}
