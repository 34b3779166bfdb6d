import type { Chance } from './chance.ts';

const encoder = new TextEncoder();

/** Bytes at which formats begin, end, count or go on. */
const tellingBytes = [0, 1, 9, 10, 13, 32, 34, 44, 45, 48, 57, 58, 59, 60, 91, 92, 93, 95, 123, 125, 127, 128, 192, 237, 239, 255];
export const tellingNumbers = [
  0n,
  1n,
  2n,
  0x7fn,
  0x80n,
  0xffffn,
  0x7fffffffn,
  0x80000000n,
  0xffffffffn,
  1n << 53n,
  (1n << 63n) - 1n,
  (1n << 64n) - 1n,
];

/** One change of bytes, wherever it falls. */
export function changedBytes(bytes: Uint8Array, chance: Chance, tokens: readonly Uint8Array[]): Uint8Array {
  const at = chance.below(bytes.length + 1);
  switch (chance.below(8)) {
    case 0:
      return spliced(bytes, at, at + 1, Uint8Array.of(chance.below(256)));
    case 1:
      return spliced(bytes, at, at + 1, Uint8Array.of(chance.one(tellingBytes)));
    case 2:
      return spliced(bytes, at, at + 1 + chance.below(chance.once(4) ? bytes.length : 16), new Uint8Array());
    case 3:
      return spliced(bytes, at, at, bytes.subarray(at, at + 1 + chance.below(64)));
    case 4:
      return bytes.slice(0, at);
    case 5:
      return spliced(bytes, at, at + chance.below(2), varint(chance.one(tellingNumbers)));
    case 6: {
      const from = chance.below(bytes.length);
      return spliced(bytes, at, at + chance.below(32), bytes.subarray(from, from + chance.below(64)));
    }
    default:
      return tokens.length === 0
        ? spliced(bytes, at, at, bigEndian(chance.one(tellingNumbers)))
        : spliced(bytes, at, at + chance.below(4), chance.one(tokens));
  }
}

export function randomBytes(chance: Chance, most: number): Uint8Array {
  return Uint8Array.from({ length: chance.below(most) }, () => (chance.once(3) ? chance.one(tellingBytes) : chance.below(256)));
}

export function spliced(bytes: Uint8Array, from: number, to: number, instead: Uint8Array): Uint8Array {
  const end = Math.min(bytes.length, to);
  const out = new Uint8Array(from + instead.length + bytes.length - end);
  out.set(bytes.subarray(0, from));
  out.set(instead, from);
  out.set(bytes.subarray(end), from + instead.length);
  return out;
}

export function varint(value: bigint): Uint8Array {
  const bytes: number[] = [];
  let left = value;
  for (; left > 0x7fn; left >>= 7n) bytes.push(Number(left & 0x7fn) | 0x80);
  bytes.push(Number(left));
  return Uint8Array.from(bytes);
}

function bigEndian(value: bigint): Uint8Array {
  const bytes = new Uint8Array(8);
  new DataView(bytes.buffer).setBigUint64(0, BigInt.asUintN(64, value));
  return bytes;
}

/** A value of a JSON text, and where the member or element begins that it is the value of. */
interface JsonSpan {
  member: number;
  start: number;
  end: number;
}

/** All values of a JSON text, by their places. The text must be valid. */
export function jsonSpans(text: string): JsonSpan[] {
  const spans: JsonSpan[] = [];
  const open: JsonSpan[] = [];
  const token = /"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+/g;
  let member = 0;
  for (let found = token.exec(text); found !== null; found = token.exec(text)) {
    const [word] = found;
    const start = found.index;
    if (word === '{' || word === '[') {
      open.push({ member, start, end: 0 });
      member = start + 1;
    } else if (word === '}' || word === ']') {
      const span = open.pop();
      if (span !== undefined) spans.push({ ...span, end: start + 1 });
    } else if (word === ',') member = start + 1;
    else if (word !== ':' && !/^\s*:/.test(text.slice(start + word.length, start + word.length + 3)))
      spans.push({ member, start, end: start + word.length });
  }
  return spans;
}

const strangeTexts = [
  ...['""', '"x"', '"__proto__"', '"constructor"', '"\\ud800"', '"\\u0000"', '"</script>"', '"../../x"', '"1e3"', '"2026-13-45"'],
];
/** What a reader of JSON does not expect. */
const strangeValues = [
  ...['null', 'true', 'false', '0', '-0', '-1', '1', '1.5', '2147483648', '4294967296', '9007199254740993', '1e308', '-1e308', '1e999'],
  ...strangeTexts,
  ...['[]', '{}', '[[]]', '[null]', '{"":0}', '{"__proto__":{"a":1}}', '[1,2,3,4,5,6,7,8,9]'],
];
const longValues = [`"${'y'.repeat(70_000)}"`, `${'['.repeat(5_000)}${']'.repeat(5_000)}`, `${'{"a":'.repeat(5_000)}1${'}'.repeat(5_000)}`];

