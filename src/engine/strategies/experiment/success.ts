import { figure } from '../../../model/domain/format.ts';
import type { SuccessRow } from '../../../model/domain/experiment.ts';
import { type CountedBlock, blockStatistics } from '../../statistics/blockStatistics.ts';
import { mean, momentsOf, welch } from '../../statistics/moments.ts';
import { studentTProbability } from '../../statistics/studentT.ts';

/** Blocks of one variant before or after a change; throughput in requests/s, latency in ms. */
export interface Compared {
  label: string;
  blocks: readonly { round: number; throughput: number; meanMs: number | null }[];
}

/**
 * Before against after in the words of the study D: below 10 % of improvement a failure, up to 50 % an improvement, above that a success. Welch’s p is reported
 * with our interval, because the study used it; over blocks that follow each other it is too sure of itself.
 */
export function successTable(before: Compared, after: Compared): SuccessRow[] {
  return [row('Throughput', before, after, 'throughput'), row('Response time', before, after, 'meanMs')].flatMap((one) => one ?? []);
}

function row(what: string, before: Compared, after: Compared, of: 'throughput' | 'meanMs'): SuccessRow | null {
  const counted = ({ blocks }: Compared): CountedBlock[] =>
    blocks.flatMap(({ round, [of]: value }) => (value === null ? [] : [{ round, throughput: value }]));
  const valuesOf = (blocks: readonly CountedBlock[]): number[] => blocks.map(({ throughput }) => throughput);
  const [a, b] = [counted(before), counted(after)];
  const [valuesA, valuesB] = [valuesOf(a), valuesOf(b)];
  const [from, to] = [mean(valuesA), mean(valuesB)];
  if (!(from > 0) || b.length === 0) return null;
  const unit = of === 'meanMs' ? 'ms' : 'req/s';
  const change = of === 'meanMs' ? 1 - to / from : to / from - 1;
  return {
    what: `${what}: ${before.label} → ${after.label}`,
    before: `${figure(from)} ${unit}`,
    after: `${figure(to)} ${unit}`,
    change: `${change < 0 ? '−' : '+'}${figure(100 * Math.abs(change))} %`,
    word: change > 0.5 ? 'success' : change >= 0.1 ? 'improvement' : 'failure',
    welchP: welchP(valuesA, valuesB),
    interval: intervalText(a, b),
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
function intervalText(a: readonly CountedBlock[], b: readonly CountedBlock[]): string | null {
  const rounds = new Set(a.map(({ round }) => round));
  if (b.filter(({ round }) => rounds.has(round)).length < 3) return null;
  const found = blockStatistics([a, b].map((blocks, index) => ({ key: String(index), blocks }))).difference('1', '0');
  return found === null ? null : `× ${figure(found.ratio)} [${figure(found.ciLow)} – ${figure(found.ciHigh)}]`;
}
