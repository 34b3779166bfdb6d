import { shortened } from '../../model/domain/plainText.ts';
import type { DifferingAnswer } from '../../model/domain/routeCheck.ts';
import { redacted, redactText, secretName } from '../files/redact.ts';
import { NumberText } from './answerContent.ts';

/** Where two sides differ, and what each says there. */
export type Difference = NonNullable<DifferingAnswer['first']>;

/** What the answers are, and when they were given. */
export interface Around {
  kind: 'json' | 'text';
  /** From the first to the last of them, in ms since 1970. */
  fromMs: number;
  toMs: number;
  /** Places that may differ, as `$.version` or `$.items[*].cost`. */
  ignored: readonly string[];
}

/** A time that is no further from the asking is the time of the asking, or of the start. */
const nowMs = 10 * 60_000;
/** A `double` has 15 to 17 digits: in the last ones sums differ that were added in another order. */
const [digitsOfDouble, lastDigits] = [15, 1e-12];
const longestShown = 60;

/**
 * The first difference between what two sides said several times to the same request; null where there is none.
 *
 * What differs between the answers of one side differs by nature: there only the kind of value is compared. Times around the asking, the order of keys and the
 * last digits of a `double` count as the same.
 */
export function firstDifference(before: readonly unknown[], after: readonly unknown[], around: Around): Difference | null {
  return differ([...before], [...after], { ...around, steps: [] });
}

interface At extends Around {
  steps: readonly (string | number)[];
}

function differ(before: unknown[], after: unknown[], at: At): Difference | null {
  if (isIgnored(at)) return null;
  const [kind, other] = [kindOf(before), kindOf(after)];
  if (kind === null || other === null) return null;
  if (kind !== other) return difference(at, before[0], after[0]);
  if (kind === 'record') return differInRecords(before as Json[], after as Json[], at);
  return kind === 'list' ? differInLists(before as unknown[][], after as unknown[][], at) : differInValues(before, after, at);
}

type Json = Record<string, unknown>;

/** Of one kind, if all are. */
function kindOf(values: readonly unknown[]): 'record' | 'list' | 'value' | null {
  const kinds = new Set(
    values.map((value) =>
      Array.isArray(value) ? 'list' : typeof value === 'object' && value !== null && !(value instanceof NumberText) ? 'record' : 'value',
    ),
  );
  return kinds.size === 1 ? ([...kinds][0] ?? null) : null;
}

function differInRecords(before: Json[], after: Json[], at: At): Difference | null {
  const names = new Set([...before, ...after].flatMap((record) => Object.keys(record)));
  for (const name of names) {
    const below = { ...at, steps: [...at.steps, name] };
    const [had, has] = [before, after].map((records) => records.filter((record) => Object.hasOwn(record, name)));
    if (had === undefined || has === undefined || isIgnored(below)) continue;
    const isSometimes = (some: Json[], all: Json[]): boolean => some.length > 0 && some.length < all.length;
    if (isSometimes(had, before) || isSometimes(has, after)) continue;
    if (had.length === 0 || has.length === 0) return difference(below, had[0]?.[name], has[0]?.[name]);
    const values = (records: Json[]): unknown[] => records.map((record) => record[name]);
    const found = differ(values(had), values(has), below);
    if (found !== null) return found;
  }
  return null;
}

function differInLists(before: unknown[][], after: unknown[][], at: At): Difference | null {
  const lengths = (lists: unknown[][]): Set<number> => new Set(lists.map(({ length }) => length));
  if (lengths(before).size > 1 || lengths(after).size > 1) return null;
  const [base = [], head = []] = [before[0], after[0]];
  if (base.length !== head.length) return difference(at, base, head);
  const isBag = isInAnyOrder(before) || isInAnyOrder(after);
  const [these, those] = [before, after].map((lists) => (isBag ? lists.map(sorted) : lists));
  for (const index of base.keys()) {
    const found = differ(these?.map((list) => list[index]) ?? [], those?.map((list) => list[index]) ?? [], {
      ...at,
      steps: [...at.steps, index],
    });
    if (found !== null) return found;
  }
  return null;
}

/** Whether one side gave the same elements in another order. */
function isInAnyOrder(lists: readonly unknown[][]): boolean {
  const different = (texts: readonly string[]): boolean => new Set(texts).size > 1;
  return different(lists.map(canonical)) && !different(lists.map((list) => canonical(sorted(list))));
}

function sorted(list: readonly unknown[]): unknown[] {
  return list
    .map((value) => ({ value, text: canonical(value) }))
    .sort((a, b) => (a.text < b.text ? -1 : a.text > b.text ? 1 : 0))
    .map(({ value }) => value);
}

