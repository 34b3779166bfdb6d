import {
  type OpenLoopComparison,
  type OpenLoopWindow,
  type SeenWindow,
  compareP99,
  isSpoiled,
  openRateOf,
  requestsInAll,
  windowOf,
  windowSecondsAt,
} from '../search/openLoopComparison.ts';
import type { Round, Strategy } from '../strategy.ts';

/** As many as the time and the rate allow: the number is fixed before the first, so that no look at them can end them at a lucky moment. */
const [fewestRounds, usualRounds, mostRounds] = [4, 8, 24];

export interface PairAtRateOptions {
  /** Requests/s that the slower of the two answers at full load. */
  throughput: number;
  /** What a window costs in addition to its own length, in ms. */
  overheadMs: number;
  budgetMs: number;
  /** For things with few answers, more: as much as a p99 takes at the least, where it is not beyond that. */
  mostMs: number;
}

/** p99 of two things at one and the same fixed rate, in mirrored rounds of short windows. */
export class PairAtRate<Trial extends { key: string }> implements Strategy<Trial, SeenWindow> {
  readonly ratePerS: number;
  readonly windowMs: number;
  /** Rounds that fit into the time; 0 where they would hold too few requests for a p99. */
  readonly rounds: number;
  /** The least time that has enough of them. */
  readonly neededMs: number;
  readonly #roundMs: number;
  readonly #windows: OpenLoopWindow[] = [];
  #round = 0;

  constructor(
    private readonly a: Trial,
    private readonly b: Trial,
    { throughput, overheadMs, budgetMs, mostMs }: PairAtRateOptions,
  ) {
    this.ratePerS = openRateOf(throughput);
    const windowS = windowSecondsAt(this.ratePerS);
    this.windowMs = 1000 * windowS;
    this.#roundMs = 2 * (this.windowMs + overheadMs);
    const needed = Math.max(fewestRounds, Math.ceil(requestsInAll / (windowS * this.ratePerS)));
    this.neededMs = needed * this.#roundMs;
    const fit = Math.floor(Math.max(budgetMs, this.neededMs <= mostMs ? this.neededMs : 0) / this.#roundMs);
    // Half of the rounds may be left out because of the CPU that others used meanwhile.
    const wanted = Math.min(mostRounds, Math.max(usualRounds, 2 * needed));
    this.rounds = throughput <= 0 || fit < needed ? 0 : Math.min(wanted, fit);
  }

  next(): Round<Trial> | null {
    if (this.#round >= this.rounds) return null;
    this.#round += 1;
    const what = { code: 'rate', ratePerS: this.ratePerS, round: this.#round, of: this.rounds, again: false } as const;
    return { round: this.#round, what, trials: this.#round % 2 === 1 ? [this.a, this.b] : [this.b, this.a] };
  }

  observe({ key }: Trial, round: number, seen: SeenWindow | null): void {
    if (seen === null || seen.ended !== null || seen.result.open === null || isSpoiled(seen.result.open)) return;
    this.#windows.push(windowOf(seen, { key, round, acquisitions: null }, this.ratePerS));
  }

  remainingMs(): number {
    return Math.max(0, this.rounds - this.#round) * this.#roundMs;
  }

  /** The second against the first; null where nothing was measured. */
  comparison(): OpenLoopComparison | null {
    return this.#windows.length === 0 ? null : compareP99(this.ratePerS, this.#windows, this.a.key);
  }
}
