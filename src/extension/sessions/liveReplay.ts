import type { LiveEvent } from '../../model/protocol/live.ts';
import { LastEvents } from './lastEvents.ts';

/**
 * What a panel that appears late must get of the live session: its state, its controls, the latest figures, changes and segments.
 * Bounded, however long the session is: the last ten minutes of samples, the last 300 changes and segments. It stays until the next one starts.
 */
export class LiveReplay {
  readonly #latest = new LastEvents<LiveEvent>({ sample: 600, change: 300, segment: 300 });

  /** Remembers an event. */
  add(event: LiveEvent): void {
    this.#latest.add(event);
  }

  /** Another session begins: the one before is forgotten. */
  clear(): void {
    this.#latest.clear();
  }

  /** The events in the order of their times, so that they can be applied as if they had just come. */
  events(): LiveEvent[] {
    const timed = [
      ...this.#latest.of('sample').map((event) => ({ timeMs: event.sample.timeMs, event })),
      ...this.#latest.of('change').map((event) => ({ timeMs: event.change.timeMs, event })),
      ...this.#latest.of('segment').map((event) => ({ timeMs: event.segment.toMs, event })),
    ].sort((a, b) => a.timeMs - b.timeMs);
    return [...this.#latest.of('starting', 'running'), ...timed.map(({ event }) => event), ...this.#latest.of('ended')];
  }

  /** The end of the session, with its reason, once the engine has reported it. */
  get end(): Extract<LiveEvent, { type: 'ended' }> | undefined {
    return this.#latest.of('ended')[0];
  }

  /** The values that the session works with now, as far as they can be moved. */
  get values(): Record<string, number | string> {
    const values: Record<string, number | string> = {};
    for (const { setting, value, problem } of this.#latest.of('running')[0]?.controls ?? []) if (problem === null) values[setting] = value;
    for (const { change } of this.#latest.of('change'))
      if (change.ok && Object.hasOwn(values, change.setting)) values[change.setting] = change.to;
    return values;
  }
}
