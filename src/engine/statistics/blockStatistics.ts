import type { Interference } from '../../model/domain/interference.ts';
import { remembered } from '../../model/domain/remembered.ts';
import type { Block, Throughput } from '../../model/domain/run.ts';
import { type Moments, momentsOf, reachOf, upperMedian, welch } from './moments.ts';
import { type RoundRatio, type SliceDifference, type SlicedRound, sliceDifference, throughputSlices } from './sliceSeries.ts';

/** A block that counts: throughput in requests/s. */
export interface CountedBlock extends SlicedRound {
  /** Which start of its processes, from 1; absent where they were started once. */
  start?: number | undefined;
  throughput: number;
}

/** A setting's blocks. Void ones are left out by the caller and simply missing here. */
export interface SettingBlocks {
  key: string;
  blocks: readonly CountedBlock[];
}

/** Share of the cores that others took; 0 where it is not known. */
export function interferenceShare(interference: Interference | null): number {
  return (interference?.takenPercent ?? 0) / 100;
}

/** A block as it is compared. `alike`: with those of another version of the same program. */
export function countedBlock(
  { round, start = 1, throughput, interference, slices }: Pick<Block, 'round' | 'start' | 'throughput' | 'interference' | 'slices'>,
  alike = false,
): CountedBlock {
  const taken = interferenceShare(interference);
  return { round, start, throughput, ...(slices === undefined ? {} : { slices: throughputSlices(slices, { alike, taken }) }) };
}

/** The blocks of a trial that count. */
export function countedBlocks(
  blocks: readonly (Parameters<typeof countedBlock>[0] & Pick<Block, 'valid'>)[],
  alike = false,
): CountedBlock[] {
  return blocks.filter(({ valid }) => valid).map((block) => countedBlock(block, alike));
}

/** How much faster `a` is than `b`: the logarithm of the ratio, its standard error, and the ratio with its 95 % interval. */
export interface Difference {
  logRatio: number;
  standardError: number;
  degreesOfFreedom: number;
  ratio: number;
  ciLow: number;
  ciHigh: number;
  /** What both differ in within each pass, of blocks within each round; absent where neither is known. */
  pairs?: readonly RoundRatio[];
  /** By mirrored slices: how much of it CPU time says, 0 … 1; absent where blocks were compared. */
  cpuWeight?: number;
}

export interface BlockStatistics {
  /** Geometric mean with a 95 % interval, by key; a setting without blocks has mean 0 and no interval. */
  intervals: ReadonlyMap<string, Throughput>;
  /** That geometric mean; 0 of what was not measured. */
  meanOf(key: string): number;
  /** `null` where there are too few blocks. */
  difference(a: string, b: string): Difference | null;
  /** The smallest difference between two settings that these blocks could show, in percent: half the width of a typical interval. */
  noiseFloorPercent: number | null;
}

/** Settings below this share of the best vary in another way (errors, queues) and get a variance of their own. */
const poolShare = 0.8;

/** A setting with the logarithms of its throughput by round; moments are those of the logarithms. */
interface Sample extends SettingBlocks, Moments {
  logs: ReadonlyMap<number, number>;
  isSliced: boolean;
}

/** Variance of the logarithm of one block without what its round has in common, and how well it is known. */
interface Scatter {
  variance: number;
  degreesOfFreedom: number;
}

function sampleOf({ key, blocks }: SettingBlocks): Sample {
  const logs = new Map(blocks.filter(({ throughput }) => throughput > 0).map(({ round, throughput }) => [round, Math.log(throughput)]));
  const isSliced = blocks.some(({ slices }) => slices !== undefined);
  return { key, blocks, logs, isSliced, ...momentsOf([...logs.values()]) };
}

/** From the logarithm of a ratio and its variance. */
export function differenceOf(logRatio: number, variance: number, degreesOfFreedom: number, probability = 0.975): Difference {
  const standardError = Math.sqrt(Math.max(0, variance));
  const halfWidth = reachOf({ standardError, degreesOfFreedom }, probability);
  return {
    logRatio,
    standardError,
    degreesOfFreedom,
    ratio: Math.exp(logRatio),
    ciLow: Math.exp(logRatio - halfWidth),
    ciHigh: Math.exp(logRatio + halfWidth),
  };
}

/** Logarithms of the ratio in the rounds that both were measured in. */
function commonRounds(a: Sample, b: Sample): RoundRatio[] {
  return [...a.logs].flatMap(([round, value]) => {
    const other = b.logs.get(round);
    return other === undefined ? [] : [{ round, logRatio: value - other }];
  });
}

