import { type Estimate, mean } from './moments.ts';

/** Share that is cut off at each end: Wilcox, Introduction to Robust Estimation, ch. 3. A slice that a burst hit is left out without anyone judging why. */
const trimmedShare = 0.2;

/**
 * The 20 % trimmed mean of a series in the order of time. Its standard error is that of the winsorized values (Tukey and McLaughlin, Sankhyā A 25, 1963), by
 * the moving-block bootstrap in closed form: the variance of all overlapping blocks of `blockLength` values (Künsch, Annals of Statistics 17, 1989), so that
 * values which were disturbed together count as one. A block of n values leaves 1.5·(n/L − 1) degrees of freedom. Null with fewer than two values.
 */
export function trimmedMean(values: readonly number[], blockLength = 1): Estimate | null {
  const n = values.length;
  if (n < 2) return null;
  const cut = Math.floor(trimmedShare * n);
  const kept = n - 2 * cut;
  const pulledIn = winsorized(values);
  const length = Math.max(1, Math.min(Math.round(blockLength), Math.floor(n / 4)));
  const variance = Math.max(varianceOfMean(pulledIn, 1), length > 1 ? varianceOfMean(pulledIn, length) : 0);
  const degreesOfFreedom = Math.max(1, Math.min(kept - 1, length === 1 ? kept - 1 : 1.5 * (n / length - 1)));
  // The cut-off values widen the rest.
  const standardError = (Math.sqrt(variance) * n) / kept;
  const sorted = [...values].sort((a, b) => a - b);
  return { mean: mean(sorted.slice(cut, n - cut)), standardError, degreesOfFreedom };
}

/** The values with each of the outermost 20 % at either end in the place of the last that is not cut off. */
export function winsorized(values: readonly number[]): number[] {
  const sorted = [...values].sort((a, b) => a - b);
  const cut = Math.floor(trimmedShare * values.length);
  const [least = 0, most = 0] = [sorted[cut], sorted[values.length - 1 - cut]];
  return values.map((value) => Math.min(most, Math.max(least, value)));
}

/** Variance of the mean of a series by its overlapping blocks of so many values. */
function varianceOfMean(values: readonly number[], length: number): number {
  const n = values.length;
  const centre = mean(values);
  let sum = values.slice(0, length).reduce((total, value) => total + value - centre, 0);
  let squares = sum ** 2;
  for (let at = length; at < n; at += 1) {
    sum += (values[at] ?? 0) - (values[at - length] ?? 0);
    squares += sum ** 2;
  }
  const blocks = n - length + 1;
  // Blocks of a series about its own mean vary less than about the true one: n/(n − L) of it is left.
  return ((squares / blocks / length) * (n / Math.max(1, n - length))) / n;
}
