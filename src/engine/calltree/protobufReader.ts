import { damaged } from '../../calltree/treeLimits.ts';

/** Walks over the fields of one protobuf message, without making objects of them. Whatever is cut short or malformed is a failure. */
export class ProtobufReader {
  /** Number of the field last read by {@link next}. */
  field = 0;
  #wireType = 0;

  constructor(
    private readonly bytes: Uint8Array,
    private position = 0,
    private readonly end = bytes.byteLength,
    private readonly format = 'pprof',
  ) {}

  /** Moves to the next field; false at the end of the message. */
  next(): boolean {
    if (this.position >= this.end) return false;
    const key = this.#varint();
    this.field = Math.floor(key / 8);
    this.#wireType = key % 8;
    if (this.field === 0) throw this.#malformed();
    return true;
  }

  /** The number in this field. */
  number(): number {
    if (this.#wireType !== 0) throw this.#malformed();
    return this.#varint();
  }

  /** Calls back for each number of a repeated field, packed or not. */
  numbers(each: (value: number) => void): void {
    if (this.#wireType === 0) {
      each(this.#varint());
      return;
    }
    const inner = this.message();
    while (inner.position < inner.end) each(inner.#varint());
  }

  /** A reader of the message in this field. */
  message(): ProtobufReader {
    const { start, end } = this.range();
    return new ProtobufReader(this.bytes, start, end, this.format);
  }

  /** The bytes of this field, as a range of the file. */
  range(): { start: number; end: number } {
    if (this.#wireType !== 2) throw this.#malformed();
    const length = this.#varint();
    const start = this.position;
    if (length > this.end - start) throw this.#malformed();
    this.position = start + length;
    return { start, end: this.position };
  }

  text(): string {
    const { start, end } = this.range();
    return Buffer.from(this.bytes.buffer, this.bytes.byteOffset + start, end - start).toString('utf8');
  }

  /** Whether this field is a number or a packed list of numbers. */
  get isNumbers(): boolean {
    return this.#wireType === 0 || this.#wireType === 2;
  }

  /** Whether this field has a length: a message, a text or a packed list. */
  get hasLength(): boolean {
    return this.#wireType === 2;
  }

  /** The numbers in these fields of this message, which is read to its end; 0 where there is none. */
  numbersIn<const Fields extends readonly number[]>(fields: Fields): { [Index in keyof Fields]: number } {
    const found = fields.map(() => 0);
    while (this.next()) {
      const index = fields.indexOf(this.field);
      if (index === -1) this.skip();
      else found[index] = this.number();
    }
    return found as { [Index in keyof Fields]: number };
  }

  /** Skips this field of 64-bit numbers, packed or not, and returns how many they are. */
  skippedFixed64(): number {
    if (this.#wireType !== 2) {
      this.skip();
      return 1;
    }
    const { start, end } = this.range();
    return Math.floor((end - start) / 8);
  }

  /** Skips this field. */
  skip(): void {
    if (this.#wireType === 0) this.#varint();
    else if (this.#wireType === 2) this.range();
    else if (this.#wireType === 1 || this.#wireType === 5) this.position += this.#wireType === 1 ? 8 : 4;
    else throw this.#malformed();
    if (this.position > this.end) throw this.#malformed();
  }

  /** A 64-bit number, of two's complement; exact up to 2⁵³. */
  #varint(): number {
    let low = 0;
    let high = 0;
    for (let shift = 0; shift < 70; shift += 7) {
      if (this.position >= this.end) throw this.#malformed();
      const byte = this.bytes[this.position] as number;
      this.position += 1;
      const bits = byte & 0x7f;
      if (shift < 28) low |= bits << shift;
      else if (shift === 28) {
        low |= bits << 28;
        high |= bits >>> 4;
      } else if (shift < 63) high |= bits << (shift - 32);
      else high |= (bits & 1) << 31;
      if (byte < 0x80) {
        if (high === 0) return low >>> 0;
        if (high < 0) return -((~high >>> 0) * 2 ** 32 + (~low >>> 0) + 1);
        return high * 2 ** 32 + (low >>> 0);
      }
    }
    throw this.#malformed();
  }

  #malformed(): Error {
    return damaged(this.format, 'it is cut short or not of that format');
  }
}
