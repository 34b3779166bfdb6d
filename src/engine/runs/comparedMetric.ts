import type { ComparedCure, ComparedMetric } from '../../model/domain/comparison.ts';
import type { Ratio, Verdict } from '../../model/domain/tuning.ts';
import { type Difference, differenceOf } from '../statistics/blockStatistics.ts';
import { type Moments, momentsOf } from '../statistics/moments.ts';
import { studentTProbability, studentTQuantile } from '../statistics/studentT.ts';

/** The band of no difference in logarithms, the same for B over A as for A over B: with a δ of 5 %, 0.95 … 1/0.95. */
export function logBand(delta: number): number {
  return -Math.log(1 - delta);
}

/**
 * Standard deviation of what one whole run shares and the next does not, as a share of its figures: heat, neighbours, what the compiler chose. Two runs repeat
 * that level not at all, so that it cannot be estimated from them (Kalibera and Jones, Rigorous Benchmarking in Reasonable Time, 2013: repeat the level that
 * varies). Chosen by simulation: with drift (sd 4 % in a run), wander (2 %), episodes and a level of each run's own (2 %), two equal runs are reported as
 * different in 1 … 5 % of cases; by their blocks alone, in 14 … 40 %.
 */
export const betweenRunsDeviation = 0.03;

/** More rounds than this are no advice. */
const mostRounds = 200;

/** Moments of the logarithms of a figure's blocks: all that a comparison across runs needs to know of a trial. Values that are not above 0 are left out. */
export function logSample(values: readonly number[]): Moments {
  const found = momentsOf(values.filter((value) => value > 0 && Number.isFinite(value)).map(Math.log));
  return found.n === 0 ? { ...found, mean: 0 } : found;
}

/**
 * B against A of different runs: Welch's difference of mean logarithms, widened by what whole runs differ in ({@link betweenRunsDeviation}). Degrees of freedom
 * by Welch and Satterthwaite, with that part treated as known. `null` with fewer than two blocks on either side.
 *
 * @param probability of the upper end of the interval: 0.975, or more where the worst of several is looked for.
 */
export function acrossRuns(a: Moments, b: Moments, probability = 0.975): Difference | null {
  if (a.n < 2 || b.n < 2) return null;
  const [partA, partB] = [a.variance / a.n, b.variance / b.n];
  const variance = partA + partB + 2 * betweenRunsDeviation ** 2;
  const uncertain = partA ** 2 / (a.n - 1) + partB ** 2 / (b.n - 1);
  // Student's t of so many degrees of freedom is the normal distribution to four digits.
  const degreesOfFreedom = uncertain === 0 ? 10_000 : Math.min(10_000, Math.max(1, variance ** 2 / uncertain));
  return differenceOf(b.mean - a.mean, variance, degreesOfFreedom, probability);
}

/**
 * The word for a ratio (B over A) by its interval: *same* inside ±δ, else *better* or *worse* when 1 is outside of it, else *unknown*.
 * An interval that is inside ±δ and does not hold 1 is *same* too: a difference, but none that matters.
 */
export function verdictOf(ratio: Ratio, moreIsBetter: boolean, delta: number): Verdict {
  if (ratio.ciLow === null || ratio.ciHigh === null) return 'unknown';
  const [low, high] = [Math.log(ratio.ciLow), Math.log(ratio.ciHigh)];
  if (low >= -logBand(delta) && high <= logBand(delta)) return 'same';
  if (low > 0) return moreIsBetter ? 'better' : 'worse';
  if (high < 0) return moreIsBetter ? 'worse' : 'better';
  return 'unknown';
}

/**
 * How many more rounds would make the interval narrow enough to decide: half of it no wider than the band, and no wider than half the band
 * where that alone did not decide. From n ≈ 2·MSE·(t/δ)². `null` beyond 200.
 */
export function moreRoundsFor(difference: Difference, rounds: number, delta: number): number | null {
  const reach = studentTQuantile(0.975, difference.degreesOfFreedom) * difference.standardError;
  const band = logBand(delta);
  const wanted = reach > band ? band : band / 2;
  // Blocks of different rounds count as one round.
  const have = Math.max(1, rounds);
  const perRound = difference.standardError ** 2 * have;
  for (let n = have + 1; n <= mostRounds; n += 1) {
    const degreesOfFreedom = (difference.degreesOfFreedom * (n - 1)) / Math.max(1, have - 1);
    if (studentTQuantile(0.975, degreesOfFreedom) * Math.sqrt(perRound / n) <= wanted) return n - rounds;
  }
  return null;
}

export interface MetricCase extends Pick<ComparedMetric, 'of' | 'delta' | 'method' | 'byMechanism'> {
  /** `null`: too few blocks for an interval; `ratio` is shown alone then. */
  difference: Difference | null;
  ratio: number;
  /** Rounds that both have; null across runs, where more of them would not help. */
  rounds: number | null;
  /** What would decide where more rounds would not. */
  cure?: ComparedCure | undefined;
}

/**
 * The verdict of two kinds of evidence: the figures, and the mechanism, which says that both are the same. Figures that do not deny it leave it standing; where they
 * deny it, neither is believed alone.
 */
function withMechanism(verdict: Verdict, { ciLow, ciHigh }: Ratio, moreIsBetter: boolean): Verdict {
  if (verdict === 'same' || ciLow === null || ciHigh === null) return verdict;
  return verdict === 'unknown' && moreIsBetter ? 'same' : 'unknown';
}

export function comparedMetric(found: MetricCase): ComparedMetric {
  const { difference, of, delta, rounds, method } = found;
  const ratio: Ratio =
    difference === null
      ? { mean: found.ratio, ciLow: null, ciHigh: null }
      : { mean: difference.ratio, ciLow: difference.ciLow, ciHigh: difference.ciHigh };
  const moreIsBetter = of === 'throughput';
  const byFigures = verdictOf(ratio, moreIsBetter, delta);
  const verdict = found.byMechanism === undefined ? byFigures : withMechanism(byFigures, ratio, moreIsBetter);
  const byMechanism = verdict === byFigures ? undefined : found.byMechanism;
  // What hit one process and not the other goes with it.
  const denied = byMechanism !== undefined && verdict === 'unknown';
  const open = verdict === 'unknown' && difference !== null;
  const cure = denied ? 'fresh-processes' : rounds === null ? (found.cure ?? 'side-by-side') : 'rounds';
  return {
    of,
    ratio,
    verdict,
    delta,
    ...(open ? { cure } : {}),
    moreRounds: open && !denied && rounds !== null ? moreRoundsFor(difference, rounds, delta) : null,
    method,
    ...(byMechanism === undefined ? {} : { byMechanism }),
    ...(difference === null ? {} : { chance: chanceOf(difference) }),
  };
}

/** Two-sided, by Student’s t. */
function chanceOf({ logRatio, standardError, degreesOfFreedom }: Difference): number {
  if (standardError === 0) return logRatio === 0 ? 1 : 0;
  return Math.min(1, 2 * studentTProbability(-Math.abs(logRatio) / standardError, degreesOfFreedom));
}
