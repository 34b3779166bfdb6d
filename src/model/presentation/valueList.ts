import { type Parsed, misread, understood } from '../domain/parsed.ts';
import type { SettingValue } from '../domain/setting.ts';

/** More values than this would make a run too long. */
export const mostValues = 32;

/** What a setting takes: whole numbers from `min` to `max`, or one of some words. */
export type Takes = { kind: 'number'; min: number; max: number } | { kind: 'choice'; choices: readonly string[] };

const example = 'such as 2, 4, 8 or 2..64';

/**
 * Reads the values of a setting of which only the name is known: whole numbers, ranges and words, separated by commas or semicolons, numbers also by
 * blanks. `2..64` is every doubling of 2 below 64, and 64: both ends are among the values. Each value comes back once, numbers in ascending order. An
 * empty text has no values.
 */
export function parseValues(text: string): Parsed<SettingValue[]> {
  const parts = partsOf(text);
  if (!parts.ok) return parts;
  const values: SettingValue[] = [];
  for (const part of parts.value) {
    const words = part.split(' ');
    const numbers = words.map(numbersIn);
    if (numbers.every((one) => one !== null)) {
      for (const one of numbers) {
        if (!one.ok) return one;
        values.push(...one.value);
      }
    } else if (/\.\.|…/.test(part)) {
      return misread(`“${shown(part)}” is no range: a range is two whole numbers, such as 2..64.`);
    } else if (/^-\d/.test(part)) {
      return misread(`“${shown(part)}” is no value: sizes are whole numbers from 0 up.`);
    } else {
      values.push(part);
    }
  }
  return bounded(values);
}

/** Reads whole numbers and ranges as {@link parseValues} does, all of them within `range`. */
export function parseNumbers(text: string, range: { min: number; max: number }): Parsed<number[]> {
  const parsed = parseValues(text);
  if (!parsed.ok) return parsed;
  const numbers: number[] = [];
  for (const value of parsed.value) {
    if (typeof value !== 'number') return misread(`“${shown(value)}” is no whole number. Type numbers ${example}.`);
    if (value < range.min || value > range.max) return misread(`${value} is outside ${range.min} to ${range.max}.`);
    numbers.push(value);
  }
  return understood(numbers);
}

/** Reads one or more of the given words; case does not matter. They come back as they are declared, in the order in which they were typed. */
export function parseChoices(text: string, choices: readonly string[]): Parsed<string[]> {
  const parts = partsOf(text);
  if (!parts.ok) return parts;
  const named = (word: string): string | undefined => choices.find((choice) => choice.toLowerCase() === word.toLowerCase());
  const found: string[] = [];
  // A word that is declared with a blank in it is one; others may be separated by blanks.
  for (const word of parts.value.flatMap((part) => (named(part) === undefined ? part.split(' ') : [part]))) {
    const choice = named(word);
    if (choice === undefined) return misread(`“${shown(word)}” is none of ${choices.join(', ')}.`);
    found.push(choice);
  }
  return bounded(found);
}

/** Reads the values of a setting that is known to take `takes`. */
export function parseSettingValues(text: string, takes: Takes): Parsed<SettingValue[]> {
  return takes.kind === 'number' ? parseNumbers(text, takes) : parseChoices(text, takes.choices);
}

/** The texts between commas. A gap is a mistake: something is missing there, such as the value of an empty variable. */
function partsOf(text: string): Parsed<string[]> {
  const spaced = text.replace(/\s+/g, ' ').trim();
  if (spaced === '') return understood([]);
  const parts = spaced.split(/[,;]/).map((part) => part.replace(/ ?(\.\.|…) ?/g, '$1').trim());
  return parts.includes('') ? misread('A value is missing before or after a comma.') : understood(parts);
}

/** The numbers that one word means; null when it is neither a number nor a range. */
function numbersIn(word: string): Parsed<number[]> | null {
  const range = /^(\d+)(?:(?:\.\.|…)(\d+))?$/.exec(word);
  if (range === null) return null;
  const low = Number(range[1]);
  const high = Number(range[2] ?? low);
  if (!Number.isSafeInteger(low) || !Number.isSafeInteger(high)) return misread(`“${shown(word)}” is too large.`);
  if (range[2] === undefined) return understood([low]);
  if (low < 1 || low > high) return misread(`“${word}”: a range goes from a number above 0 to a larger one, such as 2..64.`);
  const values: number[] = [];
  for (let value = low; value < high; value *= 2) values.push(value);
  return understood([...values, high]);
}

function bounded<T extends SettingValue>(values: readonly T[]): Parsed<T[]> {
  const each = [...new Set(values)];
  if (each.length > mostValues) return misread(`At most ${mostValues} values; these are ${each.length}.`);
  return understood(each.every((value) => typeof value === 'number') ? each.sort((a, b) => Number(a) - Number(b)) : each);
}

function shown(text: string): string {
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}
