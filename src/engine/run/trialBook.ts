import type { Observation } from '../../model/observation.ts';
import type { PlannedTrial } from './plan.ts';
import { noSighting, recordTrial } from './trialRecord.ts';
import type { RecordedTrial, TrialSighting } from './trialRecord.ts';

/** What was seen of every trial of a measurement, and what follows from it: put together when something was added to a trial, and not before. */
export class TrialBook {
  readonly #sightings = new Map<string, TrialSighting>();
  readonly #latest = new Map<string, { seen: string; recorded: RecordedTrial }>();

  constructor(
    trials: readonly PlannedTrial[],
    private readonly observations: readonly Observation[],
  ) {
    for (const planned of trials) this.add(planned);
  }

  /** All of them, those that a search added too. */
  get sightings(): readonly TrialSighting[] {
    return [...this.#sightings.values()];
  }

  has(key: string): boolean {
    return this.#sightings.has(key);
  }

  add(planned: PlannedTrial): TrialSighting {
    const sighting = noSighting(planned);
    this.#sightings.set(planned.key, sighting);
    return sighting;
  }

  of(key: string): TrialSighting {
    const sighting = this.#sightings.get(key);
    if (sighting === undefined) throw new RangeError(`${key} is no trial of this run`);
    return sighting;
  }

  /** A trial as it stands. */
  recorded(key: string): RecordedTrial {
    const sighting = this.of(key);
    const { blocks, problems, warmUp } = sighting;
    const seen = `${blocks.length} ${problems.length} ${warmUp?.durationMs ?? ''}`;
    const known = this.#latest.get(key);
    if (known?.seen === seen) return known.recorded;
    const recorded = recordTrial(sighting, this.observations);
    this.#latest.set(key, { seen, recorded });
    return recorded;
  }

  /** Those of which something is known, as they stand. */
  tried(): RecordedTrial[] {
    return this.sightings
      .filter(({ blocks, problems }) => blocks.length > 0 || problems.length > 0)
      .map(({ planned }) => this.recorded(planned.key));
  }

  /** The same at the end, with what was sampled of a trial after its last block was looked at. */
  final(): RecordedTrial[] {
    this.#latest.clear();
    return this.tried();
  }
}
