import { SeededRandom } from '../statistics/seededRandom.ts';

/** So many consecutive requests have the mix as exactly as whole requests can. */
const inARow = 16;
/** Fractional part of the golden ratio: its multiples are spread over 0 … 1 more evenly than those of any other number. */
const golden = 0.618_033_988_749_894_9;
/** Requests seek from 0 on. */
const before = -2;

/**
 * Numbers from 0 to 1 that choose the entries of a mix: each is uniform, and any {@link inARow} that begin at a multiple of it have one number in each
 * sixteenth of the range, in a drawn order (systematic sampling: Cochran, Sampling Techniques, ch. 8). Of independent draws a slice of 300 requests of two
 * routes holds 150 ± 9 of each, so that its throughput says ± 6 % of the routes where one of them costs far more than the other, and nothing of the server. The
 * number of an index follows from the seed and from the index alone; profiles/k6/script.js draws the same.
 */
export class EvenDraws {
  readonly #random: SeededRandom;
  readonly #first: number;
  #row = -1;
  #places: number[] = [];

  constructor(seed: number) {
    this.#random = new SeededRandom(seed);
    this.#random.seek(before + 1);
    this.#first = this.#random.nextFraction();
  }

  at(index: number): number {
    const row = Math.floor(index / inARow);
    if (row !== this.#row) {
      this.#row = row;
      this.#random.seek(before - row);
      this.#places = this.#random.shuffled(Array.from({ length: inARow }, (_, place) => place));
    }
    const offset = (this.#first + row * golden) % 1;
    return ((this.#places[index % inARow] ?? 0) + offset) / inARow;
  }
}
