import type { BlockStatistics, SettingBlocks } from './blockStatistics.ts';
import { reachOf } from './moments.ts';

/** Fewer rounds than this allow no claim, and fewer than `confirmRounds` none that is called confirmed. */
export const claimRounds = 3;
export const confirmRounds = 5;

export type KneeStatus = 'confirmed' | 'plausible' | 'undecided';

/** What the knee rule finds; see {@link findKnee}. */
export interface Knee<C> {
  best: C;
  /** The answer: the smallest value proven to lose less than δ; where none is, the smallest that most likely does. */
  confirmed: C;
  /** Smallest value not proven to lose more than δ. */
  plausible: C;
  /** False: `confirmed` is at best likely. */
  proven: boolean;
  /**
   * With a confidence of 80 % `confirmed` is enough, and of the smaller ones at most the next is; of those still lower none may be with the full confidence.
   * False: what the next second shows may turn it over.
   */
  likely: boolean;
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
  /** Confidence of each one-sided limit; 0.95 by default. */
  confidence?: number;
  /** Never to be recommended, whatever its throughput (errors, latency). It still counts as a rival. */
  barred?: (candidate: C) => boolean;
  /** Whether the mechanism says that no larger value gains more than δ; see `mechanism.ts`. */
  enough?: (candidate: C) => boolean;
  /** Whether it says that two are the same: figures must be surer then to be believed against it. */
  alike?: (a: C, b: C) => boolean;
}

/**
 * Figures that deny what the mechanism says of both are mostly those of a burst that hit one of them; so sure they are believed: then what is waited for was
 * not seen.
 */
export const againstMechanism = 0.999;

/** An answer that is not proven must be as likely as this to be called likely. */
export const likelyConfidence = 0.8;
/** “32, most likely; 2 may be enough” is no answer: of the values below a likely one only so many next ones may be enough. */
const mostStepsTooLarge = 2;
/** One that is only seen is the smallest that is rather enough than not; the best that was measured is the best partly by luck. */
const seenConfidence = 0.65;

/**
 * The knee rule. *Confirmed* is the smallest value of which the lower one-sided confidence limit of ln(value/rival) is above ln(1 − δ) against every rival;
 * *plausible* the smallest whose upper limit against the best reaches ln(1 − δ). To be no worse than the largest mean alone would not do: on a noisy machine
 * that mean belongs by luck to a value that is not the best. Since it has to pass against each rival, a value passes wrongly no more often than in one
 * comparison (intersection–union test: Berger, Technometrics 24, 1982; non-inferiority against the best of several treatments: Hsu, Multiple Comparisons:
 * Theory and Methods, 1996, ch. 4). Larger rivals need not be passed by a value that the mechanism says is enough, unless the figures prove one of them better
 * that may differ from it. `smallestFirst` is in the order of smallness. `null` when there are no two values with two blocks each.
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
  const confidence = options.confidence ?? 0.95;
  const margin = Math.log(1 - options.delta);
  const allowed = measured.filter((candidate) => options.barred?.(candidate) !== true);
  const eligible = allowed.length === 0 ? [best] : allowed;
  const fastest = eligible.reduce((leader, candidate) => (mean(candidate) > mean(leader) ? candidate : leader));
  const place = new Map(measured.map((candidate, index) => [candidate, index]));
  const isLarger = (rival: C, candidate: C): boolean => (place.get(rival) ?? 0) > (place.get(candidate) ?? 0);
  const beats = (rival: C, candidate: C, level = confidence): boolean =>
    isLarger(rival, candidate) && largestRatio(candidate.key, rival.key, statistics, level) < margin;
  const believed = (rival: C, candidate: C): number => (options.alike?.(rival, candidate) === true ? againstMechanism : confidence);
  const mechanism = new Set(
    eligible.filter(
      (candidate) =>
        options.enough?.(candidate) === true && measured.every((rival) => !beats(rival, candidate, believed(rival, candidate))),
    ),
  );

  const noWorse = (candidate: C, level: number): boolean =>
    measured.every(
      (rival) =>
        rival === candidate ||
        (mechanism.has(candidate) && isLarger(rival, candidate)) ||
        largestLoss(candidate.key, rival.key, statistics, level) > margin,
    );
  // What the mechanism says is enough is as good as the best: a smaller value that loses too much against it is too small.
  const [anchor] = mechanism;
  const maybeEnough = (candidate: C, level = confidence): boolean => {
    if (candidate === best && anchor === undefined) return true;
    const references = [best, ...(anchor === undefined || !isLarger(anchor, candidate) ? [] : [anchor])];
    return references.every(
      (reference) =>
        reference === candidate ||
        largestRatio(candidate.key, reference.key, statistics, level) >= margin ||
        (mechanism.has(candidate) && !beats(reference, candidate, believed(reference, candidate))),
    );
  };

  const firstAt = (level: number): C | undefined => eligible.find((candidate) => noWorse(candidate, level));
  const mayBeSmaller = (one: C, level = likelyConfidence, steps = 1): boolean => {
    const first = eligible.findIndex((candidate) => maybeEnough(candidate, level));
    return first >= 0 && eligible.indexOf(one) - first > steps;
  };
  const [provenOne, likelyOne] = [firstAt(confidence), firstAt(likelyConfidence)];
  // Where one that is proven may be too large by two steps, a smaller one that is likely is the better answer.
  const sure = provenOne !== undefined && (!mayBeSmaller(provenOne) || likelyOne === undefined || mayBeSmaller(likelyOne));
  const confirmed = (sure ? provenOne : likelyOne) ?? firstAt(seenConfidence) ?? fastest;
  const smallestMaybe = (level: number): C => {
    const first = eligible.find((candidate) => maybeEnough(candidate, level)) ?? confirmed;
    return isLarger(first, confirmed) ? confirmed : first;
  };
  const plausible = smallestMaybe(confidence);
  const byMechanism = mechanism.has(confirmed);
  const rounds = Math.min(confirmed.blocks.length, plausible.blocks.length, byMechanism ? Number.POSITIVE_INFINITY : best.blocks.length);
  const denied = byMechanism ? measured.find((rival) => beats(rival, confirmed)) : undefined;
  return {
    best,
    confirmed,
    plausible,
    proven: confirmed === provenOne,
    likely: likelyOne !== undefined && !mayBeSmaller(confirmed) && !mayBeSmaller(confirmed, confidence, mostStepsTooLarge),
    byMechanism,
    rounds,
    ...(denied === undefined ? {} : { denied }),
  };
}

/** The lower one-sided limit of ln(value/rival): what the value may lose at most. −∞ where nothing is known. */
export function largestLoss(key: string, rival: string, statistics: BlockStatistics, confidence = 0.95): number {
  const gap = statistics.difference(key, rival);
  return gap === null ? Number.NEGATIVE_INFINITY : gap.logRatio - reachOf(gap, confidence);
}

