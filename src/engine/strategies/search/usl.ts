import type { Usl } from '../../../model/tuning.ts';
import { figure, wholeNumber } from '../../../model/format.ts';
import { SeededRandom } from '../../statistics/seededRandom.ts';

/**
 * The Universal Scalability Law X(N) = λN/(1 + σ(N − 1) + κN(N − 1)): contention σ, and κ for what workers cost each other.
 * Source: Gunther, Guerrilla Capacity Planning (2007), ch. 4–6. It explains and never recommends: the data that a tuning has identify
 * its peak only when that was passed.
 */

/** A setting whose pool was full: `busy` is the mean number of busy connections, not the setting. */
export interface UslPoint {
  busy: number;
  blocks: readonly { round: number; throughput: number }[];
}

/** λ in requests/s. */
export interface UslParameters {
  lambda: number;
  sigma: number;
  kappa: number;
}

/** With fewer points three parameters are not known at all. */
export const fewestUslPoints = 4;
/** The peak is not told beyond this multiple of the largest N that was measured. */
const reach = 2;
const resamples = 200;

/** X(N) in requests/s. */
export function uslThroughput({ lambda, sigma, kappa }: UslParameters, n: number): number {
  return (lambda * n) / (1 + sigma * (n - 1) + kappa * n * (n - 1));
}

/** N* = √((1 − σ)/κ), where throughput is largest; infinite without a decline. */
export function uslPeak({ sigma, kappa }: UslParameters): number {
  return kappa <= 0 ? Number.POSITIVE_INFINITY : Math.sqrt(Math.max(0, 1 - sigma) / kappa);
}

interface Observed {
  n: number;
  logThroughput: number;
  weight: number;
}

/** Solves a small linear system by Gaussian elimination with pivoting; `null` when it is singular. */
function solve(matrix: number[][], right: number[]): number[] | null {
  const size = right.length;
  const rows = matrix.map((row, i) => [...row, right[i] ?? 0]);
  for (let column = 0; column < size; column += 1) {
    const pivot = rows
      .slice(column)
      .reduce((best, row, i) => (Math.abs(row[column] ?? 0) > Math.abs(rows[best]?.[column] ?? 0) ? column + i : best), column);
    const [chosen, swapped] = [rows[pivot], rows[column]];
    const scale = chosen?.[column] ?? 0;
    if (chosen === undefined || swapped === undefined || Math.abs(scale) < 1e-12) return null;
    rows[pivot] = swapped;
    const unit = chosen.map((value) => value / scale);
    rows[column] = unit;
    for (let i = 0; i < size; i += 1) {
      const factor = rows[i]?.[column] ?? 0;
      if (i !== column && factor !== 0) rows[i] = (rows[i] ?? []).map((value, j) => value - factor * (unit[j] ?? 0));
    }
  }
  return rows.map((row) => row[size] ?? 0);
}

/** Terms of N/X = a + b(N − 1) + cN(N − 1): linear in a = 1/λ, b = σ/λ, c = κ/λ. */
function terms(n: number): [number, number, number] {
  return [1, n - 1, n * (n - 1)];
}

const activeSets: readonly (readonly number[])[] = [[0, 1, 2], [0, 1], [0, 2], [0]];

/**
 * Weighted least squares on ln X with σ, κ ≥ 0. Of the four cases (each of σ and κ free or zero) the best feasible one counts. Each starts with
 * the linear form, in which relative errors are about those of the logarithm, and takes Gauss–Newton steps from there.
 */
function fit(points: readonly Observed[]): UslParameters | null {
  let found: { coefficients: number[]; error: number } | null = null;
  const value = (coefficients: readonly number[], n: number): number =>
    terms(n).reduce((sum, term, i) => sum + term * (coefficients[i] ?? 0), 0);
  const errorOf = (coefficients: readonly number[]): number =>
    points.reduce((sum, { n, logThroughput, weight }) => sum + weight * (logThroughput - Math.log(n / value(coefficients, n))) ** 2, 0);
  for (const active of activeSets) {
    let coefficients = [0, 0, 0];
    for (let step = 0; step < 12; step += 1) {
      // Residuals of ln: at the start those of N/X relative to the observed, later relative to the fitted value.
      const rows = points.map(({ n, logThroughput, weight }) => {
        const fitted = value(coefficients, n);
        const base = fitted > 0 ? fitted : n / Math.exp(logThroughput);
        const residual = fitted > 0 ? Math.log(n / fitted) - logThroughput : 1;
        return { slopes: active.map((i) => (terms(n)[i] ?? 0) / base), residual, weight };
      });
      const matrix = active.map((_, i) =>
        active.map((__, j) => rows.reduce((sum, { slopes, weight }) => sum + weight * (slopes[i] ?? 0) * (slopes[j] ?? 0), 0)),
      );
      const right = active.map((_, i) => rows.reduce((sum, { slopes, residual, weight }) => sum + weight * (slopes[i] ?? 0) * residual, 0));
      const change = solve(matrix, right);
      if (change === null) break;
      const next = [...coefficients];
      for (const [place, i] of active.entries()) next[i] = (next[i] ?? 0) + (change[place] ?? 0);
      if (points.some(({ n }) => value(next, n) <= 0)) break;
      coefficients = next;
      const size = Math.max(...coefficients.map(Math.abs));
      if (change.every((delta) => Math.abs(delta) < 1e-10 * size)) break;
    }
    const [a = 0, b = 0, c = 0] = coefficients;
    if (a <= 0 || b < 0 || c < 0) continue;
    // What needs no bound is the best of all.
    if (active.length === 3) return { lambda: 1 / a, sigma: b / a, kappa: c / a };
    const error = errorOf(coefficients);
    if (found === null || error < found.error * (1 - 1e-9)) found = { coefficients, error };
  }
  if (found === null) return null;
  const [a = 1, b = 0, c = 0] = found.coefficients;
  return { lambda: 1 / a, sigma: b / a, kappa: c / a };
}

