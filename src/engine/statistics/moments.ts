import { studentTQuantile } from './studentT.ts';

/** Moments of a sample: the mean, NaN without values, and the variance by n − 1, 0 with fewer than two. */
export interface Moments {
  n: number;
  mean: number;
  variance: number;
}

export function momentsOf(values: readonly number[]): Moments {
  const n = values.length;
  const middle = mean(values);
  return { n, mean: middle, variance: n > 1 ? values.reduce((sum, value) => sum + (value - middle) ** 2, 0) / (n - 1) : 0 };
}

/** NaN of nothing. */
export function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** A mean and how well it is known. */
export interface Estimate {
  mean: number;
  standardError: number;
  degreesOfFreedom: number;
}

/** The mean of independent values; null with fewer than two. */
export function meanOf(values: readonly number[]): Estimate | null {
  const { n, mean: middle, variance } = momentsOf(values);
  return n < 2 ? null : { mean: middle, standardError: Math.sqrt(variance / n), degreesOfFreedom: n - 1 };
}

/** From an estimate to the limit below which the truth lies with this probability: 0.975 for either end of a 95 % interval, 0.95 for a one-sided one. */
export function reachOf({ standardError, degreesOfFreedom }: Omit<Estimate, 'mean'>, probability = 0.975): number {
  return studentTQuantile(probability, degreesOfFreedom) * standardError;
}

/**
 * The variance of the difference of two means, and its degrees of freedom (Welch, Biometrika 34, 1947; Satterthwaite, Biometrics Bulletin 2, 1946); null with
 * fewer than two values on either side.
 */
export function welch(a: Moments, b: Moments): { variance: number; degreesOfFreedom: number } | null {
  if (a.n < 2 || b.n < 2) return null;
  const [partA, partB] = [a.variance / a.n, b.variance / b.n];
  const variance = partA + partB;
  const degreesOfFreedom = variance === 0 ? a.n + b.n - 2 : variance ** 2 / (partA ** 2 / (a.n - 1) + partB ** 2 / (b.n - 1));
  return { variance, degreesOfFreedom: Math.max(1, degreesOfFreedom) };
}

/** The middle value; of an even number, the mean of the two in the middle. NaN of nothing. */
export function median(values: readonly number[]): number {
  if (values.length === 0) return Number.NaN;
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? Number.NaN) + upper) / 2;
}

/** The middle value that is one of them, the upper of two; undefined of nothing. */
export function upperMedian(values: readonly number[]): number | undefined {
  return [...values].sort((a, b) => a - b)[values.length >> 1];
}

export type Point = readonly [x: number, y: number];

/** The slopes of all pairs of points. */
export function slopesOf(points: readonly Point[]): number[] {
  return points.flatMap(([x, y], index) => points.slice(index + 1).map(([later, other]) => (other - y) / (later - x)));
}

/** Slope by Theil and Sen (Sen, JASA 63, 1968): the median of the slopes of all pairs of points. 0 of fewer than two that differ in x. */
export function medianSlope(points: readonly Point[]): number {
  const finite = slopesOf(points).filter(Number.isFinite);
  return finite.length === 0 ? 0 : median(finite);
}
