import type { Block } from '../../../model/domain/run.ts';
import { claimRounds } from '../../statistics/kneeRule.ts';
import { gridRounds } from '../../statistics/tuningSearch.ts';
import type { Round, Strategy } from '../strategy.ts';
import { type AddedRound, type Beyond, type Contest, type ScheduledTrial, contestsOf } from './contests.ts';

export interface ScheduleOptions<Trial> {
  /** False: exactly the rounds of the plan. */
  adaptive: boolean;
  /** Time for all rounds together. */
  budgetMs: number;
  /** What may be given up for a smaller setting: by it the answers are decided. */
  delta: number;
  /** What a block takes, switching included. */
  blockMs: (planned: Trial) => number;
  /** Where the largest value is the best, a larger one is added. */
  beyond?: Beyond<Trial>;
}

/**
 * Which blocks a run measures next: the rounds of its plan, mirrored; then, where settings compete, additional rounds of those that can still change an answer,
 * until all are decided or the budget is spent. They compete by throughput, or at a fixed rate by latency. Where all compete by throughput, all of
 * them are measured in the first rounds only, as by a tuning: what has lost by then gets no more of the time. A claim gets the rounds that it needs.
 */
export class RunSchedule<Trial extends ScheduledTrial> implements Strategy<Trial, Block> {
  readonly #contests: Contest<Trial>[];
  /** All values are measured in the first of these rounds, and some of them in the others, whatever the budget is. */
  readonly #planned: { ofAll: number; atLeast: number };
  #rounds = 0;
  /** The rest of the round in progress. */
  #pending: readonly Trial[] = [];
  /** Blocks that were measured, and what each took on average, switching included; null before the first round has ended. */
  #blocksDone = 0;
  #paceMs: number | null = null;
  /** The time is shared out among so many contests: those that were open at the last look. */
  #sharers: number;

  constructor(
    private readonly plan: {
      order: readonly (readonly Trial[])[];
      trials: readonly Trial[];
      load: { seed: number; ratePerS?: number | undefined };
    },
    private readonly options: ScheduleOptions<Trial>,
  ) {
    this.#contests = contestsOf(plan.trials, plan.load, options);
    this.#sharers = Math.max(1, this.#contests.length);
    const allCompete = plan.trials.every(({ key }) => this.#contests.some(({ byKey }) => byKey.has(key)));
    const narrows = this.#isAdaptive && allCompete && plan.load.ratePerS === undefined;
    const [most, least] = narrows ? [gridRounds, claimRounds] : [plan.order.length, plan.order.length];
    this.#planned = { ofAll: Math.min(most, plan.order.length), atLeast: Math.min(least, plan.order.length) };
  }

  /** For each contest that has one: the smallest value that is enough as far as is known, and the best. */
  get found(): { answer: Trial; best: Trial }[] {
    return this.#contests.flatMap(({ found }) => found ?? []);
  }

  get #isAdaptive(): boolean {
    return this.options.adaptive && this.#contests.length > 0;
  }

  /** Milliseconds that the rounds may still take at the most. */
  remainingMs(spentMs: number): number {
    return this.#isAdaptive ? Math.max(this.surelyMs(), this.options.budgetMs - spentMs) : this.surelyMs();
  }

  /** Milliseconds of what is planned: the rest of the round in progress, and the rounds that are measured in any case. */
  surelyMs(): number {
    const planned = [...this.#pending, ...this.plan.order.slice(this.#rounds, this.#planned.atLeast).flat()];
    return planned.reduce((sum, one) => sum + this.#blockMs(one), 0);
  }

  /** `spentMs` since the first round began; null when everything is decided, or nothing more can be within the budget. */
  next(spentMs: number): Round<Trial> | null {
    if (this.#blocksDone > 0) this.#paceMs = spentMs / this.#blocksDone;
    const fixed = this.plan.order[this.#rounds];
    if (fixed !== undefined && this.#rounds < this.#planned.ofAll) {
      this.#rounds += 1;
      this.#pending = fixed;
      for (const contest of this.#contests) contest.planned(fixed);
      const round = this.#rounds;
      return { round, what: { code: 'planned', round, of: this.#planned.ofAll, more: this.#isAdaptive }, trials: fixed };
    }
    this.#pending = [];
    return this.#isAdaptive ? this.#further(this.options.budgetMs - spentMs) : null;
  }

  /** Notes a measured block; null when it could not be measured. */
  observe(planned: Trial, round: number, block: Block | null): void {
    this.#blocksDone += 1;
    this.#pending = this.#pending.filter((one) => one !== planned);
    for (const contest of this.#contests) contest.observe(round, planned, block);
  }

  /** What a block takes, in ms: as seen of those before, else as expected. */
  #blockMs(planned: Trial): number {
    return this.#paceMs ?? this.options.blockMs(planned);
  }

  /** As much of what is open of one contest as can be measured in that time. */
  #roundOf(contest: Contest<Trial>, ms: number): AddedRound<Trial> | null {
    const [first] = contest.byKey.values();
    const owed = this.#rounds < this.#planned.atLeast ? contest.byKey.size : 0;
    return first === undefined ? null : contest.further(Math.max(owed, Math.floor(ms / this.#blockMs(first))));
  }

  /** A round of what is still open; those that are decided leave the time to the others, and the last of it is for one of them. */
  #further(leftMs: number): Round<Trial> | null {
    const sharedMs = leftMs / this.#sharers;
    const open = this.#contests.flatMap((contest) => this.#roundOf(contest, sharedMs) ?? []);
    for (const contest of this.#contests) {
      const alone = open.length === 0 ? this.#roundOf(contest, leftMs) : null;
      if (alone !== null) open.push(alone);
    }
    this.#sharers = Math.max(1, open.length);
    if (open.length === 0) return null;
    this.#pending = open.flatMap(({ trials }) => trials);
    this.#rounds += 1;
    const round = this.#rounds;
    const asked = open.map(({ label, values }) => ({ target: this.#contests.length > 1 ? label : null, values }));
    return { round, what: { code: 'added', round, open: asked }, trials: this.#pending, open: open.flatMap(({ openKeys }) => openKeys) };
  }
}
