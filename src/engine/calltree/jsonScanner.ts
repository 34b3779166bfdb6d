/** Why a scan stopped: the bytes are no JSON, or they are something that the scan does not know how to read. */
export class ScanStop extends Error {
  constructor(readonly reason: 'invalid' | 'unusual') {
    super(reason);
  }
}

const quote = 0x22;
const backslash = 0x5c;
const comma = 0x2c;
const minus = 0x2d;
const zero = 0x30;
const nine = 0x39;
const openList = 0x5b;
const closeList = 0x5d;
const openObject = 0x7b;
const closeObject = 0x7d;
/** Deeper documents are read by what can read them. */
const maxDepth = 256;
const numberPattern = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/** Names of fields, compared as bytes. Objects of a list have them in the same order, so that the one after the last found is tried first. */
export class FieldNames<Name extends string> {
  readonly #encoded: readonly Uint8Array[];
  #expected = 0;

  constructor(private readonly names: readonly Name[]) {
    this.#encoded = names.map((name) => new TextEncoder().encode(name));
  }

  /** The name that a JSON string with escapes denotes, or null. */
  decoded(json: string): Name | null {
    const text: unknown = JSON.parse(json);
    return this.names.find((name) => name === text) ?? null;
  }

  /** The name at these bytes, or null. */
  find(bytes: Uint8Array, start: number, end: number): Name | null {
    const { length } = this.#encoded;
    for (let tried = 0; tried < length; tried += 1) {
      const index = (this.#expected + tried) % length;
      const encoded = this.#encoded[index] as Uint8Array;
      if (encoded.length !== end - start) continue;
      let at = 0;
      while (at < encoded.length && encoded[at] === bytes[start + at]) at += 1;
      if (at < encoded.length) continue;
      this.#expected = (index + 1) % length;
      return this.names[index] as Name;
    }
    return null;
  }
}

/**
 * Walks over the bytes of a JSON document by its grammar, without making values of what nobody asked for; so a document may be larger than the
 * longest string. What is not JSON, or not what was asked for, throws a {@link ScanStop}.
 */
export class JsonScanner {
  at = 0;
  readonly #text: Buffer;

  constructor(readonly bytes: Uint8Array) {
    this.#text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) this.at = 3;
  }

  /** Skips blanks and returns the byte that follows; -1 at the end. */
  peek(): number {
    const { bytes } = this;
    let { at } = this;
    while (at < bytes.length) {
      const byte = bytes[at] as number;
      if (byte > 0x20 || (byte !== 0x20 && byte !== 0x0a && byte !== 0x0d && byte !== 0x09)) break;
      at += 1;
    }
    this.at = at;
    return at < bytes.length ? (bytes[at] as number) : -1;
  }