/** Each two of them, once. */
function pairsOf<T>(items: readonly T[]): [T, T][] {
  return items.flatMap((a, index) => items.slice(index + 1).map((b): [T, T] => [a, b]));
}

function ratioMoments(pairs: readonly RoundRatio[]): Moments {
  return momentsOf(pairs.map(({ logRatio }) => logRatio));
}

/**
 * The scatter that settings near the best share: half the variance of their pairwise differences within rounds, so that slow drift of the machine is no part of
 * it. With all blocks present it is the residual mean square of setting + round with (K − 1)(R − 1) degrees of freedom.
 */
function sharedScatter(near: readonly Sample[]): Scatter | null {
  let [squares, freedom] = [0, 0];
  for (const [a, b] of pairsOf(near)) {
    const { n, variance } = ratioMoments(commonRounds(a, b));
    if (n < 2) continue;
    squares += ((n - 1) * variance) / 2;
    freedom += n - 1;
  }
  return freedom === 0 ? null : { variance: squares / freedom, degreesOfFreedom: Math.max(1, (freedom * 2) / near.length) };
}

/** By the rounds that both were measured in (paired t); by Welch’s t when they share fewer than two. */
function blocksDifference(a: Sample, b: Sample, shared: Scatter | null): Difference | null {
  const pairs = commonRounds(a, b);
  const { n, mean, variance } = ratioMoments(pairs);
  if (shared !== null && n >= 1) return { ...differenceOf(mean, (2 * shared.variance) / n, shared.degreesOfFreedom), pairs };
  if (n >= 2) return { ...differenceOf(mean, variance / n, n - 1), pairs };
  const apart = welch(a, b);
  return apart === null ? null : { ...differenceOf(a.mean - b.mean, apart.variance, apart.degreesOfFreedom), pairs };
}

/**
 * Means, intervals and differences of the settings of one target. Two that were measured in slices of the same passes are compared by them (`sliceDifference`).
 * Blocks are compared by the rounds that both were measured in, so that slow drift of the machine is no part of it; settings within 80 % of the best share
 * their scatter, so that three rounds already carry an interval.
 *
 * An interval says how well this run knows its own mean, for comparing settings within the run: what the whole run shares (a slow day of the machine) is not in
 * it. The mean of a setting is that of the one that was measured most often, times what they differ in: settings that were measured in different rounds stay
 * comparable. In slices it is that of the best, times what it differs in from the best: no setting has a larger mean than the best and loses against it.
 */
export function blockStatistics(settings: readonly SettingBlocks[]): BlockStatistics {
  const samples = settings.map(sampleOf);
  const byKey = new Map(samples.map((sample) => [sample.key, sample]));
  const known = samples.filter(({ n }) => n > 0);
  const best = Math.max(...known.map(({ mean }) => mean));
  const near = samples.filter(({ n, mean }) => n >= 2 && mean >= best + Math.log(poolShare));
  const shared = sharedScatter(near);
  const nearKeys = new Set(shared === null ? [] : near.map(({ key }) => key));

  const bySlicesOf = ofPairs((a, b) => sliceDifference(byKey.get(a)?.blocks ?? [], byKey.get(b)?.blocks ?? []));
  const typicalScatter = scatterOfSlices([...byKey.keys()], bySlicesOf);
  const difference = ofPairs((a, b): Difference | null => {
    const [first, second] = [byKey.get(a), byKey.get(b)];
    if (first === undefined || second === undefined) return null;
    const found = bySlicesOf(a, b);
    if (found !== null) return slicesDifference(found, typicalScatter);
    return blocksDifference(first, second, nearKeys.has(a) && nearKeys.has(b) ? shared : null);
  });

  const most = Math.max(0, ...known.map(({ n }) => n));
  const reference = known.find(({ n }) => n === most);
  const anchored = (sample: Sample): number => {
    if (reference === undefined || sample.n === 0 || sample === reference) return sample.mean;
    const gap = sample.n < most || sample.isSliced ? difference(sample.key, reference.key) : null;
    return gap === null ? sample.mean : reference.mean + gap.logRatio;
  };
  const sliced = known.filter(({ isSliced }) => isSliced);
  const again = sliced.filter(({ n }) => n >= 2);
  // A value of a single block is mostly ahead by chance.
  const leader = leaderOf(again.length === 0 ? sliced : again, anchored, difference);
  const gapOf = (sample: Sample): Difference | null =>
    leader === null || sample === leader || !sample.isSliced ? null : difference(sample.key, leader.key);
  const meanOf = (sample: Sample): number => {
    const gap = gapOf(sample);
    return gap === null || leader === null ? anchored(sample) : anchored(leader) + gap.logRatio;
  };
  // With slices half the variance of a setting's difference from the best is its own; the best is known as well as a typical one.
  const bySlices = new Map(
    known.flatMap((sample): [string, number][] => {
      const gap = gapOf(sample);
      return gap?.cpuWeight === undefined ? [] : [[sample.key, reachOf(gap) / Math.SQRT2]];
    }),
  );
  const typical = upperMedian([...bySlices.values()]);
  const halfOf = (sample: Sample): number | null => {
    const half = bySlices.get(sample.key) ?? (sample === leader ? typical : undefined);
    if (half !== undefined) return half;
    const own = sample.n < 2 ? null : { variance: sample.variance, degreesOfFreedom: sample.n - 1 };
    const scatter = nearKeys.has(sample.key) ? shared : own;
    return scatter === null ? null : reachOf({ ...scatter, standardError: Math.sqrt(scatter.variance / sample.n) });
  };
  const intervals = new Map(
    samples.map((sample): [string, Throughput] => {
      const [mean, half] = [meanOf(sample), halfOf(sample)];
      const [ciLow, ciHigh] = half === null ? [null, null] : [Math.exp(mean - half), Math.exp(mean + half)];
      const blocks = sample.blocks.map(({ throughput }) => throughput);
      return [sample.key, { mean: sample.n === 0 ? 0 : Math.exp(mean), ciLow, ciHigh, blocks }];
    }),
  );
  return {
    intervals,
    meanOf: (key) => intervals.get(key)?.mean ?? 0,
    difference,
    noiseFloorPercent: noiseFloor([...nearKeys], difference),
  };
}

