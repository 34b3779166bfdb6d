import type { Histogram } from 'hdr-histogram-js';
import type { LatencyCurve } from '../../model/domain/comparison.ts';

/** Fewer samples above a quantile than this leave it to chance. */
const leastAbove = 20;
const mostPoints = 100;
const pointsPerDecade = 24;

/**
 * Latency by quantile in ms, at equal steps of log 1/(1 − q) from the least latency up to the last quantile with 20 samples above it:
 * n·(1 − q) ≥ 20. At most 100 points; none with fewer than 20 samples.
 */
export function latencyCurve(histogram: Histogram): LatencyCurve {
  const n = histogram.totalCount;
  if (n < leastAbove) return [];
  const decades = Math.log10(n / leastAbove);
  const steps = Math.min(mostPoints - 1, Math.max(1, Math.ceil(decades * pointsPerDecade)));
  const points = Array.from({ length: decades === 0 ? 1 : steps + 1 }, (_, index) => {
    const quantile = 1 - 10 ** (-(decades * index) / steps);
    return { quantile, ms: histogram.getValueAtPercentile(quantile * 100) / 1000 };
  });
  return points;
}
