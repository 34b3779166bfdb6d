import type { Histogram } from 'hdr-histogram-js';
import { grouped } from '../../../model/domain/grouped.ts';
import type { AnswerReason } from '../../../model/domain/answerReason.ts';
import type { DurationHistogram } from '../../../model/domain/probe.ts';
import type { Finding } from '../../../model/domain/findingKinds.ts';
import type { OpenLoopMetric } from '../../../model/domain/tuning.ts';
import { decodeLatencyHistogram, latencyMetrics, mergeLatencyHistograms, mergeLatencySums } from '../../load/latencyHistogram.ts';
import type { LoadMeasurement, LatencySums, OpenLoopCounts } from '../../load/loadProtocol.ts';
import { mergeDurations, quantileUs } from '../../statistics/durations.ts';
import { againstMechanism } from '../../statistics/kneeRule.ts';
import { type Estimate, mean, meanOf, reachOf } from '../../statistics/moments.ts';
import { type PairWithInterference, quietPairs } from '../../statistics/quietPairs.ts';

/** One window at the fixed open rate. */
export interface OpenLoopWindow {
  key: string;
  round: number;
  /** Latencies from intended send times. */
  histogram: Histogram;
  sums: LatencySums;
  /** Requests answered per second over those intended per second: 1 when it keeps up. */
  carriedShare: number;
  /** CPU that others used meanwhile; null where it is not known. */
  takenPercent: number | null;
  /** How long each acquisition of what the best has more of waited; null where that was not seen, or the best has not more of it. */
  acquisitions: DurationHistogram | null;
}

/** Whether p99 is proven no worse than that of the best, proven worse, or neither yet. */
type LatencyVerdict = 'no worse' | 'worse' | 'unknown';

export interface OpenLoopComparison {
  /** requests/s at which p99 was measured. */
  rate: number;
  figures: Map<string, OpenLoopMetric>;
  verdicts: Map<string, LatencyVerdict>;
  /** For settings that waits alone show to be no worse. */
  floors: Map<string, P99Floor>;
}

/** The least p99 that any larger size could bring, in ms, and how long all but a share of the requests waited at most. */
type P99Floor = NonNullable<Extract<AnswerReason, { code: 'p99' }>['floor']>;

/** How much larger p99 may be than that of the best: 10 %. */
export const p99Margin = 0.1;
/** Below this share of the intended rate, p99 says only how long the window was. Source: the validity rule for open loads (98 % sent). */
export const carriedLimit = 0.98;
/** The share of the best throughput: high enough for queues to show, low enough for a good setting to keep up. */
export const openRateShare = 0.75;
/** p99 of a group of windows is its own with five requests above it; the spread of such groups is in the interval. */
const requestsForP99 = 500;
/** All windows of a setting together must have 20 requests above p99, or it is not reported. */
export const requestsInAll = 2_000;
/** Shares of requests whose waits are not bounded: up to half of those above p99. A stall of the machine makes a few wait with any size. */
const unboundedShares = [0.001, 0.002, 0.005] as const;
/** A bucket’s middle lies at most a sixteenth below its end. */
const toBucketEnd = 17 / 16;

/** The rate at which settings are compared, in requests/s: whole, and at least 1. */
export function openRateOf(bestThroughput: number): number {
  return Math.max(1, Math.round(openRateShare * bestThroughput));
}

/** Short windows find quiet moments; longer ones have a p99 of their own. */
const [shortestS, longestS] = [1, 2];

/** How long a window is at a rate: one has a p99 of its own where the rate allows it. */
export function windowSecondsAt(ratePerS: number, leastS: number = shortestS): number {
  return Math.max(leastS, Math.min(longestS, Math.ceil((10 * requestsForP99) / Math.max(1, ratePerS)) / 10));
}

/** Above 0.5 % late starts p99 is only roughly known, and the answer says so; above this share a window describes the generator alone. */
const lateShare = 0.05;

/** Whether the generator spoiled a window: what is dropped because the app is too slow is the app's; what is late is the generator's. */
export function isSpoiled({ late, dropped, intended }: Pick<OpenLoopCounts, 'late' | 'dropped' | 'intended'>): boolean {
  return late > lateShare * intended && dropped === 0;
}

/** What was seen of a window. */
export interface SeenWindow {
  result: Pick<LoadMeasurement, 'open' | 'throughput' | 'histogram' | 'latencySums'>;
  ended: Finding | null;
  interference?: { takenPercent: number } | null;
  /** How long each acquisition of what is tuned waited; null where that is not seen. */
  acquisitions?: DurationHistogram | null;
}

