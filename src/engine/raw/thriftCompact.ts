/** Writes structures in Thrift's compact protocol, which the metadata of Parquet is in. Fields are to be written in the order of their numbers. */
export class ThriftWriter {
  readonly #bytes: number[] = [];
  #lastField = 0;
  readonly #outer: number[] = [];

  bytes(): Buffer {
    return Buffer.from(this.#bytes);
  }

  i32(field: number, value: number): this {
    this.#field(field, 5);
    this.#zigzag(value);
    return this;
  }

  /** Whole, and at most 2⁵³. */
  i64(field: number, value: number): this {
    this.#field(field, 6);
    this.#zigzag(value);
    return this;
  }

  boolean(field: number, value: boolean): this {
    this.#field(field, value ? 1 : 2);
    return this;
  }

  text(field: number, value: string): this {
    this.#field(field, 8);
    this.#text(value);
    return this;
  }

  struct(field: number, write: (writer: this) => void): this {
    this.#field(field, 12);
    this.#struct(write);
    return this;
  }

  structs<T>(field: number, items: readonly T[], write: (writer: this, item: T) => void): this {
    this.#list(field, items.length, 12);
    for (const item of items) this.#struct(() => write(this, item));
    return this;
  }

  i32s(field: number, items: readonly number[]): this {
    this.#list(field, items.length, 5);
    for (const item of items) this.#zigzag(item);
    return this;
  }

  texts(field: number, items: readonly string[]): this {
    this.#list(field, items.length, 8);
    for (const item of items) this.#text(item);
    return this;
  }

  /** Ends the outermost structure. */
  stop(): this {
    this.#bytes.push(0);
    return this;
  }

  #struct(write: (writer: this) => void): void {
    this.#outer.push(this.#lastField);
    this.#lastField = 0;
    write(this);
    this.stop();
    this.#lastField = this.#outer.pop() ?? 0;
  }

  #field(field: number, type: number): void {
    this.#bytes.push(((field - this.#lastField) << 4) | type);
    this.#lastField = field;
  }

  #list(field: number, count: number, type: number): void {
    this.#field(field, 9);
    if (count < 15) this.#bytes.push((count << 4) | type);
    else {
      this.#bytes.push(0xf0 | type);
      this.#varint(count);
    }
  }

  #text(value: string): void {
    const utf8 = Buffer.from(value);
    this.#varint(utf8.byteLength);
    this.#bytes.push(...utf8);
  }

  #zigzag(value: number): void {
    this.#varint(value < 0 ? -2 * value - 1 : 2 * value);
  }

  #varint(value: number): void {
    let rest = value;
    while (rest >= 128) {
      this.#bytes.push((rest % 128) | 128);
      rest = Math.floor(rest / 128);
    }
    this.#bytes.push(rest);
  }
}
