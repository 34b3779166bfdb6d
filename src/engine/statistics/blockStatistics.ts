import type { Disturbance } from '../../model/disturbance.ts';
import type { Slices, Throughput } from '../../model/run.ts';
import { fitAdditive } from './additiveModel.ts';
import type { AdditiveFit, Cell, FitOptions, RoundPair } from './additiveModel.ts';
import { sliceDifference, throughputSlices } from './sliceSeries.ts';
import type { SliceValue } from './sliceSeries.ts';
import { studentTQuantile } from './studentT.ts';

/**
 * A block that counts: throughput in requests/s, and the shares of the CPU (0 … 1) that the hypervisor took and that other programs used meanwhile, as
 * far as they are known.
 */
export interface CountedBlock {
  round: number;
  /** Which start of its processes, from 1; absent where they were started once. */
  start?: number | undefined;
  throughput: number;
  taken?: number | null;
  others?: number | null;
  /** What its slices say; absent where the load did not turn from side to side. */
  slices?: readonly SliceValue[] | undefined;
}

/** The shares of a disturbance, as they stand in a block that counts. */
export function disturbedShares(
  disturbance: Pick<Disturbance, 'stealPercent' | 'otherPercent'> | null,
): Pick<CountedBlock, 'taken' | 'others'> {
  if (disturbance === null) return { taken: null, others: null };
  return { taken: Math.min(1, disturbance.stealPercent / 100), others: Math.min(1, disturbance.otherPercent / 100) };
}

/** A setting's blocks. Void ones are left out by the caller and simply missing here. */
export interface SettingBlocks {
  key: string;
  blocks: readonly CountedBlock[];
}

/** Share of the cores that others took; 0 where it is not known. */
export function takenShare(disturbance: Disturbance | null): number {
  return (disturbance?.takenPercent ?? 0) / 100;
}

/** The blocks of a trial that count, with what disturbed them. `alike`: they are compared with those of another version of the same program. */
export function countedBlocks(
  blocks: readonly {
    round: number;
    start?: number | undefined;
    throughput: number;
    valid: boolean;
    disturbance: Disturbance | null;
    slices?: Slices | undefined;
  }[],
  alike = false,
): CountedBlock[] {
  return blocks
    .filter(({ valid }) => valid)
    .map(({ round, start = 1, throughput, disturbance, slices }) => ({
      round,
      start,
      throughput,
      ...disturbedShares(disturbance),
      ...(slices === undefined ? {} : { slices: throughputSlices(slices, { alike, taken: takenShare(disturbance) }) }),
    }));
}

/** How much faster `a` is than `b`: the logarithm of the ratio, its standard error, and the ratio with its 95 % interval. */
export interface Difference {
  logRatio: number;
  standardError: number;
  degreesOfFreedom: number;
  ratio: number;
  ciLow: number;
  ciHigh: number;
  /** The same as it was measured, under the mean disturbance of all blocks; absent where disturbance did not vary. */
  measured?: { logRatio: number; standardError: number };
  /** The rounds that both were measured in, without what disturbed them; absent where disturbance did not vary or was not known. Of slices, one of each pass. */
  pairs?: readonly RoundPair[];
  /** By mirrored slices: how much of it CPU time says, 0 … 1; absent where blocks were compared. */
  cpuWeight?: number;
}

export interface BlockStatistics {
  /** Geometric mean with a 95 % interval, by key; a setting without blocks has mean 0 and no interval. */
  intervals: ReadonlyMap<string, Throughput>;
  /** `null` where there are too few blocks to tell. */
  difference(a: string, b: string): Difference | null;
  /** Variance of the logarithm of one block, shared by the settings near the best, and how well it is known. */
  pooled: { variance: number; degreesOfFreedom: number; keys: readonly string[] } | null;
  /** The smallest difference between two settings that these blocks could show, in percent: t·√(2·MSE/R). */
  noiseFloorPercent: number | null;
}

/** Settings below this share of the best vary in another way (errors, queues) and get a variance of their own. */
const poolShare = 0.8;

