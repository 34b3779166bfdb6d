package benchside.probe.threads;

/** Threads whose number is not changed from outside. */
abstract class ReadOnlyThreads extends ThreadPool {
  ReadOnlyThreads(String id, String kind, String name, Object target) {
    super(id, kind, name, target);
  }

  @Override
  protected abstract String fixedBecause();

  @Override
  protected void begin(int max) {
    throw new IllegalArgumentException(fixedBecause());
  }

  @Override
  protected boolean step(int max) {
    return false;
  }
}
