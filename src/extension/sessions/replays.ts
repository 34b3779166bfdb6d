import type { LiveEvent } from '../../model/protocol/live.ts';
import type { RunEvent } from '../../model/protocol/runEvent.ts';

/** The latest events of each type: one, or as many as `most` says. */
class LastEvents<E extends { type: string }> {
  readonly #byType = new Map<string, E[]>();

  constructor(private readonly most: Readonly<Partial<Record<E['type'], number>>>) {}

  add(event: E): void {
    const type: E['type'] = event.type;
    const kept = this.#byType.get(type) ?? [];
    this.#byType.set(type, kept);
    kept.push(event);
    if (kept.length > (this.most[type] ?? 1)) kept.shift();
  }

  /** Those of one type, or of some, the oldest first. */
  protected of<T extends E['type']>(...types: readonly T[]): Extract<E, { type: T }>[] {
    return types.flatMap((type) => (this.#byType.get(type) ?? []) as Extract<E, { type: T }>[]);
  }

  clear(): void {
    this.#byType.clear();
  }
}

/**
 * What a panel that appears late must get of the running benchmark: how it started, where it is, the latest figures.
 * Bounded, however long the run is: the last 240 ticks and observations, the latest state of each trial, the
 * latest answers of a tuning, what an experiment has found, the last notes.
 */
export class RunReplay extends LastEvents<RunEvent> {
  readonly #trials = new Map<string, RunEvent>();

  constructor() {
    super({ tick: 240, observation: 240, note: 100 });
  }

  /** Remembers an event. `started` forgets the run before. */
  override add(event: RunEvent): void {
    if (event.type === 'started') this.clear();
    if (event.type === 'trial') this.#trials.set(event.trial.key, event);
    else super.add(event);
  }

  override clear(): void {
    super.clear();
    this.#trials.clear();
  }

  /** The events in an order that can be applied as if they had just come. */
  events(): RunEvent[] {
    return [
      ...this.of('started'),
      ...this.#trials.values(),
      ...this.of('note', 'observation', 'tick', 'tuning', 'experiment', 'phase', 'finished'),
    ];
  }

  /** The latest phase, for the status bar and the progress notification. */
  get latestPhase(): Extract<RunEvent, { type: 'phase' }> | undefined {
    return this.of('phase')[0];
  }

  /** What a tuning has found so far. */
  get latestTuning(): Extract<RunEvent, { type: 'tuning' }> | undefined {
    return this.of('tuning')[0];
  }
}

/**
 * What a panel that appears late must get of the live session: its state, its controls, the latest figures, changes and segments.
 * Bounded, however long the session is: the last ten minutes of samples, the last 300 changes and segments. It stays until the next one starts.
 */
export class LiveReplay extends LastEvents<LiveEvent> {
  constructor() {
    super({ sample: 600, change: 300, segment: 300 });
  }

  /** The events in the order of their times, so that they can be applied as if they had just come. */
  events(): LiveEvent[] {
    const timed = [
      ...this.of('sample').map((event) => ({ timeMs: event.sample.timeMs, event })),
      ...this.of('change').map((event) => ({ timeMs: event.change.timeMs, event })),
      ...this.of('segment').map((event) => ({ timeMs: event.segment.toMs, event })),
    ].sort((a, b) => a.timeMs - b.timeMs);
    return [...this.of('starting', 'running'), ...timed.map(({ event }) => event), ...this.of('ended')];
  }

  /** The end of the session, with its reason, once the engine has reported it. */
  get end(): Extract<LiveEvent, { type: 'ended' }> | undefined {
    return this.of('ended')[0];
  }

  /** The values that the session works with now, as far as they can be moved. */
  get values(): Record<string, number | string> {
    const values: Record<string, number | string> = {};
    for (const { setting, value, problem } of this.of('running')[0]?.controls ?? []) if (problem === null) values[setting] = value;
    for (const { change } of this.of('change')) if (change.ok && Object.hasOwn(values, change.setting)) values[change.setting] = change.to;
    return values;
  }
}
