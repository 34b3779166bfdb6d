import type { Block } from '../../model/domain/run.ts';
import type { SettingValues, WatchedPart } from '../../model/domain/setting.ts';
import { SeededRandom } from './seededRandom.ts';
import { type BlockStatistics, type CountedBlock, blockStatistics, countedBlock } from './blockStatistics.ts';
import { type Knee, type KneeOptions, type KneeStatus, claimRounds, findKnee, kneeStatus, missingRounds } from './kneeRule.ts';
import { bothAmple, enoughShare, waitLimits } from './mechanism.ts';
import { reachOf } from './moments.ts';
import { valueNames } from './valueNames.ts';
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
  /** Keys of two values, and not only whether the smaller is enough: continue until they are distinguished, or known to be the same to within δ. */
  compared?: readonly [string, string] | undefined;
  /** Whether a value needs an interval whatever one round shows of it. */
  keeps?: (candidate: TunedCandidate) => boolean;
  /** One that is larger than the largest; `null` where there can be none. */
  beyond?: (largest: TunedCandidate) => TunedCandidate | null;
}

export interface SearchRound {
  /** From 1. */
  round: number;
  /** What it is about: these values, null for all, so many, and the best where it is not one of them. */
  values: string[] | null;
  count: number;
  best: boolean;
  /** In the order of measuring. */
  candidates: TunedCandidate[];
}

/** A block that counts: throughput, and the share of a request's time that was spent waiting for what is tuned. */
export interface SearchedBlock extends CountedBlock {
  waitShare?: number | null;
}

/** A block that counts, with the wait for what is tuned; null where waits say nothing of it. */
export function searchedBlock(block: Block, resource: WatchedPart | null): SearchedBlock {
  return { ...countedBlock(block), waitShare: resource === null ? null : (block.waits?.[resource] ?? null) };
}

/** A candidate with its valid blocks. */
export interface MeasuredCandidate extends TunedCandidate {
  blocks: SearchedBlock[];
  /** Blocks that were asked for and recorded, valid or not. */
  attempts: number;
  /** Mean share of errors of its valid blocks. */
  errorShare: number;
  /** Not asked for: a larger one that the search added. */
  inserted: boolean;
}

export interface SearchFinding {
  knee: Knee<MeasuredCandidate> | null;
  status: KneeStatus;
  /** True when more rounds would not change the answer. */
  decided: boolean;
  /** By key of the candidate. */
  statistics: BlockStatistics;
}

/** Rounds of the whole grid before the search narrows. */
export const gridRounds = 2;
/**
 * A value is out after one round where two others carried more than twice as much, and its requests waited for what is tuned for half of their time or longer.
 * Both slices of a round and the mechanism would have to be wrong alike.
 */
const farBehind = 0.5;
/** A candidate without a valid block is tried this often before it is given up. */
const mostAttempts = 3;
/** Looking after each round is looking many times: two looks in a row must agree. The whole is simulated (`npm run bench simulation`). */
const looksThatAgree = 2;
/** While the answer is not proven, or a smaller value may be enough, too, there are so many rounds; then it may be as probable as this, or follow from a cost. */
const [exactRounds, sureEnough] = [8, 0.9];
/** A value gets no more of the time where the probability that it is enough is this far from none or one. */
const leastDoubt = 0.02;
/** Of two values that are compared, each look asks for a difference with more confidence than the answer at the end does. */
const stoppingConfidence = 0.975;
/**
 * That two are the same to within δ is claimed by the interval that is shown: a look that stops too early there calls a difference of about δ the same,
 * never a copy different.
 */
const samenessConfidence = 0.95;
/** Before that a burst that hit one of two copies looks like a difference; that they are the same it cannot make them look. */
const leastComparedRounds = { same: 5, different: 8 };

/** Blocks that a search of `count` candidates needs for so many rounds of those that decide. */
export function blocksNeeded(count: number, rounds: number): number {
  return gridRounds * count + (rounds - gridRounds) * Math.min(count, 4);
}

