import type { FreshFinding } from '../../../model/domain/freshFinding.ts';
import { type WatchedPart, todayOf, watchedPartOf } from '../../../model/domain/setting.ts';
import type { OpenLoopStage } from '../../strategies/search/tuneOpenLoop.ts';
import type { FoundValues } from '../confirmFresh.ts';
import { largerTrial } from '../furtherTrials.ts';
import type { PlannedTrial } from '../plan.ts';
import type { RunUnderWay } from '../runLife.ts';
import type { RunTargets } from '../runTargets.ts';
import type { TrialProcesses } from '../trialProcesses.ts';
import type { TrialMeasurement } from '../trialRecord.ts';
import { type TunedCandidate, TuningSearch } from '../../statistics/tuningSearch.ts';
import type { TargetPlan } from './tunePlan.ts';

/** One target of a tuning: its processes, what was seen of each of its combinations, and the search over them. */
export class TunedTarget {
  readonly search: TuningSearch;
  /** The comparison of p99 at a fixed rate; null before it. */
  openLoop: OpenLoopStage | null = null;
  /** A budget in seconds that would have had the time to compare p99; null where there is nothing to compare. */
  p99BudgetS: number | null = null;
  /** What fresh processes said of the answer; null before, and where they were not asked for. */
  confirmation: FreshFinding | null = null;

  constructor(
    readonly plan: TargetPlan,
    private readonly run: Pick<RunUnderWay, 'trialStore' | 'maxConnections'>,
    private readonly targets: RunTargets,
    options: { delta: number; seed: number },
  ) {
    this.search = new TuningSearch(plan.candidates, {
      ...options,
      keeps: ({ values }) => this.today !== null && Object.values(values)[0] === this.today,
      beyond: (largest) => this.#beyond(largest),
    });
  }

  /** There once they are prepared. */
  get processes(): TrialProcesses {
    return this.targets.ofTarget(this.plan.declared.target.id);
  }

  get label(): string {
    const { id, label } = this.plan.declared.target;
    return label ?? id;
  }

  get varied(): string[] {
    return Object.keys(this.plan.candidates[0]?.values ?? {});
  }

  /** What the one setting that varies is in the app; null with several, or where waits say nothing of it. */
  get resource(): WatchedPart | null {
    const [name, ...others] = this.varied;
    return name === undefined || others.length > 0 ? null : watchedPartOf(name, this.plan.declared.target.settings[name]);
  }

  /** The value of that one setting that is in use today; null with several, or where none is declared. */
  get today(): number | null {
    const [name, ...others] = this.varied;
    return name === undefined || others.length > 0 ? null : todayOf(this.plan.declared.target.settings[name]);
  }

  /** What one block of it takes, in ms. */
  get blockMs(): number {
    const [first] = this.plan.trials;
    return first === undefined ? 0 : this.targets.blockMs(first);
  }

  /** The present answer; null while there is none. */
  get found(): FoundValues | null {
    const { knee } = this.search.finding();
    return knee === null ? null : { answer: this.trial(knee.confirmed.key), best: this.trial(knee.best.key) };
  }

  trial(key: string): PlannedTrial {
    return this.run.trialStore.of(key).planned;
  }

  measurement(key: string): TrialMeasurement {
    return this.run.trialStore.of(key);
  }

  /** Twice the largest, of a single setting. */
  #beyond(largest: TunedCandidate): TunedCandidate | null {
    const [name, ...others] = this.varied;
    if (name === undefined || others.length > 0) return null;
    const planned = largerTrial(this.run, this.targets, this.trial(largest.key), name);
    const value = planned?.process.asked[name];
    if (planned === null || value === undefined) return null;
    if (!this.plan.trials.some(({ key }) => key === planned.key)) this.plan.trials.push(planned);
    return { key: planned.key, values: { ...largest.values, [name]: value }, cost: largest.cost + 1 };
  }
}
