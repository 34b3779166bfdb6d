import { parseDuration } from '../model/domain/durationText.ts';
import { failure } from '../model/domain/failure.ts';
import { parseNumber } from '../model/domain/numberText.ts';
import { type Parsed, about } from '../model/domain/parsed.ts';
import type { SettingValue, SettingValues } from '../model/domain/setting.ts';
import type { Slo } from '../model/domain/slo.ts';
import { parseSlo } from '../model/domain/sloText.ts';
import { parseNumbers, parseValues } from '../model/presentation/valueList.ts';
import type { Reader } from './options.ts';

/** A command line that cannot be understood; exit status 2. */
export function wrong(message: string, cure?: string): Error {
  return failure('usage', message, cure);
}

/** Unchanged. An empty one is mostly the value of a variable that is not set. */
export const word: Reader<string> = (text, name) => {
  if (text.trim() === '') throw wrong(`${name}: its value is empty.`);
  return text;
};

/** A whole number. */
export function whole(min: number, max: number): Reader<number> {
  return (text, name) => read(`${name} “${text}”`, parseNumber(text, { min, max, whole: true }));
}

/** One or more whole numbers. */
export function wholes(min: number, max: number): Reader<number[]> {
  return (text, name) => {
    const numbers = read(name, parseNumbers(text, { min, max }));
    if (numbers.length === 0) throw wrong(`${name}: at least one whole number is needed.`);
    return numbers;
  };
}

/** A number. */
export function decimal(min: number, max: number): Reader<number> {
  return (text, name) => read(`${name} “${text}”`, parseNumber(text, { min, max, whole: false }));
}

/** A percentage, with or without its sign, as a fraction. */
export function percent(min: number, max: number): Reader<number> {
  return (text, name) => decimal(min, max)(text.trim().replace(/\s*%$/, ''), name) / 100;
}

/** A time, in seconds. */
export function seconds(range: { min: number; max: number }): Reader<number> {
  return (text, name) => read(`${name} “${text}”`, parseDuration(text, range));
}

/** One of some words; an underscore is as good as a dash. */
export function choice<T extends string>(choices: readonly T[]): Reader<T> {
  return (text, name) => {
    const found = choices.find((one) => one === text.replaceAll('_', '-'));
    if (found === undefined) throw wrong(`${name} “${text}”: choose ${listed(choices)}.`);
    return found;
  };
}

/** Some of some words, with commas between them. */
export function choices<T extends string>(all: readonly T[]): Reader<T[]> {
  const each = choice(all);
  return (text, name) => [...new Set(text.split(',').map((one) => each(one.trim(), name)))];
}

/** What must hold. */
export const objective: Reader<Slo> = (text, name) => {
  const parsed = parseSlo(text);
  if (!parsed.ok) throw wrong(`${name}: ${parsed.problem}`);
  return parsed.value;
};

/**
 * Several settings, such as `pool=2,4` or `pool=2..16`, together; one that is named twice has the values of both. Values of a name with a dot, such as
 * `jvm.gc`, stay the texts between commas: the engine’s catalogue knows what they may be.
 */
export function settings(
  texts: readonly string[],
  option = '--set',
  form = option === '--set' ? 'NAME=VALUE,VALUE, e.g. pool=2,4,8' : 'NAME=VALUE,VALUE, e.g. jvm.gc=G1,Parallel',
): Record<string, SettingValue[]> {
  const lists = new Map<string, string[]>();
  for (const text of texts) {
    const equals = text.indexOf('=');
    const name = text.slice(0, equals).trim();
    const list = text.slice(equals + 1).trim();
    if (equals < 1 || list === '') throw wrong(`${option} “${text}”: write it as ${form}.`);
    lists.set(name, [...(lists.get(name) ?? []), list]);
  }
  return Object.fromEntries(
    [...lists].map(([name, parts]) => {
      const what = `${option} ${name}`;
      return [name, name.includes('.') ? words(what, parts.join(',')) : read(what, parseValues(parts.join(',')))];
    }),
  );
}

/** As {@link settings}, with one value of each. */
export function singleSettings(texts: readonly string[], problem = 'name one value.'): SettingValues {
  return Object.fromEntries(
    Object.entries(settings(texts, '--set', 'NAME=VALUE, e.g. pool=4')).map(([name, values]) => {
      const [value] = values;
      if (value === undefined || values.length > 1) throw wrong(`--set ${name}: ${problem}`);
      return [name, value] as const;
    }),
  );
}

function words(what: string, text: string): string[] {
  const found = text.split(',').map((one) => one.trim());
  if (found.includes('')) throw wrong(`${what}: a value is missing before or after a comma.`);
  return found;
}

/** "a, b or c" */
export function listed(words: readonly string[]): string {
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} or ${words.at(-1) ?? ''}`;
}

/** What was read; fails with the code `usage` where it cannot be understood. */
export function read<T>(what: string, parsed: Parsed<T>): T {
  if (!parsed.ok) throw wrong(about(what, parsed.problem));
  return parsed.value;
}
