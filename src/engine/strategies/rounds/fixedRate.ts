import type { Finding } from '../../../model/domain/findingKinds.ts';
import { figure } from '../../../model/domain/format.ts';
import type { Block, ErrorCounts, Recommendation, Trial } from '../../../model/domain/run.ts';
import { confirmRounds } from '../../statistics/kneeRule.ts';
import { inSentence } from '../../../model/domain/answerFacts.ts';
import { varyingSetting } from '../answer/recommend.ts';
import type { OpenLoopMetric } from '../../../model/domain/tuning.ts';
import { blockStatistics } from '../../statistics/blockStatistics.ts';
import { carriedLimit, isSpoiled, p99Margin, verdictOf } from '../search/openLoopComparison.ts';
import type { LatencyVerdict, OpenLoopComparison } from '../search/openLoopComparison.ts';

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

/** The trials of a target at a fixed rate, compared with the one whose latency is lowest. */
export interface RateComparison extends OpenLoopComparison {
  quantile: Quantile;
  best: string | null;
}

/**
 * Trials that were measured at a fixed rate, in requests/s, with the results: p99 with its interval and its ratio to the best, whether the rate was carried,
 * and how many requests started late or not at all.
 */
export function atRate(trials: readonly Trial[], ratePerS: number): Trial[] {
  const comparisons = new Map(
    [...new Set(trials.map(({ target }) => target))].map((target) => [target, compared(trials, target, ratePerS)]),
  );
  return trials.map((trial): Trial => {
    const counted = countedBlocks(trial);
    const found = comparisons.get(trial.target);
    if (counted.length === 0 || found === undefined) return { ...trial, notes: [...rateNotes(trial.blocks, ratePerS), ...trial.notes] };
    const carried = carriedShare(counted, ratePerS) >= carriedLimit;
    const shown = found.quantile.of === 'p99' ? found.figures.get(trial.key) : undefined;
    const alone = {
      rate: ratePerS,
      p99Ms: trial.latencyMs?.p99 ?? 0,
      ciLow: null,
      ciHigh: null,
      ratioToBest: null,
      blocks: counted.length,
      carried,
    };
    return {
      ...trial,
      openLoop: shown ?? (trial.latencyMs === null ? null : alone),
      notes: [...rateNotes(counted, ratePerS), ...trial.notes],
    };
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
export function countsAtRate({ valid, open }: Block): boolean {
  return valid && open !== undefined && !isSpoiled(open);
}

function countedBlocks(trial: Trial): Block[] {
  return trial.valid ? trial.blocks.filter(countsAtRate) : [];
}

function compared(trials: readonly Trial[], target: string, ratePerS: number): RateComparison {
  const own = trials.filter((trial) => trial.target === target);
  return compareRated(
    own.map((trial) => ({ key: trial.key, blocks: countedBlocks(trial) })),
    ratePerS,
  );
}

/**
 * The latency of values at a fixed rate in requests/s, from blocks that count, compared with the lowest that carries the rate. Its logarithm is analysed like
 * throughput (see `blockStatistics`): geometric means, 95 % intervals, and verdicts of non-inferiority by one-sided 95 % limits against a margin of 10 %. A
 * value that cannot carry the rate is worse, provided that one can.
 */
export function compareRated(own: readonly { key: string; blocks: readonly Block[] }[], ratePerS: number): RateComparison {
  const fewest = Math.min(...own.flatMap(({ blocks }) => blocks.map(({ requests }) => requests)));
  const quantile = quantiles.find(({ requests }) => fewest >= requests) ?? quantiles[2];
  const usable = own.map(({ key, blocks }) => ({
    key,
    all: blocks.length,
    carried: carriedShare(blocks, ratePerS) >= carriedLimit,
    // Its reciprocal, so that the smallest latency is “the best” and those far from it have a variance of their own.
    blocks: blocks.flatMap(({ round, latencyMs }) => {
      const ms = latencyMs?.[quantile.of] ?? 0;
      return ms > 0 ? [{ round, throughput: 1 / ms }] : [];
    }),
  }));
  const statistics = blockStatistics(usable);
  const speed = (key: string): number => statistics.intervals.get(key)?.mean ?? 0;
  const best = usable.filter(({ carried }) => carried).sort((a, b) => speed(b.key) - speed(a.key))[0]?.key ?? null;
  const figures = new Map<string, OpenLoopMetric>();
  const verdicts = new Map<string, LatencyVerdict>();
  for (const { key, all, carried, blocks } of usable) {
    const gap = key === best || best === null ? null : statistics.difference(best, key);
    const byFigures = verdictOf(gap === null ? null : { ...gap, mean: gap.logRatio }, Math.log1p(p99Margin));
    verdicts.set(key, key === best ? 'no worse' : best === null || carried ? byFigures : 'worse');
    const interval = statistics.intervals.get(key);
    if (interval === undefined || blocks.length === 0) continue;
    const ratio = gap === null ? null : { mean: gap.ratio, ciLow: gap.ciLow, ciHigh: gap.ciHigh };
    figures.set(key, {
      rate: ratePerS,
      p99Ms: 1 / interval.mean,
      ciLow: interval.ciHigh === null ? null : 1 / interval.ciHigh,
      ciHigh: interval.ciLow === null ? null : 1 / interval.ciLow,
      ratioToBest: key === best ? { mean: 1, ciLow: null, ciHigh: null } : ratio,
      blocks: blocks.length,
      windows: blocks.length,
      windowsMeasured: all,
      carried,
    });
  }
  return { quantile, best, rate: ratePerS, figures, verdicts, floors: new Map() };
}

/**
 * A recommendation for each target of which exactly one numeric setting was varied at a fixed rate: the smallest value that carries the rate and whose p99 is
 * proven no worse than the best by more than 10 %. Throughput is the rate there and shows nothing.
 */
export function recommendAtRate(
  trials: readonly Trial[],
  ratePerS: number,
  labelOf: (target: string, setting: string) => string,
): Recommendation[] {
  return [...new Set(trials.map(({ target }) => target))].flatMap((target) => {
    const own = trials.filter((trial) => trial.target === target);
    const setting = varyingSetting(own);
    const [first] = own;
    if (setting === null || first === undefined) return [];
    const found = compared(trials, target, ratePerS);
    const values = own
      .filter((trial) => countedBlocks(trial).length > 0)
      .map((trial) => ({ trial, value: Number(trial.settings[setting]), verdict: found.verdicts.get(trial.key) ?? 'unknown' }))
      .sort((a, b) => a.value - b.value);
    const subject = { target, targetLabel: first.targetLabel, setting, settingLabel: labelOf(target, setting) };
    return values.length < 2 ? [] : [answered(values, found, ratePerS, subject)];
  });
}

interface Rated {
  trial: Trial;
  value: number;
  verdict: 'no worse' | 'worse' | 'unknown';
}

function answered(
  values: readonly Rated[],
  found: RateComparison,
  ratePerS: number,
  subject: Pick<Recommendation, 'target' | 'targetLabel' | 'setting' | 'settingLabel'>,
): Recommendation {
  const best = values.find(({ trial }) => trial.key === found.best);
  const rate = `${figure(ratePerS)} requests/s`;
  const none = { ...subject, witnesses: [], moreSeconds: null, value: null, trialKey: null, plausible: null, status: 'undecided' as const };
  if (best === undefined)
    return { ...none, best: null, headline: `None of the values carries ${rate}`, why: 'Lower the rate, or test larger values.' };
  const proven = values.find(({ verdict }) => verdict === 'no worse') ?? best;
  const possible = values.find(({ verdict, value }) => verdict !== 'worse' && value <= proven.value) ?? proven;
  const rounds = Math.min(...values.map(({ trial }) => countedBlocks(trial).length));
  const name = inSentence(subject.settingLabel);
  const sure = possible === proven;
  const { quantile } = found;
  const told = ({ trial, value }: Rated): string => `${value}: ${quantile.name} ${latencyPhrase(trial, quantile)}`;
  const worse = values.filter(({ verdict, value }) => verdict === 'worse' && value < proven.value);
  return {
    ...subject,
    witnesses: [],
    moreSeconds: null,
    status: sure && rounds >= confirmRounds ? 'confirmed' : 'plausible',
    value: proven.value,
    trialKey: proven.trial.key,
    plausible: [possible.value, proven.value],
    best: { value: best.value, throughput: best.trial.throughput.mean },
    headline: sure ? `Use ${name} ${proven.value} at ${rate}` : `${name} ${possible.value} may be enough at ${rate}; ${proven.value} is`,
    why: [
      `At ${rate}, ${told(best)}${best === proven ? ', the lowest' : `, the lowest; ${told(proven)}, proven no more than ${100 * p99Margin} % above it`}.`,
      ...(worse.length === 0 ? [] : [`${worse.map(told).join('; ')}, which is worse.`]),
      ...(quantile.of === 'p99' ? [] : [`Blocks have too few requests for a p99 of their own, so that the ${quantile.name} was compared.`]),
    ].join(' '),
  };
}

function latencyPhrase({ latencyMs }: Trial, { of }: Quantile): string {
  return latencyMs === null ? 'unknown' : `${figure(latencyMs[of])} ms`;
}
