import { damagedJfr } from './jfrLimits.ts';

/** A 64-bit number of the file: a `number` where it is exact, a `bigint` beyond. Usable as the key of a `Map`. */
export type JfrKey = number | bigint;

/** A text as the file holds it; `poolKey` where only the key of a text in the pool of strings is given. */
export type JfrText = { text: string | null } | { poolKey: JfrKey };

const utf8 = new TextDecoder();
const latin1 = new TextDecoder('latin1');

/**
 * Reads the numbers and texts of a JFR file, and never outside [`position`, `end`). Everything that is read or skipped is paid from one
 * budget of steps, so that types which need no bytes cannot keep the reader busy for ever.
 */
export class JfrCursor {
  readonly bytes: Uint8Array;
  position = 0;
  end: number;
  readonly #view: DataView;
  #stepsLeft: number;

  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.end = bytes.length;
    this.#stepsLeft = 10_000_000 + bytes.length * 20;
  }

  /** Sets the range that may be read. */
  seek(position: number, end: number): void {
    if (!(position >= 0 && position <= end && end <= this.bytes.length)) throw damagedJfr('it points outside itself');
    this.position = position;
    this.end = end;
  }

  /** Takes steps from the budget. */
  spend(steps = 1): void {
    this.#stepsLeft -= steps;
    if (this.#stepsLeft < 0) throw damagedJfr('its types have no end');
  }

  skip(byteCount: number): void {
    if (!(byteCount >= 0 && byteCount <= this.end - this.position)) throw damagedJfr('a value ends after its event');
    this.position += byteCount;
  }

  /** Skips bytes and returns where they begin. */
  #passed(byteCount: number): number {
    const at = this.position;
    this.skip(byteCount);
    return at;
  }

  byte(): number {
    const value = this.position < this.end ? this.bytes[this.position] : undefined;
    if (value === undefined) throw damagedJfr('a value ends after its event');
    this.position += 1;
    return value;
  }

  /** Four bytes, big-endian, without sign. */
  fixedInt(): number {
    return this.#view.getUint32(this.#passed(4));
  }

  /** Eight bytes, big-endian, with sign. */
  fixedLong(): bigint {
    return this.#view.getBigInt64(this.#passed(8));
  }

  float(): number {
    return this.#view.getFloat32(this.#passed(4));
  }

  double(): number {
    return this.#view.getFloat64(this.#passed(8));
  }

  /** A compressed number: seven bits a byte, lowest first, at most nine bytes, the ninth with all its eight bits; 64 bits with sign. */
  key(): JfrKey {
    let low = 0;
    for (let shift = 0; shift < 28; shift += 7) {
      const value = this.byte();
      low += (value & 0x7f) << shift;
      if (value < 0x80) return low;
    }
    let high = 0;
    for (let shift = 0; shift < 28; shift += 7) {
      const value = this.byte();
      high += (value & 0x7f) << shift;
      if (value < 0x80) return join(low, high, 0);
    }
    return join(low, high, this.byte());
  }

  /** A compressed number as the nearest `number`. */
  long(): number {
    return Number(this.key());
  }

  skipCompressed(): void {
    for (let count = 0; count < 8; count += 1) if (this.byte() < 0x80) return;
    this.byte();
  }

  /** A compressed number of things of which each needs a byte at least. */
  count(): number {
    const value = this.long();
    if (!(value >= 0 && value <= this.end - this.position)) throw damagedJfr('it announces more values than it has bytes');
    return value;
  }

  /** A text in any of its encodings, cut at `maxLength` characters. */
  text(maxLength: number): JfrText {
    const encoding = this.byte();
    switch (encoding) {
      case 0:
        return { text: null };
      case 1:
        return { text: '' };
      case 2:
        return { poolKey: this.key() };
      case 3:
      case 5: {
        const length = this.count();
        const start = this.#passed(length);
        // A character takes up to four bytes: what lies beyond need not be decoded in order to be cut.
        const kept = this.bytes.subarray(start, start + Math.min(length, maxLength * 4 + 4));
        return { text: cut(encoding === 3 ? utf8.decode(kept) : latin1.decode(kept), maxLength) };
      }
      case 4: {
        const length = this.count();
        const parts: string[] = [];
        for (let index = 0; index < length; index += 1) {
          const code = this.long();
          if (index <= maxLength) parts.push(String.fromCharCode(code));
        }
        return { text: cut(parts.join(''), maxLength) };
      }
      default:
        throw damagedJfr('a text has an unknown encoding');
    }
  }

  /** Puts the same (ASCII) character in place of each of a text's, in the file itself; a key of the pool of texts stays. */
  overwriteText(character: number): void {
    const encoding = this.bytes[this.position];
    if (encoding === 3 || encoding === 5) {
      this.position += 1;
      const start = this.#passed(this.count());
      this.bytes.fill(character, start, this.position);
    } else if (encoding === 4) {
      this.position += 1;
      for (let left = this.count(); left > 0; left -= 1) {
        const start = this.position;
        this.skipCompressed();
        // A number may be written longer than it needs to be, with zeros to follow.
        this.bytes.fill(0x80, start, this.position);
        this.bytes[start] = this.position - start === 1 ? character : character | 0x80;
        if (this.position - start > 1) this.bytes[this.position - 1] = 0;
      }
    } else this.skipText();
  }

  skipText(): void {
    const encoding = this.byte();
    if (encoding === 2) this.skipCompressed();
    else if (encoding === 3 || encoding === 5) this.skip(this.count());
    else if (encoding === 4) {
      const length = this.count();
      for (let index = 0; index < length; index += 1) this.skipCompressed();
    } else if (encoding > 5) throw damagedJfr('a text has an unknown encoding');
  }
}

function join(low: number, high: number, top: number): JfrKey {
  if (top === 0 && high < 2 ** 25) return high * 2 ** 28 + low;
  const value = BigInt.asIntN(64, (BigInt(top) << 56n) | (BigInt(high) << 28n) | BigInt(low));
  const near = Number(value);
  return Number.isSafeInteger(near) ? near : value;
}

function cut(text: string, maxLength: number): string {
  return text.length > maxLength ? `${text.slice(0, maxLength)}…` : text;
}