/**
 * Throughput statistics and the knee of candidates, smallest first; what the search and the answer both rest on. `moreRounds`: how many more would decide what is
 * open; see `missingRounds`.
 */
export function judgeCandidates(
  candidates: readonly MeasuredCandidate[],
  delta: number,
  barred: (key: string) => boolean = () => false,
): { statistics: BlockStatistics; knee: Knee<MeasuredCandidate> | null; moreRounds: () => number | null } {
  const statistics = blockStatistics(candidates);
  const smallestFirst = [...candidates].sort((a, b) => a.cost - b.cost);
  const options: KneeOptions<MeasuredCandidate> = {
    delta,
    barred: (candidate) => barred(candidate.key),
    enough: (candidate) => isEnough(candidate, delta),
    alike: bothAmple,
    isFarBelow: farBelowIn(candidates),
  };
  const knee = findKnee(smallestFirst, statistics, options);
  return { statistics, knee, moreRounds: () => (knee === null ? null : missingRounds(knee, smallestFirst, statistics, options)) };
}

/** Whether waiting for what is tuned takes so little of a request's time that more of it cannot gain more than δ. */
export function isEnough(candidate: Pick<MeasuredCandidate, 'blocks'>, delta: number): boolean {
  const waits = waitLimits(candidate);
  return waits !== null && waits.high <= enoughShare(delta);
}

