import type { Block } from '../../../model/domain/run.ts';
import type { Round, Strategy } from '../strategy.ts';
import { type PairOptions, PairSchedule } from './pairSchedule.ts';

/** A side that returned nothing so often in a row returns nothing from then on. */
const mostMissing = 2;

/**
 * Several things against the first of them, measured together in mirrored rounds: each is left out as soon as it is known to be slower, faster or the same
 * within δ. The time is shared out among all.
 */
export class AgainstFirst<Trial extends { key: string }> implements Strategy<Trial, Block> {
  readonly #pairs: { other: Trial; schedule: PairSchedule<Trial> }[];
  readonly #missing = new Map<string, number>();
  #round = 0;

  constructor(
    private readonly first: Trial,
    others: readonly Trial[],
    private readonly options: PairOptions<Trial>,
  ) {
    this.#pairs = others.map((other) => ({ other, schedule: new PairSchedule(first, other, options) }));
  }

  remainingMs(spentMs: number): number {
    return Math.max(this.surelyMs(), this.#pairs.length === 0 ? 0 : this.options.budgetMs - spentMs);
  }

  surelyMs(): number {
    return Math.max(0, ...this.#pairs.map(({ schedule }) => schedule.surelyMs())) * Math.max(1, this.#pairs.length / 2);
  }

  next(spentMs: number): Round<Trial> | null {
    const { first } = this;
    if (this.#isMissing(first)) return null;
    const asked: { other: Trial; round: Round<Trial> }[] = [];
    for (const pair of [...this.#pairs]) {
      const round = this.#isMissing(pair.other) ? null : pair.schedule.next(spentMs);
      if (round === null) this.#pairs.splice(this.#pairs.indexOf(pair), 1);
      else asked.push({ other: pair.other, round });
    }
    const [one] = asked;
    if (one === undefined) return null;
    this.#round += 1;
    const others = asked.map(({ other }) => other);
    const beginsWithFirst = one.round.trials[0] === first;
    const anew = asked.some(({ round }) => round.anew === true);
    return {
      round: this.#round,
      what: one.round.what,
      trials: beginsWithFirst ? [first, ...others] : [...others.reverse(), first],
      ...(anew ? { anew } : {}),
    };
  }

  observe(trial: Trial, round: number, block: Block | null): void {
    this.#missing.set(trial.key, block === null ? (this.#missing.get(trial.key) ?? 0) + 1 : 0);
    for (const { other, schedule } of this.#pairs) if (trial === other || trial === this.first) schedule.observe(trial, round, block);
  }

  #isMissing({ key }: Trial): boolean {
    return (this.#missing.get(key) ?? 0) >= mostMissing;
  }
}