interface Sample {
  key: string;
  logs: ReadonlyMap<number, number>;
  disturbed: ReadonlyMap<number, Pick<CountedBlock, 'taken' | 'others'>>;
  n: number;
  mean: number;
  /** Of the logarithms; 0 with fewer than two. */
  variance: number;
}

function sampleOf({ key, blocks }: SettingBlocks): Sample {
  const some = blocks.filter((block) => block.throughput > 0);
  const logs = new Map(some.map((block) => [block.round, Math.log(block.throughput)]));
  const disturbed = new Map(some.map(({ round, taken, others }) => [round, { taken: taken ?? null, others: others ?? null }]));
  const n = logs.size;
  const mean = [...logs.values()].reduce((sum, value) => sum + value, 0) / n;
  const squares = [...logs.values()].reduce((sum, value) => sum + (value - mean) ** 2, 0);
  return { key, logs, disturbed, n, mean, variance: n > 1 ? squares / (n - 1) : 0 };
}

function cellsOf(samples: readonly Sample[]): Cell[] {
  return samples.flatMap(({ key, logs, disturbed }) =>
    [...logs].map(([round, value]) => ({ setting: key, round, value, ...disturbed.get(round) })),
  );
}

/** From the logarithm of a ratio and its variance. */
export function differenceOf(logRatio: number, variance: number, degreesOfFreedom: number): Difference {
  const standardError = Math.sqrt(Math.max(0, variance));
  const halfWidth = studentTQuantile(0.975, degreesOfFreedom) * standardError;
  return {
    logRatio,
    standardError,
    degreesOfFreedom,
    ratio: Math.exp(logRatio),
    ciLow: Math.exp(logRatio - halfWidth),
    ciHigh: Math.exp(logRatio + halfWidth),
  };
}

function fittedDifference(fit: AdditiveFit, a: string, b: string): Difference {
  const difference = differenceOf(fit.difference(a, b), fit.varianceOfDifference(a, b), fit.degreesOfFreedom);
  if (fit.slope === null) return difference;
  const { value, variance } = fit.measuredDifference(a, b);
  return {
    ...difference,
    measured: { logRatio: value, standardError: Math.sqrt(Math.max(0, variance)) },
    pairs: fit.undisturbedPairs(a, b),
  };
}

/**
 * Two settings that are far apart, by the rounds that both were measured in: with the disturbance as covariate where five or more rounds are
 * common, else by paired t; by Welch's t when they share fewer than two (Welch, Biometrika 34, 1947).
 */
function ownDifference(a: Sample, b: Sample, options: FitOptions): Difference | null {
  const disturbed = [...a.disturbed.values(), ...b.disturbed.values()].some(({ taken, others }) => taken != null || others != null);
  const common = disturbed ? [...a.logs.keys()].filter((round) => b.logs.has(round)).length : 0;
  const pair = common >= 5 ? fitAdditive(cellsOf([a, b]), options) : null;
  if (pair !== null) return fittedDifference(pair, a.key, b.key);
  const ratios = [...a.logs].flatMap(([round, value]) => {
    const other = b.logs.get(round);
    return other === undefined ? [] : [value - other];
  });
  const n = ratios.length;
  if (n >= 2) {
    const mean = ratios.reduce((sum, value) => sum + value, 0) / n;
    const variance = ratios.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (n - 1);
    return differenceOf(mean, variance / n, n - 1);
  }
  if (a.n < 2 || b.n < 2) return null;
  const [partA, partB] = [a.variance / a.n, b.variance / b.n];
  const sum = partA + partB;
  const degreesOfFreedom = sum === 0 ? a.n + b.n - 2 : sum ** 2 / (partA ** 2 / (a.n - 1) + partB ** 2 / (b.n - 1));
  return differenceOf(a.mean - b.mean, sum, Math.max(1, degreesOfFreedom));
}

