import type { Block } from '../../../model/domain/run.ts';
import { acrossProcesses, bestRounds } from '../../statistics/acrossProcesses.ts';
import { type SettingBlocks, blockStatistics, countedBlocks } from '../../statistics/blockStatistics.ts';
import { reachOf } from '../../statistics/moments.ts';
import { SeededRandom } from '../../statistics/seededRandom.ts';
import type { Round, Strategy } from '../strategy.ts';

export interface PairOptions<Trial> {
  /** Within which both count as the same, a share. */
  delta: number;
  /** Time for all rounds together. */
  budgetMs: number;
  /** The expectation: the first round and the first start show what they take. */
  blockMs: (trial: Trial) => number;
  /** How long it takes to restart and warm both, as expected; null where that is done for each block anyway. */
  startMs: number | null;
  /** Whether both are versions of one program, of which CPU time speaks for throughput wherever the same is full; absent: they are. */
  alike?: boolean;
  /** Nothing is claimed by it: a first look is worth something after so few rounds. */
  isScreening?: boolean;
}

/** Before that a burst that hit one of two copies looks like a difference: so many pairs, in so many rounds. */
const least = { pairs: 8, rounds: 3 } as const;
const leastOfScreening = { pairs: 4, rounds: 3 } as const;
/**
 * A large difference needs no more pairs: no burst makes one of two equal things twice as slow in each of so many pairs. The whole interval lies beyond such a
 * change.
 */
const far = { pairs: 4, change: 0.25 } as const;
/**
 * What is still open is measured on in other processes: two of the same program differ, and no number of rounds of one pair of them shows by how much. A start
 * has so many rounds and pairs at the least, and as many rounds as pay, within the time that is left for one more.
 */
const ofStart = { rounds: 2, pairs: 5 } as const;
/** The variance of the mean of one start is so small a part of what starts differ in that it need not become smaller. */
const littleNextToStarts = 0.1;
/**
 * Looking after each round is looking many times: each look asks for more than the answer at the end does, and two in a row must agree. The whole is simulated
 * in its test.
 */
const stoppingConfidence = 0.99;
const looksThatAgree = 2;
/**
 * A difference within δ is worth its direction where one is so likely: the comparison goes on until that is certain, for at most so many times as long as it
 * took to know that it is within δ. What that brings and costs: docs/decisions/0095-what-processes-differ-in-is-fitted.md.
 */
const direction = { likely: 0.8, timesAsLong: 2 } as const;

interface Look {
  finding: 'slower' | 'faster' | 'same' | 'open';
  /** The whole interval lies beyond {@link far}. */
  far: boolean;
  /** Whether the interval, or a narrower one of {@link direction}, leaves out no difference. */
  differs: 'certainly' | 'likely' | null;
  /** The first round of the start that it came in. */
  startedAt: number;
  /** How many rounds of a start pay. */
  bestRounds: number;
}

/**
 * Two things in mirrored rounds (A B, or B A: drawn for each two), until it is known whether the second is slower, faster, or the same within δ, or the time is
 * spent.
 */
export class PairSchedule<Trial extends { key: string }> implements Strategy<Trial, Block> {
  readonly #blocks = new Map<string, Block[]>();
  readonly #looks: Look[] = [];
  #round = 0;
  /** Bursts that come and go in time with an order that repeats itself hit the same one every time. */
  readonly #random = new SeededRandom(1);
  /** The one with which the latest two rounds began. */
  #first: Trial | null = null;
  /** The first round of the latest start. */
  #startedAt = 1;
  /** When the latest round was asked for, and whether it began with a start. */
  #asked: { atMs: number; anew: boolean } | null = null;
  #seenRoundMs: number | null = null;
  #seenStartMs: number | null = null;
  /** When it was decided that both are the same within δ. */
  #sameMs: number | null = null;

  constructor(
    private readonly a: Trial,
    private readonly b: Trial,
    private readonly options: PairOptions<Trial>,
  ) {}

