import type { Block } from '../../model/domain/run.ts';
import type { Ratio } from '../../model/domain/tuning.ts';
import type { SettingValues, WatchedPart } from '../../model/domain/setting.ts';
import { SeededRandom } from './seededRandom.ts';
import type { BlockStatistics, CountedBlock, Difference } from './blockStatistics.ts';
import { blockStatistics, interferenceShare } from './blockStatistics.ts';
import { reachOf } from './moments.ts';
import { claimRounds, confirmRounds, findKnee, kneeStatus, largestLoss, missingRounds } from './kneeRule.ts';
import type { Knee, KneeStatus } from './kneeRule.ts';
import { isCompared } from './comparedPair.ts';
import { bothAmple, enoughShare, waitLimits } from './mechanism.ts';
import { neighbours } from './neighbours.ts';
import { valuesPhrase } from './valuesPhrase.ts';
import { throughputSlices } from './sliceSeries.ts';
import type { SliceValue } from './sliceSeries.ts';

/** One combination of values. `cost` is its place in the order of smallness, and no two have the same. */
export interface TunedCandidate {
  key: string;
  values: SettingValues;
  cost: number;
}

export interface SearchOptions {
  /** What may be given up for a smaller setting. */
  delta: number;
  seed: number;
  /** A candidate halfway between two neighbours; `null` where there is none. */
  between?: (a: TunedCandidate, b: TunedCandidate) => TunedCandidate | null;
  /** One that is larger than the largest; `null` where there can be none. */
  beyond?: (largest: TunedCandidate) => TunedCandidate | null;
  /** Two values, and not only whether the smaller is enough: continue until they are distinguished, or known to be the same to within δ. */
  comparing?: boolean;
}

export interface SearchRound {
  /** From 1. */
  round: number;
  /** For people: "Round 3: 4, 8 and 16 against the best". */
  stage: string;
  /** In the order of measuring. */
  candidates: TunedCandidate[];
}

/** A block that counts: throughput, and the share of a request's time that was spent waiting for what is tuned. */
export interface SearchedBlock extends CountedBlock {
  waitShare?: number | null;
}

/** A candidate with its valid blocks. */
export interface MeasuredCandidate extends TunedCandidate {
  blocks: SearchedBlock[];
  /** Blocks that were asked for and recorded, valid or not. */
  attempts: number;
  /** Mean share of errors of its valid blocks. */
  errorShare: number;
  /** Not asked for: a midpoint or a larger one that the search added. */
  inserted: boolean;
}

export interface SearchFinding {
  knee: Knee<MeasuredCandidate> | null;
  status: KneeStatus;
  /** True when more rounds would not change the answer. */
  decided: boolean;
  /** Ratio to the best by key; a candidate with fewer than two blocks has none, and that of the best has no interval. */
  ratios: Map<string, Ratio>;
  /** By key of the candidate. */
  statistics: BlockStatistics;
  /** About how many more rounds would decide; 0 when decided, `null` when no number that could be afforded would do. */
  moreRounds: number | null;
}

/** A setting whose errors exceed those of another that is as fast by more than this share is never recommended. */
export const errorMargin = 0.001;
/** Rounds of the whole grid before the search narrows. */
export const gridRounds = 2;
/** A candidate without a valid block is tried this often before it is given up. */
const mostAttempts = 3;
/**
 * Looking after each round and stopping at the first that decides is looking many times. So each look asks for more than the answer at the end does,
 * and two looks in a row must agree; simulated as a whole (`npm run bench simulation`).
 */
const stoppingConfidence = 0.975;
const looksThatAgree = 2;
/** No burst takes a fifth of the throughput of one value in each of two rounds, and of no other. */
const farBehind = 0.8;
/** Before that a burst that hit one of two copies looks like a difference. */
const leastComparedRounds = 8;

/** Blocks that a search of `count` candidates needs for a claim, and for one that may be called confirmed. */
export function blocksNeeded(count: number): { claim: number; confirmed: number } {
  const narrowed = Math.min(count, 4);
  const grid = Math.min(gridRounds, claimRounds) * count;
  return { claim: grid + (claimRounds - gridRounds) * narrowed, confirmed: grid + (confirmRounds - gridRounds) * narrowed };
}