function meanLog(blocks: UslPoint['blocks']): number {
  return blocks.reduce((sum, { throughput }) => sum + Math.log(throughput), 0) / blocks.length;
}

/**
 * Residuals of single blocks about their setting and their round, scaled to the variance that they stand for, and at least as large as the
 * distance of the means from the curve: a curve that does not fit must not look well known.
 */
function residualsOf(points: readonly UslPoint[], fitted: UslParameters): number[] {
  const rounds = new Map<number, number[]>();
  const centred = points.flatMap(({ blocks }) => {
    const mean = meanLog(blocks);
    return blocks.map(({ round, throughput }) => {
      const own = { round, rest: Math.log(throughput) - mean };
      rounds.set(round, [...(rounds.get(round) ?? []), own.rest]);
      return own;
    });
  });
  const roundMean = (round: number): number => {
    const values = rounds.get(round) ?? [0];
    return values.reduce((sum, value) => sum + value, 0) / values.length;
  };
  const residuals = centred.map(({ round, rest }) => rest - roundMean(round));
  const freedom = Math.max(1, centred.length - points.length - rounds.size + 1);
  const noise = residuals.reduce((sum, value) => sum + value ** 2, 0) / freedom;
  const misfit =
    points.reduce((sum, { busy, blocks }) => sum + blocks.length * (meanLog(blocks) - Math.log(uslThroughput(fitted, busy))) ** 2, 0) /
    Math.max(1, points.length - 3);
  const own = residuals.reduce((sum, value) => sum + value ** 2, 0) / residuals.length;
  if (own === 0) return residuals.map((_, i) => (i % 2 === 0 ? 1 : -1) * Math.sqrt(misfit));
  const scale = Math.sqrt(Math.max(noise, misfit) / own);
  return residuals.map((value) => value * scale);
}

function quantile(sorted: readonly number[], q: number): number {
  return sorted[Math.min(sorted.length - 1, Math.max(0, Math.round(q * (sorted.length - 1))))] ?? Number.NaN;
}

/**
 * Fits the law to settings whose pool was full, and tells where throughput peaks only when κ's 95 % interval is above zero and the peak is not
 * beyond twice what was measured. Intervals by residual bootstrap (200 refits, reproducible by `seed`). `null` with fewer than four points.
 */
export function fitUsl(points: readonly UslPoint[], seed: number): Usl | null {
  const usable = points.filter(({ busy, blocks }) => busy > 0 && blocks.length > 0 && blocks.every(({ throughput }) => throughput > 0));
  if (usable.length < fewestUslPoints) return null;
  const observed = usable.map(({ busy, blocks }) => ({ n: busy, logThroughput: meanLog(blocks), weight: blocks.length }));
  const fitted = fit(observed);
  if (fitted === null) return null;

  const residuals = residualsOf(usable, fitted);
  const random = new SeededRandom(seed);
  const kappas: number[] = [];
  const peaks: number[] = [];
  for (let i = 0; i < resamples; i += 1) {
    const again = fit(
      observed.map(({ n, weight }) => {
        let error = 0;
        for (let block = 0; block < weight; block += 1) error += residuals[random.nextInteger(0, residuals.length - 1)] ?? 0;
        return { n, weight, logThroughput: Math.log(uslThroughput(fitted, n)) + error / weight };
      }),
    );
    if (again === null) continue;
    kappas.push(again.kappa);
    peaks.push(uslPeak(again));
  }
  kappas.sort((a, b) => a - b);
  peaks.sort((a, b) => a - b);
  const largest = Math.max(...observed.map(({ n }) => n));
  const mean = uslPeak(fitted);
  const known = kappas.length >= resamples / 2 && quantile(kappas, 0.025) > 0 && mean <= reach * largest;
  const peak = known ? { mean, ciLow: quantile(peaks, 0.025), ciHigh: quantile(peaks, 0.975) } : null;
  return { ...fitted, peak, sentence: sentenceOf(fitted, peak, largest) };
}

function sentenceOf({ sigma }: UslParameters, peak: Usl['peak'], largest: number): string {
  if (peak !== null) {
    const range = `${wholeNumber(peak.ciLow)} – ${wholeNumber(peak.ciHigh)}`;
    return `The Universal Scalability Law puts the peak at ${wholeNumber(peak.mean)} busy connections [${range}]: beyond it, each further one makes the others slower.`;
  }
  const contention = sigma < 0.0005 ? 'next to nothing of the work' : `${figure(100 * sigma)} % of the work`;
  return `No decline was observed up to ${wholeNumber(largest)} busy connections; by the Universal Scalability Law, ${contention} cannot be done side by side (contention).`;
}
