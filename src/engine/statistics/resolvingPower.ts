import { reachOf } from './moments.ts';
import { interferenceMs } from './sliceSeries.ts';
import { trimmedMean } from './trimmedMean.ts';

export interface ResolvingPower {
  /** Half the width of the 95 % interval of a difference after the whole span, in percent: larger differences show. */
  differencePercent: number;
  /** By how much two neighbouring windows differ though nothing was changed: standard deviation, in percent. */
  pairSdPercent: number;
  /** Pairs within the span. */
  pairs: number;
}

/** With fewer the scatter of their difference is hardly known. */
const fewestPairs = 10;

/**
 * The difference that can be shown in `spanMs`, from one steady measurement: the work done in adjoining windows of equal length, in any unit. Two neighbours
 * represent the slices of two sides, every second pair mirrored, and are compared as slices are (`trimmedMean`): CPU that others use for longer than a window
 * affects both alike. Its error falls with the root of the pairs. `null` with fewer than ten pairs, or when in one of the windows nothing was done.
 */
export function resolvingPower(windows: readonly number[], windowMs: number, spanMs = 60_000): ResolvingPower | null {
  const ratios = Array.from({ length: windows.length >> 1 }, (_, pair) => {
    const [first, second] = [windows[2 * pair] ?? 0, windows[2 * pair + 1] ?? 0];
    return (pair % 2 === 0 ? 1 : -1) * Math.log(second / first);
  });
  if (ratios.length < fewestPairs || !ratios.every(Number.isFinite)) return null;
  const found = trimmedMean(ratios, interferenceMs / (2 * windowMs));
  if (found === null) return null;
  const pairs = Math.floor(spanMs / (2 * windowMs));
  const reach = reachOf(found) * Math.sqrt(ratios.length / pairs);
  return { differencePercent: 100 * Math.expm1(reach), pairSdPercent: 100 * found.standardError * Math.sqrt(ratios.length), pairs };
}