/** A window as it is compared; see {@link OpenLoopWindow} for `acquisitions`. */
export function windowOf(
  { result, interference }: SeenWindow,
  of: Pick<OpenLoopWindow, 'key' | 'round' | 'acquisitions'>,
  ratePerS: number,
): OpenLoopWindow {
  return {
    ...of,
    carriedShare: result.throughput / ratePerS,
    takenPercent: interference?.takenPercent ?? null,
    histogram: decodeLatencyHistogram(result.histogram),
    sums: result.latencySums,
  };
}

interface WindowPair extends PairWithInterference {
  own: OpenLoopWindow;
  best: OpenLoopWindow;
}

/**
 * p99 of settings at the same open rate, compared with the one whose throughput is best. Each window of a setting is paired with that of the best in the same
 * round, and only pairs with equal, small interference count (see `quietPairs`): at a fixed rate all settings use about the same CPU, so that the choice hardly
 * favours one. p99 is that of the merged histograms of the windows that count. Its interval, and that of the ratio, come from ln p99 of single windows, or of
 * as many merged in a row as have 500 requests (paired t). Verdicts are of non-inferiority, by one-sided 95 % limits against a margin of 10 %. In a closed loop
 * there would be nothing to compare: latency is then throughput in another unit (R = C/X). Where the waits of a smaller size were seen, they may show that it
 * is no worse without a window of the best: a larger size takes away no more than the wait, so that, with all but a share u of the requests having waited at
 * most w, its p99 is at least the percentile 99 − 100·u of the smaller one less w. A setting that cannot carry the rate is worse, provided that the best can, and that
 * waits do not show that it is not its size.
 */
export function compareP99(rate: number, windows: readonly OpenLoopWindow[], bestKey: string): OpenLoopComparison {
  const figures = new Map<string, OpenLoopMetric>();
  const verdicts = new Map<string, LatencyVerdict>();
  const floors = new Map<string, P99Floor>();
  const byKey = grouped(windows, ({ key }) => key);
  const ofBest = byKey.get(bestKey) ?? [];
  const bestCarries = carries(quietPairsOf(ofBest, ofBest).map(({ own }) => own));
  for (const [key, all] of byKey) {
    const isBest = key === bestKey;
    const pairs = quietPairsOf(all, ofBest);
    // Without the best to compare with there is still something to report of it.
    const counted = (pairs.length > 0 ? pairs : quietPairsOf(all, all)).map(({ own }) => own);
    const carried = carries(counted);
    const told = counted.reduce((sum, { sums }) => sum + sums.count, 0) >= requestsInAll;
    const ratio = isBest ? null : ratioOf(pairs);
    const byFigures = isBest ? 'no worse' : !bestCarries ? 'unknown' : !carried ? 'worse' : told ? verdictOf(ratio) : 'unknown';
    // A burst on one of two that must be the same looks worse, too: figures that deny what waits show must be very sure.
    const denied = verdictOf(ratio, againstMechanism) === 'worse';
    const floor = isBest || !told || denied ? null : floorOf(counted);
    verdicts.set(key, floor === null ? byFigures : carried ? 'no worse' : 'unknown');
    if (floor !== null && carried) floors.set(key, floor);
    const p99Ms = told ? p99Of(counted) : null;
    if (p99Ms === null) continue;
    const own = meanOf(enoughForP99(counted, ({ sums }) => sums.count).flatMap((group) => lnP99(group) ?? []));
    const reach = own === null ? null : reachOf(own);
    figures.set(key, {
      rate,
      p99Ms,
      carried,
      ciLow: reach === null ? null : p99Ms * Math.exp(-reach),
      ciHigh: reach === null ? null : p99Ms * Math.exp(reach),
      ratioToBest: isBest ? { mean: 1, ciLow: null, ciHigh: null } : ratioFigure(ratio),
      blocks: counted.length,
      windows: counted.length,
      windowsMeasured: all.length,
    });
  }
  return { rate, figures, verdicts, floors };
}