/** As a text that does not depend on the order of keys. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_name, one: unknown) =>
    kindOf([one]) === 'record' ? Object.fromEntries(Object.entries(one as Json).sort(([a], [b]) => (a < b ? -1 : 1))) : one,
  );
}

function differInValues(before: readonly unknown[], after: readonly unknown[], at: At): Difference | null {
  const [base, head] = [before, after].map((values) => [...new Set(values.map(textOf))]);
  const [first, second] = [base?.[0], head?.[0]];
  if (base === undefined || head === undefined || first === undefined || second === undefined) return null;
  if (base.length === 1 && head.length === 1) {
    if (first === second || isRounding(first, second)) return null;
    if (!isNow(first, at) || !isNow(second, at)) return difference(at, before[0], after[0]);
  } else if (base.length === 1 || head.length === 1) {
    // One value of a side does not show how that side writes them: of two ids one may have a sign that the other has not.
    return null;
  }
  const shapes = [base, head].map((texts) => new Set(texts.map(shapeOf)));
  const isOther = shapes.every(({ size }) => size === 1) && shapeOf(first) !== shapeOf(second);
  return isOther ? difference(at, before[0], after[0]) : null;
}

function textOf(value: unknown): string {
  return value instanceof NumberText ? value.text : JSON.stringify(value);
}

/** `"x-x-x:x:x.x"` of a time, `x.x` of a number: how a value is written, whatever it is. */
function shapeOf(text: string): string {
  return text.replace(/^-/, '').replace(/[\p{L}\p{N}]+/gu, 'x');
}

function isRounding(one: string, other: string): boolean {
  const number = /^-?\d+\.\d+(?:[eE][+-]?\d+)?$/;
  const isLong = (text: string): boolean => text.replace(/[eE].*$/, '').replace(/^-?0*\.?0*|\./g, '').length >= digitsOfDouble;
  if (!number.test(one) || !number.test(other) || !(isLong(one) || isLong(other))) return false;
  const [a, b] = [Number(one), Number(other)];
  return Math.abs(a - b) <= lastDigits * Math.max(Math.abs(a), Math.abs(b));
}

/** Whether a value is the time around the asking: a date with a time, or seconds, milliseconds or smaller parts since 1970. */
function isNow(text: string, { fromMs, toMs }: Around): boolean {
  const isNear = (ms: number): boolean => ms >= fromMs - nowMs && ms <= toMs + nowMs;
  const plain = text.replace(/^"|"$/g, '');
  if (/^\d{10,19}(\.\d+)?$/.test(plain)) return [1e3, 1, 1e-3, 1e-6].some((unit) => isNear(Number(plain) * unit));
  return /\d\d:\d\d/.test(plain) && /\d{4}/.test(plain) && isNear(Date.parse(plain));
}

function isIgnored({ kind, ignored, steps }: At): boolean {
  return kind === 'json' && ignored.some((place) => place === placeOf({ kind, steps }) || place === placeOf({ kind, steps }, true));
}

/** `$.items[0].id`, `line 3`; with `any` all indices are `[*]`. */
function placeOf({ kind, steps }: Pick<At, 'kind' | 'steps'>, any = false): string {
  if (kind === 'text') return steps.length === 0 ? 'number of lines' : `line ${Number(steps[0]) + 1}`;
  return steps.reduce<string>((place, step) => {
    if (typeof step === 'number') return `${place}[${any ? '*' : step}]`;
    return /^[A-Za-z_$][\w$-]*$/.test(step) ? `${place}.${step}` : `${place}['${step}']`;
  }, '$');
}

function difference(at: At, before: unknown, after: unknown): Difference {
  const name = at.steps.findLast((step) => typeof step === 'string');
  const isSecret = typeof name === 'string' && secretName.test(name);
  const say = at.kind === 'json' ? shownJson : shownText;
  return { place: placeOf(at), before: isSecret ? redacted : say(before), after: isSecret ? redacted : say(after) };
}

function shownJson(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (Array.isArray(value)) return value.length === 1 ? '1 element' : `${value.length} elements`;
  return kindOf([value]) === 'record' ? 'an object' : cut(textOf(value));
}

/** A word, a line of words, or the number of lines. */
function shownText(value: unknown): string {
  if (!Array.isArray(value)) return cut(String(value));
  return value.some((line) => Array.isArray(line)) ? String(value.length) : cut(value.join(''));
}

function cut(text: string): string {
  return shortened(redactText(text), longestShown);
}
