import type { OutlivedConnections } from '../../../model/domain/probe.ts';
import { nowUs } from '../clock.ts';
import { Durations } from '../durations.ts';
import { type Ask, placeOf, suspect, takeAsk } from './asks.ts';
import { goesOnFor } from '../servedRequests.ts';

/** Since when the requests of this process are under way, on the probe's clock. */
export interface RequestTimes {
  /** When the first of all began. */
  firstUs: number;
  /** When the oldest that is under way began; now, where none is. */
  oldestUs: number;
  /** At least how many have ended since then. */
  endedSince: (timeUs: number) => number;
}

/** What gives its connection back after its answer has half a second for it. */
const lateUs = 500_000;
/** As many as a report may have. */
const keptPlaces = 5;

interface Loan {
  readonly askedUs: number;
  readonly sinceUs: number;
  /** The caller's request and place; absent where neither is known. */
  readonly ask: Ask | undefined;
  /** Whether it was seen to outlive the request that took it. */
  outlived: boolean;
}

/** The connections that one pool has lent. It keeps none of them alive. */
export class Loans {
  readonly hold = new Durations();
  readonly #byObject = new WeakMap<object, Loan>();
  /** What is lent need not be an object. */
  readonly #byValue = new Map<unknown, Loan>();
  readonly #open = new Set<Loan>();
  #cameBack = 0;

  /** `askedUs`: when the caller asked for it, as `askedNowUs` returned it. */
  lend(connection: unknown, askedUs: number, sinceUs: number): void {
    this.#end(connection);
    const loan: Loan = { askedUs, sinceUs, ask: takeAsk(askedUs), outlived: false };
    if (typeof connection === 'object' && connection !== null) this.#byObject.set(connection, loan);
    else this.#byValue.set(connection, loan);
    this.#open.add(loan);
    // A pool may serve a waiting caller from within the call of another that returns a connection.
    goesOnFor(loan.ask?.request);
  }

  /** Gives whether it was lent. */
  giveBack(connection: unknown): boolean {
    const loan = this.#end(connection);
    if (loan === undefined) return false;
    this.hold.record(nowUs() - loan.sinceUs);
    if (loan.outlived) this.#cameBack += 1;
    return true;
  }

  #end(connection: unknown): Loan | undefined {
    const isObject = typeof connection === 'object' && connection !== null;
    const loan = isObject ? this.#byObject.get(connection) : this.#byValue.get(connection);
    if (loan === undefined) return undefined;
    if (isObject) this.#byObject.delete(connection);
    else this.#byValue.delete(connection);
    this.#open.delete(loan);
    return loan;
  }

  /**
   * Connections whose request is over: that is known of it, or it asked before the oldest request under way began. What was asked for before there was any
   * request belongs to none. One that outlived its request stays so until it is given back, however old the requests under way become. Of those that are left,
   * no more can belong to requests that are over than have ended since the first of them was asked for.
   */
  outliving({ firstUs, oldestUs, endedSince }: RequestTimes, timeUs = nowUs()): OutlivedConnections {
    let held = 0;
    let unknown = 0;
    let unknownSinceUs = timeUs;
    const places = new Map<string, number>();
    for (const loan of this.#open) {
      const request = loan.ask?.request;
      const isLate = timeUs - Math.max(loan.sinceUs, request?.endedUs ?? 0) >= lateUs;
      const isOver = loan.askedUs < oldestUs || (request !== undefined && request.endedUs !== null);
      if (loan.askedUs >= firstUs && isOver && isLate) loan.outlived = true;
      if (!loan.outlived) {
        if (request !== undefined || loan.askedUs < firstUs) continue;
        unknown += 1;
        unknownSinceUs = Math.min(unknownSinceUs, loan.askedUs);
        continue;
      }
      held += 1;
      const at = loan.ask === undefined ? null : placeOf(loan.ask);
      if (at !== null) places.set(at, (places.get(at) ?? 0) + 1);
    }
    if (held > 0) suspect();
    const unsure = unknown === 0 ? 0 : Math.min(unknown, endedSince(unknownSinceUs));
    const counts = { held, cameBack: this.#cameBack, ...(unsure === 0 ? {} : { unsure }) };
    if (places.size === 0) return counts;
    const most = [...places].sort(([, a], [, b]) => b - a).slice(0, keptPlaces);
    return { ...counts, places: most.map(([at, count]) => ({ at, count })) };
  }
}
