import type { Observation } from '../../model/domain/observation.ts';
import type { PlannedTrial } from './plan.ts';
import { type RecordedTrial, type TrialMeasurement, noMeasurement, recordTrial } from './trialRecord.ts';

/** What was seen of every trial of a measurement, and what follows from it: put together when something was added to a trial, and not before. */
export class TrialStore {
  readonly #measurements = new Map<string, TrialMeasurement>();
  readonly #latest = new Map<string, { seen: string; recorded: RecordedTrial }>();

  constructor(
    trials: readonly PlannedTrial[],
    private readonly observations: readonly Observation[],
  ) {
    for (const planned of trials) this.add(planned);
  }

  /** All of them, those that a search added too. */
  get measurements(): readonly TrialMeasurement[] {
    return [...this.#measurements.values()];
  }

  has(key: string): boolean {
    return this.#measurements.has(key);
  }

  add(planned: PlannedTrial): TrialMeasurement {
    const measurement = noMeasurement(planned);
    this.#measurements.set(planned.key, measurement);
    return measurement;
  }

  of(key: string): TrialMeasurement {
    const measurement = this.#measurements.get(key);
    if (measurement === undefined) throw new RangeError(`${key} is no trial of this run`);
    return measurement;
  }

  recorded(key: string): RecordedTrial {
    const measurement = this.of(key);
    const { blocks, problems, warmUp } = measurement;
    const seen = `${blocks.length} ${problems.length} ${warmUp?.durationMs ?? ''}`;
    const known = this.#latest.get(key);
    if (known?.seen === seen) return known.recorded;
    const recorded = recordTrial(measurement, this.observations);
    this.#latest.set(key, { seen, recorded });
    return recorded;
  }

  /** Those of which something is known, in their present state. */
  tried(): RecordedTrial[] {
    return this.measurements
      .filter(({ blocks, problems }) => blocks.length > 0 || problems.length > 0)
      .map(({ planned }) => this.recorded(planned.key));
  }

  /** The same at the end, with the samples of a trial after its last block. */
  final(): RecordedTrial[] {
    this.#latest.clear();
    return this.tried();
  }
}
