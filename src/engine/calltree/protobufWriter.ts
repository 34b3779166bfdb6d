import { longer } from '../../calltree/growingColumn.ts';

/** Builds one protobuf message. */
export class ProtobufWriter {
  #bytes = new Uint8Array(256);
  #length = 0;

  /** A number from 0 up to 2⁶³; 0 is left out, as it is the default. */
  number(field: number, value: number): this {
    if (value === 0) return this;
    this.#varint(field * 8);
    this.#varint(value);
    return this;
  }

  /** A packed list of numbers from 0 up. */
  numbers(field: number, values: Iterable<number>): this {
    const inner = new ProtobufWriter();
    for (const value of values) inner.#varint(value);
    return this.#data(field, inner.finish());
  }

  text(field: number, text: string): this {
    return this.#data(field, Buffer.from(text, 'utf8'));
  }

  message(field: number, message: ProtobufWriter): this {
    return this.#data(field, message.finish());
  }

  /** The message so far. */
  finish(): Uint8Array {
    return this.#bytes.subarray(0, this.#length);
  }

  #data(field: number, data: Uint8Array): this {
    this.#varint(field * 8 + 2);
    this.#varint(data.byteLength);
    this.#reserve(data.byteLength);
    this.#bytes.set(data, this.#length);
    this.#length += data.byteLength;
    return this;
  }

  #varint(value: number): void {
    this.#reserve(10);
    let rest = value;
    while (rest >= 128) {
      this.#bytes[this.#length] = (rest % 128) + 128;
      this.#length += 1;
      rest = Math.floor(rest / 128);
    }
    this.#bytes[this.#length] = rest;
    this.#length += 1;
  }

  #reserve(more: number): void {
    if (this.#length + more <= this.#bytes.length) return;
    this.#bytes = longer(this.#bytes, Math.max(this.#bytes.length * 2, this.#length + more));
  }
}
