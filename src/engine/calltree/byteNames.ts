import { longer } from '../../calltree/growingColumn.ts';

const ones = 0x01010101;
const highBits = 0x80808080 | 0;

/** Words that precede a name's bytes in the arena: its length in bytes, and its value. */
const headWords = 2;

/**
 * Interns ranges of bytes that end at a byte of their own or at a limit, so that a name is decoded once however often it occurs. A file of a hundred
 * megabytes is little else than names: they are read four bytes at a time, and all that is kept of a name lies together, as a name that was seen
 * before costs little more than what of it is not in the processor's cache.
 */
export class ByteNames {
  /** Where the range that was looked up last ends. */
  stop = 0;
  readonly #view: DataView;
  /** Open addressing: pairs of a name's hash and its position in the arena; 0 is free. */
  #slots = new Int32Array(2 * 4096);
  #count = 0;
  /** One name after the other, each once: its head, and its bytes in words, the last of which is filled up with zeros and may hold none. */
  #arena: Int32Array<ArrayBuffer>;
  /** The first word is left out, as 0 is no place. */
  #used = 1;
  readonly #seed = Math.floor(Math.random() * 0x7fffffff);

  /**
   * @param delimiter the byte at which a name ends, of ASCII
   * @param valueOf is called once for each name and returns what represents it: a 32-bit integer from 0; a name with another one is not kept
   */
  constructor(
    bytes: Uint8Array,
    private readonly delimiter: number,
    private readonly valueOf: (start: number, end: number) => number,
  ) {
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.#arena = new Int32Array(Math.min(1 << 15, bytes.byteLength + headWords));
  }

  /** The value of the name that begins at `start`. */
  get(start: number, limit: number): number {
    const { delimiter } = this;
    const delimiters = delimiter * ones;
    const view = this.#view;
    const slots = this.#slots;
    const arena = this.#arena;
    let hash = this.#seed;
    let at = start;
    /** What is left after the whole words, in the low bytes. */
    let rest = 0;
    for (;;) {
      if (at + 4 > limit) {
        for (let shift = 0; at < limit; at += 1, shift += 8) {
          const byte = view.getUint8(at);
          if (byte === delimiter) break;
          rest |= byte << shift;
        }
        break;
      }
      const word = view.getInt32(at, true);
      // A byte is zero after this where there was a delimiter; the lowest bit that is left marks the first of them.
      const without = word ^ delimiters;
      const marks = (without - ones) & ~without & highBits;
      if (marks !== 0) {
        const bits = (31 - Math.clz32(marks & -marks)) & 24;
        rest = word & ((1 << bits) - 1);
        at += bits >> 3;
        break;
      }
      hash = mixed(hash, word);
      at += 4;
    }
    this.stop = at;
    const length = at - start;
    hash = mixed(mixed(hash, rest), length);
    hash ^= hash >>> 13;
    const mask = slots.length - 2;
    let slot = (hash << 1) & mask;
    for (let place = slots[slot + 1] as number; place !== 0; place = slots[slot + 1] as number) {
      if (slots[slot] === hash && arena[place] === length && this.#same(place + headWords, start, length, rest)) {
        return arena[place + 1] as number;
      }
      slot = (slot + 2) & mask;
    }
    const value = this.valueOf(start, at);
    if (value < 0) return value;
    slots[slot] = hash;
    slots[slot + 1] = this.#used;
    this.#add(start, length, rest, value);
    return value;
  }

  #same(word: number, start: number, length: number, rest: number): boolean {
    const view = this.#view;
    const arena = this.#arena;
    const end = start + (length & ~3);
    for (let at = start; at < end; at += 4, word += 1) if (arena[word] !== view.getInt32(at, true)) return false;
    return arena[word] === rest;
  }

  #add(start: number, length: number, rest: number, value: number): void {
    const needed = this.#used + headWords + (length >> 2) + 1;
    if (needed > this.#arena.length) this.#arena = longer(this.#arena, Math.max(needed, this.#arena.length * 2));
    this.#arena[this.#used] = length;
    this.#arena[this.#used + 1] = value;
    for (let word = this.#used + headWords, at = start; word < needed - 1; word += 1, at += 4)
      this.#arena[word] = this.#view.getInt32(at, true);
    this.#arena[needed - 1] = rest;
    this.#used = needed;
    this.#count += 1;
    if (this.#count * 8 > this.#slots.length * 3) this.#rehash();
  }

  #rehash(): void {
    const before = this.#slots;
    this.#slots = new Int32Array(before.length * 2);
    const mask = this.#slots.length - 2;
    for (let from = 0; from < before.length; from += 2) {
      if (before[from + 1] === 0) continue;
      let slot = ((before[from] as number) << 1) & mask;
      while (this.#slots[slot + 1] !== 0) slot = (slot + 2) & mask;
      this.#slots[slot] = before[from] as number;
      this.#slots[slot + 1] = before[from + 1] as number;
    }
  }
}

function mixed(hash: number, word: number): number {
  const product = Math.imul(hash ^ word, 0x9e3779b1);
  return product ^ (product >>> 15);
}
