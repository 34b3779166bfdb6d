import { solveMixed } from './mixedModel.ts';
import type { MixedFit, MixedModel } from './mixedModel.ts';
import { studentTQuantile } from './studentT.ts';

/** One measured block: the logarithm of its throughput, for one setting in one round. */
export interface Cell {
  setting: string;
  round: number;
  value: number;
  /**
   * Share of the CPU that was taken away meanwhile, 0 … 1; absent or null where it is not known, which counts as the mean of the others. `taken` by the
   * hypervisor, which counts only what we wanted and did not get; `others` by programs beside ours, which also use what we leave idle.
   */
  taken?: number | null;
  others?: number | null;
}

export interface FitOptions {
  /**
   * What others used beside a setting is never its own doing. So of two versions of one program: where one waits so much that others get the CPU, its throughput tells that, and its slope
   * is its own; but bursts that hit the same of two copies in ten rounds of ten were taken for its doing, and made 2 % of more work 19 %.
   */
  othersApart?: boolean;
}

/** What two settings differ in by one round, and its weight against that of a round without disturbance (1). */
export interface RoundPair {
  round: number;
  logRatio: number;
  weight: number;
}

/** Least-squares fit of value = setting + round + slope · disturbance + error; see {@link fitAdditive}. */
export interface AdditiveFit {
  /** Mean of a setting over all rounds as it was measured: adjusted for the rounds it was not measured in and to the mean disturbance of all. */
  mean(setting: string): number;
  /** Variance of that mean, with the rounds taken as given. */
  varianceOfMean(setting: string): number;
  /** `a` less `b` at the disturbance of the quietest quarter of the blocks, see {@link quietQuantile}. */
  difference(a: string, b: string): number;
  varianceOfDifference(a: string, b: string): number;
  /** `a` less `b` at the mean disturbance of all blocks, with its variance: nothing is carried over to a quieter machine. */
  measuredDifference(a: string, b: string): { value: number; variance: number };
  /** `a` less `b` in each round that both were measured in, without what the fit ascribes to the disturbance of either block. */
  undisturbedPairs(a: string, b: string): RoundPair[];
  /** Variance of one undisturbed block about the model: the residual mean square. */
  variance: number;
  /** Not a whole number where blocks differ in weight. */
  degreesOfFreedom: number;
  /** By how much ln throughput changes with ln of the share of the CPU that was left; null where disturbance did not vary. */
  slope: number | null;
}

/**
 * What is known of the slope before anything was measured. An app that needs the CPU loses in proportion to what is taken (slope 1); measured were
 * 0 for routes that wait to 1.2 for those that compute. Settings of one target differ in it (a small pool waits where a large one computes).
 */
const slopePrior = { mean: 0.7, sd: 0.5, sdOfSettings: 0.5 } as const;
/**
 * Further scatter of a block of which a share d of a quiet block's CPU was taken: sd 0.3·d, as long as the run does not show that it is less. A theft does not hit every request alike;
 * but an app that waits for something else is hardly hit at all.
 */
const mostScatter = 0.3;
/** That a run shows less scatter: a likelihood ratio of which chance exceeds 2.71 in 10 % of cases, on either side (χ² with one degree of freedom). */
const scatterRefuted = 2.71 / 2;
/** Ratios of that scatter, for a block of which everything was taken, to the scatter of a quiet one. */
const scatterRatios = [0, 1, 2, 4, 8, 16, 32, 64, 128];
/** No variance of a block is less. */
const leastError = 1e-9;
/** Below this, differences in disturbance cannot matter. */
const leastSpread = 0.002;
/**
 * Settings are compared as they are where the machine is left alone as much as it was at times in this run: a setting that needs less of the CPU
 * suffers less from a theft, and must not win by that. Beyond what was seen nothing is extrapolated: beside a steady load, that load is the machine.
 * A quarter and not a tenth: how far that is from the mean widens the interval, and beside work that takes 30 to 75 % all the time the quietest tenth
 * is so far off that copies took twice as many rounds.
 */
const quietQuantile = 0.75;

/**
 * A setting's own part must exceed what chance makes of it (three standard errors, or as many more as that quantile of Student's t is where they are known by few rounds): of two
 * copies one is hit by more bursts, and that must stay a disturbance. By two standard errors, 2 of 34 recorded comparisons of copies beside bursts were called different, by 8 and by
 * 27 %; by three none. Bursts that come and go as the rounds do hit the same one in several in a row, with hardly any scatter: before two would have had eight rounds nothing is its own.
 */
