import { damaged } from '../../calltree/treeLimits.ts';
import { attempt } from '../../model/domain/attempt.ts';
import { numberOf } from './jsonDocument.ts';

const [quote, backslash, comma, colon, zero, nine] = [0x22, 0x5c, 0x2c, 0x3a, 0x30, 0x39];
const [openList, closeList] = [0x5b, 0x5d];
export const [openObject, closeObject] = [0x7b, 0x7d];

/**
 * Walks over the bytes of a JSON document from value to value, and makes only those that are asked for; so a document may be larger than the longest string.
 *
 * @throws SyntaxError where it is no JSON, FailureError `profile-damaged` where it is another value than was asked for.
 */
export class JsonWalk {
  at = 0;
  readonly #text: Buffer;

  constructor(readonly bytes: Uint8Array) {
    this.#text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
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

  /** The name of each field of the object at hand, with the walk at its value, which is skipped where the caller has not done that. */
  *fields(): Generator<string> {
    if (!this.#enter(openObject, closeObject)) return;
    do {
      if (this.peek() !== quote) throw new SyntaxError('a field has no name');
      const name = this.parse() as string;
      if (this.peek() !== colon) throw new SyntaxError('a field has no value');
      this.at += 1;
      this.peek();
      const start = this.at;
      yield name;
      if (this.at === start) this.skip();
    } while (!this.#next(closeObject));
  }

  /** Calls back for each element of the list at hand, with the walk at the element, which the callback must skip. */
  list(element: () => void): void {
    if (!this.#enter(openList, closeList)) return;
    do {
      this.peek();
      element();
    } while (!this.#next(closeList));
  }

  /** Enters the object at hand; false for an empty one, which is skipped. */
  enterObject(): boolean {
    return this.#enter(openObject, closeObject);
  }

  /** Whether a field follows in the object at hand, which else is left. */
  hasMore(): boolean {
    return !this.#next(closeObject);
  }

  /** The place in `names` of the field at hand, of which one is expected, with the walk at its value; -1 for another, which is skipped. */
  fieldIn(names: readonly Uint8Array[], expected: number): number {
    if (this.peek() !== quote) throw new SyntaxError('a field has no name');
    let index = -1;
    for (let tried = 0; tried < names.length && index === -1; tried += 1) {
      const place = (expected + tried) % names.length;
      if (this.#literal(names[place] as Uint8Array)) index = place;
    }
    if (index === -1 && !this.#plainText()) throw damaged('JSON', 'a name with escapes may be any name');
    if (this.peek() !== colon) throw new SyntaxError('a field has no value');
    this.at += 1;
    if (index === -1 && !this.#plainText()) this.parse();
    return index;
  }

  /** Skips a text without escapes, if one is here. */
  #plainText(): boolean {
    const { bytes } = this;
    if (this.peek() !== quote) return false;
    let at = this.at + 1;
    for (let byte = bytes[at]; byte !== quote; byte = bytes[at]) {
      if (byte === undefined || byte < 0x20 || byte === backslash) return false;
      at += 1;
    }
    this.at = at + 1;
    return true;
  }

  /** Calls back for each number of a list of nothing else. */
  numbers(each: (value: number) => void): void {
    if (!this.#enter(openList, closeList)) return;
    do each(this.number());
    while (!this.#next(closeList));
  }

  /** The number at hand, which is skipped. */
  number(): number {
    this.peek();
    const value = this.#digits();
    return value === -1 ? numberOf(this.parse(), 'JSON', 'a value') : value;
  }

  /** Skips exactly these bytes, if they are here. */
  #literal(expected: Uint8Array): boolean {
    const { bytes, at } = this;
    for (let index = 0; index < expected.length; index += 1) if (bytes[at + index] !== expected[index]) return false;
    this.at = at + expected.length;
    return true;
  }

  /** The whole number of at most nine digits that begins here; -1, with the walk where it was, where there is none. */
  #digits(): number {
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
    if (length === 0 || length > 9 || (length > 1 && bytes[start] === zero)) return -1;
    if (after !== comma && after !== closeObject && after !== closeList && !(after <= 0x20)) return -1;
    this.at = at;
    return value;
  }

  /** Skips any value, of which is only seen where it ends. */
  skip(): void {
    this.peek();
    const end = valueEnd(this.bytes, this.at);
    if (end === -1) throw new SyntaxError('it is cut short');
    this.at = end;
  }

  /** The value at hand, which is skipped. */
  parse(): unknown {
    this.peek();
    const start = this.at;
    this.skip();
    return this.parsed(start, this.at);
  }

  /** The value that fills these bytes. */
  parsed(start: number, end: number): unknown {
    return JSON.parse(this.#text.toString('utf8', start, end));
  }

  /** Enters a container; false for an empty one, which is skipped. */
  #enter(open: number, close: number): boolean {
    if (this.peek() !== open) throw damaged('JSON', 'a value of it is neither a list nor an object');
    this.at += 1;
    if (this.peek() !== close) return true;
    this.at += 1;
    return false;
  }

  /** Skips a comma (false) or the end of the container (true). */
  #next(close: number): boolean {
    const byte = this.peek();
    if (byte !== close && byte !== comma) throw new SyntaxError('a value has no end');
    this.at += 1;
    return byte === close;
  }
}

/** The names of fields as {@link JsonWalk.fieldIn} compares them: with their quotes. */
export function fieldNames(...names: readonly string[]): Uint8Array[] {
  return names.map((name) => new TextEncoder().encode(JSON.stringify(name)));
}

const scalarEnds: ReadonlySet<number> = new Set([comma, closeList, closeObject, 0x20, 0x0a, 0x0d, 0x09]);

/** Where the value that begins there ends; -1 where the document ends before. */
export function valueEnd(bytes: Uint8Array, start: number): number {
  const first = bytes[start];
  if (first !== quote && first !== openObject && first !== openList) {
    let end = start;
    while (end < bytes.length && !scalarEnds.has(bytes[end] as number)) end += 1;
    return end;
  }
  let depth = 0;
  for (let at = start; at < bytes.length; at += 1) {
    const byte = bytes[at] as number;
    if (byte === quote) {
      at = stringEnd(bytes, at) - 1;
      if (at < 0) return -1;
    } else if (byte === openObject || byte === openList) depth += 1;
    else if (byte === closeObject || byte === closeList) depth -= 1;
    else continue;
    if (depth === 0) return at + 1;
  }
  return -1;
}

function stringEnd(bytes: Uint8Array, start: number): number {
  for (let at = start + 1; at < bytes.length; at += 1) {
    if (bytes[at] === backslash) at += 1;
    else if (bytes[at] === quote) return at + 1;
  }
  return -1;
}

/**
 * Calls back with the place of each object of a list: the document itself, or what its field of that name holds. Nothing is made of what is in them, so that
 * a document of any size can be read. False where the document ends within the list.
 *
 * @throws FailureError `profile-damaged` where there is no such list.
 */
export function listedObjects(bytes: Uint8Array, field: string, format: string, use: (start: number, end: number) => void): boolean {
  const start = listStart(new JsonWalk(bytes), field);
  if (start === -1) throw damaged(format, `it has no list of “${field}”`);
  for (let at = start + 1; at < bytes.length; at += 1) {
    const byte = bytes[at];
    if (byte === closeList) return true;
    if (byte !== openObject) continue;
    const end = valueEnd(bytes, at);
    if (end === -1) return false;
    use(at, end);
    at = end - 1;
  }
  return false;
}

/** Where the list begins; -1 where there is none. */
function listStart(walk: JsonWalk, field: string): number {
  if (walk.peek() === openList) return walk.at;
  return attempt(() => {
    for (const name of walk.fields()) if (name === field) return walk.peek() === openList ? walk.at : -1;
    return -1;
  }, -1);
}
