import { ratioToBest } from '../../src/engine/statistics/kneeRule.ts';
import { type SearchFinding, type TunedCandidate, TuningSearch } from '../../src/engine/statistics/tuningSearch.ts';
import type { SliceValue } from '../../src/engine/statistics/sliceSeries.ts';
import { normal, seeded } from '../unit/strategies/noiseModel.ts';
import type { StolenCpu } from './stolenCpu.ts';

/** A made-up app on a machine whose CPU is stolen. */
export interface DisturbedApp {
  candidates: TunedCandidate[];
  /** requests/s on a machine that nobody disturbs. */
  truth(candidate: TunedCandidate): number;
  /**
   * By how much throughput falls for a share of the CPU that is taken: 1 in proportion, 0.3 where requests mostly wait. `luck` is 0 … 1 and drawn
   * once for each candidate of a trial, for apps whose settings differ in it.
   */
  sensitivity(candidate: TunedCandidate, luck: number): number;
  /** Whether the question is which of two is faster, as in a run of two values. */
  comparing?: boolean;
  /** Share of a request's time that it waits for the pool, 0 … 1. */
  waitShare(candidate: TunedCandidate): number;
}

export interface DisturbedOptions {
  delta: number;
  /** Of each setting in a round, in slices. */
  blockS: number;
  budgetS: number;
  /** Standard deviation of the logarithm of one second’s throughput; it falls with the root of the length. */
  noise: number;
  /** Whether the search knows how long requests wait, as of an app with a probe. */
  mechanism: boolean;
}

export const disturbedDefaults: DisturbedOptions = { delta: 0.05, blockS: 0.6, budgetS: 60, noise: 0.05, mechanism: false };

export interface DisturbedTrial {
  finding: SearchFinding;
  candidates: readonly TunedCandidate[];
  seconds: number;
  blocks: number;
  /** Mean share of the CPU that was taken over the blocks. */
  taken: number;
}

/** Of a slice, and what turning to the next takes. */
const [sliceS, turnS] = [0.1, 0.01];

/** A hair's breadth is waited even where nobody has to; and what is seen of waits varies from block to block. */
const [leastWait, waitNoise] = [0.0008, 0.05];

/**
 * One search from a random place of the trace, driven as a tuning drives it: rounds as long as blocks are left of the budget, in which the load turns from setting
 * to setting in mirrored slices. Throughput of a slice is the truth × (1 − share stolen × sensitivity) × noise. The same seed gives the same trial.
 */
export function searchDisturbed(app: DisturbedApp, theft: StolenCpu, seed: number, options: DisturbedOptions): DisturbedTrial {
  const { delta, blockS, budgetS } = options;
  const uniform = seeded(seed);
  const gauss = normal(uniform);
  const startS = uniform() * theft.lengthS;
  const [one, other] = app.candidates;
  const compared: [string, string] | undefined = app.comparing === true && one && other ? [one.key, other.key] : undefined;
  const search = new TuningSearch(app.candidates, { delta, seed, compared });
  const luck = new Map<string, number>();
  const luckOf = ({ key }: TunedCandidate): number => {
    const own = luck.get(key) ?? uniform();
    luck.set(key, own);
    return own;
  };
  let seconds = 0;
  let blocks = 0;
  let takenS = 0;
  const passes = Math.max(2, 2 * Math.round(blockS / sliceS / 2));
  for (;;) {
    const round = search.nextRound(Math.floor((budgetS - seconds) / (blockS + passes * turnS)));
    if (round === null) break;
    const slices = new Map(round.candidates.map(({ key }): [string, SliceValue[]] => [key, []]));
    for (let pass = 1; pass <= passes; pass += 1) {
      for (const candidate of pass % 2 === 1 ? round.candidates : [...round.candidates].reverse()) {
        seconds += turnS;
        const share = theft.share(startS + seconds, startS + seconds + sliceS);
        const lost = Math.min(0.98, share * app.sensitivity(candidate, luckOf(candidate)));
        const value = app.truth(candidate) * (1 - lost) * Math.exp((options.noise / Math.sqrt(sliceS)) * gauss());
        slices.get(candidate.key)?.push({ pass, atMs: 1000 * seconds, value, byCpu: null });
        seconds += sliceS;
        takenS += share * sliceS;
      }
    }
    for (const candidate of round.candidates) {
      blocks += 1;
      const own = slices.get(candidate.key) ?? [];
      const waits = Math.min(1, Math.max(leastWait, app.waitShare(candidate)) * Math.exp(waitNoise * gauss()));
      const throughput = own.reduce((sum, { value }) => sum + value, 0) / own.length;
      search.record(round.round, candidate.key, throughput, 0, options.mechanism ? waits : null, own);
    }
  }
  return {
    finding: search.finding(),
    candidates: search.measured,
    seconds,
    blocks,
    taken: blocks === 0 ? 0 : takenS / (blocks * passes * sliceS),
  };
}

