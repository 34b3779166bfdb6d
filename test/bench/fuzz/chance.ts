/** Numbers that look random and are the same for the same start, so that every input can be made again from its number. */
export class Chance {
  #state: number;

  constructor(start: string) {
    this.#state = 0x811c9dc5;
    for (let at = 0; at < start.length; at += 1) this.#state = Math.imul(this.#state ^ start.charCodeAt(at), 0x01000193);
  }

  /** 0 … 2³²−1 */
  word(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return (mixed ^ (mixed >>> 14)) >>> 0;
  }

  /** 0 … below−1 */
  below(below: number): number {
    return this.word() % Math.max(1, below);
  }

  one<T>(list: readonly T[]): T {
    return list[this.below(list.length)] as T;
  }

  /** True once in so many times. */
  once(inTimes: number): boolean {
    return this.below(inTimes) === 0;
  }
}
