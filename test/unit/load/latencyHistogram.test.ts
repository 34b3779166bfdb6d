import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  addLatency,
  createLatencyHistogram,
  decodeLatencyHistogram,
  encodeLatencyHistogram,
  latencyMetrics,
  mergeLatencyHistograms,
  mergeLatencySums,
  noLatencySums,
  recordLatency,
} from '../../../src/engine/load/latencyHistogram.ts';
import type { LatencySums } from '../../../src/engine/load/loadProtocol.ts';
import { FailureError } from '../../../src/model/domain/failure.ts';

/** Latencies in µs as a server gives them: over many orders of magnitude. */
const latencies = fc.array(
  fc.oneof(
    fc.integer({ min: 1, max: 5_000 }),
    fc.integer({ min: 1, max: 60_000_000 }),
    fc.double({ min: 1, max: 3_600_000_000, noNaN: true }),
  ),
  { minLength: 1, maxLength: 300 },
);
const percentiles = [50, 75, 90, 95, 99, 99.9, 100];

function histogramOf(values: readonly number[]): ReturnType<typeof createLatencyHistogram> {
  const histogram = createLatencyHistogram();
  for (const value of values) recordLatency(histogram, value);
  return histogram;
}

function sumsOf(values: readonly number[]): LatencySums {
  const sums = { ...noLatencySums };
  for (const value of values) addLatency(sums, value);
  return sums;
}

/** Nearest rank: the smallest value that at least `percentile` percent of all do not exceed. */
function exactPercentile(values: readonly number[], percentile: number): number {
  const sorted = values.map((value) => Math.max(1, Math.round(value))).sort((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil((percentile / 100) * sorted.length) - 1)] ?? NaN;
}

describe('the latency histogram', () => {
  it('gives every percentile within 0.1 %, and never too low', () => {
    fc.assert(
      fc.property(latencies, (values) => {
        const histogram = histogramOf(values);
        for (const percentile of percentiles) {
          const exact = exactPercentile(values, percentile);
          const given = histogram.getValueAtPercentile(percentile);
          expect(given).toBeGreaterThanOrEqual(exact);
          expect(given).toBeLessThanOrEqual(exact * 1.001);
        }
      }),
      { numRuns: 50 },
    );
  });

  it('merged from parts is the histogram of all', () => {
    fc.assert(
      fc.property(fc.array(latencies, { maxLength: 4 }), (parts) => {
        const merged = mergeLatencyHistograms(parts.map(histogramOf));
        expect(encodeLatencyHistogram(merged)).toBe(encodeLatencyHistogram(histogramOf(parts.flat())));
      }),
      { numRuns: 25 },
    );
  });

  it('comes back from its encoding as it was', () => {
    fc.assert(
      fc.property(latencies, (values) => {
        const histogram = histogramOf(values);
        const decoded = decodeLatencyHistogram(encodeLatencyHistogram(histogram));
        expect(decoded.totalCount).toBe(values.length);
        expect(encodeLatencyHistogram(decoded)).toBe(encodeLatencyHistogram(histogram));
        for (const percentile of percentiles)
          expect(decoded.getValueAtPercentile(percentile)).toBe(histogram.getValueAtPercentile(percentile));
      }),
      { numRuns: 25 },
    );
  });

  it('of any load fits into one line of the worker’s output', () => {
    const histogram = createLatencyHistogram();
    // Every bucket used, with counts that do not compress: more than any load can do.
    for (let us = 1; us < 3_500_000_000; us = Math.max(us + 1, us * 1.0005))
      histogram.recordValueWithCount(Math.round(us), 1 + (((us * 7919) % 97) | 0));
    expect(encodeLatencyHistogram(histogram).length).toBeLessThan(60 * 1024);
  });

  it('takes what is outside 1 µs … 1 h as the nearest of the two', () => {
    const histogram = histogramOf([0, 0.2, 9_999_999_999]);
    expect(histogram.totalCount).toBe(3);
    expect(histogram.getValueAtPercentile(50)).toBe(1);
    expect(histogram.getValueAtPercentile(100)).toBeGreaterThanOrEqual(3_600_000_000);
  });

  it('that is damaged fails with a sentence', () => {
    for (const damaged of ['', 'AAAA', 'not base64 at all!', encodeLatencyHistogram(histogramOf([1, 2, 3])).slice(0, 20)]) {
      expect(() => decodeLatencyHistogram(damaged)).toThrow(FailureError);
    }
  });
});

describe('latency figures', () => {
  it('are null when nothing was recorded', () => {
    expect(latencyMetrics(createLatencyHistogram(), { ...noLatencySums })).toBeNull();
  });

  it('of known latencies are the known figures, in ms', () => {
    const values = [1000, 2000, 3000, 4000, 10_000];
    const figures = latencyMetrics(histogramOf(values), sumsOf(values));
    expect(figures).toMatchObject({ mean: 4, min: 1, max: 10, p999: 10 });
    expect(figures?.stddev).toBeCloseTo(Math.sqrt(12.5), 9);
    expect(figures?.p50).toBeCloseTo(3, 2);
    expect(figures?.p75).toBeCloseTo(4, 2);
  });

  it('have an exact mean and σ, ordered percentiles and nothing above the maximum', () => {
    fc.assert(
      fc.property(latencies, (values) => {
        const figures = latencyMetrics(histogramOf(values), sumsOf(values));
        if (figures === null) throw new Error('no figures');
        const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
        const variance = values.length > 1 ? values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (values.length - 1) : 0;
        expect(figures.mean * 1000).toBeCloseTo(mean, 0);
        expect(Math.abs(figures.stddev * 1000 - Math.sqrt(variance))).toBeLessThanOrEqual(1e-6 * mean + 1e-6);
        const ordered = [figures.min, figures.p50, figures.p75, figures.p90, figures.p95, figures.p99, figures.p999, figures.max];
        expect([...ordered].sort((a, b) => a - b)).toEqual(ordered);
      }),
      { numRuns: 50 },
    );
  });

  it('of merged sums are those of all latencies', () => {
    fc.assert(
      fc.property(fc.array(latencies, { maxLength: 4 }), (parts) => {
        const merged = mergeLatencySums(parts.map(sumsOf));
        const all = sumsOf(parts.flat());
        expect(merged).toMatchObject({ count: all.count, minUs: all.minUs, maxUs: all.maxUs });
        expect(Math.abs(merged.sumUs - all.sumUs)).toBeLessThanOrEqual(1e-9 * all.sumUs);
        expect(Math.abs(merged.sumSquaresUs - all.sumSquaresUs)).toBeLessThanOrEqual(1e-9 * all.sumSquaresUs);
      }),
      { numRuns: 50 },
    );
  });
});
