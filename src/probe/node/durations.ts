import type { DurationHistogram } from '../../model/domain/probe.ts';

/** Longest duration that has a bucket of its own, in µs (36 minutes); longer ones share the last. */
const longestUs = 2 ** 31 - 1;
const bucketCount = 232;

/** Bucket of a duration in µs: eight to an octave, as the protocol defines them. */
export function bucketOf(us: number): number {
  const value = us < longestUs ? Math.floor(us) : longestUs;
  if (value < 8) return value;
  const exponent = 31 - Math.clz32(value);
  return (exponent - 2) * 8 + ((value >> (exponent - 3)) & 7);
}

/** Durations since the probe was loaded. Recording one allocates nothing. */
export class Durations {
  #count = 0;
  #sumUs = 0;
  #maxUs = 0;
  readonly #buckets = new Float64Array(bucketCount);

  record(us: number): void {
    // A clock that was set back or is missing must not spoil the sums.
    const duration = us > 0 ? us : 0;
    this.#count += 1;
    this.#sumUs += duration;
    if (duration > this.#maxUs) this.#maxUs = duration;
    const bucket = bucketOf(duration);
    this.#buckets[bucket] = (this.#buckets[bucket] as number) + 1;
  }

  get sumUs(): number {
    return this.#sumUs;
  }

  report(): DurationHistogram {
    const buckets: [number, number][] = [];
    for (let bucket = 0; bucket < bucketCount; bucket += 1) {
      const count = this.#buckets[bucket] as number;
      if (count > 0) buckets.push([bucket, count]);
    }
    return { count: this.#count, sumUs: Math.round(this.#sumUs), maxUs: Math.round(this.#maxUs), buckets };
  }
}
