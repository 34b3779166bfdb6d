import type { Block } from '../../../model/domain/run.ts';
import type { SettingValues } from '../../../model/domain/setting.ts';
import type { Target } from '../../../model/domain/target.ts';
import { claimRounds } from '../../statistics/kneeRule.ts';
import { TuningSearch } from '../../statistics/tuningSearch.ts';
import { valuesPhrase } from '../../statistics/valuesPhrase.ts';
import type { TunedCandidate } from '../../statistics/tuningSearch.ts';
import { varyingSetting } from '../answer/recommend.ts';
import { resourceOf } from '../answer/answerEvidence.ts';
import type { TunedResource } from '../answer/answerEvidence.ts';
import { compareRated, countsAtRate } from './fixedRate.ts';
import type { RateComparison } from './fixedRate.ts';

/** What the schedule looks at of a trial. */
export interface ScheduledTrial {
  key: string;
  connections: number;
  process: { asked: SettingValues; declared: { target: Target } };
}

/** A target whose one numeric setting varies: its values compete, and rounds continue until the smallest that is enough is known. */
export interface Contest<Trial> {
  readonly label: string;
  readonly byKey: ReadonlyMap<string, Trial>;
  /** The smallest value that is enough as far as is known, and the best, as keys; null where fresh processes could not be asked for the same. */
  readonly found: { answer: string; best: string } | null;
  /** A round that the plan asks for begins. */
  planned(keys: readonly string[]): void;
  /** The keys of one additional round, and what is open, as a phrase and as keys; null when it is decided, or nothing more can be within so many blocks. */
  further(blocksLeft: number): { keys: string[]; open: string; openKeys: string[] } | null;
  observe(round: number, key: string, block: Block | null): void;
}

/** Values that are compared by throughput in a closed loop. */
class SearchContest<Trial> implements Contest<Trial> {
  constructor(
    readonly label: string,
    readonly byKey: ReadonlyMap<string, Trial>,
    private readonly search: TuningSearch,
    private readonly resource: TunedResource | null,
  ) {}

  get found(): Contest<Trial>['found'] {
    const { knee } = this.search.finding();
    return knee === null ? null : { answer: knee.confirmed.key, best: knee.best.key };
  }

  planned(keys: readonly string[]): void {
    this.search.foreignRound(keys);
  }

  further(blocksLeft: number): ReturnType<Contest<Trial>['further']> {
    const round = this.search.nextRound(blocksLeft);
    return round === null ? null : { keys: round.candidates.map(({ key }) => key), ...this.#open() };
  }

  observe(round: number, key: string, block: Block | null): void {
    this.search.observe(round, key, block, this.resource);
  }

  #open(): { open: string; openKeys: string[] } {
    const { knee } = this.search.finding();
    if (knee === null || knee.rounds < claimRounds) return { open: 'too few rounds for a claim yet', openKeys: [] };
    const { plausible, confirmed, best } = knee;
    const open = [...new Set([plausible, confirmed, ...(knee.proven ? [] : [best])])].sort((a, b) => a.cost - b.cost);
    return {
      open: `${valuesPhrase(open, this.search.measured)} ${open.length === 1 ? 'is to be confirmed' : 'are still open'}`,
      openKeys: open.map(({ key }) => key),
    };
  }
}

/** Before that a verdict may still turn: each look is a chance to be wrong. Two looks in a row must agree, too. */
const roundsBeforeDeciding = 6;

/** Values that are compared by latency at a fixed rate. */
class RateContest<Trial> implements Contest<Trial> {
  /** Fresh processes are compared by throughput, which is the rate here. */
  readonly found = null;
  readonly #blocks: ReadonlyMap<string, Block[]>;
  #rounds = 0;
  #decidedBefore = false;

  constructor(
    readonly label: string,
    readonly byKey: ReadonlyMap<string, Trial>,
    private readonly ratePerS: number,
  ) {
    this.#blocks = new Map([...byKey.keys()].map((key) => [key, []]));
  }

  planned(): void {
    this.#look();
    this.#rounds += 1;
  }

  further(blocksLeft: number): ReturnType<Contest<Trial>['further']> {
    const { decided, comparison } = this.#look();
    // Where none carries the rate, or nothing of a value counts, additional rounds would show the same.
    if (decided || comparison.best === null) return null;
    const { best, verdicts } = comparison;
    const all = [...this.byKey.keys()];
    const unknown = all.filter((key) => verdicts.get(key) === 'unknown');
    const near = all.filter((key) => verdicts.get(key) !== 'worse');
    const chosen = unknown.length > 0 ? [best, ...unknown] : near.length > 1 ? near : all;
    if (chosen.length < 2 || chosen.length > blocksLeft) return null;
    this.#rounds += 1;
    const open = unknown.length > 0 ? `p99 of ${unknown.length} of ${all.length} values is still open` : 'p99 is to be confirmed';
    const inOrder = all.filter((key) => chosen.includes(key));
    return { keys: this.#rounds % 2 === 1 ? inOrder : inOrder.reverse(), open, openKeys: unknown };
  }

  observe(_round: number, key: string, block: Block | null): void {
    if (block !== null && countsAtRate(block)) this.#blocks.get(key)?.push(block);
  }

  /** Whether nothing is open, seen now and at the look before. */
  #look(): { decided: boolean; comparison: RateComparison } {
    const comparison = compareRated(
      [...this.#blocks].map(([key, blocks]) => ({ key, blocks })),
      this.ratePerS,
    );
    const verdicts = [...comparison.verdicts.values()];
    const now = this.#rounds >= roundsBeforeDeciding - 1 && verdicts.length > 1 && !verdicts.includes('unknown');
    const decided = now && this.#decidedBefore;
    this.#decidedBefore = now;
    return { decided, comparison };
  }
}

/** A trial with a larger value of that setting; null where there can be none. */
export type Beyond<Trial> = (largest: Trial, setting: string) => Trial | null;

/** One for each target of which a single numeric setting varies, at its largest number of connections: that is where a setting binds. */
export function contestsOf<Trial extends ScheduledTrial>(
  trials: readonly Trial[],
  { seed, ratePerS }: { seed: number; ratePerS?: number | undefined },
  { delta, beyond }: { delta: number; beyond?: Beyond<Trial> | undefined },
): Contest<Trial>[] {
  const targets = [...new Set(trials.map(({ process }) => process.declared.target))];
  return targets.flatMap((target): Contest<Trial>[] => {
    const own = trials.filter(({ process }) => process.declared.target === target);
    const connections = Math.max(...own.map((one) => one.connections));
    const compared = own.filter((one) => one.connections === connections);
    const setting = varyingSetting(compared.map(({ process }) => ({ settings: process.asked })));
    if (setting === null) return [];
    const label = target.label ?? target.id;
    const byKey = new Map(compared.map((planned) => [planned.key, planned]));
    if (ratePerS !== undefined) return [new RateContest(label, byKey, ratePerS)];
    const candidates = compared.map(({ key, process }) => ({ key, values: process.asked, cost: Number(process.asked[setting]) }));
    const larger = (key: string): TunedCandidate | null => {
      const largest = byKey.get(key);
      const trial = largest === undefined ? null : (beyond?.(largest, setting) ?? null);
      if (trial === null) return null;
      byKey.set(trial.key, trial);
      return { key: trial.key, values: trial.process.asked, cost: Number(trial.process.asked[setting]) };
    };
    const search = new TuningSearch(candidates, { delta, seed, comparing: candidates.length === 2, beyond: ({ key }) => larger(key) });
    return [new SearchContest(label, byKey, search, resourceOf(setting, target.settings[setting]))];
  });
}
