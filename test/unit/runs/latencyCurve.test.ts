import { describe, expect, it } from 'vitest';
import { createLatencyHistogram, recordLatency } from '../../../src/engine/load/latencyHistogram.ts';
import { latencyCurve } from '../../../src/engine/runs/latencyCurve.ts';

function histogramOf(count: number): ReturnType<typeof createLatencyHistogram> {
  const histogram = createLatencyHistogram();
  for (let index = 1; index <= count; index += 1) recordLatency(histogram, index * 10);
  return histogram;
}

describe('latencyCurve', () => {
  it('ends at the last quantile with 20 requests above it, and never has more than 100 points', () => {
    for (const count of [20, 21, 400, 10_000, 300_000]) {
      const curve = latencyCurve(histogramOf(count));
      expect(curve.length).toBeLessThanOrEqual(100);
      expect((1 - (curve.at(-1)?.quantile ?? 0)) * count).toBeCloseTo(20, 6);
    }
  });

  it('says nothing with fewer than 20 requests', () => {
    expect(latencyCurve(histogramOf(19))).toEqual([]);
  });

  it('rises from the least latency through the true quantiles', () => {
    const curve = latencyCurve(histogramOf(100_000));
    expect(curve[0]).toMatchObject({ quantile: 0, ms: 0.01 });
    for (const [index, { quantile, ms }] of curve.entries()) {
      expect(ms).toBeGreaterThanOrEqual(curve[index - 1]?.ms ?? 0);
      if (quantile > 0.01) expect(ms / (quantile * 1_000)).toBeCloseTo(1, 2);
    }
  });
});
