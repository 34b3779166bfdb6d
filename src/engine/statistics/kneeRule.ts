import type { BlockStatistics, SettingBlocks } from './blockStatistics.ts';
import { type Chance, chancesOf } from './chances.ts';
import { reachOf } from './moments.ts';

/** Fewer rounds than this allow no claim, and fewer than `confirmRounds` none that is called confirmed. */
export const claimRounds = 3;
export const confirmRounds = 5;

export type KneeStatus = 'confirmed' | 'plausible' | 'undecided';

/** What the knee rule finds; see {@link findKnee}. */
export interface Knee<C> {
  best: C;
  /** The answer. */
  confirmed: C;
  /** The smallest value that may be enough, at most `confirmed`. */
  plausible: C;
  /** False: `confirmed` is at best likely. */
  proven: boolean;
  /** How probable it is that `confirmed` is right. */
  chance: number;
  /** `confirmed` is enough, and what a smaller value costs is known, though not on which side of δ that is. */
  byCost: boolean;
  /** Of all values that were measured. */
  chances: ReadonlyMap<C, Chance>;
  /** The mechanism bounds what more than `confirmed` could gain: larger values need not be distinguished from it. */
  byMechanism: boolean;
  /**
   * Larger than `confirmed`, and by the figures better, though by the mechanism they are the same and the figures are not sure enough to deny it; absent
   * mostly.
   */
  denied?: C;
  /** Fewest rounds that any of the three was measured in; of those that the mechanism speaks for, at least two. */
  rounds: number;
}

export interface KneeOptions<C> {
  delta: number;
  /** Never to be recommended, whatever its throughput (errors, latency). It still counts as a rival. */
  barred?: (candidate: C) => boolean;
  /** Whether the mechanism says that no larger value gains more than δ; see `mechanism.ts`. */
  enough?: (candidate: C) => boolean;
  /** Whether it says that two are the same: figures must be surer then to be believed against it. */
  alike?: (a: C, b: C) => boolean;
  /** Whether the second is too large where the first, which is smaller, is enough; left out: where it is not the next one. */
  isFarBelow?: (smaller: C, one: C) => boolean;
}

/**
 * Figures that deny what the mechanism says of both are mostly those of a burst that hit one of them; so sure they are believed: then what is waited for was
 * not seen.
 */
export const againstMechanism = 0.999;

/** Right in so many cases of a hundred: an answer that is called likely, and one that is called proven. */
const likelyConfidence = 0.8;
const provenConfidence = 0.95;
/** Of several that are right about as probably as the most probable one, the smallest is the answer. */
const nearly = 0.05;
/** A smaller value may be enough, too, from this probability on. */
const maybe = 0.1;
/** A smaller value is named with what it costs up to so many times δ. */
export const cheapDeltas = 3;
/** A value is an answer next to a smaller one of known cost where it is enough with this probability. */
const surelyEnough = 0.9;

/**
 * The knee rule: the answer is the smallest value that is probably right, which is to say within δ of the best while none far below it is (`chancesOf`). To be
 * within δ of the largest mean alone would not do: on a noisy machine that mean belongs by luck to a value that is not the best. A value that the mechanism
 * says is enough is within δ of all larger ones, unless the figures prove one of them better that may differ from it. `smallestFirst` is in the order of
 * smallness. `null` when there are no two values with two blocks each.
 */
export function findKnee<C extends SettingBlocks>(
  smallestFirst: readonly C[],
  statistics: BlockStatistics,
  options: KneeOptions<C>,
): Knee<C> | null {
  const measured = smallestFirst.filter((candidate) => candidate.blocks.length >= 2);
  const mean = ({ key }: C): number => statistics.meanOf(key);
  const [first] = measured;
  if (first === undefined || measured.length < 2) return null;
  const best = measured.reduce((leader, candidate) => (mean(candidate) > mean(leader) ? candidate : leader), first);
  const margin = Math.log(1 - options.delta);
  const allowed = measured.filter((candidate) => options.barred?.(candidate) !== true);
  const eligible = allowed.length === 0 ? [best] : allowed;
  const place = new Map(measured.map((candidate, index) => [candidate, index]));
  const steps = (from: C, to: C): number => (place.get(to) ?? 0) - (place.get(from) ?? 0);
  const beats = (rival: C, candidate: C, level: number): boolean =>
    steps(candidate, rival) > 0 && largestRatio(candidate.key, rival.key, statistics, level) < margin;
  const isDenied = (candidate: C): boolean =>
    measured.some((rival) => beats(rival, candidate, options.alike?.(rival, candidate) === true ? againstMechanism : 0.95));
  const mechanism = new Set(eligible.filter((candidate) => options.enough?.(candidate) === true && !isDenied(candidate)));

  const isFar = options.isFarBelow ?? ((smaller: C, one: C): boolean => steps(smaller, one) > 1);
  const chances = chancesOf(measured, best, statistics, {
    delta: options.delta,
    isFarBelow: (smaller, one) => eligible.includes(smaller) && isFar(smaller, one),
    isBound: (candidate) => mechanism.has(candidate),
  });
  const right = (candidate: C): number => chances.get(candidate)?.right ?? 0;
  const enough = (candidate: C): number => chances.get(candidate)?.enough ?? 0;
  const most = Math.max(...eligible.map(right));
  const costed = most < likelyConfidence ? answerByCost(eligible, statistics, { delta: options.delta, enough }) : undefined;
  const confirmed = costed ?? eligible.find((one) => right(one) >= Math.min(provenConfidence, most - nearly)) ?? best;
  const smallest = eligible.find((one) => enough(one) >= maybe) ?? confirmed;
  const plausible = steps(smallest, confirmed) < 0 ? confirmed : smallest;
  const byMechanism = mechanism.has(confirmed);
  const rounds = Math.min(confirmed.blocks.length, plausible.blocks.length, byMechanism ? Number.POSITIVE_INFINITY : best.blocks.length);
  const chance = right(confirmed);
  const denied = byMechanism ? measured.find((rival) => beats(rival, confirmed, 0.95)) : undefined;
  const byCost = costed !== undefined;
  const found = { best, confirmed, plausible, proven: chance >= provenConfidence, chance, byCost, chances, byMechanism, rounds };
  return denied === undefined ? found : { ...found, denied };
}

