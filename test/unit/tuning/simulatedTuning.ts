import { ratioToBest } from '../../../src/engine/statistics/kneeRule.ts';
import { type SearchFinding, type TunedCandidate, TuningSearch } from '../../../src/engine/statistics/tuningSearch.ts';
import { studentTQuantile } from '../../../src/engine/statistics/studentT.ts';
import { machineNoise, normal, tickNoise } from '../strategies/noiseModel.ts';

/** A made-up app: its candidates and the true throughput of each. */
export interface Shape {
  candidates: TunedCandidate[];
  truth(candidate: TunedCandidate): number;
}

const sizes = [1, 2, 4, 8, 16, 32, 64];

function poolCandidate(pool: number): TunedCandidate {
  return { key: `pool=${pool}`, values: { pool }, cost: pool };
}

/** Shares of 5,000 requests/s at pool sizes 1, 2, 4 … 64; straight lines over log₂ of the size in between. */
function line(shares: readonly number[]): Shape {
  return {
    candidates: sizes.map(poolCandidate),
    truth: ({ values }) => {
      const place = Math.log2(Number(values['pool']));
      const low = Math.floor(place);
      const from = shares[low] ?? 1;
      return 5000 * (from + (place - low) * ((shares[low + 1] ?? from) - from));
    },
  };
}

export const shapes: Readonly<Record<string, Shape>> = {
  plateau: line([0.125, 0.25, 0.5, 1, 1, 1, 1]),
  gentle: line([0.2, 0.4, 0.72, 0.925, 0.99, 1, 1]),
  borderline: line([0.5, 0.75, 0.9, 0.96, 0.985, 1, 1]),
  'just below': line([0.3, 0.6, 0.94, 1, 1, 1, 1]),
  'late knee': line([0.3, 0.45, 0.6, 0.72, 0.84, 0.93, 1]),
  'peak and decline': line([0.3, 0.55, 0.85, 1, 0.97, 0.88, 0.75]),
  flat: line([1, 1, 1, 1, 1, 1, 1]),
  grid: {
    candidates: [2, 4, 8, 16].flatMap((pool, i) =>
      [8, 16, 32].map((threads, j) => ({ key: `pool=${pool} threads=${threads}`, values: { pool, threads }, cost: 10 * (i + j) + i })),
    ),
    truth: ({ values }) => 5000 * Math.min(Number(values['pool']) / 8, Number(values['threads']) / 16, 1),
  },
};

export interface SimulationOptions {
  delta?: number;
  /** Seconds measured in a block, after one second of settling. */
  blockS: number;
  budgetS: number;
  /** Further error of each block, as a standard deviation of its logarithm. */
  blockSd?: number;
}

export interface Simulated {
  finding: SearchFinding;
  candidates: readonly TunedCandidate[];
  seconds: number;
  /** Throughputs of 1-s ticks by key. */
  ticks: Map<string, number[]>;
  smallestEnough: TunedCandidate;
  bestTruth: number;
}

/** One search on a machine that drifts, wanders and has episodes (see `noiseModel.ts`). */
export function simulateTuning(shape: Shape, seed: number, options: SimulationOptions, uniform: () => number): Simulated {
  const { delta = 0.05, blockS, budgetS, blockSd = 0.015 } = options;
  const gauss = normal(uniform);
  const machine = machineNoise(budgetS + 2, uniform);
  const search = new TuningSearch(shape.candidates, { delta, seed });
  const ticks = new Map<string, number[]>();
  let second = 0;
  for (;;) {
    const round = search.nextRound(Math.floor((budgetS - second) / (blockS + 1)));
    if (round === null) break;
    for (const candidate of round.candidates) {
      second += 1;
      const own = blockSd * gauss();
      const measured = tickNoise(blockS, gauss).map(
        (tick, i) => shape.truth(candidate) * Math.exp(own + tick + (machine[second + i] ?? 0)),
      );
      second += blockS;
      ticks.set(candidate.key, [...(ticks.get(candidate.key) ?? []), ...measured]);
      search.record(round.round, candidate.key, measured.reduce((sum, value) => sum + value, 0) / blockS);
    }
  }
  const bestTruth = Math.max(...search.measured.map((candidate) => shape.truth(candidate)));
  const smallestEnough = search.measured.find((candidate) => shape.truth(candidate) >= (1 - delta) * bestTruth);
  if (smallestEnough === undefined) throw new Error('no candidate is as good as the best');
  return { finding: search.finding(), candidates: search.measured, seconds: second, ticks, smallestEnough, bestTruth };
}

export interface Tally {
  experiments: number;
  /** Intervals of ratios to the best that held the true ratio, of all. */
  covered: number;
  intervals: number;
  /** Intervals between the settings of equal truth, and how many excluded 1. */
  equal: number;
  falselyDifferent: number;
  /** Recommendations that truly lose more than δ. */
  tooSmall: number;
  /** The same of those called confirmed, and how many there were. */
  confirmed: number;
  confirmedTooSmall: number;
  exact: number;
  /** Larger than need be. */
  needless: number;
  undecided: number;
  /** The truth was within the reported range. */
  inRange: number;
  seconds: number[];
}

export function emptyTally(): Tally {
  return {
    experiments: 0,
    covered: 0,
    intervals: 0,
    equal: 0,
    falselyDifferent: 0,
    tooSmall: 0,
    confirmed: 0,
    confirmedTooSmall: 0,
    exact: 0,
    needless: 0,
    undecided: 0,
    inRange: 0,
    seconds: [],
  };
}

