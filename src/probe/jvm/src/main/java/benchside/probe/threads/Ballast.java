package benchside.probe.threads;

/** Tasks that do nothing but keep threads from working: as many of them as are wanted at present. */
final class Ballast implements Runnable {
  private int wanted;
  private int queued;
  private int parked;

  /** How many of them have a thread. */
  synchronized int parked() {
    return parked;
  }

  /** How many wait for a thread. */
  synchronized int queued() {
    return queued;
  }

  /** Lets surplus ones go, and says how many more must be handed to the pool. */
  synchronized int want(int count) {
    wanted = count;
    notifyAll();
    int missing = Math.max(0, wanted - parked - queued);
    queued += missing;
    return missing;
  }

  /** One that was to be handed over was not. */
  synchronized void refused() {
    queued -= 1;
  }

  @Override
  public synchronized void run() {
    queued -= 1;
    parked += 1;
    try {
      while (parked <= wanted) wait();
    } catch (InterruptedException e) {
      // the pool is being stopped
    } finally {
      parked -= 1;
    }
  }
}
