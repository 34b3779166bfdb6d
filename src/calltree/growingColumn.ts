type Values = Int32Array | Float64Array | Uint8Array;

/** A copy of a column with zeros after its end. */
export function longer<T extends Values>(column: T, length: number): T {
  const copy = new (column.constructor as new (length: number) => T)(length);
  copy.set(column);
  return copy;
}

/** A column that grows as it is filled. */
class GrowingColumn<T extends Int32Array | Float64Array> {
  length = 0;
  #values: T;

  constructor(empty: T) {
    this.#values = empty;
  }

  push(value: number): void {
    if (this.length === this.#values.length) this.#values = longer(this.#values, this.length * 2);
    this.#values[this.length] = value;
    this.length += 1;
  }

  at(index: number): number {
    return this.#values[index] as number;
  }

  /** Changes a value that was pushed before. */
  set(index: number, value: number): void {
    if (index >= 0 && index < this.length) this.#values[index] = value;
  }

  /** A copy of what was pushed. */
  toArray(): T {
    return this.#values.slice(0, this.length) as T;
  }
}

/** A column of 32-bit integers that grows as it is filled. */
export class GrowingInts extends GrowingColumn<Int32Array> {
  constructor() {
    super(new Int32Array(64));
  }
}

/** A column of 64-bit floats that grows as it is filled. */
export class GrowingFloats extends GrowingColumn<Float64Array> {
  constructor() {
    super(new Float64Array(64));
  }
}