/**
 * The smallest value that is surely enough, where every smaller one that may be enough, too, is known to cost something, and at most three times δ: the user
 * chooses between them by that cost. Undefined where a cost is open.
 */
function answerByCost<C extends SettingBlocks>(
  eligible: readonly C[],
  statistics: BlockStatistics,
  { delta, enough }: { delta: number; enough: (candidate: C) => number },
): C | undefined {
  const answer = eligible.find((one) => enough(one) >= surelyEnough);
  const doubtful = eligible.slice(0, answer === undefined ? 0 : eligible.indexOf(answer)).filter((one) => enough(one) >= maybe);
  const isCosted = ({ key }: C): boolean => {
    const ratio = answer === undefined ? null : ratioToBest(key, answer.key, statistics);
    return ratio !== null && ratio.ciHigh < 1 && 1 - ratio.ciLow <= cheapDeltas * delta;
  };
  return doubtful.length > 0 && doubtful.every(isCosted) ? answer : undefined;
}

/**
 * A ratio to the best with its interval; null where both cannot be compared. The same blocks decided which one is the best, and luck makes the best look too good. The error is therefore shared
 * among up to three rivals that might have appeared as the best (Bonferroni), which in simulations makes the intervals hold the truth 95 times in 100; of two
 * candidates the interval is the ordinary one.
 */
export function ratioToBest(
  key: string,
  best: string,
  statistics: BlockStatistics,
): { mean: number; ciLow: number; ciHigh: number } | null {
  const gap = statistics.difference(key, best);
  if (gap === null) return null;
  const rivals = Math.min(3, Math.max(1, statistics.intervals.size - 1));
  const halfWidth = reachOf(gap, 1 - 0.025 / rivals);
  return { mean: gap.ratio, ciLow: Math.exp(gap.logRatio - halfWidth), ciHigh: Math.exp(gap.logRatio + halfWidth) };
}

/** The upper one-sided limit of ln(value/rival): what the value loses at least. +∞ where nothing is known. */
export function largestRatio(key: string, rival: string, statistics: BlockStatistics, level = 0.95): number {
  const gap = statistics.difference(key, rival);
  return gap === null ? Number.POSITIVE_INFINITY : gap.logRatio + reachOf(gap, level);
}

/**
 * *Confirmed* with an answer that is proven, from five rounds (three where the mechanism speaks for it too); *plausible* with an answer that is
 * right in four cases of five, or of which it is known what a smaller value costs; *undecided* before there were rounds enough for any claim, and while the
 * answer may still turn over.
 */
export function kneeStatus<C>(found: Knee<C>): KneeStatus {
  if (found.rounds < claimRounds) return 'undecided';
  if (found.proven && found.rounds >= (found.byMechanism ? claimRounds : confirmRounds)) return 'confirmed';
  return found.byCost || found.chance >= likelyConfidence ? 'plausible' : 'undecided';
}

/** After so many more rounds it is looked whether they would decide; beyond the last of them it is better to choose than to measure on. */
const looked = [1, 2, 3, 4, 6, 8, 12, 16, 24, 32] as const;

/**
 * How many more rounds would decide what is open, where they show what those before did: by the same differences, of which the error falls with the root of
 * the rounds. `null` where none that are worth their time would.
 */
export function missingRounds<C extends SettingBlocks>(
  found: Knee<C>,
  smallestFirst: readonly C[],
  statistics: BlockStatistics,
  options: KneeOptions<C>,
): number | null {
  const ranks: readonly KneeStatus[] = ['undecided', 'plausible', 'confirmed'];
  const rankOf = (knee: Knee<C>): number => ranks.indexOf(kneeStatus(knee));
  const rounds = Math.max(1, found.rounds);
  const decides = (more: number): boolean => {
    const later = findKnee(smallestFirst, withErrors(statistics, Math.sqrt(rounds / (rounds + more))), options);
    return later !== null && rankOf({ ...later, rounds: found.rounds + more }) > rankOf(found);
  };
  return looked.find(decides) ?? null;
}

/** The same differences, with errors that are so many times as large. */
function withErrors(statistics: BlockStatistics, times: number): BlockStatistics {
  return {
    ...statistics,
    difference(a, b) {
      const gap = statistics.difference(a, b);
      return gap === null ? null : { ...gap, standardError: times * gap.standardError };
    },
  };
}
