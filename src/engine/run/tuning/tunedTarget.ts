import type { TuneRequest } from '../../../model/tuning.ts';
import { resourceOf } from '../../strategies/answer/witnesses.ts';
import type { TunedResource } from '../../strategies/answer/witnesses.ts';
import type { PlannedTrial } from '../plan.ts';
import { TrialProcesses } from '../trialProcesses.ts';
import type { TrialProcessTools } from '../trialProcesses.ts';
import type { TrialSighting } from '../trialRecord.ts';
import { TuningSearch } from '../../statistics/tuningSearch.ts';
import type { TunedCandidate } from '../../statistics/tuningSearch.ts';
import { midpoint, trialWith } from './tunePlan.ts';
import type { TargetPlan } from './tunePlan.ts';

/** What a tuned target needs of the run. */
export interface TunedTargetTools extends TrialProcessTools {
  request: Pick<TuneRequest, 'delta'>;
  seed: number;
}

/** One target of a tuning: its processes, what was seen of each of its combinations, and the search over them. */
export class TunedTarget {
  readonly sightings = new Map<string, TrialSighting>();
  readonly search: TuningSearch;
  readonly processes: TrialProcesses;

  constructor(
    readonly plan: TargetPlan,
    tools: TunedTargetTools,
  ) {
    for (const planned of plan.trials) this.#add(planned);
    this.processes = new TrialProcesses(plan.declared, () => [...this.sightings.values()], tools);
    this.search = new TuningSearch(plan.candidates, {
      delta: tools.request.delta,
      seed: tools.seed,
      between: (a, b) => this.#between(a, b),
    });
  }

  get label(): string {
    return this.processes.label;
  }

  /** Names of the settings that vary here. */
  get varied(): string[] {
    return Object.keys(this.plan.candidates[0]?.values ?? {});
  }

  /** What the one setting that varies is in the app; null of several, or where waits say nothing of it. */
  get resource(): TunedResource | null {
    const [name, ...others] = this.varied;
    return name === undefined || others.length > 0 ? null : resourceOf(name, this.plan.declared.target.settings[name]);
  }

  trial(key: string): PlannedTrial {
    return this.sighting(key).planned;
  }

  sighting(key: string): TrialSighting {
    const sighting = this.sightings.get(key);
    if (sighting === undefined) throw new RangeError(`${key} is no trial of ${this.label}`);
    return sighting;
  }

  #add(planned: PlannedTrial): void {
    this.sightings.set(planned.key, { planned, warmUp: null, unsteadyReason: null, blocks: [], problems: [] });
  }

  #between(a: TunedCandidate, b: TunedCandidate): TunedCandidate | null {
    // A process of its own for one more value would cost a warm-up; live it costs nothing.
    if (this.processes.mode !== 'live') return null;
    const middle = midpoint(a, b);
    if (middle === null) return null;
    const planned = trialWith(this.trial(b.key), middle.name, middle.value);
    if (!this.sightings.has(planned.key)) {
      this.plan.trials.push(planned);
      this.#add(planned);
      const { warmUp, unsteadyReason } = this.sighting(b.key);
      Object.assign(this.sighting(planned.key), { warmUp, unsteadyReason });
    }
    return { key: planned.key, values: { ...b.values, [middle.name]: middle.value }, cost: (a.cost + b.cost) / 2 };
  }
}

/** A value that has had its first block only is not to be called void for want of a second. */
export function roundsSoFar({ blocks }: TrialSighting): number {
  return Math.min(2, Math.max(1, blocks.length));
}
