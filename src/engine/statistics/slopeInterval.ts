import { type Point, median, slopesOf } from './moments.ts';

/** A slope and the limits between which the truth lies with the confidence that was asked for. */
export interface SlopeInterval {
  slope: number;
  low: number;
  high: number;
}

/**
 * The slope of a line by Theil and Sen, with the exact interval of Sen (“Estimates of the Regression Coefficient Based on Kendall’s Tau”, JASA 63, 1968,
 * section 4): those slopes for which Kendall’s S of the residuals is not extreme. It assumes no distribution, and one point that is far off moves it little.
 * `x` must rise from point to point. Null where so few points cannot give this confidence: 6 are needed for 0.99, 5 for 0.95.
 */
export function slopeInterval(points: readonly Point[], confidence: number): SlopeInterval | null {
  const beyond = slopesBeyond(points.length, confidence);
  if (beyond === null) return null;
  const slopes = slopesOf(points).sort((a, b) => a - b);
  const [low, high] = [slopes[beyond], slopes.at(-1 - beyond)];
  return low === undefined || high === undefined ? null : { slope: median(slopes), low, high };
}

/** How many of the slopes of n points lie outside of the interval at either end; null where no interval has this confidence. */
function slopesBeyond(n: number, confidence: number): number | null {
  const counts = inversionCounts(n);
  const total = counts.reduce((sum, count) => sum + count, 0);
  let outside = 0;
  let found: number | null = null;
  // With k inversions S is pairs − 2k: both tails together are twice the sum of the first counts.
  for (let k = 0; 2 * k < counts.length - 1; k += 1) {
    outside += counts[k] ?? 0;
    if ((2 * outside) / total > 1 - confidence) break;
    found = k;
  }
  return found;
}

/** How many permutations of n have 0, 1, 2 … inversions: the distribution of Kendall’s S without ties (Kendall, Biometrika 30, 1938). */
function inversionCounts(n: number): number[] {
  let counts = [1];
  for (let size = 2; size <= n; size += 1) {
    const next = Array.from({ length: counts.length + size - 1 }, () => 0);
    for (const [at, count] of counts.entries()) for (let more = 0; more < size; more += 1) next[at + more] = (next[at + more] ?? 0) + count;
    counts = next;
  }
  return counts;
}