const surelyOwn = { quantile: 0.99865, leastFreedom: 7 } as const;

interface Covariate {
  /** ln of the share of the CPU that was left, less that of a quiet block; all 0 where nothing is known of it or it did not vary. */
  fromQuiet: number[];
  /** Their mean: how far the run as a whole was from quiet. */
  mean: number;
  /** Share of a quiet block's CPU that was taken, 0 … 1: what goes on all the time (a steady load beside) makes no block worse than the others. */
  taken: number[];
  varies: boolean;
}

/**
 * What of the CPU that other programs used is a setting's own doing, by setting: a pool that waits leaves them the CPU, one that computes takes it from
 * them. The part of a setting's mean that its rounds cannot explain by chance (empirical Bayes shrinkage: Efron & Morris, JASA 68, 1973).
 */
function ownShares(cells: readonly Cell[]): Map<string, number> {
  const known = cells.flatMap(({ setting, round, others }) => (others == null ? [] : [{ setting, round, others }]));
  const meanBy = <K>(key: (cell: (typeof known)[number]) => K, value: (cell: (typeof known)[number]) => number): Map<K, number> => {
    const sums = new Map<K, [sum: number, n: number]>();
    for (const cell of known) {
      const [sum, n] = sums.get(key(cell)) ?? [0, 0];
      sums.set(key(cell), [sum + value(cell), n + 1]);
    }
    return new Map([...sums].map(([name, [sum, n]]) => [name, sum / n]));
  };
  const ofRound = meanBy(
    ({ round }) => round,
    ({ others }) => others,
  );
  const fromRound = (cell: (typeof known)[number]): number => cell.others - (ofRound.get(cell.round) ?? 0);
  const ofSetting = meanBy(({ setting }) => setting, fromRound);
  const [k, rounds] = [ofSetting.size, ofRound.size];
  const freedom = (k - 1) * (rounds - 1);
  if (k < 2 || freedom < surelyOwn.leastFreedom) return new Map();
  const residual = known.reduce((sum, cell) => sum + (fromRound(cell) - (ofSetting.get(cell.setting) ?? 0)) ** 2, 0);
  const byChance = residual / freedom / (known.length / k);
  const between = [...ofSetting.values()].reduce((sum, own) => sum + own ** 2, 0) / (k - 1);
  const surely = studentTQuantile(surelyOwn.quantile, freedom) ** 2;
  const share = between <= 0 ? 0 : Math.max(0, 1 - (surely * byChance) / between);
  return new Map([...ofSetting].map(([setting, own]) => [setting, share * own]));
}

function covariateOf(cells: readonly Cell[], { othersApart = false }: FitOptions): Covariate {
  const own = othersApart ? new Map<string, number>() : ownShares(cells);
  const left = cells.map(({ taken, others, setting }) => {
    if (taken == null && others == null) return null;
    const disturbed = (taken ?? 0) + (others == null ? 0 : others - (own.get(setting) ?? 0));
    return Math.log(1 - Math.min(0.95, Math.max(0, disturbed)));
  });
  const known = left.filter((value) => value !== null).sort((a, b) => a - b);
  const mean = known.length === 0 ? 0 : known.reduce((sum, value) => sum + value, 0) / known.length;
  const quiet = known[Math.min(known.length - 1, Math.floor(quietQuantile * known.length))] ?? 0;
  const varies = known.length > 0 && (known.at(-1) ?? 0) - (known[0] ?? 0) > leastSpread;
  return {
    fromQuiet: left.map((value) => (varies ? (value ?? mean) - quiet : 0)),
    mean: varies ? mean - quiet : 0,
    taken: left.map((value) => (varies ? Math.max(0, 1 - Math.exp((value ?? mean) - quiet)) : 0)),
    varies,
  };
}

/**
 * How much a block scatters further, as sd for each share of a quiet block's CPU that was taken: the most that the blocks do not refute, by the profile of the restricted likelihood. Few
 * blocks refute nothing, so that it stays at its most.
 */
