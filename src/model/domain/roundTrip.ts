import { type Parsed, misread, understood } from './parsed.ts';

/** The longest distance to a database that can be asked for. */
export const mostRoundTripMs = 1_000;

/** Reads a round trip, in ms to the µs: `0`, `0.5ms`, `500us`; a number without a unit is one of ms. */
export function parseRoundTrip(text: string): Parsed<number> {
  const [, digits, unit = 'ms'] = /^(\d{1,6}(?:\.\d{1,3})?)\s*(us|µs|ms)?$/i.exec(text) ?? [];
  const value = digits === undefined ? Number.NaN : Number(digits) / (unit.toLowerCase() === 'ms' ? 1 : 1_000);
  if (!(value >= 0 && value <= mostRoundTripMs)) return misread(`“${text}” is no time from 0 to ${mostRoundTripMs}ms.`);
  return understood(Math.round(1_000 * value) / 1_000);
}
