import { tooLarge, damaged } from '../../calltree/treeLimits.ts';
import { isObject } from '../../model/domain/isObject.ts';

/** Most bytes of a document that is parsed as a whole: V8 holds no longer string than about 512 MiB; parsed values take some three times their text. */
export const maxJsonBytes = 256 * 1024 * 1024;
/** An empty object takes 56 bytes of memory but two of text, so that they are counted before they are made. */
const maxContainers = 12_000_000;
const maxQuotes = 80_000_000;

/** An object of a JSON document whose fields are not yet known to be anything. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** Parses a JSON document that must be an object. `format` names the format in the sentence of the failure. */
export function parseJsonDocument(bytes: Uint8Array, format: string): JsonObject {
  if (bytes.byteLength > maxJsonBytes) throw tooLarge(`more than ${maxJsonBytes / 1024 / 1024} MB of JSON`);
  let containers = 0;
  let quotes = 0;
  for (const byte of bytes) {
    if (byte === 0x7b || byte === 0x5b) containers += 1;
    else if (byte === 0x22) quotes += 1;
  }
  if (containers > maxContainers || quotes > maxQuotes) throw tooLarge('too many values for the memory they would need');
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    throw damaged(format, 'its JSON is cut short or not valid');
  }
  if (!isObject(value)) throw damaged(format, 'it is not a JSON object');
  return value;
}

/** The value as a list; anything else becomes the failure. */
export function listOf(value: unknown, format: string, what: string): readonly unknown[] {
  if (Array.isArray(value)) return value;
  throw damaged(format, `${what} is not a list`);
}

/** The list in a field; an empty one where there is no such field. */
export function listIn(object: JsonObject, field: string, format: string): readonly unknown[] {
  return object[field] === undefined ? [] : listOf(object[field], format, `“${field}”`);
}

/** The value as a list; an empty one where it is none. */
export function listOr(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** Where each of these names is in a list; -1 where it is not. */
export function placesIn<Name extends string>(list: readonly unknown[], names: readonly Name[]): Record<Name, number> {
  return Object.fromEntries(names.map((name) => [name, list.indexOf(name)])) as Record<Name, number>;
}

export function objectOf(value: unknown, format: string, what: string): JsonObject {
  if (isObject(value)) return value;
  throw damaged(format, `${what} is not an object`);
}

export function numberOf(value: unknown, format: string, what: string): number {
  if (typeof value === 'number' && Number.isFinite(value)) return value;
  throw damaged(format, `${what} is not a number`);
}

/** Text, or the other value where there is none. */
export function textOr(value: unknown, other: string): string {
  return typeof value === 'string' ? value : other;
}

export function numberOr(value: unknown, other: number): number {
  return typeof value === 'number' && Number.isFinite(value) ? value : other;
}
