import { RequestError } from './requestError.mjs';

export const MAX_ID = 2_147_483_647;

/**
 * The id that a path segment carries.
 * @throws {RequestError} 400 when it is no whole number from 1 to `max`
 */
export function idOf(segment, max = MAX_ID) {
  const id = wholeNumber(segment, 1, max);
  if (id === undefined) throw notInRange('id', 1, max);
  return id;
}

/** The number that a query parameter carries, or `preset` when it is absent or empty. */
export function numberIn(query, name, min, max, preset) {
  const text = parameter(query, name);
  if (text === undefined || text === '') return preset;
  const value = wholeNumber(text, min, max);
  if (value === undefined) throw notInRange(name, min, max);
  return value;
}

/** The first value of a query parameter as it is: all of them are plain numbers and words, so nothing is decoded. */
export function parameter(query, name) {
  for (const part of query.split('&')) {
    if (part === name) return '';
    if (part.startsWith(name) && part[name.length] === '=') return part.slice(name.length + 1);
  }
  return undefined;
}

export function notInRange(name, min, max) {
  return new RequestError(400, `${name} must be a whole number from ${min} to ${max}`);
}

function wholeNumber(text, min, max) {
  if (!/^(0|[1-9][0-9]{0,9})$/.test(text)) return undefined;
  const value = Number(text);
  return value >= min && value <= max ? value : undefined;
}
