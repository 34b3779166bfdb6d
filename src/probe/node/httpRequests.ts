import diagnostics from 'node:diagnostics_channel';
import { nowUs } from './clock.ts';
import { Durations } from './durations.ts';
import { type ServedRequest, endedSince, requestBegins, requestEnds } from './servedRequests.ts';
import type { RequestTimes } from './pools/loans.ts';
import type { ProbeReport } from '../../model/domain/probe.ts';

type Subscriber = (message: unknown) => void;
interface Answering {
  destroyed?: boolean;
  closed?: boolean;
  writableEnded?: boolean;
}

interface Begun {
  startedUs: number;
  request: ServedRequest;
}

const keptAbandoned = 5_000;

/**
 * Times of requests to the `node:http` and `node:https` servers of this process, from the request's head to the last byte of the response
 * being handed to the system, by the channels that Node has for it: nothing of the app's objects is changed.
 */
export class HttpRequests {
  readonly #durations = new Durations();
  readonly #open = new Map<object, Begun>();
  /** Requests whose client went away: what answers them may be at it still. It lets go of the response when it has done. */
  #abandoned: (Begun & { response: WeakRef<Answering> })[] = [];
  #firstUs: number | null = null;
  // Kept here: Node only holds them weakly.
  readonly #channels = [diagnostics.channel('http.server.request.start'), diagnostics.channel('http.server.response.finish')];
  readonly #subscribers: Subscriber[] = [(message) => this.#started(message), (message) => this.#finished(message)];

  start(): void {
    for (const [index, subscriber] of this.#subscribers.entries()) this.#channels[index]?.subscribe(subscriber);
  }

  stop(): void {
    for (const [index, subscriber] of this.#subscribers.entries()) this.#channels[index]?.unsubscribe(subscriber);
    this.#open.clear();
    this.#abandoned = [];
  }

  /** Null until a first request came. Requests whose client went away before the end are in no figure. */
  report(): ProbeReport['http'] {
    if (this.#firstUs === null) return null;
    this.#sort();
    return { requests: this.#durations.report(), inFlight: this.#open.size };
  }

  /** Null where none came, or more were left by their clients than can be kept in mind. */
  times(): RequestTimes | null {
    if (this.#firstUs === null) return null;
    this.#sort();
    if (this.#abandoned.length > keptAbandoned) return null;
    const [oldestOpen] = this.#open.values();
    return {
      firstUs: this.#firstUs,
      oldestUs: this.#abandoned.reduce((oldest, { startedUs }) => Math.min(oldest, startedUs), oldestOpen?.startedUs ?? nowUs()),
      endedSince,
    };
  }

  #sort(): void {
    for (const [response, begun] of this.#open as Map<Answering, Begun>) {
      if (response.destroyed !== true && response.closed !== true) continue;
      this.#open.delete(response);
      if (this.#abandoned.length <= keptAbandoned) this.#abandoned.push({ response: new WeakRef(response), ...begun });
    }
    if (this.#abandoned.length > keptAbandoned) return;
    this.#abandoned = this.#abandoned.filter(({ response, request }) => {
      if (response.deref()?.writableEnded === false) return true;
      requestEnds(request, nowUs());
      return false;
    });
  }

  // Node ends the process for an error in a subscriber.
  #started(message: unknown): void {
    try {
      const startedUs = nowUs();
      this.#firstUs ??= startedUs;
      this.#open.set((message as { response: object }).response, { startedUs, request: requestBegins() });
    } catch {
      // Another Node sends something else: then there are no figures.
    }
  }

  #finished(message: unknown): void {
    try {
      const { response } = message as { response: object };
      const begun = this.#open.get(response);
      if (begun === undefined) return;
      const timeUs = nowUs();
      this.#open.delete(response);
      this.#durations.record(timeUs - begun.startedUs);
      requestEnds(begun.request, timeUs);
    } catch {
      // As above.
    }
  }
}
