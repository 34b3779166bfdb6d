import type { OutlivedConnections } from '../../../model/probe.ts';
import { nowUs } from '../clock.ts';
import { Durations } from '../durations.ts';
import { placeOf, suspect, takeAsk } from './asks.ts';
import type { Ask } from './asks.ts';

/** Since when the requests of this process are under way, on the probe's clock. */
export interface RequestTimes {
  /** When the first of all began. */
  firstUs: number;
  /** When the oldest that is under way began; now, where none is. */
  oldestUs: number;
}

/** What gives its connection back after its answer has half a second for it. */
const lateUs = 500_000;
/** As many as a report may have. */
const keptPlaces = 5;

interface Loan {
  readonly askedUs: number;
  readonly sinceUs: number;
  /** Where it was asked for; absent where that was not looked at. */
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

  /** `askedUs`: when the caller asked for it, as `askedNowUs` told. */
  lend(connection: unknown, askedUs: number, sinceUs: number): void {
    this.#end(connection);
    const loan: Loan = { askedUs, sinceUs, ask: takeAsk(askedUs), outlived: false };
    if (typeof connection === 'object' && connection !== null) this.#byObject.set(connection, loan);
    else this.#byValue.set(connection, loan);
    this.#open.add(loan);
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
   * Connections that were asked for before the oldest request under way began: the request that took one is over. What was asked for before there was any
   * request belongs to none. One that outlived its request stays so until it is given back, however old the requests under way become.
   */
  outliving({ firstUs, oldestUs }: RequestTimes, timeUs = nowUs()): OutlivedConnections {
    let held = 0;
    const places = new Map<string, number>();
    for (const loan of this.#open) {
      if (loan.askedUs >= firstUs && loan.askedUs < oldestUs && timeUs - loan.sinceUs >= lateUs) loan.outlived = true;
      if (!loan.outlived) continue;
      held += 1;
      const at = loan.ask === undefined ? null : placeOf(loan.ask);
      if (at !== null) places.set(at, (places.get(at) ?? 0) + 1);
    }
    if (held > 0) suspect();
    if (places.size === 0) return { held, cameBack: this.#cameBack };
    const most = [...places].sort(([, a], [, b]) => b - a).slice(0, keptPlaces);
    return { held, cameBack: this.#cameBack, places: most.map(([at, count]) => ({ at, count })) };
  }
}
