import type { LiveEvent } from '../../model/protocol/live.ts';

const mostSamples = 600;
const mostMarks = 300;

type EventOf<T extends LiveEvent['type']> = Extract<LiveEvent, { type: T }>;

/**
 * What a panel that appears late must get of the live session: its state, its controls, the latest figures, changes and segments.
 * Bounded, however long the session is: the last ten minutes of samples, the last 300 changes and segments. It stays until the next one starts.
 */
export class LiveReplay {
  #starting: EventOf<'starting'> | undefined;
  #running: EventOf<'running'> | undefined;
  #samples: EventOf<'sample'>[] = [];
  #changes: EventOf<'change'>[] = [];
  #segments: EventOf<'segment'>[] = [];
  #ended: EventOf<'ended'> | undefined;

  /** Remembers an event. */
  add(event: LiveEvent): void {
    switch (event.type) {
      case 'starting':
        this.#starting = event;
        return;
      case 'running':
        this.#running = event;
        return;
      case 'sample':
        keepLast(this.#samples, event, mostSamples);
        return;
      case 'change':
        keepLast(this.#changes, event, mostMarks);
        return;
      case 'segment':
        keepLast(this.#segments, event, mostMarks);
        return;
      case 'ended':
        this.#ended = event;
        return;
    }
  }

  /** Another session begins: the one before is forgotten. */
  clear(): void {
    this.#starting = undefined;
    this.#running = undefined;
    this.#samples = [];
    this.#changes = [];
    this.#segments = [];
    this.#ended = undefined;
  }

  /** The events in the order of their times, so that they can be applied as if they had just come. */
  events(): LiveEvent[] {
    const some = (event: LiveEvent | undefined): LiveEvent[] => (event === undefined ? [] : [event]);
    const timed = [
      ...this.#samples.map((event) => ({ timeMs: event.sample.timeMs, event })),
      ...this.#changes.map((event) => ({ timeMs: event.change.timeMs, event })),
      ...this.#segments.map((event) => ({ timeMs: event.segment.toMs, event })),
    ].sort((a, b) => a.timeMs - b.timeMs);
    return [...some(this.#starting), ...some(this.#running), ...timed.map(({ event }) => event), ...some(this.#ended)];
  }

  /** Whether the engine has reported the end of the session. */
  get isOver(): boolean {
    return this.#ended !== undefined;
  }

  /** Why the session is over. */
  get end(): EventOf<'ended'> | undefined {
    return this.#ended;
  }

  /** The values that the session works with now, as far as they can be moved. */
  get values(): Record<string, number | string> {
    const values: Record<string, number | string> = {};
    for (const { setting, value, problem } of this.#running?.controls ?? []) if (problem === null) values[setting] = value;
    for (const { change } of this.#changes) if (change.ok && Object.hasOwn(values, change.setting)) values[change.setting] = change.to;
    return values;
  }
}

function keepLast<T>(list: T[], event: T, most: number): void {
  list.push(event);
  if (list.length > most) list.shift();
}
