/** A column of 32-bit integers that grows as it is filled. */
export class GrowingInts {
  length = 0;
  #values = new Int32Array(64);

  push(value: number): void {
    if (this.length === this.#values.length) {
      const larger = new Int32Array(this.#values.length * 2);
      larger.set(this.#values);
      this.#values = larger;
    }
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
  toArray(): Int32Array {
    return this.#values.slice(0, this.length);
  }
}

/** A column of 64-bit floats that grows as it is filled. */
export class GrowingFloats {
  length = 0;
  #values = new Float64Array(64);

  push(value: number): void {
    if (this.length === this.#values.length) {
      const larger = new Float64Array(this.#values.length * 2);
      larger.set(this.#values);
      this.#values = larger;
    }
    this.#values[this.length] = value;
    this.length += 1;
  }

  at(index: number): number {
    return this.#values[index] as number;
  }

  /** Adds to a value that was pushed before. */
  add(index: number, value: number): void {
    if (index >= 0 && index < this.length) this.#values[index] = (this.#values[index] as number) + value;
  }

  /** A copy of what was pushed. */
  toArray(): Float64Array {
    return this.#values.slice(0, this.length);
  }
}