/**
 * Which blocks to measure next, until the value to use is known. First two rounds of the grid, shuffled and then reversed, the second without what is out by
 * then; from then on the answer, the
 * best, and those of which it is not known whether they are enough. In simulations of a drifting machine this needs less than half of the time of complete
 * rounds (see `test/bench/tuning`).
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
  /** Of two values that are compared: what each look found, null where it found nothing. */
  readonly #compared: ('same' | 'different' | null)[] = [];
  readonly #barred = new Set<string>();

  constructor(candidates: readonly TunedCandidate[], options: SearchOptions) {
    this.#options = options;
    this.#random = new SeededRandom(options.seed);
    this.#measured = candidates.map((candidate) => notMeasured(candidate, false)).sort((a, b) => a.cost - b.cost);
  }

  /** The candidates with their measurements, smallest first, including inserted ones. */
  get measured(): readonly MeasuredCandidate[] {
    return this.#measured;
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
    if (this.#measured.length === 0) return null;
    if (this.#rounds.length < gridRounds || this.#measured.length === 1) return this.#gridRound(blocksLeft);
    const chosen = this.#wanted(blocksLeft);
    if (chosen === null) return null;
    const best = this.finding().knee?.best;
    const others = chosen.filter((candidate) => candidate !== best).sort((a, b) => a.cost - b.cost);
    return this.#start(others, chosen);
  }

  /** Notes a block with its judgement; null: it could not be measured. */
  observe(round: number, key: string, block: Block | null, resource: WatchedPart | null): void {
    const attempts = block === null ? 0 : block.requests + block.errors.total;
    const errorShare = block === null || attempts === 0 ? 0 : block.errors.total / attempts;
    const counted = block?.valid === true ? searchedBlock(block, resource) : null;
    this.record(round, key, counted?.throughput ?? null, errorShare, counted?.waitShare ?? null, counted?.slices);
  }

  /** Notes a round that the caller planned and that is measured now, with the keys in its order. */
  foreignRound(keys: readonly string[]): void {
    this.finding();
    this.#rounds.push([...keys]);
    this.#finding = null;
  }

  /** Keys that are not the answer from now on, whatever their throughput: their p99 is worse. They stay rivals. */
  bar(keys: readonly string[]): void {
    for (const key of keys) this.#barred.add(key);
    this.#finding = null;
  }

  finding(): SearchFinding {
    this.#finding ??= this.#judge();
    return this.#finding;
  }

  #judge(): SearchFinding {
    const { delta } = this.#options;
    const { statistics, knee } = judgeCandidates(this.#measured, delta, (key) => this.#barred.has(key));
    const status = knee === null ? 'undecided' : kneeStatus(knee);
    return { knee, status, decided: this.#isDecided(knee, statistics), statistics };
  }

  /** Looks once a round: whether this look and those before it would all stop with the same answer. */
  #isDecided(knee: Knee<MeasuredCandidate> | null, statistics: BlockStatistics): boolean {
    const rounds = this.#rounds.length;
    const isExact = knee !== null && kneeStatus(knee) === 'confirmed' && knee.plausible === knee.confirmed;
    const isSure = isExact || (knee !== null && knee.rounds >= exactRounds && (knee.byCost || knee.chance >= sureEnough));
    this.#looks[rounds] = isSure ? knee.confirmed.key : null;
    const needed = knee?.byMechanism === true ? 1 : looksThatAgree;
    const last = Array.from({ length: needed }, (_, back) => this.#looks[rounds - back] ?? null);
    const decided = last.every((key) => key !== null && key === last[0]);
    const pair = this.#comparedPair();
    if (pair.length === 0) return decided;
    const found = comparison(pair, statistics, this.#options.delta);
    this.#compared[rounds] = found;
    return decided && found !== null && rounds >= leastComparedRounds[found] && this.#compared[rounds - 1] === found;
  }

  /** The two that are compared; none of them where a larger one was added, which is then what matters. */
  #comparedPair(): MeasuredCandidate[] {
    const { compared } = this.#options;
    if (compared === undefined || this.#measured.some(({ inserted }) => inserted)) return [];
    return this.#measured.filter(({ key }) => compared.includes(key));
  }

  #gridRound(blocksLeft: number): SearchRound | null {
    const alone = this.#measured.length === 1;
    const [only] = this.#measured;
    // A lone value has nothing to be compared with; three blocks give it an interval.
    if (alone && (only === undefined || only.blocks.length >= claimRounds || only.attempts > claimRounds)) return null;
    const chosen = alone ? this.#measured : this.#withoutFarBehind();
    if (blocksLeft < chosen.length) return null;
    return this.#start(alone || chosen.length < this.#measured.length ? chosen : null, chosen);
  }

  /** Of the values that are out the largest stays: it is the one below the answer. */
  #withoutFarBehind(): MeasuredCandidate[] {
    const [, second = 0] = this.#measured.flatMap(({ blocks }) => blocks.map(({ throughput }) => throughput)).sort((a, b) => b - a);
    const out = this.#measured.filter(
      ({ blocks: [block] }) => block !== undefined && block.throughput < farBehind * second && (block.waitShare ?? 0) >= farBehind,
    );
    return this.#measured.filter((one) => one === out.at(-1) || !out.includes(one) || this.#options.keeps?.(one) === true);
  }

  /** `about`: those that are in question; null: all. */
  #start(about: readonly MeasuredCandidate[] | null, chosen: readonly MeasuredCandidate[]): SearchRound {
    const candidates = this.#inOrder(chosen);
    this.#rounds.push(candidates.map(({ key }) => key));
    const values = about === null ? null : valueNames(about, this.#measured);
    return { round: this.#rounds.length, values, count: chosen.length, best: about !== null && about.length < chosen.length, candidates };
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
    const inserted = this.#insertLarger(knee, blocksLeft, chosen.size);
    if (inserted !== null) chosen.add(inserted).add(knee.best).add(knee.confirmed);
    const open = inserted !== null || !this.finding().decided || unmeasured.some((candidate) => chosen.has(candidate));
    if (!open) return null;
    const list = [...chosen].slice(0, Math.max(2, blocksLeft));
    return list.length < 2 || blocksLeft < list.length ? null : list;
  }

  /** Most wanted first: the answer, the best, those that are compared, and those of which it is least known whether they are enough. */
  #contenders({ confirmed, best, chances }: Knee<MeasuredCandidate>): Set<MeasuredCandidate> {
    const { statistics } = this.finding();
    const unsure = [...chances]
      .map(([one, { enough }]) => ({ one, doubt: Math.min(enough, 1 - enough) }))
      .filter(({ doubt }) => doubt > leastDoubt)
      .sort((a, b) => b.doubt - a.doubt);
    const chosen = new Set([confirmed, best, ...this.#comparedPair(), ...unsure.map(({ one }) => one)]);
    // Two alone would leave the error to be estimated from one difference a round.
    const fastest = [...chances.keys()].sort((a, b) => statistics.meanOf(b.key) - statistics.meanOf(a.key));
    for (const one of fastest) if (chosen.size < 3) chosen.add(one);
    return chosen;
  }

  /** Whether a value without a figure could be the answer, or could be better than the best. */
  #mightMatter({ cost }: MeasuredCandidate, { plausible }: Knee<MeasuredCandidate>): boolean {
    const losesThoughLarger = (one: MeasuredCandidate): boolean => one.cost > cost && one.cost < plausible.cost && one.blocks.length >= 2;
    return !this.#measured.some(losesThoughLarger);
  }

  /** Beyond the largest, where that is the answer and requests still wait there. */
  #insertLarger(knee: Knee<MeasuredCandidate>, blocksLeft: number, contenders: number): MeasuredCandidate | null {
    const { beyond, delta } = this.#options;
    const largest = this.#measured.at(-1);
    if (beyond === undefined || largest === undefined || blocksLeft < claimRounds * Math.max(3, contenders + 1)) return null;
    if (knee.confirmed !== largest || isEnough(largest, delta)) return null;
    const larger = beyond(largest);
    if (larger === null || this.#measured.some(({ key }) => key === larger.key)) return null;
    const added = notMeasured(larger, true);
    this.#measured.push(added);
    this.#measured.sort((a, b) => a.cost - b.cost);
    this.#finding = null;
    return added;
  }
}

/**
 * What is known of two values that are compared: that one is better, or that they are the same to within δ. Where nobody waits at either they are the same by
 * the mechanism, and figures that do not contradict it are enough. Null while nothing is, and without two.
 */
function comparison([a, b]: readonly MeasuredCandidate[], statistics: BlockStatistics, delta: number): 'same' | 'different' | null {
  const gap = a === undefined || b === undefined ? null : statistics.difference(a.key, b.key);
  if (a === undefined || b === undefined || gap === null) return null;
  const reach = (wanted: number): number => reachOf(gap, (1 + wanted) / 2);
  const band = -Math.log(1 - delta);
  const size = Math.abs(gap.logRatio);
  const ample = bothAmple(a, b);
  // Figures that contradict what must hold were mostly hit by a burst on one side: more of them correct it.
  if (size + reach(samenessConfidence) < band || (ample && size < Math.min(band, reach(samenessConfidence)))) return 'same';
  return !ample && size > reach(stoppingConfidence) ? 'different' : null;
}

function notMeasured(candidate: TunedCandidate, inserted: boolean): MeasuredCandidate {
  return { ...candidate, blocks: [], attempts: 0, errorShare: 0, inserted };
}

/** Less than half of the other, of one number that varies; of a grid, one that is not the next in the order of smallness. */
function farBelowIn(candidates: readonly TunedCandidate[]): (smaller: TunedCandidate, one: TunedCandidate) => boolean {
  const order = [...candidates].sort((a, b) => a.cost - b.cost);
  return (smaller, one) => {
    const factor = sizeFactor(smaller, one);
    return factor === null ? order.indexOf(one) - order.indexOf(smaller) > 1 : factor > 2;
  };
}

/** By which factor the one setting that differs is larger in `b`; `null` when several differ, or it is not a number. */
function sizeFactor(a: TunedCandidate, b: TunedCandidate): number | null {
  const differing = Object.keys(a.values).filter((name) => a.values[name] !== b.values[name]);
  const [name] = differing;
  if (name === undefined || differing.length !== 1) return null;
  const [from, to] = [a.values[name], b.values[name]];
  return typeof from === 'number' && typeof to === 'number' && from > 0 ? to / from : null;
}