/** Counts what one search said against the truth. */
export function tallySearch(tally: Tally, shape: Shape, simulated: Simulated, delta = 0.05): void {
  const { finding, smallestEnough, bestTruth } = simulated;
  tally.experiments += 1;
  tally.seconds.push(simulated.seconds);
  const best = finding.knee?.best;
  for (const candidate of simulated.candidates) {
    const ratio = best === undefined || candidate.key === best.key ? null : ratioToBest(candidate.key, best.key, finding.statistics);
    if (best === undefined || ratio === null) continue;
    const truth = shape.truth(candidate) / shape.truth(best);
    tally.intervals += 1;
    if (truth >= ratio.ciLow && truth <= ratio.ciHigh) tally.covered += 1;
    if (truth === 1) {
      tally.equal += 1;
      if (ratio.ciLow > 1 || ratio.ciHigh < 1) tally.falselyDifferent += 1;
    }
  }
  if (finding.status === 'undecided' || finding.knee === null) tally.undecided += 1;
  else {
    const recommended = finding.knee.confirmed;
    const wrong = shape.truth(recommended) < (1 - delta) * bestTruth;
    if (wrong) tally.tooSmall += 1;
    if (finding.status === 'confirmed') tally.confirmed += 1;
    if (finding.status === 'confirmed' && wrong) tally.confirmedTooSmall += 1;
    if (recommended.key === smallestEnough.key) tally.exact += 1;
    else if (recommended.cost > smallestEnough.cost) tally.needless += 1;
  }
  const upper =
    finding.knee === null
      ? null
      : finding.status === 'undecided'
        ? Math.max(finding.knee.confirmed.cost, finding.knee.best.cost)
        : finding.knee.confirmed.cost;
  if (finding.knee === null || (finding.knee.plausible.cost <= smallestEnough.cost && smallestEnough.cost <= (upper ?? 0)))
    tally.inRange += 1;
}

/** How many of the usual reading of the same figures go wrong. */
export interface ReferenceTally {
  experiments: number;
  covered: number;
  intervals: number;
  equal: number;
  falselyDifferent: number;
  tooSmall: number;
  exact: number;
  needless: number;
  /** Picking the largest mean: too small, exact, larger than need be. */
  maximum: { tooSmall: number; exact: number; needless: number };
}

export function emptyReference(): ReferenceTally {
  return {
    experiments: 0,
    covered: 0,
    intervals: 0,
    equal: 0,
    falselyDifferent: 0,
    tooSmall: 0,
    exact: 0,
    needless: 0,
    maximum: { tooSmall: 0, exact: 0, needless: 0 },
  };
}

/**
 * What scripts do: every 1-s tick counts as independent, Welch's t test against the largest mean, and the smallest setting that is "not
 * significantly worse" is taken; or simply the setting with the largest mean.
 */
export function tallyReference(
  tally: ReferenceTally,
  shape: Shape,
  candidates: readonly TunedCandidate[],
  ticks: ReadonlyMap<string, readonly number[]>,
  delta = 0.05,
): void {
  const seen = candidates.flatMap((candidate) => {
    const own = ticks.get(candidate.key) ?? [];
    if (own.length < 2) return [];
    const mean = own.reduce((sum, value) => sum + value, 0) / own.length;
    const variance = own.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (own.length - 1);
    return [{ candidate, mean, part: variance / own.length, n: own.length }];
  });
  const [first] = seen;
  if (first === undefined) return;
  const best = seen.reduce((leader, one) => (one.mean > leader.mean ? one : leader), first);
  const bestTruth = Math.max(...candidates.map((candidate) => shape.truth(candidate)));
  const smallestEnough = candidates.find((candidate) => shape.truth(candidate) >= (1 - delta) * bestTruth);
  const intervals = seen.map((one) => {
    const sum = one.part + best.part;
    const freedom = sum ** 2 / (one.part ** 2 / (one.n - 1) + best.part ** 2 / (best.n - 1));
    const half = studentTQuantile(0.975, Math.max(1, freedom)) * Math.sqrt(sum);
    return { one, low: (one.mean - best.mean - half) / best.mean + 1, high: (one.mean - best.mean + half) / best.mean + 1 };
  });
  for (const { one, low, high } of intervals) {
    if (one === best) continue;
    const truth = shape.truth(one.candidate) / shape.truth(best.candidate);
    tally.intervals += 1;
    if (truth >= low && truth <= high) tally.covered += 1;
    if (truth !== 1) continue;
    tally.equal += 1;
    if (low > 1 || high < 1) tally.falselyDifferent += 1;
  }
  const judge = (chosen: TunedCandidate, counts: { tooSmall: number; exact: number; needless: number }): void => {
    if (shape.truth(chosen) < (1 - delta) * bestTruth) counts.tooSmall += 1;
    else if (chosen.key === smallestEnough?.key) counts.exact += 1;
    else counts.needless += 1;
  };
  tally.experiments += 1;
  judge((intervals.find(({ one, high }) => one === best || high >= 1)?.one ?? best).candidate, tally);
  judge(best.candidate, tally.maximum);
}

/** One after the other, each in one piece, as long as the budget allows: ticks by key. */
export function simulateSequence(shape: Shape, budgetS: number, uniform: () => number): Map<string, number[]> {
  const gauss = normal(uniform);
  const machine = machineNoise(budgetS + 2, uniform);
  const seconds = Math.floor(budgetS / shape.candidates.length) - 1;
  let second = 0;
  return new Map(
    shape.candidates.map((candidate) => {
      second += 1;
      const own = 0.015 * gauss();
      const measured = tickNoise(seconds, gauss).map(
        (tick, i) => shape.truth(candidate) * Math.exp(own + tick + (machine[second + i] ?? 0)),
      );
      second += seconds;
      return [candidate.key, measured];
    }),
  );
}