  /**
   * Calls back for each field of the object at hand, with the scan at its value, which the callback must skip. Fields of other names than `names` are skipped
   * here.
   */
  object<Name extends string>(names: FieldNames<Name>, field: (name: Name) => void): void {
    if (!this.#enter(openObject, closeObject)) return;
    do {
      if (this.peek() !== quote) throw new ScanStop('invalid');
      const start = this.at + 1;
      const escaped = this.#skipString();
      const name = escaped ? names.decoded(this.#text.toString('utf8', start - 1, this.at)) : names.find(this.bytes, start, this.at - 1);
      this.#expect(0x3a);
      if (name === null) this.skip();
      else field(name);
    } while (!this.#next(closeObject));
  }

  /** Calls back for each element of the list at hand, with the scan at the element, which the callback must skip. */
  list(element: () => void): void {
    if (!this.#enter(openList, closeList)) return;
    do element();
    while (!this.#next(closeList));
  }

  /** Calls back for each number of a list of nothing else. */
  numbers(each: (value: number) => void): void {
    const { bytes } = this;
    if (!this.#enter(openList, closeList)) return;
    for (;;) {
      // Most elements are short whole numbers that are followed by a comma at once.
      let at = this.at;
      const first = bytes[at] as number;
      let value = 0;
      if (first > zero && first <= nine) {
        const limit = at + 15;
        for (let byte = first; byte >= zero && byte <= nine && at < limit; byte = bytes[at] as number) {
          value = value * 10 + byte - zero;
          at += 1;
        }
        if (bytes[at] === comma) {
          each(value);
          this.at = at + 1;
          const byte = bytes[at + 1] as number;
          if (byte <= 0x20) this.peek();
          continue;
        }
      }
      each(this.number());
      if (this.#next(closeList)) return;
      this.peek();
    }
  }

  /** The number at hand; one that is no finite double is unusual. */
  number(): number {
    const { bytes } = this;
    const first = this.peek();
    if (first !== minus && !(first >= zero && first <= nine)) throw this.other();
    const start = this.at;
    let at = first === minus ? start + 1 : start;
    const digits = at;
    let value = 0;
    for (let byte = bytes[at] as number; byte >= zero && byte <= nine; byte = bytes[at] as number) {
      value = value * 10 + byte - zero;
      at += 1;
    }
    const length = at - digits;
    const after = at < bytes.length ? (bytes[at] as number) : 0;
    const plain = length > 0 && length < 16 && (length === 1 || bytes[digits] !== zero) && after !== 0x2e && (after | 0x20) !== 0x65;
    if (plain) {
      this.at = at;
      return first === minus ? -value : value;
    }
    const number = Number(this.#numberText());
    if (!Number.isFinite(number)) throw new ScanStop('unusual');
    return number;
  }

  /** Skips exactly these bytes, if they are here. */
  literal(expected: Uint8Array): boolean {
    const { bytes, at } = this;
    for (let index = 0; index < expected.length; index += 1) if (bytes[at + index] !== expected[index]) return false;
    this.at = at + expected.length;
    return true;
  }

  /** The whole number of at most nine digits that begins here; -1, with the scan where it was, where there is none. */
  digits(): number {
    const { bytes } = this;
    const start = this.at;
    let at = start;
    let value = 0;
    for (let byte = bytes[at] as number; byte >= zero && byte <= nine; byte = bytes[at] as number) {
      value = value * 10 + byte - zero;
      at += 1;
    }
    const length = at - start;
    const after = bytes[at] as number;
    if (length === 0 || length > 9 || (length > 1 && bytes[start] === zero) || (after !== comma && after !== closeObject)) return -1;
    this.at = at;
    return value;
  }

  /** The text at hand. */
  string(): string {
    if (this.peek() !== quote) throw this.other();
    const start = this.at;
    const escaped = this.#skipString();
    if (!escaped) return this.#text.toString('utf8', start + 1, this.at - 1);
    return JSON.parse(this.#text.toString('utf8', start, this.at)) as string;
  }

  /** Skips any value. */
  skip(): void {
    /** For each container that is open, whether it is an object. */
    const open: boolean[] = [];
    for (;;) {
      const byte = this.peek();
      if (byte === openObject || byte === openList) {
        this.at += 1;
        if (open.length >= maxDepth) throw new ScanStop('unusual');
        const close = byte === openObject ? closeObject : closeList;
        if (this.peek() !== close) {
          open.push(byte === openObject);
          if (byte === openObject) this.#key();
          continue;
        }
        this.at += 1;
      } else this.#skipScalar(byte);
      for (;;) {
        const inObject = open.at(-1);
        if (inObject === undefined) return;
        if (!this.#next(inObject ? closeObject : closeList)) {
          if (inObject) this.#key();
          break;
        }
        open.pop();
      }
    }
  }

  /** The document must end here. */
  end(): void {
    if (this.peek() !== -1) throw new ScanStop('invalid');
  }

  /** Here is a value of another type, or none at all. */
  other(): ScanStop {
    const byte = this.peek();
    const value = byte === quote || byte === openObject || byte === openList || byte === minus || (byte >= zero && byte <= nine);
    // The words true, false and null.
    return new ScanStop(value || byte === 0x74 || byte === 0x66 || byte === 0x6e ? 'unusual' : 'invalid');
  }

  /** Enters a container; false for an empty one, which is skipped. */
  #enter(open: number, close: number): boolean {
    this.#expect(open);
    if (this.peek() !== close) return true;
    this.at += 1;
    return false;
  }

  #expect(byte: number): void {
    if (this.peek() !== byte) throw byte === openObject || byte === openList ? this.other() : new ScanStop('invalid');
    this.at += 1;
  }

  /** Skips a comma (false) or the end of the container (true). */
  #next(close: number): boolean {
    const byte = this.peek();
    if (byte !== close && byte !== comma) throw new ScanStop('invalid');
    this.at += 1;
    return byte === close;
  }

  #key(): void {
    if (this.peek() !== quote) throw new ScanStop('invalid');
    this.#skipString();
    this.#expect(0x3a);
  }

  #skipScalar(byte: number): void {
    if (byte === quote) this.#skipString();
    else if (byte === minus || (byte >= zero && byte <= nine)) this.#numberText();
    else {
      const word = byte === 0x74 ? 'true' : byte === 0x66 ? 'false' : byte === 0x6e ? 'null' : '';
      if (word === '' || this.#text.toString('latin1', this.at, this.at + word.length) !== word) throw new ScanStop('invalid');
      this.at += word.length;
    }
  }

  /** Skips the number at hand, of any size, and returns its text. */
  #numberText(): string {
    let { at } = this;
    while (at < this.bytes.length && /[0-9+\-.eE]/.test(String.fromCharCode(this.bytes[at] as number))) at += 1;
    const text = this.#text.toString('latin1', this.at, at);
    if (!numberPattern.test(text)) throw new ScanStop('invalid');
    this.at = at;
    return text;
  }

  /** Skips the text at hand; true where it has escapes. */
  #skipString(): boolean {
    const { bytes } = this;
    let at = this.at + 1;
    let escaped = false;
    for (;;) {
      const byte = bytes[at] as number | undefined;
      if (byte === quote) break;
      if (byte === undefined || byte < 0x20) throw new ScanStop('invalid');
      if (byte === backslash) {
        escaped = true;
        at += this.#escapeLength(at);
      } else at += 1;
    }
    this.at = at + 1;
    return escaped;
  }

  #escapeLength(at: number): number {
    const kind = String.fromCharCode(this.bytes[at + 1] ?? 0);
    if ('"\\/bfnrt'.includes(kind)) return 2;
    if (kind === 'u' && /^[0-9a-fA-F]{4}$/.test(this.#text.toString('latin1', at + 2, at + 6))) return 6;
    throw new ScanStop('invalid');
  }
}
