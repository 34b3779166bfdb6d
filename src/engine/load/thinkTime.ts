import { blockSeed, SeededRandom } from '../statistics/seededRandom.ts';

/** Sets the pauses apart from the requests, which are drawn by the block’s seed itself. */
const pauseStream = 7919;
/** A timer of Node wakes up to this much late on a machine that has nothing else to do. */
const timerMs = 1;

/**
 * The pauses of the connections of a block: each is drawn evenly from half the think time to one and a half of it, so that the connections do not fall into
 * step, and the mean is the think time. They are added up over the measured window, since a connection that thinks has no request in progress: Little’s law has
 * to count it. A pause that lasts longer than drawn, because the generator was busy, counts only as long as drawn.
 */
export class ThinkTime {
  /** Think time within the window that has just ended, all connections together. */
  windowMs = 0;
  readonly #random: SeededRandom;
  #thinking = 0;
  #countedTo = 0;
  #thoughtMs = 0;

  /** @param meanMs - more than 0. */
  constructor(
    private readonly meanMs: number,
    seed: number,
  ) {
    this.#random = new SeededRandom(blockSeed(seed, pauseStream));
  }

  /** Begins a pause and says how long it is to be, in ms. */
  begin(now: number): number {
    this.#count(now);
    this.#thinking += 1;
    return this.meanMs * (0.5 + this.#random.nextFraction());
  }

  /** Ends one that was to last `drawnMs`, and began at `began`. */
  end(now: number, began: number, drawnMs: number): void {
    this.#count(now);
    this.#thinking -= 1;
    this.#thoughtMs -= Math.max(0, now - began - drawnMs - timerMs);
  }

  beginWindow(now: number): void {
    this.#countedTo = now;
    this.#thoughtMs = 0;
  }

  endWindow(now: number): void {
    this.#count(now);
    this.windowMs = Math.max(0, this.#thoughtMs);
  }

  #count(now: number): void {
    this.#thoughtMs += this.#thinking * (now - this.#countedTo);
    this.#countedTo = now;
  }
}
