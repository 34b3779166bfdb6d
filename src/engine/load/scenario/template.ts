import type { SeededRandom } from '../../statistics/seededRandom.ts';

export type Hole =
  | { kind: 'value'; name: string }
  | { kind: 'user' }
  | { kind: 'unique' }
  | { kind: 'iteration' }
  | { kind: 'random'; min: number; max: number }
  /** One of the values, by their weights: `upTo` is the chance of this one or one before it. */
  | { kind: 'any'; values: readonly { value: string; upTo: number }[] };

/** A text with holes: `literals[0] hole literals[1] hole …`. */
export interface Template {
  literals: readonly string[];
  holes: readonly Hole[];
}

/** What the holes of one user's next request are filled with. */
export interface TemplateScope {
  /** 1 for the block's first user. */
  user: number;
  /** A text that no other user of any block has: letters and digits with a dash between. */
  unique: string;
  iteration: number;
  values: ReadonlyMap<string, string>;
  random: SeededRandom;
}

/** The template in `text`, or a phrase of what is wrong with it. */
export function parseTemplate(text: string): Template | string {
  const literals: string[] = [];
  const holes: Hole[] = [];
  let from = 0;
  for (const match of text.matchAll(/\{\{([^{}]*)\}\}/g)) {
    const hole = parseHole(match[1]?.trim() ?? '');
    if (hole === null) {
      return `“${match[0].slice(0, 80)}” is not {{name}}, {{user}}, {{unique}}, {{iteration}}, {{random:1-100}} or {{any:a,b*3}}`;
    }
    literals.push(text.slice(from, match.index));
    holes.push(hole);
    from = match.index + match[0].length;
  }
  literals.push(text.slice(from));
  return { literals, holes };
}

/** `text` with `encode`d values in its holes. A value that is not there is left empty: what may be missing is found before the load begins. */
export function fillTemplate({ literals, holes }: Template, scope: TemplateScope, encode: (value: string) => string): string {
  let text = literals[0] ?? '';
  for (const [i, hole] of holes.entries()) text += encode(valueOf(hole, scope)) + (literals[i + 1] ?? '');
  return text;
}

function parseHole(text: string): Hole | null {
  if (text === 'user' || text === 'unique' || text === 'iteration') return { kind: text };
  const [, min, max] = /^random:(\d{1,9})-(\d{1,9})$/.exec(text) ?? [];
  if (min !== undefined && max !== undefined)
    return Number(min) <= Number(max) ? { kind: 'random', min: Number(min), max: Number(max) } : null;
  if (text.startsWith('any:')) return parseAny(text.slice('any:'.length));
  return /^[a-z][a-zA-Z0-9-]*$/.test(text) ? { kind: 'value', name: text } : null;
}

/** `a,b*3`: values as in an address (`%2C` is a comma), each with its weight if that is not 1. */
function parseAny(text: string): Hole | null {
  const values: { value: string; upTo: number }[] = [];
  let total = 0;
  for (const part of text.split(',')) {
    const [written = '', weight = '1', ...more] = part.split('*');
    if (!/^\d{1,15}(?:\.\d{1,9})?(?:e\+?\d{1,2})?$/.test(weight) || Number(weight) <= 0 || more.length > 0) return null;
    try {
      total += Number(weight);
      values.push({ value: decodeURIComponent(written.trim()), upTo: total });
    } catch {
      return null;
    }
  }
  return { kind: 'any', values: values.map(({ value, upTo }) => ({ value, upTo: upTo / total })) };
}

/** The first whose chance reaches the draw, by bisection. */
function anyOf(values: readonly { value: string; upTo: number }[], draw: number): string {
  let [low, high] = [0, values.length - 1];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (draw < (values[middle]?.upTo ?? 1)) high = middle;
    else low = middle + 1;
  }
  return values[low]?.value ?? '';
}

function valueOf(hole: Hole, scope: TemplateScope): string {
  switch (hole.kind) {
    case 'user':
      return String(scope.user);
    case 'unique':
      return scope.unique;
    case 'iteration':
      return String(scope.iteration);
    case 'random':
      return String(scope.random.nextInteger(hole.min, hole.max));
    case 'any':
      return anyOf(hole.values, scope.random.nextFraction());
    case 'value':
      return scope.values.get(hole.name) ?? '';
  }
}

/** A value within a path or a query; half a surrogate pair, which cannot be encoded, is replaced. */
export function encodeInPath(value: string): string {
  return encodeURIComponent(Buffer.from(value).toString());
}

/** A value within a string of JSON; a number stays one. */
export function encodeInJson(value: string): string {
  return JSON.stringify(value).slice(1, -1);
}

/** A value within a header: one line of Latin letters. */
export function encodeInHeader(value: string): string {
  return value.replace(/[^\t\x20-\x7e\x80-\xff]+/g, ' ');
}

export function asItIs(value: string): string {
  return value;
}
