import { attempt } from '../../model/domain/attempt.ts';
import { JsonWalk } from './jsonWalk.ts';

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
    const known = (fields ??= outerFields(bytes.subarray(0, looked)));
    return wanted.some((field) => known.has(field));
  };
  return { bytes, text, json, has };
}

/** Names of the fields of the outermost object. What is no JSON ends it, and nothing is made of the values. */
function outerFields(bytes: Uint8Array): Set<string> {
  const fields = new Set<string>();
  attempt(() => {
    for (const name of new JsonWalk(bytes).fields()) fields.add(name);
  }, undefined);
  return fields;
}
