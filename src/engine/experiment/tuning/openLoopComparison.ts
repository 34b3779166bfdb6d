import type { OpenLoopFigure } from '../../../model/tuning.ts';
import { blockStatistics } from '../../statistics/blockStatistics.ts';
import { median } from '../../statistics/steadyState.ts';
import { studentTQuantile } from '../../statistics/studentT.ts';

/** One block at the fixed open rate. */
export interface OpenLoopBlock {
  key: string;
  round: number;
  /** From intended send times; `null` where too few requests were answered for a p99. */
  p99Ms: number | null;
  /** Requests answered per second over those intended per second: 1 when it keeps up. */
  carriedShare: number;
}

/** Whether p99 is proven no worse than that of the best, proven worse, or neither yet. */
export type LatencyVerdict = 'no worse' | 'worse' | 'unknown';

export interface OpenLoopComparison {
  /** requests/s at which p99 was measured. */
  rate: number;
  figures: Map<string, OpenLoopFigure>;
  verdicts: Map<string, LatencyVerdict>;
}

/** How much larger p99 may be than that of the best: 10 %. */
export const p99Margin = 0.1;
/** Below this share of the intended rate, p99 says only how long the block was. Source: the validity rule for open loads (98 % sent). */
export const carriedLimit = 0.98;
/** Of the best throughput: high enough for queues to show, low enough for a good setting to keep up. */
export const openRateShare = 0.75;

/** The rate at which settings are compared, in requests/s: whole, and at least 1. */
export function openRateOf(bestThroughput: number): number {
  return Math.max(1, Math.round(openRateShare * bestThroughput));
}

/**
 * p99 of settings at the same open rate, compared with the one whose throughput is best. ln p99 of the blocks is analysed like throughput (see
 * `blockStatistics`): geometric means, 95 % intervals, and verdicts of non-inferiority by one-sided 95 % limits against a margin of 10 %.
 * In a closed loop there would be nothing to compare: latency is then throughput in another unit (R = C/X).
 * A setting that cannot carry the rate is worse, provided that the best can.
 */
export function compareP99(rate: number, blocks: readonly OpenLoopBlock[], bestKey: string, margin = p99Margin): OpenLoopComparison {
  const keys = [...new Set(blocks.map(({ key }) => key))];
  const carries = new Map(
    keys.map((key) => [key, median(blocks.filter((block) => block.key === key).map(({ carriedShare }) => carriedShare)) >= carriedLimit]),
  );
  const usable = keys.map((key) => ({
    key,
    // Its reciprocal, so that the smallest p99 is “the best” and those far from it have a variance of their own.
    blocks: blocks.flatMap((block) =>
      block.key === key && block.p99Ms !== null && block.p99Ms > 0 ? [{ round: block.round, throughput: 1 / block.p99Ms }] : [],
    ),
  }));
  const statistics = blockStatistics(usable);
  const limit = Math.log1p(margin);
  const figures = new Map<string, OpenLoopFigure>();
  const verdicts = new Map<string, LatencyVerdict>();
  for (const { key, blocks: own } of usable) {
    const interval = statistics.intervals.get(key);
    const carried = carries.get(key) === true;
    const ofBest = key === bestKey ? null : statistics.difference(bestKey, key);
    if (interval !== undefined && own.length > 0) {
      figures.set(key, {
        rate,
        p99Ms: 1 / interval.mean,
        ciLow: interval.ciHigh === null ? null : 1 / interval.ciHigh,
        ciHigh: interval.ciLow === null ? null : 1 / interval.ciLow,
        ratioToBest:
          key === bestKey
            ? { mean: 1, ciLow: null, ciHigh: null }
            : ofBest === null
              ? null
              : { mean: ofBest.ratio, ciLow: ofBest.ciLow, ciHigh: ofBest.ciHigh },
        blocks: own.length,
        carried,
      });
    }
    if (key === bestKey) verdicts.set(key, 'no worse');
    else if (carries.get(bestKey) !== true) verdicts.set(key, 'unknown');
    else if (!carried) verdicts.set(key, 'worse');
    else if (ofBest === null) verdicts.set(key, 'unknown');
    else {
      const reach = studentTQuantile(0.95, ofBest.degreesOfFreedom) * ofBest.standardError;
      verdicts.set(key, ofBest.logRatio + reach < limit ? 'no worse' : ofBest.logRatio - reach > limit ? 'worse' : 'unknown');
    }
  }
  return { rate, figures, verdicts };
}
