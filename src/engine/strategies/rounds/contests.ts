import { grouped } from '../../../model/domain/grouped.ts';
import type { Block } from '../../../model/domain/run.ts';
import { type SettingValues, type WatchedPart, watchedPartOf } from '../../../model/domain/setting.ts';
import type { Target } from '../../../model/domain/target.ts';
import { claimRounds } from '../../statistics/kneeRule.ts';
import { type TunedCandidate, TuningSearch } from '../../statistics/tuningSearch.ts';
import { valueNames } from '../../statistics/valueNames.ts';
import { varyingSetting } from '../answer/recommend.ts';
import { rateDelta, speedAtRate } from './fixedRate.ts';

/** What the schedule looks at of a trial. */
export interface ScheduledTrial {
  key: string;
  connections: number;
  process: { asked: SettingValues; declared: { target: Target }; onlyToday?: true };
}

/** An additional round of one contest, and what is open in it, as values and as keys; null: too few rounds for a claim. */
export interface AddedRound<Trial> {
  trials: Trial[];
  label: string;
  values: string[] | null;
  openKeys: string[];
}

/** A target whose one numeric setting varies: its values compete, and rounds continue until the smallest that is enough is known. */
export class Contest<Trial extends { key: string }> {
  constructor(
    private readonly label: string,
    readonly byKey: ReadonlyMap<string, Trial>,
    private readonly search: TuningSearch,
    /** What waits are about; the rate in requests/s at which values are compared by latency, absent: by throughput in a closed loop. */
    private readonly by: { resource: WatchedPart | null; ratePerS: number | undefined },
  ) {}

  /**
   * The smallest value that is enough as far as is known, and the best; null where fresh processes could not be asked for the same: they are compared by
   * throughput, which is the rate at a fixed one.
   */
  get found(): { answer: Trial; best: Trial } | null {
    const { knee } = this.search.finding();
    if (knee === null || this.by.ratePerS !== undefined) return null;
    const [answer, best] = [this.byKey.get(knee.confirmed.key), this.byKey.get(knee.best.key)];
    return answer === undefined || best === undefined ? null : { answer, best };
  }

  /** A round that the plan asks for begins. */
  planned(trials: readonly Trial[]): void {
    this.search.foreignRound(trials.flatMap(({ key }) => (this.byKey.has(key) ? [key] : [])));
  }

  /** One additional round; null when it is decided, or nothing more can be within so many blocks. */
  further(blocksLeft: number): AddedRound<Trial> | null {
    const round = this.search.nextRound(blocksLeft);
    if (round === null) return null;
    return { trials: round.candidates.flatMap(({ key }) => this.byKey.get(key) ?? []), label: this.label, ...this.#open() };
  }

  /** Notes a block of one of its trials; those of others are none of its own. */
  observe(round: number, { key }: Trial, block: Block | null): void {
    if (!this.byKey.has(key)) return;
    const { resource, ratePerS } = this.by;
    if (ratePerS === undefined) this.search.observe(round, key, block, resource);
    else this.search.record(round, key, block === null ? null : speedAtRate(block, ratePerS));
  }

  #open(): Pick<AddedRound<Trial>, 'values' | 'openKeys'> {
    const { knee } = this.search.finding();
    if (knee === null || knee.rounds < claimRounds) return { values: null, openKeys: [] };
    const { plausible, confirmed, best } = knee;
    const open = [...new Set([plausible, confirmed, ...(knee.proven ? [] : [best])])].sort((a, b) => a.cost - b.cost);
    return { values: valueNames(open, this.search.measured), openKeys: open.map(({ key }) => key) };
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
  return [...grouped(trials, ({ process }) => process.declared.target)].flatMap(([target, own]): Contest<Trial>[] => {
    const connections = Math.max(...own.map((one) => one.connections));
    const compared = own.filter((one) => one.connections === connections);
    const setting = varyingSetting(compared.map(({ process }) => ({ settings: process.asked })));
    if (setting === null) return [];
    const label = target.label ?? target.id;
    const byKey = new Map(compared.map((planned) => [planned.key, planned]));
    const candidateOf = ({ key, process: { asked } }: Trial): TunedCandidate => ({ key, values: asked, cost: Number(asked[setting]) });
    const larger = ({ key }: TunedCandidate): TunedCandidate | null => {
      const largest = byKey.get(key);
      const trial = largest === undefined ? null : (beyond?.(largest, setting) ?? null);
      if (trial === null) return null;
      byKey.set(trial.key, trial);
      return candidateOf(trial);
    };
    const [one, other, third] = compared.filter(({ process }) => process.onlyToday !== true);
    const pair: [string, string] | undefined = one && other && third === undefined ? [one.key, other.key] : undefined;
    const more = ratePerS === undefined ? { delta, compared: pair, beyond: larger } : { delta: rateDelta };
    const search = new TuningSearch(compared.map(candidateOf), { seed, ...more });
    return [new Contest(label, byKey, search, { resource: watchedPartOf(setting, target.settings[setting]), ratePerS })];
  });
}
