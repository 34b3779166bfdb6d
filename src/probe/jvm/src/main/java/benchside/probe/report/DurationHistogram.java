package benchside.probe.report;

import benchside.probe.wire.JsonWriter;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.LongAccumulator;
import java.util.concurrent.atomic.LongAdder;

/**
 * Durations since the probe was loaded, in µs: eight buckets to an octave, below 8 µs one for each. Many threads may record at once.
 */
public final class DurationHistogram {
  private static final int BUCKETS = 401;
  private static final int LINEAR = 8;

  private final AtomicLongArray buckets = new AtomicLongArray(BUCKETS);
  private final LongAdder sumNs = new LongAdder();
  private final LongAccumulator maxNs = new LongAccumulator(Math::max, 0);

  public void recordNs(long durationNs) {
    long ns = Math.max(0, durationNs);
    buckets.incrementAndGet(bucketOf(ns / 1000));
    sumNs.add(ns);
    maxNs.accumulate(ns);
  }

  static int bucketOf(long us) {
    if (us < LINEAR) return (int) us;
    int octave = 63 - Long.numberOfLeadingZeros(us);
    return Math.min(BUCKETS - 1, (octave - 2) * LINEAR + (int) ((us >> (octave - 3)) & (LINEAR - 1)));
  }

  /** The count is that of the buckets that are written, so that the two always agree. */
  public void write(JsonWriter json, String name) {
    long[] counts = new long[BUCKETS];
    long count = 0;
    for (int i = 0; i < BUCKETS; i += 1) {
      counts[i] = buckets.get(i);
      count += counts[i];
    }
    json.openObject(name).number("count", count).number("sumUs", sumNs.sum() / 1000).number("maxUs", maxNs.get() / 1000);
    json.openArray("buckets");
    for (int i = 0; i < BUCKETS; i += 1) if (counts[i] > 0) json.pair(i, counts[i]);
    json.closeArray().closeObject();
  }
}
