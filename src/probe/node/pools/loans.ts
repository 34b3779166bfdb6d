import type { PoolReport } from '../../../model/probe.ts';
import { nowUs } from '../clock.ts';
import { Durations } from '../durations.ts';

/** Since when the requests of this process are under way, on the probe's clock. */
export interface RequestTimes {
  /** When the first of all began. */
  firstUs: number;
  /** When the oldest that is under way began; now, where none is. */
  oldestUs: number;
}

/** What gives its connection back after its answer has half a second for it. */
const lateUs = 500_000;

interface Loan {
  readonly askedUs: number;
  readonly sinceUs: number;
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

  /** `askedUs`: when the caller asked for it. */
  lend(connection: unknown, askedUs: number, sinceUs: number): void {
    this.#end(connection);
    const loan: Loan = { askedUs, sinceUs, outlived: false };
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
  outliving({ firstUs, oldestUs }: RequestTimes, timeUs = nowUs()): NonNullable<PoolReport['outlived']> {
    let held = 0;
    for (const loan of this.#open) {
      if (loan.askedUs >= firstUs && loan.askedUs < oldestUs && timeUs - loan.sinceUs >= lateUs) loan.outlived = true;
      if (loan.outlived) held += 1;
    }
    return { held, cameBack: this.#cameBack };
  }
}