  /** What a claim can rest on: pairs of slices, or of blocks, in rounds that count. */
  #counted(from = 1): { pairs: number; rounds: number } {
    const ofB = new Map(this.#of(this.b).map((block) => [block.round, block]));
    const counted = this.#of(this.a).flatMap(({ round, valid, slices }) => {
      const other = ofB.get(round);
      if (round < from || !valid || other?.valid !== true) return [];
      return [Math.min(slices?.pass.length ?? 1, other.slices?.pass.length ?? 1)];
    });
    return { rounds: counted.length, pairs: counted.reduce((sum, pairs) => sum + pairs, 0) };
  }

  /** Whether a difference may be believed that is not apart by far. */
  get #isEarly(): boolean {
    const { pairs, rounds } = this.#counted();
    const { pairs: enough, rounds: leastRounds } = this.options.isScreening === true ? leastOfScreening : least;
    return this.#round < enough && (pairs < enough || rounds < leastRounds);
  }

  get #roundMs(): number {
    return this.#seenRoundMs ?? this.options.blockMs(this.a) + this.options.blockMs(this.b);
  }

  get #startMs(): number | null {
    return this.options.startMs === null ? null : (this.#seenStartMs ?? this.options.startMs);
  }

  #sawTimes(spentMs: number): void {
    if (this.#asked === null) return;
    const { atMs, anew } = this.#asked;
    if (anew) this.#seenStartMs = Math.max(0, spentMs - atMs - this.#roundMs);
    else this.#seenRoundMs = spentMs - atMs;
  }

  remainingMs(spentMs: number): number {
    return Math.max(this.surelyMs(), this.options.budgetMs - spentMs);
  }

  surelyMs(): number {
    return Math.max(0, (least.rounds - this.#round) * this.#roundMs);
  }

  next(spentMs: number): Round<Trial> | null {
    const { a, b } = this;
    this.#sawTimes(spentMs);
    let anew = false;
    const isEarly = this.#isEarly;
    if (this.#counted().pairs >= far.pairs || !isEarly) {
      const look = this.#look();
      this.#looks.push(look);
      if (
        this.#isDecided(look, spentMs) ||
        (!isEarly && (spentMs + this.#roundMs > this.options.budgetMs || this.#isSpent(spentMs, look.bestRounds)))
      )
        return null;
      anew = (look.finding !== 'same' || look.differs !== null) && this.#isWorthAStart(spentMs, look.bestRounds);
    }
    this.#round += 1;
    this.#asked = { atMs: spentMs, anew };
    if (anew) this.#startedAt = this.#round;
    const what = { code: 'pair', round: this.#round, open: this.#round > least.rounds } as const;
    if (this.#round % 2 === 1) this.#first = this.#random.nextFraction() < 0.5 ? a : b;
    const beginsWithA = (this.#first === a) === (this.#round % 2 === 1);
    return { round: this.#round, what, trials: beginsWithA ? [a, b] : [b, a], ...(anew ? { anew } : {}) };
  }

  observe(trial: Trial, _round: number, block: Block | null): void {
    if (block !== null) this.#blocks.set(trial.key, [...(this.#blocks.get(trial.key) ?? []), block]);
  }

  #of({ key }: Trial): readonly Block[] {
    return this.#blocks.get(key) ?? [];
  }

  #isWorthAStart(spentMs: number, best: number): boolean {
    const startMs = this.#startMs;
    if (startMs === null) return false;
    const { budgetMs } = this.options;
    const warm = this.#counted(this.#startedAt);
    const leftRounds = (budgetMs - spentMs - startMs) / this.#roundMs;
    // The last that the time allows comes in time to be worth its while.
    const asked = Math.max(ofStart.rounds, Math.min(best, warm.rounds + leftRounds - best));
    return warm.rounds >= asked && warm.pairs >= ofStart.pairs && leftRounds >= ofStart.rounds;
  }

  /** There is no time for another start, and what more rounds of these processes can still tell is little next to what processes differ in. */
  #isSpent(spentMs: number, best: number): boolean {
    const startMs = this.#startMs;
    if (startMs === null || this.options.budgetMs - spentMs - startMs >= ofStart.rounds * this.#roundMs) return false;
    // By the rule for the best number, the variance of a round is best² × what a round costs ÷ what a start costs × that of starts.
    return this.#counted(this.#startedAt).rounds * littleNextToStarts >= (best ** 2 * this.#roundMs) / startMs;
  }

  /** Whether the looks before agree. What may be a property of the processes alone must be seen in others, too, where they can be restarted. */
  #isDecided({ finding, far: byFar, differs }: Look, spentMs: number): boolean {
    if (finding === 'open') return false;
    const other = this.#looks.findLastIndex((look) => look.finding !== finding);
    const agreeing = this.#looks.slice(other + 1);
    if (agreeing.length < looksThatAgree) return false;
    if (finding === 'same') {
      this.#sameMs ??= spentMs;
      return differs === null || this.#knowsDirection(agreeing) || spentMs > direction.timesAsLong * this.#sameMs;
    }
    return byFar || this.options.startMs === null || new Set(agreeing.map(({ startedAt }) => startedAt)).size > 1;
  }

  #knowsDirection(looks: readonly Look[]): boolean {
    return this.options.startMs === null || looks.slice(-looksThatAgree).every(({ differs }) => differs === 'certainly');
  }

  #look(): Look {
    const startedAt = this.#startedAt;
    const { alike = true } = this.options;
    const sideOf = (trial: Trial): SettingBlocks => ({ key: trial.key, blocks: countedBlocks(this.#of(trial), alike) });
    const [a, b] = [sideOf(this.a), sideOf(this.b)];
    const difference = blockStatistics([a, b]).difference(b.key, a.key);
    if (difference === null) return { finding: 'open', far: false, differs: null, startedAt, bestRounds: ofStart.rounds };
    const found = acrossProcesses(difference, b.blocks);
    const reach = (confidence: number): number => reachOf(found, (1 + confidence) / 2);
    const [half, narrow] = [reach(stoppingConfidence), reach(direction.likely)];
    const [low, high] = [found.logRatio - half, found.logRatio + half];
    const apart = Math.abs(found.logRatio);
    const differs: Look['differs'] = apart > half ? 'certainly' : apart > narrow ? 'likely' : null;
    const startMs = this.#startMs;
    const best = startMs === null ? 0 : bestRounds(difference, b.blocks, { start: startMs, round: this.#roundMs });
    const [within, beyond] = [Math.log1p(this.options.delta), Math.log1p(far.change)];
    const byFar = low > beyond || high < -beyond;
    const isSame = low > -within && high < within;
    const side = high < 0 ? 'slower' : low > 0 ? 'faster' : 'open';
    const finding = byFar ? side : this.#isEarly ? 'open' : isSame ? 'same' : side;
    return { finding, far: byFar, differs, startedAt, bestRounds: best };
  }
}
