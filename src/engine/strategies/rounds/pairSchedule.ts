import type { Block } from '../../../model/run.ts';
import { blockStatistics, countedBlocks } from '../../statistics/blockStatistics.ts';
import { studentTQuantile } from '../../statistics/studentT.ts';
import type { Round, Strategy } from '../strategy.ts';

export interface PairOptions<Trial> {
  /** Within which both count as the same, a share. */
  delta: number;
  /** Time for all rounds together. */
  budgetMs: number;
  blockMs: (trial: Trial) => number;
}

/** Before that a burst that hit one of two copies looks like a difference; as in a tuning. */
const leastRounds = 8;
/** Looking after each round is looking many times: each look asks for more than the answer at the end does, and two in a row must agree; as in a tuning. */
const stoppingConfidence = 0.975;
const looksThatAgree = 2;

type Finding = 'slower' | 'faster' | 'same' | 'open';

/**
 * Two things in mirrored rounds (A B, B A, …), until it is known whether the second is slower, faster, or the same within δ, or the time is spent.
 */
export class PairSchedule<Trial extends { key: string }> implements Strategy<Trial, Block> {
  readonly #blocks = new Map<string, Block[]>();
  readonly #looks: Finding[] = [];
  #round = 0;

  constructor(
    private readonly a: Trial,
    private readonly b: Trial,
    private readonly options: PairOptions<Trial>,
  ) {}

  get #roundMs(): number {
    return this.options.blockMs(this.a) + this.options.blockMs(this.b);
  }

  remainingMs(spentMs: number): number {
    return Math.max(0, this.options.budgetMs - spentMs, (leastRounds - this.#round) * this.#roundMs);
  }

  next(spentMs: number): Round<Trial> | null {
    const { a, b } = this;
    if (this.#round >= leastRounds) {
      const finding = this.#look();
      this.#looks.push(finding);
      const last = this.#looks.slice(-looksThatAgree);
      const decided = finding !== 'open' && last.length === looksThatAgree && last.every((one) => one === finding);
      if (decided || spentMs + this.#roundMs > this.options.budgetMs) return null;
    }
    this.#round += 1;
    const leftS = Math.max(1, Math.round(this.remainingMs(spentMs) / 1000));
    return { round: this.#round, stage: `round ${this.#round}; at most ${leftS} s more`, trials: this.#round % 2 === 1 ? [a, b] : [b, a] };
  }

  observe(trial: Trial, _round: number, block: Block | null): void {
    if (block !== null) this.#blocks.set(trial.key, [...(this.#blocks.get(trial.key) ?? []), block]);
  }

  #look(): Finding {
    const statistics = blockStatistics([this.a, this.b].map(({ key }) => ({ key, blocks: countedBlocks(this.#blocks.get(key) ?? []) })));
    const found = statistics.difference(this.b.key, this.a.key);
    if (found === null) return 'open';
    const half = studentTQuantile((1 + stoppingConfidence) / 2, found.degreesOfFreedom) * found.standardError;
    const [low, high] = [found.logRatio - half, found.logRatio + half];
    const within = Math.log1p(this.options.delta);
    if (low > -within && high < within) return 'same';
    return high < 0 ? 'slower' : low > 0 ? 'faster' : 'open';
  }
}
