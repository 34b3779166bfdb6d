import type { RunEvent } from '../../model/protocol/runEvent.ts';
import { LastEvents } from './lastEvents.ts';

/**
 * What a panel that appears late must get of the running benchmark: how it started, where it is, the latest figures.
 * Bounded, however long the run is: the last 240 ticks and observations, the latest state of each trial, the
 * latest answers of a tuning, what an experiment has found, the last notes.
 */
export class RunReplay {
  readonly #latest = new LastEvents<RunEvent>({ tick: 240, observation: 240, note: 100 });
  readonly #trials = new Map<string, RunEvent>();

  /** Remembers an event. `started` forgets the run before. */
  add(event: RunEvent): void {
    if (event.type === 'started') this.clear();
    if (event.type === 'trial') this.#trials.set(event.trial.key, event);
    else this.#latest.add(event);
  }

  clear(): void {
    this.#latest.clear();
    this.#trials.clear();
  }

  /** The events in an order that can be applied as if they had just come. */
  events(): RunEvent[] {
    return [
      ...this.#latest.of('started'),
      ...this.#trials.values(),
      ...this.#latest.of('note', 'observation', 'tick', 'tuning', 'experiment', 'phase', 'finished'),
    ];
  }

  /** The latest phase, for the status bar and the progress notification. */
  get latestPhase(): Extract<RunEvent, { type: 'phase' }> | undefined {
    return this.#latest.of('phase')[0];
  }

  /** What a tuning has found so far. */
  get latestTuning(): Extract<RunEvent, { type: 'tuning' }> | undefined {
    return this.#latest.of('tuning')[0];
  }
}
