import { attempt } from '../../model/domain/attempt.ts';

/** Enough to see what most files are. */
const headBytes = 64 * 1024;

/** What a file is recognised by. */
export interface FileHead {
  /** All of it, unpacked and without a byte order mark. */
  bytes: Uint8Array;
  /** Its beginning, a byte for a character. */
  text: string;
  /** What its JSON is as a whole; null where no JSON begins. */
  json: 'object' | 'list' | null;
  /** Whether the outermost object has one of these fields, as far as it was searched. */
  has: (...fields: string[]) => boolean;
}

/** @param looked how many bytes are searched for fields */
export function fileHead(bytes: Uint8Array, looked = headBytes): FileHead {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.byteLength, headBytes)).toString('latin1');
  const json = /^\s*\{\s*(?:["}]|$)/.test(text) ? 'object' : /^\s*\[\s*(?:[[{\]]|$)/.test(text) ? 'list' : null;
  let fields: ReadonlySet<string> | null = null;
  const has = (...wanted: string[]): boolean => {
    if (json !== 'object') return false;
    const known = (fields ??= outerFields(bytes, looked));
    return wanted.some((field) => known.has(field));
  };
  return { bytes, text, json, has };
}

const [quote, backslash, colon] = [0x22, 0x5c, 0x3a];
const longestField = 64;

/** Names of the fields of the outermost object, as far as `end`. What is no JSON ends it, and nothing is made of the values. */
function outerFields(bytes: Uint8Array, end: number): Set<string> {
  const stop = Math.min(end, bytes.byteLength);
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, stop);
  const fields = new Set<string>();
  let depth = 0;
  for (let at = 0; at < stop; at += 1) {
    const byte = bytes[at];
    if (byte === 0x7b || byte === 0x5b) depth += 1;
    else if (byte === 0x7d || byte === 0x5d) depth -= 1;
    else if (byte === quote) {
      const start = at + 1;
      at += 1;
      while (at < stop && bytes[at] !== quote) at += bytes[at] === backslash ? 2 : 1;
      if (depth !== 1 || at - start > longestField) continue;
      let next = at + 1;
      while (bytes[next] === 0x20 || bytes[next] === 0x09 || bytes[next] === 0x0a || bytes[next] === 0x0d) next += 1;
      if (bytes[next] === colon) fields.add(fieldName(text.toString('utf8', start, at)));
    }
  }
  return fields;
}

function fieldName(raw: string): string {
  if (!raw.includes('\\')) return raw;
  return attempt(() => String(JSON.parse(`"${raw}"`)), raw);
}
