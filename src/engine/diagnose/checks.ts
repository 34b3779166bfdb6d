import { bytesPhrase, figure, wholeNumber } from '../../model/domain/format.ts';
import type { Evidence } from '../../model/domain/diagnosis.ts';
import { ofMax } from '../../model/domain/verdict/phrases.ts';
import type { Threshold, Unit } from './thresholds.ts';

/**
 * One signal held against its limit. A verdict needs all that it `must` have; a `guard` may be unknown but must not speak against it;
 * a `sign` is shown and decides nothing.
 */
export interface Check {
  role: 'must' | 'guard' | 'sign';
  known: boolean;
  met: boolean;
  /** Within 5 % of the limit; of a share that cannot exceed 1, within a tenth of the room between the limit and 1. */
  near: boolean;
  /** How far towards being met: 1 is the limit; 0 when nothing is known. */
  closeness: number;
  evidence: Evidence;
}

type Role = Check['role'];

function inUnit(value: number, unit: Unit): string {
  if (unit === 'share') return `${figure(100 * value)} %`;
  if (unit === 'percent') return `${figure(value)} %`;
  if (unit === 'bytes') return bytesPhrase(value);
  return unit === 'ms' ? `${figure(value)} ms` : figure(value);
}

/** Limits are round numbers and are written as such: “95 %”, “1”, “0.5”, “10,000”. */
function limitIn(limit: number, unit: Unit): string {
  if (unit === 'bytes') return bytesPhrase(limit);
  const text = limit >= 1000 ? wholeNumber(limit) : String(Number((unit === 'share' ? 100 * limit : limit).toFixed(2)));
  if (unit === 'ms') return `${text} ms`;
  return unit === 'count' ? text : `${text} %`;
}

type Text = string | null;

function compare(role: Role, what: string, value: number | null, threshold: Threshold, wanted: 'atLeast' | 'below', text: Text): Check {
  const { limit, unit = 'share', source } = threshold;
  const evidence = { what, threshold: `${wanted === 'atLeast' ? '≥' : '<'} ${limitIn(limit, unit)}`, source };
  if (value === null || !Number.isFinite(value)) {
    return { role, known: false, met: false, near: false, closeness: 0, evidence: { ...evidence, value: 'not seen', met: false } };
  }
  const met = wanted === 'atLeast' ? value >= limit : value < limit;
  const bounded = unit === 'share' && wanted === 'atLeast' && value > limit && limit < 1;
  const margin = bounded ? Math.min(0.05 * limit, 0.1 * (1 - limit)) : 0.05 * limit;
  const closeness = wanted === 'atLeast' ? value / limit : value <= limit ? 1 : limit / value;
  const near = Math.abs(value - limit) <= margin;
  return { role, known: true, met, near, closeness, evidence: { ...evidence, value: text ?? inUnit(value, unit), met } };
}

/** Met when the value reaches the limit. `text`: how it is written where the figure alone would not say enough, e.g. “2.0 of 2”. */
export function atLeast(role: Role, what: string, value: number | null, threshold: Threshold, text: Text = null): Check {
  return compare(role, what, value, threshold, 'atLeast', text);
}

/** Met when the value stays below the limit. `text`: as of {@link atLeast}. */
export function below(role: Role, what: string, value: number | null, threshold: Threshold, text: Text = null): Check {
  return compare(role, what, value, threshold, 'below', text);
}

/** A condition that is met or not; null: not known. */
export function holds(role: Role, what: string, is: boolean | null, value: string, threshold: string | null, source: string | null): Check {
  const met = is === true;
  return {
    role,
    known: is !== null,
    met,
    near: false,
    closeness: met ? 1 : 0,
    evidence: { what, value: is === null ? 'not seen' : value, threshold, met, source },
  };
}

/** One of several ways to the same verdict is enough: when one is met, the others become mere signs. */
export function anyOf(...checks: Check[]): Check[] {
  const met = checks.filter((check) => check.met);
  const chosen = met.find(({ near }) => !near) ?? met[0] ?? [...checks].sort((a, b) => b.closeness - a.closeness)[0];
  return checks.map((check) => (check === chosen ? { ...check, role: 'must' } : { ...check, role: 'sign' }));
}

/** A figure that is shown with the others and compared with nothing. */
export function plain(what: string, value: string): Check {
  return holds('sign', what, true, value, null, null);
}

/** So many of all that there are, such as connections of a pool in use. */
export function partAtLeast(what: string, part: number | null | undefined, whole: number | null | undefined, threshold: Threshold): Check {
  return atLeast('must', what, share(part, whole), threshold, ofMax(part ?? null, whole ?? null));
}

export function share(part: number | null | undefined, whole: number | null | undefined): number | null {
  return part == null || whole == null || whole <= 0 ? null : part / whole;
}

/** Of those that are known; null where none is. */
export function largest(...values: readonly (number | null | undefined)[]): number | null {
  const known = values.filter((value) => value != null);
  return known.length === 0 ? null : Math.max(...known);
}