function scatterBy(model: Omit<MixedModel, 'weights' | 'error'>, taken: readonly number[]): number {
  const tried: { scatter: number; logLikelihood: number }[] = [];
  let error = 1e-3;
  for (const ratio of scatterRatios) {
    const weights = taken.map((share) => 1 / (1 + (ratio * share) ** 2));
    // The likelihood is largest where the error is what is left over its freedom, which hangs on the error through what is known before; two turns settle it.
    for (let turn = 0; turn < 2; turn += 1) {
      const fit = solveMixed({ ...model, weights, error });
      if (fit === null || !(fit.freedom > 0)) return mostScatter;
      error = Math.max(fit.squares / fit.freedom, leastError);
    }
    const fit = solveMixed({ ...model, weights, error });
    if (fit === null) return mostScatter;
    tried.push({ scatter: ratio * Math.sqrt(error), logLikelihood: fit.logLikelihood });
    if (ratio * Math.sqrt(error) >= mostScatter) break;
  }
  const refuted = Math.max(...tried.map(({ logLikelihood }) => logLikelihood)) - scatterRefuted;
  const possible = tried.filter(({ logLikelihood }) => logLikelihood >= refuted);
  // What even the last one tried does not refute has no upper end here.
  return possible.at(-1) === tried.at(-1) ? mostScatter : Math.min(mostScatter, Math.max(...possible.map(({ scatter }) => scatter)));
}

/** Variance of one undisturbed block, and what it is known by. */
function errorOf(
  { covariance, squares }: MixedFit,
  rows: readonly Float64Array[],
  weights: readonly number[],
  degreesOfFreedom: number,
): { meanSquare: number; freedom: number } {
  // What is expected of the squares when disturbed blocks scatter no more than others: the weights less what the fit took up of them.
  // Right then, careful when they do scatter more.
  let expected = 0;
  let unequal = 0;
  const parameters = rows[0]?.length ?? 0;
  for (const [c, row] of rows.entries()) {
    const weight = weights[c] ?? 1;
    let leverage = 0;
    for (let i = 0; i < parameters; i += 1) {
      if ((row[i] ?? 0) === 0) continue;
      for (let j = 0; j < parameters; j += 1) leverage += (row[i] ?? 0) * (covariance[i * parameters + j] ?? 0) * (row[j] ?? 0);
    }
    const own = weight * (1 - weight * leverage);
    expected += own;
    unequal += own ** 2;
  }
  // Squares of unequal weight tell less of the error than their number says (Satterthwaite, Biometrics Bulletin 2, 1946).
  const freedom = weights.every((weight) => weight === 1) ? degreesOfFreedom : (degreesOfFreedom * expected ** 2) / (rows.length * unequal);
  return { meanSquare: squares / Math.max(expected, 1e-9), freedom: Math.max(1, freedom) };
}

/**
 * Fits settings, rounds and what disturbed them at once. Settings and rounds: a randomised complete block design when every setting has a block in
 * every round, the same least squares when blocks are missing, so that a void block costs one block, not its whole round (Montgomery, Design and
 * Analysis of Experiments, §4.1 and, for the covariate, §15.3). Disturbance: a slope common to all settings and a deviation from it for each, both
 * with a prior (mixed-model equations: Henderson, Biometrics 31, 1975), so that what is not known of the slopes widens the intervals in proportion to
 * how unequally the settings were disturbed. A disturbed block has less weight; the weight depends on the disturbance alone, never on the result.
 * Returns `null` when there are no degrees of freedom left, or settings are tied together by no common round.
 */
