import type { LoadTick } from '../load/loadProtocol.ts';

/** Between what is told of a warm-up and what it is compared with. */
export const warmUpLookS = 5;
/** Less is noise. */
const leastFallPercent = 3;

/** CPU time of a request while processes are warmed: a compiler and caches bring it down, and what others take of the CPU hardly touches it. */
export class WarmUpCpu {
  #last: { atMs: number; us: number } | null = null;
  #missing = false;
  readonly #perSecond: number[] = [];

  /** `read` gives the CPU time that all of them used so far, in µs; null where it is not known. */
  constructor(
    private readonly read: () => Promise<number | null>,
    private readonly now: () => number = () => performance.now(),
  ) {}

  /** To be called at each tick of the load. */
  async tick({ throughput }: Pick<LoadTick, 'throughput'>): Promise<void> {
    const us = await this.read();
    const atMs = this.now();
    if (us === null) {
      this.#missing = true;
      return;
    }
    const before = this.#last;
    this.#last = { atMs, us };
    if (before === null) return;
    // The reading follows its tick, on a busy machine by some ms.
    const requests = (throughput * (atMs - before.atMs)) / 1000;
    if (us > before.us && requests > 0) this.#perSecond.push((1e6 * requests) / (us - before.us));
  }

  /** Requests for each second of CPU, in each tick from the second on; null where CPU is not known. */
  get perSecond(): readonly number[] | null {
    return this.#missing || this.#last === null ? null : this.#perSecond;
  }

  /** By how much less CPU a request takes than some seconds ago, in percent; null where that is nothing. */
  get fallsPercent(): number | null {
    const now = mean(this.#perSecond.slice(-2));
    const then = mean(this.#perSecond.slice(-2 * warmUpLookS, -2 * warmUpLookS + 2));
    if (now === null || then === null) return null;
    const percent = Math.round(100 * (1 - then / now));
    return percent >= leastFallPercent ? percent : null;
  }
}

function mean(values: readonly number[]): number | null {
  return values.length < 2 ? null : values.reduce((sum, value) => sum + value, 0) / values.length;
}
