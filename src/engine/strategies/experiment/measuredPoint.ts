import type { MetricName, ExperimentPoint } from '../../../model/domain/experiment.ts';
import type { Finding } from '../../../model/domain/findingKinds.ts';
import { isOf } from '../../../model/domain/findings.ts';
import { isNoticeable } from '../../../model/domain/interference.ts';
import type { Slices, Trial } from '../../../model/domain/run.ts';
import { type SlicedRound, type SliceValue, cpuSlices, throughputSlices } from '../../statistics/sliceSeries.ts';

/** A figure in one round, with what the slices of the round say of it, larger being better. */
export interface MetricSample extends SlicedRound {
  value: number;
  /** Share of the CPU that others used meanwhile, 0 … 1; null where it is not known. */
  taken: number | null;
}

/** A figure that was measured otherwise than by blocks: what it is, and between what it lies. */
export type MetricRange = readonly [low: number, high: number];

/** All figures of one block of a trial, as if it were the only one. */
export interface BlockMetrics extends Pick<MetricSample, 'round' | 'taken'>, Pick<Trial, 'valid' | 'reasons' | 'requests'> {
  errors: number;
  figures: ExperimentPoint['figures'];
  slices?: Partial<Record<MetricName, readonly SliceValue[]>> | undefined;
}

/** What the slices of a block say of the figures that follow from them: in a closed loop mean latency is throughput in another unit. */
export function metricSlices(slices: Slices, connections: number, taken: number | null): NonNullable<BlockMetrics['slices']> {
  const throughput = throughputSlices(slices, { alike: false, taken: taken ?? 0 });
  const latency = throughput.map((slice) => ({ ...slice, value: slice.value / connections }));
  return { throughput, meanMs: latency, requestsPerCpuSecond: cpuSlices(slices) };
}

/** Figures of a point that its blocks do not have, or that say more than they do. */
export interface ExtraMetrics {
  figures: ExperimentPoint['figures'];
  /** For figures that were measured several times. */
  samples?: Partial<Record<MetricName, readonly MetricSample[]>>;
  ranges?: Partial<Record<MetricName, MetricRange>>;
}

/** A point with what its rules are judged by. */
export interface MeasuredPoint {
  point: ExperimentPoint;
  key: string;
  target: string;
  samples: ReadonlyMap<MetricName, readonly MetricSample[]>;
  ranges: ReadonlyMap<MetricName, MetricRange>;
  /** Requests of the blocks that count, by which a share of errors is known. */
  counts: { errors: number; attempts: number; rounds: number };
  /** Whether the verdict on it is more than likely. */
  limitConfident: boolean;
  /** How many times as much CPU the app would have had without other programs; 1 where others used nothing of what it asked for, or that was not seen. */
  leftAlone: number;
}

/** Whether a block or a trial counts where errors are what is measured: then they do not discard it; all else does. */
export function countsDespiteErrors(one: { valid: boolean; reasons: readonly Finding[]; requests: number }, errorsCount: boolean): boolean {
  if (one.valid) return true;
  return errorsCount && one.requests > 0 && one.reasons.every((reason) => isOf(reason, 'errors', 'answers'));
}

/** The figures of a trial, as an experiment draws and judges them. Shares are 0 … 1, times in ms. `coresAvailable` of all instances; null without a limit. */
export function figuresOf(trial: Trial, coresAvailable: number | null): ExperimentPoint['figures'] {
  const { app } = trial.resources;
  const cores = (app.cpuPercent ?? 0) / 100;
  const answered = trial.requests + trial.errors.total;
  return {
    throughput: trial.throughput.mean,
    meanMs: trial.latencyMs?.mean ?? null,
    p99Ms: trial.latencyMs?.p99 ?? null,
    errorShare: answered === 0 ? null : trial.errors.total / answered,
    cpuPercent: app.cpuPercent,
    requestsPerCpuSecond: app.cpuUsPerRequest === null || app.cpuUsPerRequest === 0 ? null : 1e6 / app.cpuUsPerRequest,
    rssMb: app.rssBytes === null ? null : app.rssBytes / 1_048_576,
    databaseMs: trial.pool?.holdMs ?? null,
    poolWaitMs: trial.pool?.waitMs ?? null,
    switchesPerS: app.contextSwitchesPerSecond,
    utilisationPercent: coresAvailable === null || app.cpuPercent === null ? null : (100 * cores) / coresAvailable,
  };
}