export function fitAdditive(cells: readonly Cell[], options: FitOptions = {}): AdditiveFit | null {
  const settings = [...new Set(cells.map((cell) => cell.setting))];
  const rounds = [...new Set(cells.map((cell) => cell.round))];
  const k = settings.length;
  const { fromQuiet, mean, taken, varies } = covariateOf(cells, options);
  const slopeAt = k + rounds.length - 1;
  const parameters = slopeAt + (varies ? 1 + k : 0);
  const degreesOfFreedom = cells.length - slopeAt - (varies ? 1 : 0);
  if (k < 2 || cells.length - slopeAt < 1 || degreesOfFreedom < 1) return null;

  // Round effects sum to zero (the last is minus the others), so that a setting's own parameter is its mean over the rounds.
  const place = new Map(settings.map((name, index) => [name, index]));
  const roundPlace = new Map(rounds.map((round, index) => [round, index]));
  const rows = cells.map((cell, c) => {
    const row = new Float64Array(parameters);
    const own = place.get(cell.setting) ?? 0;
    const round = roundPlace.get(cell.round) ?? 0;
    row[own] = 1;
    if (round < rounds.length - 1) row[k + round] = 1;
    else row.fill(-1, k, slopeAt);
    if (varies) {
      row[slopeAt] = fromQuiet[c] ?? 0;
      row[slopeAt + 1 + own] = fromQuiet[c] ?? 0;
    }
    return row;
  });

  const priors = varies
    ? [{ at: slopeAt, ...slopePrior }, ...settings.map((_, s) => ({ at: slopeAt + 1 + s, mean: 0, sd: slopePrior.sdOfSettings }))]
    : [];
  const model = { rows, values: cells.map(({ value }) => value), priors };
  const scatter = varies ? scatterBy(model, taken) : mostScatter;
  const weightsAt = (error: number): number[] => taken.map((share) => error / (error + (scatter * share) ** 2));

  // The weights and the priors are relative to the error, which is only known afterwards; three turns settle it.
  let error = 1e-3;
  let solved: (MixedFit & { meanSquare: number; freedom: number }) | null = null;
  for (let turn = 0; turn < (varies ? 4 : 2); turn += 1) {
    const weights = weightsAt(error);
    const fit = solveMixed({ ...model, weights, error });
    if (fit === null) return null;
    solved = { ...fit, ...errorOf(fit, rows, weights, degreesOfFreedom) };
    error = Math.max(solved.meanSquare, leastError);
  }
  if (solved === null) return null;
  const { estimates, covariance, meanSquare, freedom } = solved;
  /** Of the estimate of a setting `distance` from quiet: which parameters it consists of. */
  const parts = (setting: string, distance: number): [at: number, factor: number][] => {
    const own = place.get(setting) ?? -1;
    return varies
      ? [
          [own, 1],
          [slopeAt, distance],
          [slopeAt + 1 + own, distance],
        ]
      : [[own, 1]];
  };
  const value = (of: readonly [number, number][]): number =>
    of.reduce((sum, [at, factor]) => sum + factor * (estimates[at] ?? Number.NaN), 0);
  const variance = (of: readonly [number, number][]): number =>
    meanSquare *
    of.reduce((sum, [i, a]) => sum + of.reduce((inner, [j, b]) => inner + a * b * (covariance[i * parameters + j] ?? Number.NaN), 0), 0);
  const between = (a: string, b: string): [number, number][] => [
    [place.get(a) ?? -1, 1],
    [place.get(b) ?? -1, -1],
  ];
  const weights = weightsAt(error);
  /** A block as it would have been on a quiet machine, and how much more such blocks scatter. */
  const undisturbed = (c: number): { value: number; variance: number } => {
    const { setting, value: measured } = cells[c] ?? { setting: '', value: Number.NaN };
    const slope = varies ? (estimates[slopeAt] ?? 0) + (estimates[slopeAt + 1 + (place.get(setting) ?? 0)] ?? 0) : 0;
    return { value: measured - slope * (fromQuiet[c] ?? 0), variance: 1 / (weights[c] ?? 1) };
  };
  const undisturbedPairs = (a: string, b: string): RoundPair[] => {
    const others = new Map(cells.flatMap(({ setting, round }, c) => (setting === b ? [[round, c]] : [])));
    return cells.flatMap(({ setting, round }, c) => {
      const other = setting === a ? others.get(round) : undefined;
      if (other === undefined) return [];
      const [one, two] = [undisturbed(c), undisturbed(other)];
      return [{ round, logRatio: one.value - two.value, weight: 2 / (one.variance + two.variance) }];
    });
  };
  return {
    undisturbedPairs,
    mean: (setting) => value(parts(setting, mean)),
    varianceOfMean: (setting) => variance(parts(setting, mean)),
    difference: (a, b) => value(between(a, b)),
    varianceOfDifference: (a, b) => variance(between(a, b)),
    measuredDifference: (a, b) => {
      const both = [...parts(a, mean), ...parts(b, mean).map(([at, factor]): [number, number] => [at, -factor])];
      return { value: value(both), variance: variance(both) };
    },
    variance: meanSquare,
    degreesOfFreedom: freedom,
    slope: varies ? (estimates[slopeAt] ?? null) : null,
  };
}