/** The upper one-sided limit of ln(value/rival): what the value loses at least. +∞ where nothing is known. */
export function largestRatio(key: string, rival: string, statistics: BlockStatistics, confidence = 0.95): number {
  const gap = statistics.difference(key, rival);
  return gap === null ? Number.POSITIVE_INFINITY : gap.logRatio + reachOf(gap, confidence);
}

/**
 * *Confirmed* with one answer that is proven, from five rounds (three where the mechanism speaks for it too); *plausible* with an answer that is
 * likely, so that at most the next smaller value may be enough instead; *undecided* before there were rounds enough for any claim, and while the
 * answer may still turn over.
 */
export function kneeStatus<C>(found: Knee<C>): KneeStatus {
  if (found.rounds < claimRounds) return 'undecided';
  const single = found.proven && found.plausible === found.confirmed;
  if (single && found.rounds >= (found.byMechanism ? claimRounds : confirmRounds)) return 'confirmed';
  return found.likely ? 'plausible' : 'undecided';
}

/** More rounds than these are not foretold. */
const mostRounds = 200;

/**
 * How many more rounds would decide what is open: the candidate that is next below the confirmed one, or the confirmed one itself; at least 1. `null` when no
 * number that could be afforded would do. The error falls with the root of the rounds.
 */
export function missingRounds<C extends SettingBlocks>(found: Knee<C>, statistics: BlockStatistics, delta: number): number | null {
  const atLeast = Math.max(claimRounds - found.rounds, 1);
  if (found.plausible === found.confirmed && found.proven)
    return Math.max(atLeast, (found.byMechanism ? claimRounds : confirmRounds) - found.rounds);
  const margin = -Math.log(1 - delta);
  const open = found.plausible === found.best ? found.confirmed : found.plausible;
  const gap = statistics.difference(open.key, found.best.key);
  if (gap === null) return null;
  const reach = reachOf(gap, 0.95);
  const rounds = Math.max(1, found.rounds);
  // One that lies at the margin would take forever: to know it within half of δ is enough.
  const needed = [Math.abs(gap.logRatio + margin), margin / 2].map((width) => Math.ceil(rounds * (reach / width) ** 2));
  const most = needed.find((all) => all <= mostRounds);
  return most === undefined ? null : Math.max(atLeast, most - found.rounds);
}
