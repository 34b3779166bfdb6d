package benchside.probe.threads;

/** Virtual threads of one executor, or all that were started without one: there is no bound that could be changed. */
final class VirtualThreads extends ThreadPool {
  /** How many there are at present. */
  interface Counter {
    long count(Object owner) throws ReflectiveOperationException;
  }

  private final Counter counter;

  VirtualThreads(String id, String name, Object owner, Counter counter) {
    super("virtual:" + id, "virtual", name, owner);
    this.counter = counter;
  }

  @Override
  protected boolean isClosed(Object owner) throws ReflectiveOperationException {
    return owner instanceof java.util.concurrent.ExecutorService executor && executor.isTerminated();
  }

  @Override
  protected Reading read() throws ReflectiveOperationException {
    int threads = (int) Math.min(Integer.MAX_VALUE, counter.count(target()));
    return new Reading(null, null, null, threads, threads, 0);
  }

  @Override
  protected String fixedBecause() {
    return "Virtual threads have no limit that could be set; those that wait count as busy.";
  }
}
