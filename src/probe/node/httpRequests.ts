import diagnostics from 'node:diagnostics_channel';
import { nowUs } from './clock.ts';
import { Durations } from './durations.ts';
import type { ProbeReport } from '../../model/probe.ts';

type Subscriber = (message: unknown) => void;
interface Answering {
  destroyed?: boolean;
  closed?: boolean;
}

/**
 * Times of requests to the `node:http` and `node:https` servers of this process, from the request's head to the last byte of the response
 * being handed to the system, by the channels that Node has for it: nothing of the app's objects is changed.
 */
export class HttpRequests {
  readonly #durations = new Durations();
  readonly #open = new Map<object, number>();
  #seen = false;
  // Kept here: Node only holds them weakly.
  readonly #channels = [diagnostics.channel('http.server.request.start'), diagnostics.channel('http.server.response.finish')];
  readonly #subscribers: Subscriber[] = [(message) => this.#started(message), (message) => this.#finished(message)];

  start(): void {
    for (const [index, subscriber] of this.#subscribers.entries()) this.#channels[index]?.subscribe(subscriber);
  }

  stop(): void {
    for (const [index, subscriber] of this.#subscribers.entries()) this.#channels[index]?.unsubscribe(subscriber);
    this.#open.clear();
  }

  /** Null until a first request came. Requests whose client went away before the end are in no figure. */
  report(): ProbeReport['http'] {
    if (!this.#seen) return null;
    for (const response of this.#open.keys()) {
      const { destroyed, closed } = response as Answering;
      if (destroyed === true || closed === true) this.#open.delete(response);
    }
    return { requests: this.#durations.report(), inFlight: this.#open.size };
  }

  // Node ends the process for an error in a subscriber.
  #started(message: unknown): void {
    try {
      this.#seen = true;
      this.#open.set((message as { response: object }).response, nowUs());
    } catch {
      // Another Node sends something else: then there are no figures.
    }
  }

  #finished(message: unknown): void {
    try {
      const { response } = message as { response: object };
      const startedUs = this.#open.get(response);
      if (startedUs === undefined) return;
      this.#open.delete(response);
      this.#durations.record(nowUs() - startedUs);
    } catch {
      // As above.
    }
  }
}