/** Throughput statistics and the knee of candidates, smallest first; what the search and the answer both rest on. */
export function judgeCandidates(
  candidates: readonly MeasuredCandidate[],
  delta: number,
  barred: (key: string) => boolean = () => false,
  confidence = 0.95,
  statistics = blockStatistics(candidates),
): { statistics: BlockStatistics; knee: Knee<MeasuredCandidate> | null } {
  const mean = ({ key }: MeasuredCandidate): number => statistics.meanOf(key);
  const best = candidates
    .filter(({ blocks }) => blocks.length >= 2)
    .reduce<MeasuredCandidate | null>((leader, one) => (leader === null || mean(one) > mean(leader) ? one : leader), null);
  // Which of several equals has the largest mean is luck: the one with the fewest errors sets the measure.
  const equals = candidates.filter((one) => one.blocks.length >= 2 && best !== null && mean(one) >= (1 - delta) * mean(best));
  const allowedErrors = Math.min(...equals.map(({ errorShare }) => errorShare)) + errorMargin;
  const knee = findKnee(
    [...candidates].sort((a, b) => a.cost - b.cost),
    statistics,
    {
      delta,
      confidence,
      barred: (candidate) => candidate.errorShare > allowedErrors || barred(candidate.key),
      enough: (candidate) => isEnough(candidate, delta),
      alike: bothAmple,
    },
  );
  return { statistics, knee };
}

/** Whether waiting for what is tuned takes so little of a request's time that more of it cannot gain more than δ. */
export function isEnough(candidate: Pick<MeasuredCandidate, 'blocks'>, delta: number): boolean {
  const waits = waitLimits(candidate);
  return waits !== null && waits.high <= enoughShare(delta);
}

/**
 * Which blocks to measure next, until the smallest value that is enough is known. First two rounds of the whole grid, shuffled and then
 * reversed; from then on only those that can still change the answer: the smallest that may be enough, its neighbours, and the best.
 * In simulations of a drifting machine this needs less than half of the time of complete rounds (see `test/bench/tuning`).
 */
export class TuningSearch {
  readonly #options: SearchOptions;
  readonly #random: SeededRandom;
  readonly #measured: MeasuredCandidate[];
  /** Keys of each round, in order. */
  readonly #rounds: string[][] = [];
  #finding: SearchFinding | null = null;
  /** Values that the last looks would have stopped with, the newest last; null where a look would not have stopped. */
  readonly #looks: (string | null)[] = [];
  /** For two values that are compared: whether each look distinguished them or found them the same. */
  readonly #compared: boolean[] = [];

  constructor(candidates: readonly TunedCandidate[], options: SearchOptions) {
    this.#options = options;
    this.#random = new SeededRandom(options.seed);
    this.#measured = [...candidates]
      .sort((a, b) => a.cost - b.cost)
      .map((candidate) => ({ ...candidate, blocks: [], attempts: 0, errorShare: 0, inserted: false }));
  }

  /** The candidates with their measurements, smallest first, including inserted ones. */
  get measured(): readonly MeasuredCandidate[] {
    return this.#measured;
  }

  get roundsDone(): number {
    return this.#rounds.length;
  }

  /**
   * Notes a block. `throughput` in requests/s, `null` when the block was discarded; `errorShare` is errors over requests, `waitShare` that of a request's time spent
   * waiting for what is tuned, both 0 … 1.
   */
  record(
    round: number,
    key: string,
    throughput: number | null,
    errorShare = 0,
    waitShare: number | null = null,
    slices?: readonly SliceValue[],
  ): void {
    const candidate = this.#measured.find((one) => one.key === key);
    if (candidate === undefined) throw new RangeError(`${key} is no candidate of this search`);
    candidate.attempts += 1;
    if (throughput !== null && throughput > 0) {
      candidate.errorShare = (candidate.errorShare * candidate.blocks.length + errorShare) / (candidate.blocks.length + 1);
      candidate.blocks.push({ round, throughput, waitShare, slices });
    }
    this.#finding = null;
  }

