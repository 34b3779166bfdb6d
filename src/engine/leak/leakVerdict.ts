import type { KeptPerRequest, LeakCycle, LeakDoubt } from '../../model/domain/leak.ts';
import { type Point, median, medianSlope } from '../statistics/moments.ts';
import { slopeInterval } from '../statistics/slopeInterval.ts';

/** Nothing below this is called a leak: compiled code and statistics of a runtime grow by some bytes per request for a long time. */
export const smallestLeak = 50;
/** After each cycle there is a new answer, and the first one ends it: wider than the usual 95 %, so that many looks find no more than one would. */
export const leakConfidence = 0.99;
/** Caches, pools and compiled code fill in this share of the cycles, rounded down. */
const settlingShare = 1 / 3;
/** A second half that grows by less than this share of the first is on its way to a level. */
const goesOn = 0.5;
/** Points of a half whose slope is compared; the halves share the middle points where there are few. */
const leastHalf = 4;
/** What grows less from cycle to cycle, by more than this share over all of them and beyond chance, levels off, too. */
const fallsBy = 0.15;
const fallsConfidence = 0.9;

export interface LeakJudgement {
  verdict: 'leaks' | 'does-not-leak' | 'undecided';
  doubt: LeakDoubt | null;
  kept: KeptPerRequest | null;
  settling: number;
}

/**
 * What the cycles say so far. Each is a point: requests sent until then, and bytes that are still in use. The first third does not count. Over the rest, bytes
 * per request are the slope by Theil and Sen with its interval: a leak lies above the smallest of interest with all of it and goes on to the end; what lies
 * below it is none. What grows ever more slowly levels off, which is what a cache does.
 */
export function judgeLeak(cycles: readonly Pick<LeakCycle, 'requests' | 'keptBytes'>[]): LeakJudgement {
  const settling = Math.floor(cycles.length * settlingShare);
  const points = cycles.slice(settling).map(({ requests, keptBytes }): Point => [requests, keptBytes]);
  const interval = slopeInterval(points, leakConfidence);
  if (interval === null) return { verdict: 'undecided', doubt: 'few-cycles', kept: null, settling };
  const { slope: mean, low, high } = interval;
  const kept = { mean, low, high };
  if (high < smallestLeak) return { verdict: 'does-not-leak', doubt: null, kept, settling };
  const falls = levelsOff(points);
  if (low > smallestLeak && !falls) return { verdict: 'leaks', doubt: null, kept, settling };
  return { verdict: 'undecided', doubt: low > 0 && falls ? 'levels-off' : 'interval', kept, settling };
}

function levelsOff(points: readonly Point[]): boolean {
  const half = Math.max(leastHalf, Math.ceil(points.length / 2));
  const [first, second] = [medianSlope(points.slice(0, half)), medianSlope(points.slice(-half))];
  if (first > 0 && second < goesOn * first) return true;
  const growth = points.slice(1).map(([x, y], index): Point => {
    const [before, level] = points[index] ?? [x, y];
    return [(x + before) / 2, (y - level) / (x - before)];
  });
  const falls = slopeInterval(growth, fallsConfidence);
  const span = (growth.at(-1)?.[0] ?? 0) - (growth[0]?.[0] ?? 0);
  return falls !== null && falls.high < 0 && -falls.slope * span > fallsBy * median(growth.map(([, y]) => y));
}
