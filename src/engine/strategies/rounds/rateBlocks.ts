import type { OpenLoopFigure } from '../../../model/tuning.ts';
import { blockStatistics } from '../../statistics/blockStatistics.ts';
import { median } from '../../statistics/steadyState.ts';
import { studentTQuantile } from '../../statistics/studentT.ts';
import { carriedLimit, p99Margin } from '../search/openLoopComparison.ts';
import type { LatencyVerdict, OpenLoopComparison } from '../search/openLoopComparison.ts';

/** One block at a fixed open rate. */
export interface RateBlock {
  key: string;
  round: number;
  /** The percentile that is compared, from intended send times; `null` where too few requests were answered for it. */
  p99Ms: number | null;
  /** Requests answered per second over those intended per second: 1 when it keeps up. */
  carriedShare: number;
}

/**
 * Latency of settings at the same open rate, compared with the best, from whole blocks of which only the figures are known. ln p99 of the blocks is analysed like throughput (see
 * `blockStatistics`): geometric means, 95 % intervals, and verdicts of non-inferiority by one-sided 95 % limits against a margin of 10 %.
 * A setting that cannot carry the rate is worse, provided that the best can.
 */
export function compareBlocksAtRate(rate: number, blocks: readonly RateBlock[], bestKey: string, margin = p99Margin): OpenLoopComparison {
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
        windows: own.length,
        windowsMeasured: blocks.filter((block) => block.key === key).length,
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
  return { rate, figures, verdicts, floors: new Map() };
}
