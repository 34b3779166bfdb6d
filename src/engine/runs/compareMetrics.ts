import type { ComparedMethod } from '../../model/domain/comparedMethod.ts';
import {
  type ComparedCure,
  type ComparedFigure,
  type ComparedMetric,
  type ComparedMetrics,
  haveSameRate,
} from '../../model/domain/comparison.ts';
import type { Block, Slices, Trial } from '../../model/domain/run.ts';
import { acrossProcesses } from '../statistics/acrossProcesses.ts';
import { type CountedBlock, type Difference, blockStatistics, differenceOf, interferenceShare } from '../statistics/blockStatistics.ts';
import { bothAmple } from '../statistics/mechanism.ts';
import { type Comparability, type SliceValue, cpuSlices, throughputSlices } from '../statistics/sliceSeries.ts';
import { studentTQuantile } from '../statistics/studentT.ts';
import type { WatchedPart } from '../../model/domain/setting.ts';
import { p99Margin } from '../strategies/search/openLoopComparison.ts';
import { acrossRuns, betweenRunsDeviation, comparedMetric, logSample } from './comparedMetric.ts';

export interface MetricPair {
  a: Trial;
  b: Trial;
  /** All trials of the run when both are of one run, so that the scatter of all of them is used; `null` for two runs. */
  sameRun: readonly Trial[] | null;
  /** Within which both count as the same, a share. */
  delta: number;
}

/** Fewer requests in a block leave its p99 to chance. */
const leastRequestsForP99 = 3_000;
/** A quantile of the normal distribution: the deviation between whole runs is treated as known. */
const normal975 = 1.96;

/** Processes of one program differ more while a compiler is still at work. */
function isWarm({ notes }: Trial): boolean {
  return !notes.some((note) => (note.code === 'unsteady' || note.code === 'cpu-unsteady') && note.why?.code === 'compiling');
}

/** Equal settings cannot be measured in one run: what differs is around them. */
function cureOf({ a, b, sameRun }: MetricPair): ComparedCure | undefined {
  const differ = a.target !== b.target || a.connections !== b.connections || JSON.stringify(a.settings) !== JSON.stringify(b.settings);
  return sameRun === null && !differ ? 'in-turn' : undefined;
}

interface BlockFigure {
  of: ComparedFigure;
  value: (block: Block) => number | null;
  /** What the slices of a block say of it; absent where they say nothing. */
  slices?: (slices: Slices, comparability: Comparability) => SliceValue[];
  /** It follows from what requests wait for: where nobody waits with either of two sizes it is the same with both. */
  followsWaits: boolean;
  /** What else must be known of how it was compared. */
  caveat?: ComparedMethod;
}

const throughput: BlockFigure = { of: 'throughput', value: (block) => block.throughput, slices: throughputSlices, followsWaits: true };
const cpuPerRequest: BlockFigure = {
  of: 'cpu',
  value: (block) => block.appCpuUsPerRequest,
  slices: cpuSlices,
  followsWaits: false,
};
const closedP99: BlockFigure = {
  of: 'p99',
  value: (block) => (block.requests < leastRequestsForP99 ? null : (block.latencyMs?.p99 ?? null)),
  followsWaits: true,
  caveat: { code: 'fixed-connections' },
};

export const noMetrics: ComparedMetrics = { throughput: null, p99: null, cpuPerRequest: null };

/** Throughput, p99 and CPU per request of the second side against the first. All null when either trial is not valid: the trial has its reasons. */
export function trialMetrics(pair: MetricPair): ComparedMetrics {
  const sameTrial = pair.sameRun !== null && pair.a.key === pair.b.key;
  if (!pair.a.valid || !pair.b.valid || sameTrial) return noMetrics;
  return {
    throughput: figureOfBlocks(pair, throughput),
    p99: p99Metric(pair),
    cpuPerRequest: figureOfBlocks(pair, cpuPerRequest),
  };
}

/** Any other figure of blocks, of which more is worse and slices say nothing; null where a side has none. */
export function additionalMetric(pair: MetricPair, value: (block: Block) => number | null): ComparedMetric | null {
  return pair.a.valid && pair.b.valid ? figureOfBlocks(pair, { of: 'cpu', value, followsWaits: false }) : null;
}

