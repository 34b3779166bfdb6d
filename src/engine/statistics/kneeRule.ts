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
  const least = Math.min(provenConfidence, Math.max(...eligible.map(right)) - nearly);
  const confirmed = eligible.find((one) => right(one) >= least) ?? best;
  const smallest = eligible.find((one) => (chances.get(one)?.enough ?? 0) >= maybe) ?? confirmed;
  const plausible = steps(smallest, confirmed) < 0 ? confirmed : smallest;
  const byMechanism = mechanism.has(confirmed);
  const rounds = Math.min(confirmed.blocks.length, plausible.blocks.length, byMechanism ? Number.POSITIVE_INFINITY : best.blocks.length);
  const chance = right(confirmed);
  const denied = byMechanism ? measured.find((rival) => beats(rival, confirmed, 0.95)) : undefined;
  const found = { best, confirmed, plausible, proven: chance >= provenConfidence, chance, chances, byMechanism, rounds };
  return denied === undefined ? found : { ...found, denied };
}

/** The upper one-sided limit of ln(value/rival): what the value loses at least. +∞ where nothing is known. */
export function largestRatio(key: string, rival: string, statistics: BlockStatistics, level = 0.95): number {
  const gap = statistics.difference(key, rival);
  return gap === null ? Number.POSITIVE_INFINITY : gap.logRatio + reachOf(gap, level);
}

/**
 * *Confirmed* with an answer that is proven, from five rounds (three where the mechanism speaks for it too); *plausible* with an answer that is
 * right in four cases of five; *undecided* before there were rounds enough for any claim, and while the answer may still turn over.
 */
export function kneeStatus<C>(found: Knee<C>): KneeStatus {
  if (found.rounds < claimRounds) return 'undecided';
  if (found.proven && found.rounds >= (found.byMechanism ? claimRounds : confirmRounds)) return 'confirmed';
  return found.chance >= likelyConfidence ? 'plausible' : 'undecided';
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
