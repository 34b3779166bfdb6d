package benchside.probe.requests;

/** A request to one of the app's HTTP servers, from the thread that began to work for it until it was answered or given up. Times are of System.nanoTime. */
public final class Request {
  private static final long UNDER_WAY = 0;
  final long startNs = System.nanoTime();
  private volatile long endNs = UNDER_WAY;

  void end() {
    // 0 has a meaning of its own.
    if (isUnderWay()) endNs = System.nanoTime() | 1;
  }

  boolean isUnderWay() {
    return endNs == UNDER_WAY;
  }

  /** Whether it ended so long ago. */
  public boolean isOverSince(long ns, long nowNs) {
    long end = endNs;
    return end != UNDER_WAY && nowNs - end >= ns;
  }
}
