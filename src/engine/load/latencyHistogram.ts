import { type Histogram, build, decodeFromCompressedBase64, encodeIntoCompressedBase64 } from 'hdr-histogram-js';
import { failure } from '../../model/domain/failure.ts';
import { type Latency, byQuantile } from '../../model/domain/latency.ts';
import type { LatencySums } from './loadProtocol.ts';

/** Latencies from 1 µs to one hour; what lies outside is recorded as the nearest of the two. */
const highestUs = 3_600_000_000;

/** A histogram of latencies in µs: 1 µs … 1 hour with three significant digits, so a percentile is at most 0.1 % too high. */
export function createLatencyHistogram(): Histogram {
  return build({
    lowestDiscernibleValue: 1,
    highestTrackableValue: highestUs,
    numberOfSignificantValueDigits: 3,
    bitBucketSize: 64,
    autoResize: false,
  });
}

/** Records one latency, rounded to whole µs. */
export function recordLatency(histogram: Histogram, latencyUs: number): void {
  histogram.recordValue(Math.min(highestUs, Math.max(1, Math.round(latencyUs))));
}

/** HdrHistogram V2, compressed, base64: the interchange form that other tools read. */
export function encodeLatencyHistogram(histogram: Histogram): string {
  return encodeIntoCompressedBase64(histogram);
}

/** The histogram in what {@link encodeLatencyHistogram} gave; fails with a sentence when it is damaged. */
export function decodeLatencyHistogram(encoded: string): Histogram {
  const histogram = createLatencyHistogram();
  try {
    histogram.add(decodeFromCompressedBase64(encoded, 64));
  } catch (error) {
    throw failure('histogram-damaged', 'A latency histogram could not be read.', 'Run the benchmark again.', String(error));
  }
  return histogram;
}

/** One histogram with all that was recorded in `histograms`. This, not the mean of percentiles, is how blocks are put together. */
export function mergeLatencyHistograms(histograms: Iterable<Histogram>): Histogram {
  const merged = createLatencyHistogram();
  for (const histogram of histograms) merged.add(histogram);
  return merged;
}

export const noLatencySums: LatencySums = { count: 0, sumUs: 0, sumSquaresUs: 0, minUs: null, maxUs: null };

/** Adds one latency in µs, unrounded. */
export function addLatency(sums: LatencySums, latencyUs: number): void {
  sums.count += 1;
  sums.sumUs += latencyUs;
  sums.sumSquaresUs += latencyUs * latencyUs;
  if (sums.minUs === null || latencyUs < sums.minUs) sums.minUs = latencyUs;
  if (sums.maxUs === null || latencyUs > sums.maxUs) sums.maxUs = latencyUs;
}

export function mergeLatencySums(all: Iterable<LatencySums>): LatencySums {
  const merged = { ...noLatencySums };
  for (const sums of all) {
    merged.count += sums.count;
    merged.sumUs += sums.sumUs;
    merged.sumSquaresUs += sums.sumSquaresUs;
    if (sums.minUs !== null) merged.minUs = Math.min(merged.minUs ?? sums.minUs, sums.minUs);
    if (sums.maxUs !== null) merged.maxUs = Math.max(merged.maxUs ?? sums.maxUs, sums.maxUs);
  }
  return merged;
}

/**
 * The figures in ms, or null when nothing was recorded. Mean, σ (of a sample, n − 1), min and max come from the exact sums,
 * percentiles from the histogram: the smallest recorded value that at least that share of all latencies does not exceed.
 */
export function latencyMetrics(histogram: Histogram, sums: LatencySums): Latency | null {
  const { count, sumUs, sumSquaresUs, minUs, maxUs } = sums;
  if (count === 0 || minUs === null || maxUs === null) return null;
  const meanUs = sumUs / count;
  const varianceUs = count > 1 ? Math.max(0, (sumSquaresUs - sumUs * meanUs) / (count - 1)) : 0;
  // The histogram rounds to its bucket's upper end, which may lie above the largest latency there was.
  const percentileMs = (percentile: number): number => Math.min(maxUs, Math.max(minUs, histogram.getValueAtPercentile(percentile))) / 1000;
  return {
    mean: meanUs / 1000,
    stddev: Math.sqrt(varianceUs) / 1000,
    min: minUs / 1000,
    ...byQuantile(({ share }) => percentileMs(100 * share)),
    max: maxUs / 1000,
  };
}
