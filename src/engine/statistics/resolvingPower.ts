import { studentTQuantile } from './studentT.ts';

/** One of adjoining windows of equal length in which the same work was done. */
export interface SteadyWindow {
  /** Work done a second, in any unit. */
  throughput: number;
  /** CPU taken meanwhile, of what may be used; null where it is not known. */
  takenPercent: number | null;
}

/** How blocks are compared: so long, so far apart, for so long in all. */
export interface ComparisonPlan {
  blockMs: number;
  /** Not measured between two blocks: switching and settling. */
  gapMs: number;
  spanMs: number;
}

export interface ResolvingPower {
  /** Half the width of the 95 % interval of a difference after the whole span: what is above shows, in percent. */
  differencePercent: number;
  /** By how much two blocks of a pair differ though nothing was changed: standard deviation, in percent. */
  pairSdPercent: number;
  /** Pairs within the span. */
  pairs: number;
  /** How much the estimate itself is worth. */
  degreesOfFreedom: number;
}

/** Blocks of a second in mirrored pairs, with half a second between, for a minute: 20 pairs. */
export const minuteOfBlocks: ComparisonPlan = { blockMs: 1000, gapMs: 500, spanMs: 60_000 };

/**
 * What can be told apart, from one steady measurement: pairs of blocks are laid over it at every window, which gives all that it holds
 * about differences of blocks of that length at that distance (as the overlapping Allan deviation does; Riley, NIST SP 1065, 5.2.4), and nothing is scaled from
 * shorter windows, whose noise need not be independent. What the difference in CPU left (ln) explains of a pair is taken off, with the slope fitted here, as comparisons
 * do. Overlapping pairs are not independent: their degrees of freedom are Satterthwaite’s, (tr Q)² ÷ tr Q², for independent windows.
 * Then t · sd ÷ √pairs, as a ratio. `null` when the windows hold fewer than three pairs side by side, or when in one of them nothing was done.
 */
export function resolvingPower(
  windows: readonly SteadyWindow[],
  windowMs: number,
  { blockMs, gapMs, spanMs }: ComparisonPlan = minuteOfBlocks,
): ResolvingPower | null {
  const size = Math.max(1, Math.round(blockMs / windowMs));
  const distance = size + Math.round(gapMs / windowMs);
  const count = windows.length - distance - size + 1;
  if (windows.length < 3 * (distance + size)) return null;
  const block = (start: number, of: (window: SteadyWindow) => number): number =>
    windows.slice(start, start + size).reduce((sum, window) => sum + of(window), 0) / size;
  const pairs = Array.from({ length: count }, (_, start) => ({
    logRatio: Math.log(block(start + distance, ({ throughput }) => throughput) / block(start, ({ throughput }) => throughput)),
    left: leftOf(block(start + distance, takenOf)) - leftOf(block(start, takenOf)),
  }));
  if (pairs.some(({ logRatio }) => !Number.isFinite(logRatio))) return null;

  const spread = pairs.reduce((sum, { left }) => sum + left * left, 0);
  const slope = spread === 0 ? 0 : pairs.reduce((sum, { left, logRatio }) => sum + left * logRatio, 0) / spread;
  const residual = pairs.reduce((sum, { left, logRatio }) => sum + (logRatio - slope * left) ** 2, 0);
  const all = overlapFreedom(count, size, distance);
  const degreesOfFreedom = spread === 0 ? all : Math.max(1, all - 1);
  const pairSd = Math.sqrt(((residual / count) * all) / degreesOfFreedom);

  const pairsInSpan = Math.max(2, Math.floor(spanMs / (2 * (blockMs + gapMs))));
  const t = studentTQuantile(0.975, Math.min(degreesOfFreedom, pairsInSpan - 1));
  return {
    differencePercent: 100 * Math.expm1((t * pairSd) / Math.sqrt(pairsInSpan)),
    pairSdPercent: 100 * pairSd,
    pairs: pairsInSpan,
    degreesOfFreedom,
  };
}

function takenOf({ takenPercent }: SteadyWindow): number {
  return takenPercent ?? 0;
}

/** ln of the CPU that was left, to which what is limited by the CPU is proportional. */
function leftOf(takenPercent: number): number {
  return Math.log(1 - Math.min(95, takenPercent) / 100);
}

/** (tr Q)² ÷ tr Q² of the sum of squares of overlapping differences: as many independent ones tell as much. */
function overlapFreedom(count: number, size: number, distance: number): number {
  const overlap = (lag: number): number => Math.max(0, size - Math.abs(lag));
  /** Covariance of two differences whose starts are `lag` windows apart, in units of a window’s variance. */
  const covariance = (lag: number): number => 2 * overlap(lag) - overlap(lag - distance) - overlap(lag + distance);
  let squares = 0;
  for (let lag = 1 - count; lag < count; lag += 1) squares += (count - Math.abs(lag)) * covariance(lag) ** 2;
  return (count * covariance(0)) ** 2 / squares;
}
