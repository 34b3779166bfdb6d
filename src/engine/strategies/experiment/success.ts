import { figure } from '../../../model/domain/format.ts';
import type { SuccessRow } from '../../../model/domain/experiment.ts';
import { blockStatistics } from '../../statistics/blockStatistics.ts';
import { momentsOf, welch } from '../../statistics/moments.ts';
import { studentTProbability } from '../../statistics/studentT.ts';

/** Blocks of one arm before or after a change; throughput in requests/s, latency in ms. */
export interface Compared {
  label: string;
  blocks: readonly { round: number; throughput: number; meanMs: number | null }[];
}

/**
 * Before against after in the words of the study D: below 10 % of improvement a failure, up to 50 % an improvement, above that a success. Welch’s p is reported
 * with our interval, because the study used it; over blocks that follow each other it is too sure of itself.
 */
export function successTable(before: Compared, after: Compared): SuccessRow[] {
  return [
    row(`Throughput: ${before.label} → ${after.label}`, valuesOf(before, 'throughput'), valuesOf(after, 'throughput'), 'req/s'),
    row(`Response time: ${before.label} → ${after.label}`, valuesOf(before, 'meanMs'), valuesOf(after, 'meanMs'), 'ms'),
  ].flatMap((one) => one ?? []);
}

interface Value {
  round: number;
  value: number;
}

function valuesOf({ blocks }: Compared, figureName: 'throughput' | 'meanMs'): Value[] {
  return blocks.flatMap(({ round, [figureName]: value }) => (value === null ? [] : [{ round, value }]));
}

function row(what: string, a: readonly Value[], b: readonly Value[], unit: 'req/s' | 'ms'): SuccessRow | null {
  if (a.length === 0 || b.length === 0) return null;
  const values = (some: readonly Value[]): number[] => some.map(({ value }) => value);
  const [{ mean: before }, { mean: after }] = [momentsOf(values(a)), momentsOf(values(b))];
  if (!(before > 0)) return null;
  const change = unit === 'ms' ? 1 - after / before : after / before - 1;
  return {
    what,
    before: `${figure(before)} ${unit}`,
    after: `${figure(after)} ${unit}`,
    change: `${change < 0 ? '−' : '+'}${figure(100 * Math.abs(change))} %`,
    word: change > 0.5 ? 'success' : change >= 0.1 ? 'improvement' : 'failure',
    welchP: welchP(values(a), values(b)),
    interval: intervalText(a, b, unit),
  };
}

/** Two-sided p of Welch’s t-test; null with fewer than two values on a side, or none that differ. */
export function welchP(a: readonly number[], b: readonly number[]): number | null {
  const [before, after] = [momentsOf(a), momentsOf(b)];
  const apart = welch(before, after);
  if (apart === null || !(apart.variance > 0)) return null;
  return 2 * studentTProbability(-Math.abs(before.mean - after.mean) / Math.sqrt(apart.variance), apart.degreesOfFreedom);
}

/** The 95 % interval of the ratio after/before, over the rounds in which both were measured. */
function intervalText(a: readonly Value[], b: readonly Value[], unit: 'req/s' | 'ms'): string | null {
  const rounds = new Set(a.map(({ round }) => round));
  if (b.filter(({ round }) => rounds.has(round)).length < 3) return null;
  const blocks = (some: readonly Value[]): { round: number; throughput: number }[] =>
    some.map(({ round, value }) => ({ round, throughput: unit === 'ms' ? 1 / value : value }));
  const statistics = blockStatistics([
    { key: 'before', blocks: blocks(a) },
    { key: 'after', blocks: blocks(b) },
  ]);
  const found = unit === 'ms' ? statistics.difference('before', 'after') : statistics.difference('after', 'before');
  return found === null ? null : `× ${figure(found.ratio)} [${figure(found.ciLow)} – ${figure(found.ciHigh)}]`;
}