function p99Metric(pair: MetricPair): ComparedMetric | null {
  const open = openLoopMetric(pair);
  if (open !== null) return open;
  const closed = figureOfBlocks(pair, closedP99);
  if (closed !== null) return closed;
  const [a, b] = [pair.a.latencyMs?.p99, pair.b.latencyMs?.p99];
  if (!a || !b) return null;
  return comparedMetric({
    of: 'p99',
    difference: null,
    ratio: b / a,
    rounds: null,
    method: [{ code: 'small-blocks', leastRequests: leastRequestsForP99 }],
    delta: pair.delta,
  });
}

/** The second over the first by their blocks; `null` when one of them has no such figure. */
function figureOfBlocks(
  pair: MetricPair,
  { of, value: valueOf, slices: slicesOf, followsWaits, caveat }: BlockFigure,
): ComparedMetric | null {
  const moreIsBetter = of === 'throughput';
  const values = (trial: Trial): CountedBlock[] =>
    trial.blocks.flatMap((block) => {
      const value = block.valid ? valueOf(block) : null;
      if (value === null || value <= 0) return [];
      const comparability = { alike: pair.a.target !== pair.b.target, taken: interferenceShare(block.interference) };
      const slices = block.slices === undefined ? undefined : slicesOf?.(block.slices, comparability);
      return [{ round: block.round, start: block.start ?? 1, throughput: moreIsBetter ? value : 1 / value, slices }];
    });
  const [valuesA, valuesB] = [values(pair.a), values(pair.b)];
  if (valuesA.length === 0 || valuesB.length === 0) return null;
  const sampleA = logSample(valuesA.map((one) => one.throughput));
  const sampleB = logSample(valuesB.map((one) => one.throughput));
  let found: Difference | null;
  let method: ComparedMethod;
  let rounds: number | null = null;
  if (pair.sameRun === null) {
    found = acrossRuns(sampleA, sampleB);
    method = { code: 'two-runs', a: sampleA.n, b: sampleB.n, widened: betweenRunsDeviation };
  } else {
    const group = alike(pair, pair.sameRun);
    const between = blockStatistics(group.map((trial) => ({ key: trial.key, blocks: values(trial) }))).difference(pair.b.key, pair.a.key);
    // Values that take effect at the start are of processes, of which each start is another.
    const ofProcesses = pair.a.target !== pair.b.target || valuesB.some(({ start = 1 }) => start > 1);
    found = between !== null && ofProcesses ? acrossProcesses(between, valuesB, { isWarm: isWarm(pair.a) && isWarm(pair.b) }) : between;
    const inA = new Set(valuesA.map((one) => one.round));
    rounds = valuesB.filter((one) => inA.has(one.round)).length;
    method =
      between?.cpuWeight !== undefined
        ? { code: 'slices', pairs: between.pairs?.length ?? 0, cpuWeight: moreIsBetter ? between.cpuWeight : 0 }
        : rounds >= 2
          ? { code: 'same-rounds', rounds }
          : { code: 'same-run' };
  }
  if (found !== null && !moreIsBetter) found = inverted(found);
  const log = sampleB.mean - sampleA.mean;
  return comparedMetric({
    of,
    difference: found,
    // By slices the ratio is that of what was compared, as its interval is.
    ratio: found?.cpuWeight === undefined ? Math.exp(moreIsBetter ? log : -log) : found.ratio,
    rounds,
    cure: cureOf(pair),
    byMechanism: followsWaits ? sameBy(pair) : undefined,
    delta: pair.delta,
    method: caveat === undefined ? [method] : [method, caveat],
  });
}

/**
 * What two sizes are of that must do the same, as nobody waits at either. Undefined where they differ in anything else, were not measured in the same rounds by
 * as many connections that always ask, or requests wait.
 */
function sameBy({ a, b, sameRun }: MetricPair): WatchedPart | undefined {
  if (sameRun === null || a.target !== b.target || a.connections !== b.connections || a.openLoop !== null || b.openLoop !== null)
    return undefined;
  const names = [...new Set([...Object.keys(a.settings), ...Object.keys(b.settings)])];
  const [name, ...others] = names.filter((one) => a.settings[one] !== b.settings[one]);
  const part = name === undefined ? undefined : a.sizes?.[name];
  if (part === undefined || others.length > 0) return undefined;
  const waits = ({ blocks }: Trial): Parameters<typeof bothAmple>[0] => ({
    blocks: blocks.map((block) => ({ waitShare: block.valid ? block.waits?.[part] : null })),
  });
  return bothAmple(waits(a), waits(b)) ? part : undefined;
}

