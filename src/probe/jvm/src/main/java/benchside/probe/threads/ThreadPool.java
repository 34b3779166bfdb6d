package benchside.probe.threads;

import benchside.probe.Notes;
import benchside.probe.Registry;
import benchside.probe.Resource;
import benchside.probe.wire.JsonWriter;

/** Threads that work for the app. */
public abstract class ThreadPool extends Resource {
  /** Null where there is no such bound. Busy may be a mean, and is then no whole number. */
  protected record Reading(Integer max, Integer min, Integer effectiveMax, int threads, double busy, int queue) {}

  public static final Registry<ThreadPool> pools = new Registry<>();

  protected ThreadPool(String id, String kind, String name, Object target) {
    super(id, kind, name, target);
  }

  protected ThreadPool(String kind, String name, Object target) {
    this(kind + ":" + name, kind, name, target);
  }

  /** Of one of its threads. */
  static String withoutNumber(String threadName) {
    String name = threadName.replaceFirst("[-#\\s_]*[0-9]+$", "");
    return name.isEmpty() ? "unnamed" : name;
  }

  protected abstract Reading read() throws ReflectiveOperationException;

  protected String note() {
    return fixedBecause();
  }

  public final void write(JsonWriter json) {
    Reading reading;
    try {
      reading = read();
    } catch (ReflectiveOperationException | RuntimeException thrown) {
      Notes.add("The threads of " + id() + " cannot be read: " + thrown);
      return;
    }
    json.openObject(null).text("id", id()).text("kind", kind()).text("name", name()).number("max", reading.max).number("min", reading.min);
    json.number("effectiveMax", reading.effectiveMax).number("threads", reading.threads).decimal("busy", Math.max(0, reading.busy));
    Double busiest = busiest();
    if (busiest != null) json.decimal("busiest", busiest);
    json.number("queue", Math.max(0, reading.queue)).flag("resizable", fixedBecause() == null).text("note", note()).closeObject();
  }

  /** The share of the time for which the thread that works most does, as of the last reading, 0 to 1; null where each request has any of the threads. */
  protected Double busiest() {
    return null;
  }

  @Override
  public int max() throws ReflectiveOperationException {
    Integer max = read().max;
    return max == null ? Integer.MAX_VALUE : max;
  }

  @Override
  public final int effective() throws ReflectiveOperationException {
    Integer effective = read().effectiveMax;
    return effective == null ? max() : effective;
  }

  @Override
  protected String missing(int max) throws ReflectiveOperationException {
    return effective() + " threads could still work when the time was over: those above " + max + " have not ended what they do.";
  }
}
