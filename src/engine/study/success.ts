import { figure } from '../../model/format.ts';
import type { SuccessRow } from '../../model/study.ts';
import { studentTProbability, studentTQuantile } from '../statistics/studentT.ts';

/** Blocks of one arm before and after a change; throughput in requests/s, latency in ms. */
export interface Compared {
  label: string;
  throughput: readonly number[];
  meanMs: readonly number[];
}

/**
 * Before against after in the words of the study D: below 10 % of improvement a failure, up to 50 % an improvement, above that a success.
 * Welch’s p stands beside our interval, because the study used it; over blocks that follow each other it is too sure of itself.
 */
export function successTable(before: Compared, after: Compared): SuccessRow[] {
  return [
    row(`Throughput: ${before.label} → ${after.label}`, before.throughput, after.throughput, 'req/s', (a, b) => b / a - 1),
    row(`Response time: ${before.label} → ${after.label}`, before.meanMs, after.meanMs, 'ms', (a, b) => 1 - b / a),
  ].flatMap((one) => one ?? []);
}

function row(
  what: string,
  a: readonly number[],
  b: readonly number[],
  unit: string,
  gain: (a: number, b: number) => number,
): SuccessRow | null {
  if (a.length === 0 || b.length === 0) return null;
  const [before, after] = [mean(a), mean(b)];
  if (!(before > 0)) return null;
  const change = gain(before, after);
  return {
    what,
    before: `${figure(before)} ${unit}`,
    after: `${figure(after)} ${unit}`,
    change: `${change < 0 ? '−' : '+'}${figure(100 * Math.abs(change))} %`,
    word: change > 0.5 ? 'success' : change >= 0.1 ? 'improvement' : 'failure',
    welchP: welchP(a, b),
    interval: intervalText(a, b),
  };
}

/** Two-sided p of Welch’s t-test (Welch 1947, degrees of freedom by Satterthwaite); null with fewer than two values on a side, or none that differ. */
export function welchP(a: readonly number[], b: readonly number[]): number | null {
  if (a.length < 2 || b.length < 2) return null;
  const [va, vb] = [variance(a) / a.length, variance(b) / b.length];
  if (!(va + vb > 0)) return null;
  const t = Math.abs(mean(a) - mean(b)) / Math.sqrt(va + vb);
  const degrees = (va + vb) ** 2 / (va ** 2 / (a.length - 1) + vb ** 2 / (b.length - 1));
  return 2 * studentTProbability(-t, Math.max(1, degrees));
}

/** The 95 % interval of the ratio after/before, of the logarithms of blocks that were measured in the same rounds. */
function intervalText(a: readonly number[], b: readonly number[]): string | null {
  const pairs = Math.min(a.length, b.length);
  if (pairs < 3) return null;
  const logs = Array.from({ length: pairs }, (_, index) => Math.log((b[index] ?? 1) / (a[index] ?? 1)));
  const half = studentTQuantile(0.975, pairs - 1) * Math.sqrt(variance(logs) / pairs);
  const centre = mean(logs);
  return `× ${figure(Math.exp(centre))} [${figure(Math.exp(centre - half))} – ${figure(Math.exp(centre + half))}]`;
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, one) => sum + one, 0) / values.length;
}

function variance(values: readonly number[]): number {
  const centre = mean(values);
  return values.reduce((sum, one) => sum + (one - centre) ** 2, 0) / (values.length - 1);
}
