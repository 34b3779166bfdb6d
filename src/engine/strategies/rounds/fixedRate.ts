import type { Finding } from '../../../model/domain/findingKinds.ts';
import { grouped } from '../../../model/domain/grouped.ts';
import type { Block, ErrorCounts, Recommendation, Trial } from '../../../model/domain/run.ts';
import { confirmRounds, findKnee, kneeStatus } from '../../statistics/kneeRule.ts';
import { type RecommendedSetting, varyingSetting } from '../answer/recommend.ts';
import type { OpenLoopMetric } from '../../../model/domain/tuning.ts';
import { blockStatistics } from '../../statistics/blockStatistics.ts';
import { carriedLimit, isSpoiled, p99Margin } from '../search/openLoopComparison.ts';

/**
 * The errors that discard a block at a fixed rate. Requests that pile up before an app that is too slow for the rate are no defect of the measurement: the result
 * is that the app does not carry the rate.
 */
export function errorsAtRate(errors: ErrorCounts): ErrorCounts {
  return { ...errors, unanswered: 0, timeout: 0, total: errors.total - errors.unanswered - errors.timeout };
}

/** Which part of the latencies of a block can be compared: p99 needs five requests above it, p95 as well; the mean is always known. */
const quantiles = [
  { name: 'p99', of: 'p99', requests: 500 },
  { name: 'p95', of: 'p95', requests: 100 },
  { name: 'mean latency', of: 'mean', requests: 1 },
] as const;
type Quantile = (typeof quantiles)[number];

/** By how many requests were meant to be sent, so that it is the same for all blocks of a run. */
function quantileOf(blocks: readonly Block[]): Quantile {
  const fewest = Math.min(...blocks.map(({ open, requests }) => open?.intended ?? requests));
  return quantiles.find(({ requests }) => fewest >= requests) ?? quantiles[2];
}

/** What may be given up for a smaller value: of two reciprocals, as much as a latency that is 10 % higher. */
export const rateDelta = p99Margin / (1 + p99Margin);

/** The reciprocal of the latency, so that more is better and the knee rule holds; null without one. */
function speedOf({ latencyMs }: Block, { of }: Quantile): number | null {
  const ms = latencyMs?.[of] ?? 0;
  return ms > 0 ? 1 / ms : null;
}

/** What a block at a fixed rate says of its value; null where it does not count, or did not carry the rate: its latency is then that of the queue. */
export function speedAtRate(block: Block, ratePerS: number): number | null {
  return countsAtRate(block) && carriedShare([block], ratePerS) >= carriedLimit ? speedOf(block, quantileOf([block])) : null;
}

/** The trials of a target at a fixed rate, with their blocks that count; see {@link speedOf} for what is compared. */
function ratedTarget(trials: readonly Trial[], ratePerS: number) {
  const own = trials
    .map((trial) => ({ trial, key: trial.key, counted: trial.valid ? trial.blocks.filter(countsAtRate) : [] }))
    .filter(({ counted }) => counted.length > 0);
  const quantile = quantileOf(own.flatMap(({ counted }) => counted));
  const rated = own.map((one) => {
    const blocks = one.counted.flatMap((block) => {
      const throughput = speedOf(block, quantile);
      return throughput === null ? [] : [{ round: block.round, throughput }];
    });
    return { ...one, carried: carriedShare(one.counted, ratePerS) >= carriedLimit, blocks };
  });
  const statistics = blockStatistics(rated);
  // The lowest latency of those that carry the rate.
  const best = rated.filter(({ carried }) => carried).sort((a, b) => statistics.meanOf(b.key) - statistics.meanOf(a.key))[0];
  return { quantile, rated, statistics, best };
}
type RatedTarget = ReturnType<typeof ratedTarget>;
type Rated = RatedTarget['rated'][number];

/** Its latency with its 95 % interval and its ratio to the best; by geometric means, as throughput is (`blockStatistics`). */
function metricOf({ key, carried, blocks, counted }: Rated, { statistics, best }: RatedTarget, ratePerS: number): OpenLoopMetric | null {
  const interval = statistics.intervals.get(key);
  if (interval === undefined || blocks.length === 0) return null;
  const gap = best === undefined || key === best.key ? null : statistics.difference(best.key, key);
  const ratio = gap === null ? null : { mean: gap.ratio, ciLow: gap.ciLow, ciHigh: gap.ciHigh };
  return {
    rate: ratePerS,
    p99Ms: 1 / interval.mean,
    ciLow: interval.ciHigh === null ? null : 1 / interval.ciHigh,
    ciHigh: interval.ciLow === null ? null : 1 / interval.ciLow,
    ratioToBest: key === best?.key ? { mean: 1, ciLow: null, ciHigh: null } : ratio,
    blocks: blocks.length,
    windows: blocks.length,
    windowsMeasured: counted.length,
    carried,
  };
}

/**
 * Trials that were measured at a fixed rate, in requests/s, with the results: p99 with its interval and its ratio to the best, whether the rate was carried,
 * and how many requests started late or not at all.
 */