/** The one that no other is ahead of in what both were measured in; where each is behind another, the first of them that is met again. Null without settings. */
function leaderOf(
  samples: readonly Sample[],
  meanOf: (sample: Sample) => number,
  difference: (a: string, b: string) => Difference | null,
): Sample | null {
  const met = new Set<Sample>();
  let leader = samples.reduce<Sample | null>((best, one) => (best === null || meanOf(one) > meanOf(best) ? one : best), null);
  while (leader !== null && !met.has(leader)) {
    met.add(leader);
    const { key } = leader;
    let ahead = 0;
    for (const one of samples) {
      const by = one.key === key ? 0 : (difference(one.key, key)?.logRatio ?? 0);
      if (by > ahead) [leader, ahead] = [one, by];
    }
  }
  return leader;
}

/** The degrees of freedom that the typical scatter of several pairs of settings is worth, in addition to a pair's own. */
const typicalFreedom = 4;

/** A function of two settings that is carried out once for each pair: a judgement asks for the same ones again and again. */
function ofPairs<T>(of: (a: string, b: string) => T): (a: string, b: string) => T {
  const known = new Map<string, Map<string, T>>();
  return (a, b) =>
    remembered(
      remembered(known, a, () => new Map<string, T>()),
      b,
      () => of(a, b),
    );
}

/** Median variance of one pass, over all pairs of settings that were measured in slices; null with fewer than three, of which none is typical. */
function scatterOfSlices(keys: readonly string[], bySlicesOf: (a: string, b: string) => SliceDifference | null): number | null {
  const variances = pairsOf(keys)
    .flatMap(([a, b]) => bySlicesOf(a, b) ?? [])
    .map(({ standardError, pairs }) => standardError ** 2 * pairs.length);
  return variances.length < 3 ? null : (upperMedian(variances) ?? null);
}

/**
 * Of two settings that were measured in slices of the same passes. A pair of few passes hardly knows its own scatter: that of the other pairs counts too
 * (moderated t: Smyth, Statistical Applications in Genetics and Molecular Biology 3, 2004, with a fixed prior).
 */
function slicesDifference(
  { mean, standardError, degreesOfFreedom, pairs, cpuWeight }: SliceDifference,
  typical: number | null,
): Difference {
  const prior = typical === null ? 0 : typicalFreedom;
  const freedom = degreesOfFreedom + prior;
  const variance = (degreesOfFreedom * standardError ** 2 + (prior * (typical ?? 0)) / pairs.length) / freedom;
  return { ...differenceOf(mean, variance, freedom), pairs, cpuWeight };
}

/** Half the width of the interval of a typical pair (the root mean square of all pairs). */
function noiseFloor(keys: readonly string[], difference: BlockStatistics['difference']): number | null {
  const reaches = pairsOf(keys).flatMap(([a, b]) => {
    const pair = difference(a, b);
    return pair === null ? [] : [reachOf(pair)];
  });
  return reaches.length === 0 ? null : 100 * Math.expm1(Math.sqrt(reaches.reduce((sum, reach) => sum + reach ** 2, 0) / reaches.length));
}
