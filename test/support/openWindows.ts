import type { DurationHistogram } from '../../src/model/domain/probe.ts';
import { bucketOf } from '../../src/probe/node/durations.ts';
import type { OpenLoopWindow } from '../../src/engine/strategies/search/openLoopComparison.ts';
import { createLatencyHistogram, noLatencySums } from '../../src/engine/load/latencyHistogram.ts';

/** A window in which 98 % of the requests took half of `p99Ms`, and the others `p99Ms`. */
export function openWindow(
  key: string,
  round: number,
  p99Ms: number,
  changes: Partial<OpenLoopWindow> & { requests?: number } = {},
): OpenLoopWindow {
  const { requests = 1_000, ...rest } = changes;
  const histogram = createLatencyHistogram();
  const slow = Math.ceil(requests / 50);
  const [fastUs, slowUs] = [Math.round(500 * p99Ms), Math.round(1000 * p99Ms)];
  if (requests > 0) {
    histogram.recordValueWithCount(fastUs, requests - slow);
    histogram.recordValueWithCount(slowUs, slow);
  }
  const sums =
    requests === 0
      ? noLatencySums
      : { count: requests, sumUs: fastUs * (requests - slow) + slowUs * slow, sumSquaresUs: 0, minUs: fastUs, maxUs: slowUs };
  return { key, round, histogram, sums, carriedShare: 1, takenPercent: 0, acquisitions: null, ...rest };
}

/** So many acquisitions that waited `ms` each, and `others` that waited not at all. */
export function waitsOf(ms: number, count = 1_000, others = 0): DurationHistogram {
  const us = Math.round(1000 * ms);
  const bucket = bucketOf(us);
  const buckets: DurationHistogram['buckets'] =
    bucket === 0
      ? [[0, others + count]]
      : [
          [0, others],
          [bucket, count],
        ];
  return { count: count + others, sumUs: count * us, maxUs: us, buckets };
}

/** Windows of one setting in rounds from 1, with these p99 in ms. */
export function openWindows(key: string, p99s: readonly number[], changes: Parameters<typeof openWindow>[3] = {}): OpenLoopWindow[] {
  return p99s.map((p99Ms, index) => openWindow(key, index + 1, p99Ms, changes));
}