/** The trials whose scatter is that of the pair: of the same target under as many connections. A pair of trials that differ in those is judged alone. */
function alike({ a, b }: MetricPair, trials: readonly Trial[]): Trial[] {
  if (a.target !== b.target || a.connections !== b.connections) return [a, b];
  return trials.filter((trial) => trial.valid && trial.target === a.target && trial.connections === a.connections);
}

function inverted(difference: Difference): Difference {
  return {
    ...difference,
    logRatio: -difference.logRatio,
    ratio: 1 / difference.ratio,
    ciLow: 1 / difference.ciHigh,
    ciHigh: 1 / difference.ciLow,
  };
}

/**
 * p99 at one fixed rate, where both have it. The records have only means and intervals of the two, not their blocks: half the interval of the ratio is the root
 * of the sum of the squares of both half intervals, which for rounds in common is too wide rather than too narrow.
 */
function openLoopMetric(pair: MetricPair): ComparedMetric | null {
  const [a, b] = [pair.a.openLoop, pair.b.openLoop];
  if (a === null || b === null || a.p99Ms <= 0 || b.p99Ms <= 0 || !haveSameRate(pair.a, pair.b)) return null;
  const ratePerS = Math.min(a.rate, b.rate);
  const ratio = b.p99Ms / a.p99Ms;
  if (!a.carried || !b.carried) {
    return {
      of: 'p99',
      ratio: { mean: ratio, ciLow: null, ciHigh: null },
      verdict: a.carried === b.carried ? 'unknown' : b.carried ? 'better' : 'worse',
      delta: pair.delta,
      moreRounds: null,
      method: [{ code: 'fixed-rate', ratePerS }],
      unanswered: { ratePerS, a: !a.carried, b: !b.carried },
    };
  }
  const versions = versionsAtRate(pair, ratePerS);
  if (versions !== null) return versions;
  const reachA = halfWidth(a);
  const reachB = halfWidth(b);
  const between = pair.sameRun === null ? normal975 * Math.SQRT2 * betweenRunsDeviation : 0;
  const reach = reachA === null || reachB === null ? null : Math.hypot(reachA, reachB, between);
  const log = Math.log(ratio);
  const rounds = pair.sameRun === null ? null : Math.min(a.blocks, b.blocks);
  const degreesOfFreedom = Math.max(1, Math.min(a.blocks, b.blocks) - 1);
  return comparedMetric({
    of: 'p99',
    difference:
      reach === null
        ? null
        : {
            logRatio: log,
            standardError: reach / studentTQuantile(0.975, degreesOfFreedom),
            degreesOfFreedom,
            ratio,
            ciLow: Math.exp(log - reach),
            ciHigh: Math.exp(log + reach),
          },
    ratio,
    rounds,
    cure: cureOf(pair),
    delta: pair.delta,
    method: [{ code: 'blocks-at-rate', ratePerS, a: a.blocks, b: b.blocks, widened: pair.sameRun === null ? betweenRunsDeviation : null }],
  });
}

/**
 * Of two programs whose windows at the rate were measured in the same rounds, the first of them the one that the other was compared with: the ratio of the
 * pairs, wider by what two processes of one program differ in. As in a tuning, ten percent count as the same.
 */
function versionsAtRate({ a, b, sameRun, delta }: MetricPair, ratePerS: number): ComparedMetric | null {
  const [one, other] = [a.openLoop, b.openLoop];
  const paired = other?.ratioToBest ?? null;
  if (sameRun === null || a.target === b.target || one?.ratioToBest?.mean !== 1 || one.ratioToBest.ciLow !== null) return null;
  const half = paired === null ? null : halfWidth(paired);
  if (other === null || paired === null || half === null) return null;
  const degreesOfFreedom = Math.max(1, Math.min(one.blocks, other.blocks) - 1);
  const variance = (half / studentTQuantile(0.975, degreesOfFreedom)) ** 2;
  const difference = acrossProcesses(differenceOf(Math.log(paired.mean), variance, degreesOfFreedom), []);
  return comparedMetric({
    of: 'p99',
    difference,
    ratio: difference.ratio,
    rounds: null,
    cure: 'larger-budget',
    delta: Math.max(delta, p99Margin),
    method: [{ code: 'pairs-at-rate', ratePerS, pairs: other.blocks }],
  });
}

/** Half of an interval, on a logarithm; null where there is none. */
export function halfWidth({ ciLow, ciHigh }: { ciLow: number | null; ciHigh: number | null }): number | null {
  return ciLow === null || ciHigh === null || ciLow <= 0 ? null : Math.log(ciHigh / ciLow) / 2;
}
