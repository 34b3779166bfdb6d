package benchside.probe.pools;

import benchside.probe.Notes;
import benchside.probe.Resource;
import benchside.probe.report.DurationHistogram;
import benchside.probe.wire.JsonWriter;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;

/** A pool of connections: how long callers wait for one, how long they hold it, and how many there are. */
public abstract class ConnectionPool extends Resource {
  private static final int MOST_PLACES = 5;
  public final DurationHistogram acquire = new DurationHistogram();
  public final DurationHistogram hold = new DurationHistogram();
  public final LongAdder timeouts = new LongAdder();
  /** Connections that outlived the request that took them, and were given back after all. */
  final LongAdder cameBack = new LongAdder();

  /** Max and min are null where there is none. */
  protected record Reading(Integer max, Integer min, int total, int idle, int busy, int pending) {}

  protected ConnectionPool(String id, String kind, String name, Object target) {
    super(id, kind, name, target);
  }

  protected ConnectionPool(String kind, String name, Object target) {
    this(kind + ":" + name, kind, name, target);
  }

  private LendingGate gate;

  /** Callers come to it before they are lent a connection; null where the number of lent connections cannot be limited. */
  protected LendingGate makeGate() throws ReflectiveOperationException {
    return null;
  }

  private LendingGate gate() {
    // Not the pool itself, which is locked for as long as its size changes.
    synchronized (acquire) {
      try {
        if (gate == null) gate = makeGate();
      } catch (ReflectiveOperationException | RuntimeException e) {
        // It is made in another way than those that are known.
      }
      return gate;
    }
  }

  /**
   * Has it lend so many connections at once and no more, from the next caller on, or all of them again when that is null.
   *
   * @throws IllegalArgumentException with a sentence where that cannot be
   */
  public final void lend(Integer limit) {
    LendingGate found = gate();
    if (found == null) throw new IllegalArgumentException("This pool cannot be told how many of its connections to lend.");
    found.limit(limit);
  }

  /** A caller got a connection that it had asked for at that time. */
  public final void lent(Object connection, long askedNs) {
    acquire.recordNs(System.nanoTime() - askedNs);
    Loans.lend(this, connection, askedNs);
  }

  /** A caller gave up that had asked at that time. */
  public final void gaveUp(long askedNs) {
    timeouts.increment();
    acquire.recordNs(System.nanoTime() - askedNs);
  }

  protected abstract Reading read() throws ReflectiveOperationException;

  /** What cannot be seen of it, or null. */
  protected String note() {
    return fixedBecause();
  }

  public final void write(JsonWriter json) {
    Reading reading;
    try {
      reading = read();
    } catch (ReflectiveOperationException | RuntimeException thrown) {
      Notes.add("The pool " + id() + " cannot be read: " + thrown);
      return;
    }
    LendingGate entry = gate();
    json.openObject(null).text("id", id()).text("kind", kind()).text("name", name()).number("max", reading.max).number("min", reading.min);
    json.number("total", reading.total).number("idle", reading.idle).number("busy", reading.busy).number("pending", reading.pending + (entry == null ? 0 : entry.waiting()));
    acquire.write(json, "acquire");
    hold.write(json, "hold");
    json.number("timeouts", timeouts.sum());
    writeOutlived(json);
    json.flag("resizable", fixedBecause() == null).flag("lendable", entry != null);
    json.number("lendLimit", entry == null ? null : entry.limit()).text("note", note()).closeObject();
  }

  private void writeOutlived(JsonWriter json) {
    Loans.Outlived outlived = Loans.outlivedOf(this);
    if (outlived == null) return;
    json.openObject("outlived").number("held", outlived.held()).number("cameBack", cameBack.sum()).openArray("places");
    outlived.places().entrySet().stream().sorted(Map.Entry.<String, Integer>comparingByValue().reversed()).limit(MOST_PLACES).forEach(
        place -> json.openObject(null).text("at", place.getKey()).number("count", place.getValue()).closeObject());
    json.closeArray().closeObject();
  }

  @Override
  public int max() throws ReflectiveOperationException {
    Integer max = read().max;
    return max == null ? Integer.MAX_VALUE : max;
  }

  @Override
  protected final String missing(int max) throws ReflectiveOperationException {
    int total = effective();
    if (total <= max) return missing(total, max);
    return total + " connections were still open when the time was over: those above " + max + " are in use and go when they are given back.";
  }

  /** What is missing where no more connections are open than there may be. */
  protected String missing(int total, int max) {
    return "Only " + total + " of " + max + " connections could be opened in time: look whether the database takes more.";
  }

  @Override
  public final int effective() throws ReflectiveOperationException {
    return read().total;
  }
}