  /** `null` when it is decided, or when nothing more can be decided within `blocksLeft`. */
  nextRound(blocksLeft: number): SearchRound | null {
    const round = this.#rounds.length + 1;
    if (this.#measured.length === 0) return null;
    if (this.#rounds.length < gridRounds || this.#measured.length === 1) return this.#gridRound(round, blocksLeft);
    const chosen = this.#wanted(blocksLeft);
    if (chosen === null) return null;
    const inOrder = this.#inOrder(chosen);
    const best = this.finding().knee?.best;
    const others = chosen.filter((candidate) => candidate !== best).sort((a, b) => a.cost - b.cost);
    const against = others.length === chosen.length ? '' : ' against the best';
    return this.#start(round, `Round ${round}: ${valuesPhrase(others, this.#measured)}${against}`, inOrder);
  }

  /** Notes a block with its judgement; null: it could not be measured. */
  observe(round: number, key: string, block: Block | null, resource: WatchedPart | null): void {
    const attempts = block === null ? 0 : block.requests + block.errors.total;
    this.record(
      round,
      key,
      block?.valid === true ? block.throughput : null,
      block === null || attempts === 0 ? 0 : block.errors.total / attempts,
      resource === null ? null : (block?.waits?.[resource] ?? null),
      block?.slices === undefined
        ? undefined
        : throughputSlices(block.slices, { alike: false, taken: interferenceShare(block.interference) }),
    );
  }

  /** Notes a round that the caller planned and that is measured now, with the keys in its order. */
  foreignRound(keys: readonly string[]): void {
    this.finding();
    this.#rounds.push([...keys]);
    this.#finding = null;
  }

  finding(): SearchFinding {
    this.#finding ??= this.#judge();
    return this.#finding;
  }

  #judge(): SearchFinding {
    const { delta } = this.#options;
    const { statistics, knee } = judgeCandidates(this.#measured, delta);
    const ratios = new Map<string, Ratio>();
    for (const { key } of knee === null ? [] : this.#measured) {
      const gap = key === knee?.best.key ? null : statistics.difference(key, knee?.best.key ?? '');
      if (key === knee?.best.key) ratios.set(key, { mean: 1, ciLow: null, ciHigh: null });
      else if (gap !== null) ratios.set(key, ratioToBest(gap, statistics.intervals.size));
    }
    const status = knee === null ? 'undecided' : kneeStatus(knee);
    const decided = this.#isDecided(statistics);
    const moreRounds = decided ? 0 : knee === null ? null : missingRounds(knee, statistics, delta);
    return { knee, status, decided, ratios, statistics, moreRounds };
  }

  /** Looks once a round: whether this look and those before it would all stop with the same answer. */
  #isDecided(statistics: BlockStatistics): boolean {
    const rounds = this.#rounds.length;
    const { knee } = judgeCandidates(this.#measured, this.#options.delta, undefined, stoppingConfidence, statistics);
    this.#looks[rounds] = knee !== null && kneeStatus(knee) === 'confirmed' ? knee.confirmed.key : null;
    const needed = knee?.byMechanism === true ? 1 : looksThatAgree;
    const last = Array.from({ length: needed }, (_, back) => this.#looks[rounds - back] ?? null);
    const decided = last.every((key) => key !== null && key === last[0]);
    if (this.#options.comparing !== true || this.#measured.length > 2) return decided;
    this.#compared[rounds] = isCompared(this.#measured, statistics, { delta: this.#options.delta, confidence: stoppingConfidence });
    return decided && rounds >= leastComparedRounds && this.#compared[rounds] === true && this.#compared[rounds - 1] === true;
  }

  #gridRound(round: number, blocksLeft: number): SearchRound | null {
    const alone = this.#measured.length === 1;
    const [only] = this.#measured;
    // A lone value has nothing to be compared with; three blocks give it an interval.
    if (alone && (only === undefined || only.blocks.length >= claimRounds || only.attempts > claimRounds)) return null;
    if (blocksLeft < this.#measured.length) return null;
    const stage = alone
      ? `Round ${round}: ${valuesPhrase(this.#measured, this.#measured)}`
      : `Round ${round}: all ${this.#measured.length} values`;
    return this.#start(round, stage, this.#inOrder(this.#measured));
  }

  #start(round: number, stage: string, candidates: MeasuredCandidate[]): SearchRound {
    this.#rounds.push(candidates.map(({ key }) => key));
    return { round, stage, candidates };
  }

  /** Odd rounds are shuffled; even ones reverse the one before, with whatever is new at the end of the old order. */
  #inOrder(chosen: readonly MeasuredCandidate[]): MeasuredCandidate[] {
    const order = this.#random.shuffled(chosen);
    const previous = this.#rounds.at(-1);
    if (previous === undefined || this.#rounds.length % 2 === 0) return order;
    return order.sort((a, b) => previous.indexOf(b.key) - previous.indexOf(a.key));
  }

  /** The candidates of the next round after the grid, at least two; `null` to stop. */
  #wanted(blocksLeft: number): MeasuredCandidate[] | null {
    const { knee } = this.finding();
    const unmeasured = this.#measured.filter(({ blocks, attempts }) => blocks.length < 2 && attempts > 0 && attempts < mostAttempts);
    if (knee === null) {
      const some = this.#measured.filter(({ blocks }) => blocks.length > 0);
      const retry = [...new Set([...some, ...unmeasured])].filter(({ attempts }) => attempts < mostAttempts);
      return retry.length >= 2 && retry.length <= blocksLeft ? retry : null;
    }
    const chosen = this.#contenders(knee);
    for (const candidate of unmeasured) if (this.#mightMatter(candidate, knee)) chosen.add(candidate);
    const inserted = this.#insertLarger(knee, blocksLeft, chosen.size) ?? this.#insertMidpoint(knee, blocksLeft, chosen.size);
    if (inserted !== null) chosen.add(inserted).add(knee.best).add(knee.confirmed);
    const open = inserted !== null || !this.finding().decided || unmeasured.some((candidate) => chosen.has(candidate));
    if (!open) return null;
    const list = [...chosen].slice(0, Math.max(2, blocksLeft));
    return list.length < 2 || blocksLeft < list.length ? null : list;
  }

  /**
   * Most wanted first: the best, the two ends of the range, the rivals that the smallest good one is not yet known to match,
   * then its neighbours.
   */
  #contenders(knee: Knee<MeasuredCandidate>): Set<MeasuredCandidate> {
    const { delta } = this.#options;
    const { ratios, statistics } = this.finding();
    const smallest = this.#smallestGood(knee);
    const chosen = new Set([knee.best, knee.plausible, smallest]);
    const margin = Math.log(1 - delta);
    const unmatched = this.#measured
      .filter((rival) => rival !== smallest && rival.blocks.length > 0)
      .map((rival) => ({ rival, loss: largestLoss(smallest.key, rival.key, statistics) }))
      .filter(({ loss }) => loss <= margin)
      .sort((a, b) => a.loss - b.loss);
    for (const { rival } of unmatched.slice(0, 2)) chosen.add(rival);
    const around = neighbours(this.#measured, smallest);
    // A value that is known to lose more than δ by a wide margin gets no more time. In too few rounds for a claim a burst may have hit it in each, unless it is
    // far behind.
    const lost = ({ key, blocks }: MeasuredCandidate): boolean =>
      (ratios.get(key)?.ciHigh ?? 1) < (blocks.length >= claimRounds ? (1 - delta) ** 2 : farBehind);
    for (const candidate of around.below) if (candidate.blocks.length > 0 && !lost(candidate)) chosen.add(candidate);
    for (const candidate of around.above) if (chosen.size < 4 && candidate.blocks.length > 0 && !lost(candidate)) chosen.add(candidate);
    const rest = this.#measured
      .filter((one) => !chosen.has(one) && one.blocks.length > 0)
      .sort((a, b) => statistics.meanOf(b.key) - statistics.meanOf(a.key));
    // Two alone would leave the error to be estimated from one difference a round.
    for (const candidate of rest.slice(0, Math.max(0, 3 - chosen.size))) chosen.add(candidate);
    return chosen;
  }

  /** The smallest whose mean is within δ of the best, proven or not. */
  #smallestGood(knee: Knee<MeasuredCandidate>): MeasuredCandidate {
    const { statistics } = this.finding();
    const enough = (1 - this.#options.delta) * statistics.meanOf(knee.best.key);
    return this.#measured.find(({ key, blocks }) => blocks.length >= 2 && statistics.meanOf(key) >= enough) ?? knee.best;
  }

  /** Whether a value without a figure could be the answer, or could be better than the best. */
  #mightMatter(candidate: MeasuredCandidate, knee: Knee<MeasuredCandidate>): boolean {
    const largerThatLoses = this.#measured.some(
      (one) => one.cost > candidate.cost && one.cost < knee.plausible.cost && one.blocks.length >= 2,
    );
    return candidate.cost < knee.plausible.cost ? !largerThatLoses : true;
  }

  /**
   * Between the smallest that is enough and the one below it, when they are a factor of two or more apart, there is time to judge one more,
   * and it promises to be enough. The coarse answer comes first: a midpoint is often close to the margin, and would use up the time that
   * the answer needs.
   */
  #insertMidpoint(knee: Knee<MeasuredCandidate>, blocksLeft: number, contenders: number): MeasuredCandidate | null {
    const { between, delta } = this.#options;
    if (between === undefined || !this.finding().decided || blocksLeft < claimRounds * Math.max(3, contenders + 1)) return null;
    const { statistics } = this.finding();
    const mean = ({ key }: MeasuredCandidate): number => statistics.meanOf(key);
    const smallest = this.#smallestGood(knee);
    for (const below of neighbours(this.#measured, smallest).below) {
      const factor = sizeFactor(below, smallest);
      if (factor === null || factor < 2) continue;
      const middle = between(below, smallest);
      if (middle === null || this.#measured.some(({ key }) => key === middle.key)) continue;
      const growth = sizeFactor(below, middle);
      if (growth === null || this.#promised(below, smallest, growth, mean) < (1 - delta) * mean(knee.best)) continue;
      return this.#insert(middle);
    }
    return null;
  }

  /** Beyond the largest, where all smaller ones look as if they lost more than δ against it and requests still wait there. */
  #insertLarger(knee: Knee<MeasuredCandidate>, blocksLeft: number, contenders: number): MeasuredCandidate | null {
    const { beyond, delta } = this.#options;
    const largest = this.#measured.at(-1);
    if (beyond === undefined || largest === undefined || blocksLeft < claimRounds * Math.max(3, contenders + 1)) return null;
    if (this.#smallestGood(knee) !== largest || isEnough(largest, delta)) return null;
    const larger = beyond(largest);
    return larger === null || this.#measured.some(({ key }) => key === larger.key) ? null : this.#insert(larger);
  }

  #insert(candidate: TunedCandidate): MeasuredCandidate {
    const added: MeasuredCandidate = { ...candidate, blocks: [], attempts: 0, errorShare: 0, inserted: true };
    this.#measured.push(added);
    this.#measured.sort((a, b) => a.cost - b.cost);
    this.#finding = null;
    return added;
  }

  /**
   * Throughput to be expected of a value `growth` times `below`: in proportion to the size as long as throughput still grew in proportion up
   * to `below` (the size alone is the limit there), else on the straight line between its neighbours, both axes logarithmic.
   */
  #promised(below: MeasuredCandidate, above: MeasuredCandidate, growth: number, mean: (candidate: MeasuredCandidate) => number): number {
    const proportional = mean(below) * growth;
    const before = neighbours(this.#measured, below).below.find(
      (one) => sizeFactor(one, below) !== null && sizeFactor(below, above) !== null && one.blocks.length > 0,
    );
    const factorBefore = before === undefined ? null : sizeFactor(before, below);
    if (before === undefined || factorBefore === null || mean(below) >= 0.9 * factorBefore * mean(before)) return proportional;
    const share = Math.log(growth) / Math.log(sizeFactor(below, above) ?? growth);
    return Math.min(proportional, mean(below) * (mean(above) / mean(below)) ** share);
  }
}

/**
 * A ratio to the best with its interval. The same blocks decided which one is the best, and luck makes the best look too good. The error is therefore shared
 * among up to three rivals that might have appeared as the best (Bonferroni), which in simulations makes the intervals hold the truth 95 times in 100; of two
 * candidates the interval is the ordinary one.
 */
export function ratioToBest(gap: Difference, candidates: number): Ratio {
  const rivals = Math.min(3, Math.max(1, candidates - 1));
  const halfWidth = reachOf(gap, 1 - 0.025 / rivals);
  return { mean: gap.ratio, ciLow: Math.exp(gap.logRatio - halfWidth), ciHigh: Math.exp(gap.logRatio + halfWidth) };
}

/** By which factor the one setting that differs is larger in `b`; `null` when several differ, or it is not a number. */
function sizeFactor(a: TunedCandidate, b: TunedCandidate): number | null {
  const differing = Object.keys(a.values).filter((name) => a.values[name] !== b.values[name]);
  const [name] = differing;
  if (name === undefined || differing.length !== 1) return null;
  const [from, to] = [a.values[name], b.values[name]];
  return typeof from === 'number' && typeof to === 'number' && from > 0 ? to / from : null;
}
