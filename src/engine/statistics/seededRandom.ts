const twoTo32 = 4_294_967_296;
const weyl = 0x9e3779b9;

/**
 * A small seeded generator of random numbers (SplitMix32: a Weyl sequence through the finaliser of MurmurHash3, period 2³²).
 * The same seed gives the same sequence on every machine; it is for request mixes, never for secrets.
 */
export class SeededRandom {
  readonly #origin: number;
  #state: number;

  constructor(seed: number) {
    this.#origin = mix32(seed >>> 0) ^ mix32(Math.floor(seed / twoTo32) >>> 0);
    this.#state = this.#origin;
  }

  /**
   * Goes to where the draws of the `index`th request (or iteration) begin: a hash of seed and index. What is drawn for it then depends on no request before
   * it, so that several generators, or another program with the same few lines (profiles/k6/script.js), draw the same.
   */
  seek(index: number): void {
    this.#state = mix32(this.#origin + Math.imul(index + 1, weyl));
  }

  /** A whole number from 0 to 2³² − 1. */
  nextUint32(): number {
    this.#state = (this.#state + weyl) | 0;
    return mix32(this.#state);
  }

  /** A number from 0 (included) to 1 (not included), with 32 random bits. */
  nextFraction(): number {
    return this.nextUint32() / twoTo32;
  }

  /** A whole number from `min` to `max`, both included; ranges wider than 2³² are drawn with 53 bits. */
  nextInteger(min: number, max: number): number {
    const span = max - min + 1;
    if (span <= twoTo32) return min + Math.floor(this.nextFraction() * span);
    const fraction = (this.nextUint32() * 2_097_152 + (this.nextUint32() >>> 11)) / Number.MAX_SAFE_INTEGER;
    return Math.min(max, min + Math.floor(fraction * span));
  }

  /** The same items in an order that is drawn (Fisher and Yates). */
  shuffled<T>(items: readonly T[]): T[] {
    const order = [...items];
    for (let last = order.length - 1; last > 0; last -= 1) {
      const other = this.nextInteger(0, last);
      [order[last], order[other]] = [order[other] as T, order[last] as T];
    }
    return order;
  }
}

/**
 * The seed of one block's request sequence. Settings that are compared in the same round get the same seed, and so the same
 * requests in the same order; the next round gets others.
 */
export function blockSeed(seed: number, round: number): number {
  return (mix32(seed >>> 0) + Math.imul(round, weyl)) >>> 0;
}

function mix32(value: number): number {
  let z = value | 0;
  z = Math.imul(z ^ (z >>> 16), 0x85ebca6b);
  z = Math.imul(z ^ (z >>> 13), 0xc2b2ae35);
  return (z ^ (z >>> 16)) >>> 0;
}
