import { freeName } from '../files/freeName.ts';
import { parsedJson } from '../files/parsedJson.ts';
import { secretName } from '../files/redact.ts';
import type { ObservedAnswer } from './observed.ts';

/** A value that an answer gave, and how it is extracted from the next such answer. */
export interface KnownValue {
  row: number;
  /** What it is called in the steps. */
  name: string;
  /** As a step’s `extract` has it. */
  source: string;
  field: string;
}

const most = { leaves: 2_000, depth: 20, answerCharacters: 1024 * 1024 } as const;
/** Shorter ones, and words, are met by chance. */
const shortest = 8;
const surely = 20;
/** Of one value, the latest answers that gave it. */
const mostSources = 50;
/** In a page, the length of the text before a value that identifies it. */
const mostBefore = 80;

/** What answers gave, to be found again in later requests of the same session. */
export class KnownValues {
  readonly #keys = new Map<string, KnownValue[]>();
  /** Whatever a request that writes was answered with: ids of what it made may be as short as a digit. */
  readonly #made = new Map<string, KnownValue[]>();
  readonly #pages: { row: number; text: string }[] = [];
  readonly #names = new Set<string>();

  remember(row: number, writes: boolean, answer: ObservedAnswer): void {
    for (const [header, value] of Object.entries(answer.headers))
      if (secretName.test(header) && header !== 'set-cookie' && value.length >= shortest)
        this.#add(this.#keys, value, { row, field: header, source: `header:${header}`, name: header }, writes);
    const { body } = answer;
    if (body === null || body.length > most.answerCharacters) return;
    const document = jsonOf(body);
    if (document === undefined) {
      if (/^\s*</.test(body)) this.#pages.push({ row, text: body });
      return;
    }
    for (const { pointer, field, value } of leaves(document)) {
      const text = String(value);
      const known = { row, field, source: pointer, name: field };
      if (isDistinctive(field, value)) this.#add(this.#keys, text, known, writes);
      if (writes) this.#add(this.#made, text, known, true);
    }
  }

  /** Where a value that is not met by chance came from, before the request `row`: no request can use its own answer. */
  key(value: string, row: number): KnownValue | null {
    return latestBefore(this.#keys.get(value), row);
  }

  /** Where a value came from that a request before `row` has made. */
  made(value: string, row: number): KnownValue | null {
    return latestBefore(this.#made.get(value), row);
  }

  /** Where in a page before the request `asking` a field of a form came from. */
  inPage(field: string, value: string, asking: number): KnownValue | null {
    if (value.length < shortest) return null;
    for (const { row, text } of this.#pages.toReversed()) {
      if (row >= asking) continue;
      const at = text.indexOf(value);
      if (at === -1) continue;
      const before = text.slice(Math.max(0, at - mostBefore), at);
      const own = before.slice(before.lastIndexOf('<') + 1);
      const source = `regex:${own.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&')}([^"'<>\\s]+)`;
      const known = { row, field, source, name: this.#nameFor(field) };
      this.#keys.set(value, [...(this.#keys.get(value) ?? []), known]);
      return known;
    }
    return null;
  }

  #add(into: Map<string, KnownValue[]>, value: string, known: KnownValue, again: boolean): void {
    const before = into.get(value) ?? [];
    if (value === '' || (before.length > 0 && !again)) return;
    const other = this.#keys.get(value)?.at(-1) ?? this.#made.get(value)?.at(-1);
    const same = other?.row === known.row && other.source === known.source;
    into.set(value, [...before.slice(-mostSources + 1), { ...known, name: same ? other.name : this.#nameFor(known.name) }]);
  }

  #nameFor(field: string): string {
    const plain = field.replace(/[^A-Za-z0-9]+(.)?/g, (_, next: string | undefined) => (next ?? '').toUpperCase());
    const word = /^[A-Za-z]/.test(plain) ? `${plain.charAt(0).toLowerCase()}${plain.slice(1, 40)}` : 'value';
    // The parameters of paths are named p and a number, and three words are the generator’s own.
    const wanted = /^(?:p\d+|user|unique|iteration)$/.test(word) ? `${word}Value` : word;
    return freeName(wanted, (number) => `${wanted}${number}`, this.#names);
  }
}

function latestBefore(sources: readonly KnownValue[] = [], row: number): KnownValue | null {
  return sources.findLast((one) => one.row < row) ?? null;
}

export function jsonOf(text: string): unknown {
  return /^\s*[[{"]/.test(text) ? parsedJson(text) : undefined;
}

function isDistinctive(field: string, value: string | number): boolean {
  if (typeof value === 'number') return false;
  if (value.length < shortest) return secretName.test(field) && value.length >= 4;
  return /\d/.test(value) || value.length >= surely || secretName.test(field);
}

/** The single values of a document with their places, from its beginning. */
function* leaves(document: unknown): Generator<{ pointer: string; field: string; value: string | number }> {
  const open: { value: unknown; pointer: string; field: string; depth: number }[] = [
    { value: document, pointer: '', field: 'value', depth: 0 },
  ];
  let given = 0;
  for (let next = open.pop(); next !== undefined && given < most.leaves; next = open.pop()) {
    const { value, pointer, field, depth } = next;
    if (typeof value === 'string' || typeof value === 'number') {
      given += 1;
      yield { pointer, field, value };
    } else if (typeof value === 'object' && value !== null && depth < most.depth) {
      const children = Object.entries(value).slice(0, most.leaves).reverse();
      for (const [key, one] of children) {
        const step = key.replaceAll('~', '~0').replaceAll('/', '~1');
        open.push({ value: one, pointer: `${pointer}/${step}`, field: Array.isArray(value) ? field : key, depth: depth + 1 });
      }
    }
  }
}
