/**
 * A timer of Node is whole milliseconds and wakes about 0.1 ms after its time, so that what is due within half a millisecond is started now: starts
 * are then half a millisecond around their times, on the average at them, instead of always late.
 */
const earlyMs = 0.5;
/** The pacer wakes at least this often, so that time-outs can be checked. */
const longestSleepMs = 10;

export interface PacerOptions {
  ratePerS: number;
  /** The `index`th start, from 0, is due. `intendedMs` is its time, by `performance.now()`. */
  onDue: (index: number, intendedMs: number) => void;
  /** Called after each waking, at least every 11 ms. */
  onWake: (now: number) => void;
}

/**
 * Evenly spaced starts at t0 + i/rate, whatever else happens: times are computed from the index, so that nothing adds up, and when the process was
 * kept from running, all that has become due is started at once, each with its own intended time.
 */
export class Pacer {
  #startedAt = 0;
  #next = 0;
  #timer: NodeJS.Timeout | undefined;
  #running = false;

  constructor(private readonly options: PacerOptions) {}

  /** Index of the next start. */
  get next(): number {
    return this.#next;
  }

  start(): void {
    this.#startedAt = performance.now();
    this.#running = true;
    this.#wake();
  }

  catchUp(now: number): void {
    // `now` is read once: a generator that cannot keep up still has to come round to its answers.
    while (this.#running && this.#intendedMs(this.#next) <= now + earlyMs) {
      const index = this.#next++;
      this.options.onDue(index, this.#intendedMs(index));
    }
  }

  stop(): void {
    this.#running = false;
    clearTimeout(this.#timer);
  }

  readonly #wake = (): void => {
    const now = performance.now();
    this.catchUp(now);
    this.options.onWake(now);
    if (!this.#running) return;
    const sleepMs = this.#intendedMs(this.#next) - performance.now();
    this.#timer = setTimeout(this.#wake, Math.min(longestSleepMs, Math.max(1, Math.round(sleepMs))));
  };

  #intendedMs(index: number): number {
    return this.#startedAt + (index * 1000) / this.options.ratePerS;
  }
}
