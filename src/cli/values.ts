import { failure } from '../model/failure.ts';
import type { SettingValue } from '../model/setting.ts';
import type { Slo } from '../model/slo.ts';
import { parseSlo } from '../model/sloText.ts';

/** A command line that cannot be understood; exit code 2. */
export function wrong(message: string): Error {
  return failure('usage', message, 'See “benchside --help”.');
}

/** Several `--set` together; the same setting named twice means the values of both. */
export function mergeSettings(settings: readonly [string, SettingValue[]][]): Record<string, SettingValue[]> {
  const merged = new Map<string, SettingValue[]>();
  for (const [name, values] of settings) merged.set(name, [...new Set([...(merged.get(name) ?? []), ...values])]);
  return Object.fromEntries(merged);
}

/** `pool=2,4,8` → ['pool', [2, 4, 8]]; `pool=2..16` → the powers of two from 2 to 16 (and 16 itself). */
export function parseSetting(text: string): [string, SettingValue[]] {
  const equals = text.indexOf('=');
  const name = text.slice(0, equals).trim();
  const list = text.slice(equals + 1).trim();
  if (equals < 1 || list === '') throw wrong(`--set ${text}: write it as NAME=VALUE,VALUE, e.g. pool=2,4,8.`);
  const values = list.split(',').flatMap((part) => parseValues(name, part.trim()));
  return [name, [...new Set(values)]];
}

function parseValues(name: string, part: string): SettingValue[] {
  const range = /^(\d+)\s*(?:\.\.|…)\s*(\d+)$/.exec(part);
  if (range === null) {
    if (part === '' || /^-/.test(part)) throw wrong(`--set ${name}: “${part}” is no value; sizes are whole numbers from 0 up.`);
    if (/\.\.|…/.test(part)) throw wrong(`--set ${name}=${part}: a range is two whole numbers, e.g. 2..64.`);
    return [/^\d+$/.test(part) ? Number(part) : part];
  }
  const [low, high] = [Number(range[1]), Number(range[2])];
  if (low < 1 || low > high) throw wrong(`--set ${name}=${part}: a range goes from a smaller number to a larger one, e.g. 2..64.`);
  const values: number[] = [];
  for (let value = low; value < high; value *= 2) values.push(value);
  return [...values, high];
}

/** A whole number within bounds, for an option. */
export function wholeNumber(option: string, text: string, min: number, max: number): number {
  const value = Number(text);
  if (!/^\d+$/.test(text.trim()) || value < min || value > max)
    throw wrong(`${option} “${text}”: a whole number from ${min} to ${max} is needed.`);
  return value;
}

/** A number within bounds, for an option. */
export function decimal(option: string, text: string, min: number, max: number): number {
  const value = Number(text);
  if (text.trim() === '' || !(value >= min && value <= max)) throw wrong(`${option} “${text}”: a number from ${min} to ${max} is needed.`);
  return value;
}

/** `120`, `90s`, `2 min`, `1.5 h` → seconds, from 1 to a day. */
export function seconds(option: string, text: string): number {
  const match = /^(\d+(?:\.\d+)?)\s*(s|sec|seconds?|m|min|minutes?|h|hours?)?$/i.exec(text.trim());
  const unit = match?.[2]?.toLowerCase() ?? 's';
  const value = Number(match?.[1]) * (unit.startsWith('h') ? 3600 : unit.startsWith('m') ? 60 : 1);
  if (!(value >= 1 && value <= 86_400)) throw wrong(`${option} “${text}”: seconds, or a time such as 90s or “2 min”, from 1 s to 24 h.`);
  return value;
}

/** `--slo`. */
export function objective(text: string): Slo {
  const parsed = parseSlo(text);
  if (!parsed.ok) throw wrong(`--slo: ${parsed.problem}`);
  return parsed.slo;
}
