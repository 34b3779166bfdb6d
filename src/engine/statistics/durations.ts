import { type DurationHistogram, emptyDurations } from '../../model/domain/probe.ts';

/** Middle of a bucket in µs; see `durationHistogramSchema`. */
export function bucketMiddleUs(bucket: number): number {
  if (bucket < 8) return bucket;
  const exponent = Math.floor(bucket / 8) + 2;
  const width = 2 ** (exponent - 3);
  return (8 + (bucket % 8)) * width + (width - 1) / 2;
}

/** What came between two readings of one histogram. A maximum has no difference: that of the later reading is used. */
export function durationsBetween(before: DurationHistogram, after: DurationHistogram): DurationHistogram {
  // A process that was restarted counts from nothing.
  if (after.count < before.count) return after;
  const earlier = new Map(before.buckets);
  const buckets = after.buckets.flatMap(([bucket, count]): [number, number][] => {
    const more = count - (earlier.get(bucket) ?? 0);
    return more > 0 ? [[bucket, more]] : [];
  });
  return { count: after.count - before.count, sumUs: Math.max(0, after.sumUs - before.sumUs), maxUs: after.maxUs, buckets };
}

/**
 * The longest of what came between two readings, in µs: exact when it is the longest ever, else to the middle of its bucket. Null when nothing
 * came.
 */
export function maxBetweenUs(before: DurationHistogram, after: DurationHistogram): number | null {
  const { count, buckets } = durationsBetween(before, after);
  if (count === 0) return null;
  if (after.count < before.count || after.maxUs > before.maxUs) return after.maxUs;
  return Math.min(after.maxUs, bucketMiddleUs(buckets.at(-1)?.[0] ?? 0));
}

export function mergeDurations(all: readonly DurationHistogram[]): DurationHistogram {
  if (all.length === 0) return emptyDurations;
  const buckets = new Map<number, number>();
  for (const { buckets: own } of all) for (const [bucket, count] of own) buckets.set(bucket, (buckets.get(bucket) ?? 0) + count);
  return {
    count: all.reduce((sum, one) => sum + one.count, 0),
    sumUs: all.reduce((sum, one) => sum + one.sumUs, 0),
    maxUs: Math.max(...all.map((one) => one.maxUs)),
    buckets: [...buckets].sort(([a], [b]) => a - b),
  };
}

/** Mean in µs; null without any. */
export function meanUs({ count, sumUs }: Pick<DurationHistogram, 'count' | 'sumUs'>): number | null {
  return count === 0 ? null : sumUs / count;
}

/** Of what may not be known. */
export function msOf(us: number | null): number | null {
  return us === null ? null : us / 1000;
}

/** The quantile `q` in µs, exact to an eighth of an octave; null without any. */
export function quantileUs({ count, buckets }: DurationHistogram, q: number): number | null {
  const total = buckets.reduce((sum, [, many]) => sum + many, 0);
  if (count === 0 || total === 0) return null;
  let seen = 0;
  for (const [bucket, many] of buckets) {
    seen += many;
    if (seen >= q * total) return bucketMiddleUs(bucket);
  }
  return bucketMiddleUs(buckets.at(-1)?.[0] ?? 0);
}
