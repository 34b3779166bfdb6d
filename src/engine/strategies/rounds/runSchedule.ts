import type { Block } from '../../../model/run.ts';
import { claimRounds } from '../../statistics/kneeRule.ts';
import { TuningSearch, valuesPhrase } from '../../statistics/tuningSearch.ts';
import type { SettingValues } from '../../../model/setting.ts';
import type { Target } from '../../../model/target.ts';
import type { Round, Strategy } from '../strategy.ts';
import { varyingSetting } from '../answer/recommend.ts';
import { resourceOf } from '../answer/witnesses.ts';
import type { TunedResource } from '../answer/witnesses.ts';

/** What the schedule looks at of a trial. */
export interface ScheduledTrial {
  key: string;
  connections: number;
  process: { asked: SettingValues; declared: { target: Target } };
}

/** A target whose one numeric setting varies: its values compete, and rounds go on until the smallest that is enough is known. */
interface Contest<Trial> {
  label: string;
  search: TuningSearch;
  byKey: ReadonlyMap<string, Trial>;
  resource: TunedResource | null;
}

export interface ScheduleOptions<Trial> {
  /** False: exactly the rounds of the plan. */
  adaptive: boolean;
  /** Time for all rounds together. */
  budgetMs: number;
  /** What may be given up for a smaller setting: by it the answers are decided. */
  delta: number;
  /** What a block takes, switching included. */
  blockMs: (planned: Trial) => number;
}

/**
 * Which blocks a run measures next: the rounds of its plan, mirrored; then, where settings compete, further rounds of those that can still change an
 * answer, until all are decided or the budget is spent.
 */
export class RunSchedule<Trial extends ScheduledTrial> implements Strategy<Trial, Block> {
  readonly #contests: Contest<Trial>[];
  #rounds = 0;
  /** Of the round under way: what is not measured yet. */
  #pending: readonly Trial[] = [];

  constructor(
    private readonly plan: { order: readonly (readonly Trial[])[]; trials: readonly Trial[]; load: { seed: number } },
    private readonly options: ScheduleOptions<Trial>,
  ) {
    this.#contests = options.adaptive ? contestsOf(plan.trials, plan.load.seed, options.delta) : [];
  }

  get roundsDone(): number {
    return this.#rounds;
  }

  /** Milliseconds that the rounds may still take at the most. */
  remainingMs(spentMs: number): number {
    const planned = [...this.#pending, ...this.plan.order.slice(this.#rounds).flat()];
    const fixedMs = planned.reduce((sum, one) => sum + this.options.blockMs(one), 0);
    return this.#contests.length === 0 ? fixedMs : Math.max(fixedMs, this.options.budgetMs - spentMs);
  }

  /** `spentMs` since the first round began; null when everything is decided, or nothing more can be within the budget. */
  next(spentMs: number): Round<Trial> | null {
    const { order } = this.plan;
    const fixed = order[this.#rounds];
    if (fixed !== undefined) {
      this.#rounds += 1;
      this.#pending = fixed;
      for (const { search, byKey } of this.#contests) search.foreignRound(fixed.filter(({ key }) => byKey.has(key)).map(({ key }) => key));
      const least = this.#contests.length > 0 ? ' or more' : '';
      return { round: this.#rounds, stage: `round ${this.#rounds} of ${order.length}${least}`, trials: fixed };
    }
    const leftMs = this.options.budgetMs - spentMs;
    const open = this.#contests.filter(({ search }) => !search.finding().decided);
    const trials: Trial[] = [];
    const asked: string[] = [];
    for (const contest of open) {
      const [first] = contest.byKey.values();
      if (first === undefined) continue;
      const round = contest.search.nextRound(Math.floor(leftMs / open.length / this.options.blockMs(first)));
      if (round === null) continue;
      trials.push(...round.candidates.flatMap(({ key }) => contest.byKey.get(key) ?? []));
      asked.push(openPhrase(contest, this.#contests.length > 1));
    }
    this.#pending = trials;
    if (trials.length === 0) return null;
    this.#rounds += 1;
    const stage = `round ${this.#rounds}: ${asked.join('; ')}; at most ${Math.max(1, Math.round(leftMs / 1000))} s more`;
    return { round: this.#rounds, stage, trials };
  }

  /** Notes a measured block; null when it could not be measured. */
  observe(planned: Trial, round: number, block: Block | null): void {
    this.#pending = this.#pending.filter((one) => one !== planned);
    for (const { search, byKey, resource } of this.#contests) {
      if (byKey.has(planned.key)) search.observe(round, planned.key, block, resource);
    }
  }
}

function openPhrase({ label, search }: Contest<unknown>, several: boolean): string {
  const { knee } = search.finding();
  const of = several ? `${label}: ` : '';
  if (knee === null || knee.rounds < claimRounds) return `${of}too few rounds for a claim yet`;
  const { plausible, confirmed, best } = knee;
  const open = [...new Set([plausible, confirmed, ...(knee.proven ? [] : [best])])].sort((a, b) => a.cost - b.cost);
  return open.length === 1
    ? `${of}${valuesPhrase(open, search.measured)} is to be confirmed`
    : `${of}${valuesPhrase(open, search.measured)} are still open`;
}

/** One for each target of which a single numeric setting varies, at its largest number of connections: that is where a setting binds. */
function contestsOf<Trial extends ScheduledTrial>(trials: readonly Trial[], seed: number, delta: number): Contest<Trial>[] {
  const targets = [...new Set(trials.map(({ process }) => process.declared.target))];
  return targets.flatMap((target) => {
    const own = trials.filter(({ process }) => process.declared.target === target);
    const connections = Math.max(...own.map((one) => one.connections));
    const compared = own.filter((one) => one.connections === connections);
    const setting = varyingSetting(compared.map(({ process }) => ({ settings: process.asked })));
    if (setting === null) return [];
    const candidates = compared.map(({ key, process }) => ({ key, values: process.asked, cost: Number(process.asked[setting]) }));
    return [
      {
        label: target.label ?? target.id,
        search: new TuningSearch(candidates, { delta, seed, comparing: candidates.length === 2 }),
        byKey: new Map(compared.map((planned) => [planned.key, planned])),
        resource: resourceOf(setting, target.settings[setting]),
      },
    ];
  });
}
