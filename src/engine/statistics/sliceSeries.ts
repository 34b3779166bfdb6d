import jstat from 'jstat';
import type { Slices } from '../../model/domain/run.ts';
import { type Estimate, mean, upperMedian } from './moments.ts';
import { trimmedMean, winsorized } from './trimmedMean.ts';

/** One slice of a side, by the pass of the round that it was measured in. `value` is what is compared, and larger is better. */
export interface SliceValue {
  pass: number;
  atMs: number;
  value: number;
  /**
   * The same by CPU time: requests for each second of what is full. Null where nothing is full, since then throughput does not follow from it, or where it is
   * not known.
   */
  byCpu: number | null;
}

/** From this share of the time on the busiest thread of an app has none to spare: it ran, or was ready to and waited for a core. */
const fullThread = 0.9;
/** From here on there was more to run than there are cores. */
const fullCores = 1;
/** From this share of what others left of the cores on, hardly any of it was idle. */
const usedCores = 0.9;
/** Interference lasts up to a second or so: values that lie closer together are disturbed together. */
export const interferenceMs = 1000;

/** How two sides compare. */
export interface Comparability {
  /** The same number of requests runs on both sides, as with two versions of one program. What waits for a core then waits alike. */
  alike: boolean;
  /** Share of the cores that others took, 0 … 1. */
  taken: number;
}

/**
 * What was full, by the median of the slices; null where nothing was, or where it is not known. Of sides that are alike a full thread comes first, since it
 * limits an app whatever the cores do. Of settings only cores count of which next to nothing was idle: a larger pool keeps more of PostgreSQL busy, for which a
 * full thread of the app waits longer, so that its CPU time says more than its throughput gains (measured: 7 % less CPU, 3 % more throughput).
 */
export function fullPartOf(
  { busiestShare, demand, used }: Pick<Slices, 'busiestShare' | 'demand' | 'used'>,
  { alike, taken }: Comparability,
): 'thread' | 'cores' | null {
  if (!alike) return middle(used) >= usedCores * (1 - taken) ? 'cores' : null;
  if (middle(busiestShare) >= fullThread) return 'thread';
  return middle(demand) >= fullCores ? 'cores' : null;
}

function middle(values: readonly (number | null)[]): number {
  const known = values.flatMap((value) => value ?? []);
  return known.length < values.length / 2 ? 0 : (upperMedian(known) ?? 0);
}

/** Throughput of the slices of a block, with what CPU time says of it where something is full. */
export function throughputSlices(slices: Slices, comparability: Comparability): SliceValue[] {
  const full = fullPartOf(slices, comparability);
  const perRequestUs = full === 'thread' ? slices.busiestUs : full === 'cores' ? slices.allUs : [];
  return slices.pass.map((pass, index) => {
    const us = perRequestUs[index] ?? null;
    return {
      pass,
      atMs: slices.atMs[index] ?? 0,
      value: slices.throughput[index] ?? 0,
      byCpu: us === null || us <= 0 ? null : 1e6 / us,
    };
  });
}

/** CPU time of a request of the app by its slices: requests for each second of it. */
export function cpuSlices(slices: Slices): SliceValue[] {
  return slices.pass.flatMap((pass, index) => {
    const us = slices.appUs[index] ?? null;
    return us === null || us <= 0 ? [] : [{ pass, atMs: slices.atMs[index] ?? 0, value: 1e6 / us, byCpu: null }];
  });
}

/** A round of a side, as far as its slices go. */
export interface SlicedRound {
  round: number;
  /** Absent where the load did not turn from side to side, or where they say nothing. */
  slices?: readonly SliceValue[] | undefined;
}

/** What two sides differ in within one pass or one round, as logarithms of the ratio of `a` to `b`. */
export interface RoundRatio {
  round: number;
  logRatio: number;
}

/** The difference of two sides by the slices of the passes that both were measured in. */
export interface SliceDifference extends Estimate {
  /** Winsorized, so that one which was hit counts as the outermost that was not. */
  pairs: RoundRatio[];
  /** How much of it CPU time says, 0 … 1: its weight where both speak for the same. */
  cpuWeight: number;
}

/** Fewer pairs do not show how two estimates scatter. */
const leastForWeights = 8;

/**
 * ln(a/b) by mirrored slices: the trimmed mean of the logarithms of the ratio within each pass. Where the same part of the machine is full on both sides,
 * throughput follows from the CPU time of a request (utilisation law), and both estimates are one, weighted so that their scatter is least. Null with fewer
 * than two passes in common.
 */
export function sliceDifference(a: readonly SlicedRound[], b: readonly SlicedRound[]): SliceDifference | null {
  const others = new Map(b.flatMap(({ round, slices = [] }) => slices.map((slice) => [placeOf(round, slice.pass), slice] as const)));
  const pairs = a.flatMap(({ round, slices = [] }) =>
    slices.flatMap((slice) => {
      const other = others.get(placeOf(round, slice.pass));
      if (other === undefined || !(slice.value > 0) || !(other.value > 0)) return [];
      const byCpu = slice.byCpu === null || other.byCpu === null ? null : Math.log(slice.byCpu / other.byCpu);
      return [{ round, atMs: slice.atMs, byTime: Math.log(slice.value / other.value), byCpu }];
    }),
  );
  const blockLength = interferenceMs / periodMs(pairs);
  const speaks = pairs.length >= leastForWeights && pairs.every(({ byCpu }) => byCpu !== null);
  const cpuWeight = speaks
    ? leastVariance(winsorized(pairs.map(({ byTime }) => byTime)), winsorized(pairs.map(({ byCpu }) => byCpu ?? 0)))
    : 0;
  const series = pairs.map(({ byTime, byCpu }) => (1 - cpuWeight) * byTime + cpuWeight * (byCpu ?? 0));
  const estimate = trimmedMean(series, blockLength);
  if (estimate === null) return null;
  const kept = winsorized(series);
  return { ...estimate, pairs: pairs.map(({ round }, index) => ({ round, logRatio: kept[index] ?? 0 })), cpuWeight };
}

/** One number for a pass of a round: no round has as many. */
function placeOf(round: number, pass: number): number {
  return round * 2 ** 20 + pass;
}

/** From one pass to the next, in ms; without bound where rounds have one. */
function periodMs(pairs: readonly { round: number; atMs: number }[]): number {
  const gaps = pairs.flatMap(({ round, atMs }, index) => {
    const next = pairs[index + 1];
    return next === undefined || next.round !== round ? [] : [Math.abs(next.atMs - atMs)];
  });
  return gaps.length === 0 ? Number.POSITIVE_INFINITY : Math.max(1, mean(gaps));
}

/** The weight of `y` in the mean of both that scatters least, 0 … 1 (Graybill and Deal, Biometrics 15, 1959, with their covariance). */
function leastVariance(x: readonly number[], y: readonly number[]): number {
  const [varX, varY, both] = [jstat.covariance(x, x), jstat.covariance(y, y), jstat.covariance(x, y)];
  const sum = varX + varY - 2 * both;
  return sum <= 0 ? 0.5 : Math.min(1, Math.max(0, (varX - both) / sum));
}
