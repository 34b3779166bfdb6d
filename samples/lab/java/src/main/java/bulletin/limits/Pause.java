package bulletin.limits;

/** A thread that waits for nothing but time. */
final class Pause {
  private Pause() {}

  static void pause(int ms) {
    try {
      Thread.sleep(ms);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while it waited", e);
    }
  }
}