/** Valid JSON of another meaning: some of its values are other ones, gone, or there twice. */
export function changedJson(text: string, spans: readonly JsonSpan[], chance: Chance): string {
  const chosen = Array.from({ length: chance.once(2) ? 1 : 1 + chance.below(4) }, () => chance.one(spans)).sort(
    (a, b) => b.start - a.start,
  );
  let out = text;
  let before = Infinity;
  for (const { member, start, end } of chosen) {
    if (end > before) continue;
    before = member;
    out = `${out.slice(0, member)}${otherMember(text, { member, start, end }, spans, chance)}${out.slice(end)}`;
  }
  return out;
}

function otherMember(text: string, { member, start, end }: JsonSpan, spans: readonly JsonSpan[], chance: Chance): string {
  const key = text.slice(member, start);
  const value = text.slice(start, end);
  switch (chance.below(8)) {
    case 0:
      return `${key}${value},${key}${value}`;
    case 1:
      return key.includes(':') ? `"zz":${value}` : 'null';
    case 2: {
      const other = chance.one(spans);
      return `${key}${other.end - other.start > 4_000 ? 'null' : text.slice(other.start, other.end)}`;
    }
    // Of the same type: what is of another is mostly refused before anything is made of it.
    case 3:
    case 4:
    case 5:
      return `${key}${sameType(value, chance)}`;
    default:
      return `${key}${chance.once(200) ? chance.one(longValues) : chance.one(strangeValues)}`;
  }
}

function sameType(value: string, chance: Chance): string {
  if (/^-?\d/.test(value)) return nearNumber(Number(value), chance);
  if (value.startsWith('"'))
    return chance.once(4) ? `"${chance.one(['y', '\\n', ' ', '/']).repeat(1 + chance.below(300))}"` : chance.one(strangeTexts);
  if (value === 'true') return 'false';
  if (value === 'false') return 'true';
  return chance.one(strangeValues);
}

function nearNumber(value: number, chance: Chance): string {
  return String(chance.one([value + 1, value - 1, -value, value * 1e9, value / 3, value * 1e300, chance.below(64), chance.word()]));
}

/** A protobuf message of which fields are gone, doubled, in another order or of another value; lengths fit again. */
export function changedMessage(bytes: Uint8Array, chance: Chance): Uint8Array {
  const fields = fieldsOf(bytes);
  if (fields === null || fields.length === 0) return changedBytes(bytes, chance, []);
  const index = chance.below(fields.length);
  const field = fields[index] as Field;
  const parts = fields.map(({ whole }) => whole);
  switch (chance.below(6)) {
    case 0:
      parts.splice(index, 1);
      break;
    case 1:
      parts.splice(index, 0, field.whole);
      break;
    case 2:
      parts.splice(chance.below(fields.length), 0, ...parts.splice(index, 1));
      break;
    default: {
      const instead =
        field.payload === null
          ? varint(chance.once(3) ? BigInt(chance.below(40)) : chance.one(tellingNumbers))
          : changedMessage(field.payload, chance);
      const key = chance.once(20) ? varint(BigInt(chance.below(128))) : field.key;
      parts[index] = field.payload === null ? joined([key, instead]) : joined([key, varint(BigInt(instead.length)), instead]);
    }
  }
  return joined(parts);
}

interface Field {
  key: Uint8Array;
  whole: Uint8Array;
  /** Null for a number. */
  payload: Uint8Array | null;
}

/** The fields of a message of numbers and of lengths; null where it is none. */
function fieldsOf(bytes: Uint8Array): Field[] | null {
  const fields: Field[] = [];
  let at = 0;
  const number = (): number => {
    let value = 0;
    for (let shift = 0; shift < 50; shift += 7) {
      const byte = bytes[at];
      if (byte === undefined) return NaN;
      at += 1;
      value += (byte & 0x7f) * 2 ** shift;
      if (byte < 0x80) return value;
    }
    return NaN;
  };
  while (at < bytes.length) {
    const start = at;
    const key = number();
    const afterKey = at;
    if (!(key >= 8) || (key % 8 !== 0 && key % 8 !== 2)) return null;
    const value = number();
    if (Number.isNaN(value)) return null;
    const from = at;
    if (key % 8 === 2) at += value;
    if (at > bytes.length) return null;
    fields.push({
      key: bytes.subarray(start, afterKey),
      whole: bytes.subarray(start, at),
      payload: key % 8 === 2 ? bytes.subarray(from, at) : null,
    });
  }
  return fields;
}

function joined(parts: readonly Uint8Array[]): Uint8Array {
  const out = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    out.set(part, at);
    at += part.length;
  }
  return out;
}

export function tokensOf(...texts: string[]): Uint8Array[] {
  return texts.map((text) => encoder.encode(text));
}
