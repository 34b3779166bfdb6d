import { parseDuration } from '../model/durationText.ts';
import { failure } from '../model/failure.ts';
import { parseNumber } from '../model/numberText.ts';
import { about } from '../model/parsed.ts';
import type { Parsed } from '../model/parsed.ts';
import type { SettingValue } from '../model/setting.ts';
import type { Slo } from '../model/slo.ts';
import { parseSlo } from '../model/sloText.ts';
import { parseNumbers, parseValues } from '../model/valueList.ts';

/** A command line that cannot be understood; exit code 2. */
export function wrong(message: string): Error {
  return failure('usage', message);
}

/** Several `--set` together, such as `pool=2,4` or `pool=2..16`; the same setting named twice means the values of both. */
export function settings(texts: readonly string[]): Record<string, SettingValue[]> {
  const lists = new Map<string, string[]>();
  for (const text of texts) {
    const equals = text.indexOf('=');
    const name = text.slice(0, equals).trim();
    const list = text.slice(equals + 1).trim();
    if (equals < 1 || list === '') throw wrong(`--set ${text}: write it as NAME=VALUE,VALUE, e.g. pool=2,4,8.`);
    lists.set(name, [...(lists.get(name) ?? []), list]);
  }
  return Object.fromEntries([...lists].map(([name, parts]) => [name, read(`--set ${name}`, parseValues(parts.join(',')))]));
}

/** One or more whole numbers within bounds, for an option. */
export function wholeNumbers(option: string, text: string, min: number, max: number): number[] {
  const numbers = read(option, parseNumbers(text, { min, max }));
  if (numbers.length === 0) throw wrong(`${option}: at least one whole number is needed.`);
  return numbers;
}

/** A whole number within bounds, for an option. */
export function wholeNumber(option: string, text: string, min: number, max: number): number {
  return read(`${option} “${text}”`, parseNumber(text, { min, max, whole: true }));
}

/** A number within bounds, for an option. */
export function decimal(option: string, text: string, min: number, max: number): number {
  return read(`${option} “${text}”`, parseNumber(text, { min, max, whole: false }));
}

/** A time within bounds, in seconds, for an option. */
export function seconds(option: string, text: string, range: { min: number; max: number }): number {
  return read(`${option} “${text}”`, parseDuration(text, range));
}

/** `--slo`. */
export function objective(text: string): Slo {
  const parsed = parseSlo(text);
  if (!parsed.ok) throw wrong(`--slo: ${parsed.problem}`);
  return parsed.slo;
}

function read<T>(what: string, parsed: Parsed<T>): T {
  if (!parsed.ok) throw wrong(about(what, parsed.problem));
  return parsed.value;
}