/** What is known of a point in addition to its trial. */
export interface PointFacts {
  variant: string;
  level: number;
  /** Cores that all instances together may use; null without a limit. */
  coresAvailable: number | null;
  /** The cores of this machine. */
  cores: number;
  blocks: readonly BlockMetrics[];
  own: ExtraMetrics | undefined;
  errorsCount: boolean;
}

/** Puts a trial’s point together with what is known of it by blocks. */
export function measuredPoint(
  trial: Trial,
  { variant, level, coresAvailable, cores, blocks, own, errorsCount }: PointFacts,
): MeasuredPoint {
  const counted = blocks.filter((block) => countsDespiteErrors(block, errorsCount));
  const samples = new Map<MetricName, MetricSample[]>();
  for (const { round, taken, figures, slices } of counted) {
    for (const [name, value] of Object.entries(figures) as [MetricName, number | null | undefined][]) {
      if (value == null || own?.figures[name] !== undefined) continue;
      samples.set(name, [...(samples.get(name) ?? []), { round, value, taken, slices: slices?.[name] }]);
    }
  }
  for (const [name, some] of Object.entries(own?.samples ?? {}) as [MetricName, readonly MetricSample[]][]) samples.set(name, [...some]);
  const errors = counted.reduce((sum, block) => sum + block.errors, 0);
  const attempts = counted.reduce((sum, block) => sum + block.requests + block.errors, 0);
  const { mean, ciLow, ciHigh } = trial.throughput;
  return {
    point: {
      variant,
      level,
      trialKey: trial.key,
      valid: countsDespiteErrors(trial, errorsCount) && trial.requests > 0,
      reasons: trial.reasons,
      figures: { ...figuresOf(trial, coresAvailable), ...(attempts === 0 ? {} : { errorShare: errors / attempts }), ...own?.figures },
      throughput: { mean, ciLow, ciHigh },
      limit: trial.diagnosis?.kind ?? null,
      limitSaid: trial.diagnosis?.said ?? null,
    },
    key: trial.key,
    target: trial.target,
    samples,
    ranges: new Map(Object.entries(own?.ranges ?? {}) as [MetricName, MetricRange][]),
    counts: { errors, attempts, rounds: counted.length },
    limitConfident: trial.diagnosis?.confident ?? false,
    leftAlone: leftAlone(trial, Math.min(cores, coresAvailable ?? Infinity)),
  };
}

/**
 * What the app’s threads asked for, up to the cores there are, over what they got; at most as much as others used in all. The scheduler shares by threads:
 * among other programs an app of one thread loses more of what it asks for than one of four.
 */
function leftAlone({ resources, interference }: Trial, cores: number): number {
  const { cpuPercent, wantedCpuPercent } = resources.app;
  if (cpuPercent === null || wantedCpuPercent === null || !(cpuPercent > 0) || interference === null || !isNoticeable(interference))
    return 1;
  const most = 1 / (1 - Math.min(0.95, interference.takenPercent / 100));
  return Math.min(most, Math.max(1, Math.min(wantedCpuPercent, 100 * cores) / cpuPercent));
}

/** So many discarded blocks, and more of them than of others, are not bad luck: another one gains nothing. */
const hopelessBlocks = 3;

/**
 * Whether another block of a trial may well be discarded again (a generator that is saturated, an app that answers with errors). A block during which others used
 * the CPU counts only by as much as they left: the next may fall between two bursts.
 */
export function isHopeless(blocks: readonly BlockMetrics[], errorsCount: boolean): boolean {
  const isLost = (block: BlockMetrics): boolean => !countsDespiteErrors(block, errorsCount);
  const lost = blocks.filter(isLost);
  const told = lost.reduce((sum, { taken }) => sum + 1 - (taken ?? 0), 0);
  return told >= hopelessBlocks && told > blocks.length - lost.length;
}
