import diagnostics from 'node:diagnostics_channel';
import { nowUs } from '../clock.ts';
import { Durations } from '../durations.ts';
import { ownerOnce, replaceMethod } from '../objects.ts';

/** What is timed of one pool, or of one client that is in none. */
export interface UndiciCounts {
  readonly acquire: Durations;
  readonly hold: Durations;
  /** Requests that are asked for and not sent yet, and those that are sent and not answered in full. */
  waiting: number;
  sent: number;
  timeouts: number;
}

export function newCounts(): UndiciCounts {
  return { acquire: new Durations(), hold: new Durations(), waiting: 0, sent: 0, timeouts: 0 };
}

interface Asked {
  readonly counts: UndiciCounts;
  readonly startUs: number;
  sentUs: number;
}

type Subscriber = (message: unknown) => void;

/**
 * Follows a request through a dispatcher of undici, from whichever copy of the package: `dispatch` of a pool, which may put it into its queue and
 * call itself again; `dispatch` of a client within that; then by the channels that undici has for what it sends and receives.
 */
export class UndiciRequests {
  readonly #followed = new WeakSet<object>();
  /** By their handler, while they may be in a pool's queue. */
  readonly #asked = new WeakMap<object, Asked>();
  readonly #requests = new WeakMap<object, Asked>();
  /** What is being dispatched in this very moment. */
  #current: Asked | null = null;
  #wrapsHandlers = false;
  // Kept here: Node only holds them weakly.
  readonly #subscriptions: readonly [diagnostics.Channel, Subscriber][] = [
    [diagnostics.channel('undici:request:create'), (message) => this.#quietly(message, (request) => this.#created(request))],
    [diagnostics.channel('undici:client:sendHeaders'), (message) => this.#quietly(message, (request) => this.#sent(request))],
    [diagnostics.channel('undici:request:trailers'), (message) => this.#quietly(message, (request) => this.#ended(request, false))],
    [diagnostics.channel('undici:request:error'), (message) => this.#quietly(message, (request) => this.#ended(request, true))],
  ];

  /** @param countsOf of a pool, and of a client in none; null of anything else, such as an Agent */
  constructor(private readonly countsOf: (dispatcher: object) => UndiciCounts | null) {}

  stop(): void {
    for (const [channel, subscriber] of this.#subscriptions) channel.unsubscribe(subscriber);
  }

  /** To be called before the first object of a class is used. */
  follow(prototype: object): void {
    const owner = ownerOnce(this.#followed, prototype, 'dispatch');
    if (owner === null) return;
    for (const [channel, subscriber] of this.#subscriptions) {
      channel.unsubscribe(subscriber);
      channel.subscribe(subscriber);
    }
    const begin = (dispatcher: object, options: object, handler: object): Asked | null => this.#begin(dispatcher, options, handler);
    const current = (asked: Asked | null): Asked | null => {
      const outer = this.#current;
      this.#current = asked;
      return outer;
    };
    replaceMethod<object, [object, object, ...unknown[]]>(owner, 'dispatch', (original) => {
      return function (...given) {
        const asked = begin(this, given[0], given[1]);
        if (asked === null) return original.apply(this, given);
        const outer = current(asked);
        try {
          return original.apply(this, given);
        } finally {
          current(outer);
        }
      };
    });
  }

  #begin(dispatcher: object, options: object, handler: object): Asked | null {
    try {
      if (this.#current !== null) return this.#current;
      // What was in a pool's queue may be given to a client straight away.
      const known = this.#queued(options, handler);
      if (known !== null) return known;
      const counts = this.countsOf(dispatcher);
      if (counts === null) return null;
      const asked = { counts, startUs: nowUs(), sentUs: 0 };
      counts.waiting += 1;
      this.#asked.set(handler, asked);
      if (this.#wrapsHandlers) this.#asked.set(options, asked);
      return asked;
    } catch {
      // Not the dispatcher that was expected: there will be no figures of it.
      return null;
    }
  }

  /** The same request, dispatched once more. From version 7 on, what comes out of a queue is another handler, round the app's own. */
  #queued(options: object, handler: object): Asked | null {
    const known = this.#asked.get(handler);
    if (known !== undefined) return known;
    const isNew = 'onRequestStart' in handler;
    this.#wrapsHandlers ||= isNew;
    return isNew || !this.#wrapsHandlers ? null : (this.#asked.get(options) ?? null);
  }

  #created(request: object): void {
    if (this.#current !== null) this.#requests.set(request, this.#current);
  }

  #sent(request: object): void {
    const asked = this.#requests.get(request);
    // A request may be sent again on another connection.
    if (asked === undefined || asked.sentUs !== 0) return;
    asked.sentUs = nowUs();
    asked.counts.acquire.record(asked.sentUs - asked.startUs);
    asked.counts.waiting -= 1;
    asked.counts.sent += 1;
  }

  #ended(request: object, failed: boolean): void {
    const asked = this.#requests.get(request);
    if (asked === undefined) return;
    this.#requests.delete(request);
    const { counts, sentUs } = asked;
    if (sentUs === 0) {
      counts.waiting -= 1;
      if (failed) counts.timeouts += 1;
      return;
    }
    counts.hold.record(nowUs() - sentUs);
    counts.sent -= 1;
  }

  // Node ends the process for an error in a subscriber.
  #quietly(message: unknown, work: (request: object) => void): void {
    try {
      work((message as { request: object }).request);
    } catch {
      // Another undici sends something else: then there are no figures.
    }
  }
}
