package bulletin;

import org.slf4j.Logger;

/** A warning that may come thousands of times a second is written once a second, with the number of those left out. */
final class OccasionalWarning {
  private static final long INTERVAL_NS = 1_000_000_000;

  private final Logger log;
  private long lastAt = System.nanoTime() - INTERVAL_NS;
  private long leftOut;

  OccasionalWarning(Logger log) {
    this.log = log;
  }

  synchronized void warn(String text) {
    long now = System.nanoTime();
    if (now - lastAt < INTERVAL_NS) {
      leftOut++;
      return;
    }
    log.warn(leftOut == 0 ? text : text + " (and " + leftOut + " times before)");
    lastAt = now;
    leftOut = 0;
  }
}
