import type { RunEvent } from '../../model/protocol/runEvent.ts';

const mostTicks = 240;
const mostNotes = 100;

/**
 * What a panel that appears late must get of the running benchmark: how it started, where it is, the latest figures.
 * Bounded, however long the run is: the last 240 ticks and observations, the latest state of each trial, the
 * latest answers of a tuning, what an experiment has found, the last notes.
 */
export class RunReplay {
  #started: RunEvent | undefined;
  #phase: RunEvent | undefined;
  #finished: RunEvent | undefined;
  #ticks: RunEvent[] = [];
  #observations: RunEvent[] = [];
  #notes: RunEvent[] = [];
  #tuning: Extract<RunEvent, { type: 'tuning' }> | undefined;
  #experiment: RunEvent | undefined;
  readonly #trials = new Map<string, RunEvent>();

  /** Remembers an event. `started` forgets the run before. */
  add(event: RunEvent): void {
    switch (event.type) {
      case 'started':
        this.clear();
        this.#started = event;
        return;
      case 'phase':
        this.#phase = event;
        return;
      case 'tick':
        this.#ticks = keepLast(this.#ticks, event, mostTicks);
        return;
      case 'observation':
        this.#observations = keepLast(this.#observations, event, mostTicks);
        return;
      case 'trial':
        this.#trials.set(event.trial.key, event);
        return;
      case 'tuning':
        this.#tuning = event;
        return;
      case 'experiment':
        this.#experiment = event;
        return;
      case 'note':
        this.#notes = keepLast(this.#notes, event, mostNotes);
        return;
      case 'finished':
        this.#finished = event;
        return;
    }
  }

  clear(): void {
    this.#started = undefined;
    this.#phase = undefined;
    this.#finished = undefined;
    this.#ticks = [];
    this.#observations = [];
    this.#notes = [];
    this.#tuning = undefined;
    this.#experiment = undefined;
    this.#trials.clear();
  }

  /** The events in an order that can be applied as if they had just come. */
  events(): RunEvent[] {
    const some = (event: RunEvent | undefined): RunEvent[] => (event === undefined ? [] : [event]);
    return [
      ...some(this.#started),
      ...this.#trials.values(),
      ...this.#notes,
      ...this.#observations,
      ...this.#ticks,
      ...some(this.#tuning),
      ...some(this.#experiment),
      ...some(this.#phase),
      ...some(this.#finished),
    ];
  }

  /** The latest phase, for the status bar and the progress notification. */
  get latestPhase(): Extract<RunEvent, { type: 'phase' }> | undefined {
    return this.#phase?.type === 'phase' ? this.#phase : undefined;
  }

  /** What a tuning has found so far. */
  get latestTuning(): Extract<RunEvent, { type: 'tuning' }> | undefined {
    return this.#tuning;
  }
}

function keepLast(list: RunEvent[], event: RunEvent, most: number): RunEvent[] {
  list.push(event);
  if (list.length > most) list.shift();
  return list;
}