/** Null where waits were not seen, or a larger size might have a p99 that is lower by more than the margin. */
export function floorOf(windows: readonly OpenLoopWindow[]): P99Floor | null {
  const acquisitions = windows.flatMap((window) => window.acquisitions ?? []);
  if (windows.length === 0 || acquisitions.length < windows.length) return null;
  const waits = mergeDurations(acquisitions);
  const histogram = mergeLatencyHistograms(windows.map((window) => window.histogram));
  const latencyMs = (percentile: number): number => histogram.getValueAtPercentile(percentile) / 1000;
  const perRequest = Math.max(1, waits.count / windows.reduce((sum, { sums }) => sum + sums.count, 0));
  const floors = unboundedShares.flatMap((unbounded): P99Floor[] => {
    const waitUs = quantileUs(waits, 1 - unbounded / perRequest);
    if (waitUs === null) return [];
    const waitedMs = (perRequest * waitUs * toBucketEnd) / 1000;
    return [{ leastMs: latencyMs(99 - 100 * unbounded) - waitedMs, waitedMs, unbounded }];
  });
  const highest = floors.reduce<P99Floor | null>((best, one) => (best === null || one.leastMs > best.leastMs ? one : best), null);
  return highest !== null && latencyMs(99) <= (1 + p99Margin) * highest.leastMs ? highest : null;
}

/** Windows of the same rounds; those of the best with themselves. */
function quietPairsOf(own: readonly OpenLoopWindow[], best: readonly OpenLoopWindow[]): WindowPair[] {
  const byRound = new Map(best.map((window) => [window.round, window]));
  const pairs = own.flatMap((window): WindowPair[] => {
    const other = byRound.get(window.round);
    if (other === undefined) return [];
    const requests = Math.min(window.sums.count, other.sums.count);
    return [{ own: window, best: other, takenPercent: [window.takenPercent, other.takenPercent], requests }];
  });
  return quietPairs(pairs, requestsInAll);
}

/**
 * Whether the rate is carried, unless windows are sure that it is not: a short one loses the answers that a burst at its end delays (as measured at 75 % of the
 * throughput: 98 % of them answered in seven windows, with the same p99 as the best).
 */
function carries(windows: readonly OpenLoopWindow[]): boolean {
  const shares = windows.map(({ carriedShare }) => carriedShare);
  const found = meanOf(shares);
  return shares.length > 0 && mean(shares) + (found === null ? 0 : reachOf(found, 0.95)) >= carriedLimit;
}

/** Neighbours put together until each group has enough requests for a p99 of its own; the rest joins the last. */
function enoughForP99<T>(items: readonly T[], requests: (item: T) => number): T[][] {
  const groups: T[][] = [];
  let current: T[] = [];
  let count = 0;
  for (const item of items) {
    current.push(item);
    count += requests(item);
    if (count < requestsForP99) continue;
    groups.push(current);
    [current, count] = [[], 0];
  }
  groups.at(-1)?.push(...current);
  return groups;
}

/** In ms; null without a request. */
function p99Of(windows: readonly OpenLoopWindow[]): number | null {
  const [only] = windows;
  // A merged one has 20,000 counts to be gone through: not for nothing.
  const histogram =
    windows.length === 1 && only !== undefined ? only.histogram : mergeLatencyHistograms(windows.map((window) => window.histogram));
  return latencyMetrics(histogram, mergeLatencySums(windows.map(({ sums }) => sums)))?.p99 ?? null;
}

function lnP99(windows: readonly OpenLoopWindow[]): number | null {
  const p99 = p99Of(windows);
  return p99 === null || p99 <= 0 ? null : Math.log(p99);
}

/** ln of p99 over that of the best, over the groups of pairs; null from fewer than two. */
function ratioOf(pairs: readonly WindowPair[]): Estimate | null {
  const values = enoughForP99(pairs, ({ requests }) => requests).flatMap((group) => {
    const [own, best] = [lnP99(group.map((pair) => pair.own)), lnP99(group.map((pair) => pair.best))];
    return own === null || best === null ? [] : [own - best];
  });
  return meanOf(values);
}

function ratioFigure(ratio: Estimate | null): OpenLoopMetric['ratioToBest'] {
  if (ratio === null) return null;
  const reach = reachOf(ratio);
  return { mean: Math.exp(ratio.mean), ciLow: Math.exp(ratio.mean - reach), ciHigh: Math.exp(ratio.mean + reach) };
}

/** The verdict on ln p99 over that of the best, against the largest that is no worse. */
function verdictOf(ratio: Estimate | null, confidence = 0.95): LatencyVerdict {
  if (ratio === null) return 'unknown';
  const limit = Math.log1p(p99Margin);
  const reach = reachOf(ratio, confidence);
  return ratio.mean + reach < limit ? 'no worse' : ratio.mean - reach > limit ? 'worse' : 'unknown';
}