/** What one trial said against the truth. */
export interface DisturbedOutcome {
  withheld: boolean;
  confirmed: boolean;
  /** The answer loses more than δ of the best, on a machine that nobody disturbs. */
  tooSmall: boolean;
  exact: boolean;
  /** At most one value away from the smallest that is enough. */
  withinOneStep: boolean;
  /** Intervals of the ratios to the best: how many, and how many hold the true ratio. */
  intervals: number;
  covered: number;
  /** Those between settings of equal truth, and how many exclude 1, and how many exclude all of ±δ. */
  equal: number;
  falselyDifferent: number;
  calledDifferent: number;
  /** Neither within ±δ nor beyond it. */
  equalWithoutWord: number;
  /** Intervals between settings that truly differ by at least δ: how many, and how many are on the right side of 1. */
  unequal: number;
  found: number;
  seconds: number;
  taken: number;
}

export function judgeDisturbed(
  app: DisturbedApp,
  { finding, candidates, seconds, taken }: DisturbedTrial,
  delta: number,
): DisturbedOutcome {
  const bestTruth = Math.max(...candidates.map((one) => app.truth(one)));
  const isEnough = (one: TunedCandidate): boolean => app.truth(one) >= (1 - delta) * bestTruth - 1e-9 * bestTruth;
  const answer = finding.knee === null || finding.status === 'undecided' ? null : finding.knee.confirmed;
  const enough = candidates.findIndex(isEnough);
  const chosen = answer === null ? -1 : candidates.findIndex(({ key }) => key === answer.key);
  const outcome: DisturbedOutcome = {
    withheld: answer === null,
    confirmed: finding.status === 'confirmed',
    tooSmall: answer !== null && !isEnough(answer),
    exact: chosen === enough,
    withinOneStep: answer !== null && Math.abs(chosen - enough) <= 1,
    intervals: 0,
    covered: 0,
    equal: 0,
    falselyDifferent: 0,
    calledDifferent: 0,
    equalWithoutWord: 0,
    unequal: 0,
    found: 0,
    seconds,
    taken,
  };
  const best = finding.knee?.best;
  for (const candidate of best === undefined ? [] : candidates) {
    const ratio = best === undefined || candidate.key === best.key ? null : ratioToBest(candidate.key, best.key, finding.statistics);
    if (best === undefined || ratio === null) continue;
    const truth = app.truth(candidate) / app.truth(best);
    outcome.intervals += 1;
    if (truth >= ratio.ciLow && truth <= ratio.ciHigh) outcome.covered += 1;
    if (Math.abs(Math.log(truth)) < 1e-9) {
      outcome.equal += 1;
      const beyond = ratio.ciHigh < 1 - delta || ratio.ciLow > 1 / (1 - delta);
      const within = ratio.ciLow >= 1 - delta && ratio.ciHigh <= 1 / (1 - delta);
      if (ratio.ciLow > 1 || ratio.ciHigh < 1) outcome.falselyDifferent += 1;
      if (beyond) outcome.calledDifferent += 1;
      if (!beyond && !within) outcome.equalWithoutWord += 1;
    } else if (truth <= 1 - delta || truth >= 1 / (1 - delta)) {
      outcome.unequal += 1;
      if (truth < 1 ? ratio.ciHigh < 1 : ratio.ciLow > 1) outcome.found += 1;
    }
  }
  return outcome;
}