/**
 * Means, intervals and differences of the settings of one target, from the logarithms of block throughputs in interleaved rounds.
 *
 * The settings within 80 % of the best are fitted together as setting + round (see `fitAdditive`): slow drift of the machine is
 * taken up by the rounds, and the error is estimated from all of them, so that three rounds already carry an interval. The fit
 * needs two such settings and two rounds; a setting outside it has an interval from its own blocks (t, two or more), and is
 * compared by pairs of blocks of the same round.
 *
 * An interval says how well this run knows its own mean, for comparing settings within the run: what the whole run shares
 * (a slow day of the machine) is not in it. With a fit, means are adjusted for rounds in which a setting has no valid block;
 * with all blocks present they are the geometric means.
 */
export function blockStatistics(settings: readonly SettingBlocks[], options: FitOptions = {}): BlockStatistics {
  const samples = settings.map(sampleOf);
  const byKey = new Map(samples.map((sample) => [sample.key, sample]));
  const best = Math.max(...samples.filter((sample) => sample.n > 0).map((sample) => sample.mean));
  const near = samples.filter((sample) => sample.n >= 2 && sample.mean >= best + Math.log(poolShare));
  const fit = fitAdditive(cellsOf(near), options);
  const pooledKeys = new Set(fit === null ? [] : near.map((sample) => sample.key));

  const intervals = new Map<string, Throughput>();
  for (const [index, sample] of samples.entries()) {
    const blocks = (settings[index]?.blocks ?? []).map((block) => block.throughput);
    const pooled = fit !== null && pooledKeys.has(sample.key);
    const mean = pooled ? fit.mean(sample.key) : sample.mean;
    let halfWidth: number | null = null;
    if (pooled) halfWidth = studentTQuantile(0.975, fit.degreesOfFreedom) * Math.sqrt(fit.varianceOfMean(sample.key));
    else if (sample.n >= 2) halfWidth = studentTQuantile(0.975, sample.n - 1) * Math.sqrt(sample.variance / sample.n);
    intervals.set(sample.key, {
      mean: sample.n === 0 ? 0 : Math.exp(mean),
      ciLow: halfWidth === null ? null : Math.exp(mean - halfWidth),
      ciHigh: halfWidth === null ? null : Math.exp(mean + halfWidth),
      blocks,
    });
  }

  const difference = (a: string, b: string): Difference | null => {
    const [first, second] = [byKey.get(a), byKey.get(b)];
    if (first === undefined || second === undefined) return null;
    const bySlices = slicesDifference(settings, a, b);
    if (bySlices !== null) return bySlices;
    if (fit !== null && pooledKeys.has(a) && pooledKeys.has(b)) {
      return fittedDifference(fit, a, b);
    }
    return ownDifference(first, second, options);
  };

  return {
    intervals,
    difference,
    pooled: fit === null ? null : { variance: fit.variance, degreesOfFreedom: fit.degreesOfFreedom, keys: [...pooledKeys] },
    noiseFloorPercent: noiseFloor([...pooledKeys], difference),
  };
}

/** Of two settings that were measured in slices of the same passes; null of others. */
function slicesDifference(settings: readonly SettingBlocks[], a: string, b: string): Difference | null {
  const [first, second] = [a, b].map((key) => settings.find((one) => one.key === key)?.blocks ?? []);
  const found = first === undefined || second === undefined ? null : sliceDifference(first, second);
  if (found === null) return null;
  return {
    ...differenceOf(found.mean, found.standardError ** 2, found.degreesOfFreedom),
    pairs: found.pairs.map((pair) => ({ ...pair, weight: 1 })),
    cpuWeight: found.cpuWeight,
  };
}

/** Half the width of the interval of a typical pair (the root mean square of all pairs, which differ only when blocks are missing). */
function noiseFloor(keys: readonly string[], difference: BlockStatistics['difference']): number | null {
  let sum = 0;
  let pairs = 0;
  let t = 0;
  for (const [i, a] of keys.entries()) {
    for (const b of keys.slice(i + 1)) {
      const pair = difference(a, b);
      if (pair === null) continue;
      sum += pair.standardError ** 2;
      pairs += 1;
      t = studentTQuantile(0.975, pair.degreesOfFreedom);
    }
  }
  return pairs === 0 ? null : 100 * Math.expm1(t * Math.sqrt(sum / pairs));
}