export function atRate(trials: readonly Trial[], ratePerS: number): Trial[] {
  const targets = new Map([...grouped(trials, ({ target }) => target)].map(([target, own]) => [target, ratedTarget(own, ratePerS)]));
  return trials.map((trial): Trial => {
    const found = targets.get(trial.target);
    const rated = found?.rated.find(({ key }) => key === trial.key);
    const notes = [...rateNotes(rated?.counted ?? trial.blocks, ratePerS), ...trial.notes];
    if (found === undefined || rated === undefined) return { ...trial, notes };
    const { counted, carried } = rated;
    const alone = { rate: ratePerS, p99Ms: trial.latencyMs?.p99 ?? 0, ciLow: null, ciHigh: null, ratioToBest: null, carried };
    const metric = found.quantile.of === 'p99' ? metricOf(rated, found, ratePerS) : null;
    return { ...trial, openLoop: metric ?? (trial.latencyMs === null ? null : { ...alone, blocks: counted.length }), notes };
  });
}

/** What is to be said of a trial at a fixed rate. */
function rateNotes(blocks: readonly Block[], ratePerS: number): Finding[] {
  const sum = (of: 'intended' | 'late' | 'dropped'): number => blocks.reduce((total, { open }) => total + (open?.[of] ?? 0), 0);
  const [intended, late, dropped] = [sum('intended'), sum('late'), sum('dropped')];
  if (intended === 0) return [];
  const share = carriedShare(blocks, ratePerS);
  return [
    share >= carriedLimit ? { code: 'rate-carried', ratePerS } : { code: 'rate-not-carried', ratePerS, value: share, limit: carriedLimit },
    ...(late === 0 ? [] : [{ code: 'sent-late', count: late, of: intended } as const]),
    ...(dropped === 0 ? [] : [{ code: 'not-sent', count: dropped } as const]),
  ];
}

function carriedShare(blocks: readonly Block[], ratePerS: number): number {
  const seconds = blocks.reduce((sum, { windowMs }) => sum + windowMs, 0) / 1000;
  return seconds === 0 ? 0 : blocks.reduce((sum, { requests }) => sum + requests, 0) / seconds / ratePerS;
}

/** Whether a block counts, and its latency is the app’s. */
function countsAtRate({ valid, open }: Block): boolean {
  return valid && open !== undefined && !isSpoiled(open);
}

/**
 * A recommendation for each target of which exactly one numeric setting was varied at a fixed rate: by the knee rule the smallest value that carries the rate
 * and whose p99 is proven no more than 10 % above that of any other. Throughput is the rate there and shows nothing.
 */
export function recommendAtRate(
  trials: readonly Trial[],
  ratePerS: number,
  labelOf: (target: string, setting: string) => string,
): Recommendation[] {
  return [...grouped(trials, (trial) => trial.target)].flatMap(([target, own]) => {
    const setting = varyingSetting(own);
    const found = ratedTarget(own, ratePerS);
    if (setting === null || found.rated.length < 2) return [];
    const subject = { target, targetLabel: own[0].targetLabel, setting, settingLabel: labelOf(target, setting) };
    return [answered(found, ratePerS, subject)];
  });
}

function answered({ rated, quantile, statistics, best }: RatedTarget, ratePerS: number, subject: RecommendedSetting): Recommendation {
  const common = { ...subject, evidence: [], moreSeconds: null };
  if (best === undefined)
    return {
      ...common,
      value: null,
      trialKey: null,
      plausible: null,
      status: 'undecided',
      best: null,
      facts: { code: 'none-carries', ratePerS },
      why: [{ code: 'rate-too-high' }],
    };
  const valueOf = ({ trial }: Rated): number => Number(trial.settings[subject.setting]);
  const seen = (one: Rated): { value: number; ms: number | null } => ({
    value: valueOf(one),
    ms: one.trial.latencyMs?.[quantile.of] ?? null,
  });
  const smallestFirst = [...rated].sort((a, b) => valueOf(a) - valueOf(b));
  const knee = findKnee(
    smallestFirst.filter(({ carried }) => carried),
    statistics,
    { delta: rateDelta },
  );
  const { confirmed, plausible, proven } = knee ?? { confirmed: best, plausible: best, proven: true };
  const [value, least] = [valueOf(confirmed), valueOf(plausible)];
  const rounds = Math.min(...rated.map(({ counted }) => counted.length));
  const isConfirmed = knee === null ? rounds >= confirmRounds : kneeStatus(knee) === 'confirmed';
  const worse = smallestFirst.filter((one) => valueOf(one) < least || (!one.carried && valueOf(one) < value));
  const of = quantile.name;
  const answer = best === confirmed ? null : { ...seen(confirmed), proven, margin: p99Margin };
  return {
    ...common,
    status: isConfirmed ? 'confirmed' : 'plausible',
    value,
    trialKey: confirmed.key,
    plausible: [least, value],
    best: { value: valueOf(best), throughput: best.trial.throughput.mean },
    facts: { code: 'at-rate', ratePerS, values: { [subject.setting]: value }, least: { [subject.setting]: least } },
    why: [
      { code: 'lowest-at-rate', ratePerS, quantile: of, best: seen(best), answer },
      ...(worse.length === 0 ? [] : [{ code: 'worse-at-rate', quantile: of, values: worse.map(seen) } as const]),
      ...(of === 'p99' ? [] : [{ code: 'few-for-p99', quantile: of } as const]),
    ],
  };
}
