import type { Evidence, EvidenceName, EvidenceUnit } from '../../model/domain/verdict/evidence.ts';
import { fromSource } from '../../model/domain/verdict/thresholdSources.ts';
import type { Threshold } from './thresholds.ts';

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

function compare(role: Role, what: EvidenceName, value: number | null, threshold: Threshold, is: '≥' | '<'): Check {
  const { limit, unit = 'share', source } = threshold;
  const evidence = { what, unit, threshold: { is, limit }, source: fromSource(source) };
  if (value === null || !Number.isFinite(value)) {
    return { role, known: false, met: false, near: false, closeness: 0, evidence: { ...evidence, value: null, met: false } };
  }
  const met = is === '≥' ? value >= limit : value < limit;
  const bounded = unit === 'share' && is === '≥' && value > limit && limit < 1;
  const margin = bounded ? Math.min(0.05 * limit, 0.1 * (1 - limit)) : 0.05 * limit;
  const closeness = is === '≥' ? value / limit : value <= limit ? 1 : limit / value;
  const near = Math.abs(value - limit) <= margin;
  return { role, known: true, met, near, closeness, evidence: { ...evidence, value, met } };
}

/** Met when the value reaches the limit. */
export function atLeast(role: Role, what: EvidenceName, value: number | null, threshold: Threshold): Check {
  return compare(role, what, value, threshold, '≥');
}

/** Met when the value stays below the limit. */
export function below(role: Role, what: EvidenceName, value: number | null, threshold: Threshold): Check {
  return compare(role, what, value, threshold, '<');
}

type Shown = Pick<Evidence, 'value'> & Partial<Pick<Evidence, 'unit' | 'threshold'> & Pick<Threshold, 'source'>>;

/** A condition that is met or not; null: not known. */
export function holds(role: Role, what: EvidenceName, is: boolean | null, shown: Shown): Check {
  const { value, unit = 'count', threshold = null, source } = shown;
  const met = is === true;
  const from = source === undefined ? null : fromSource(source);
  const evidence = { what, value: is === null ? null : value, unit, threshold, met, source: from };
  return { role, known: is !== null, met, near: false, closeness: met ? 1 : 0, evidence };
}

/** One of several ways to the same verdict is enough: when one is met, the others become mere signs. */
export function anyOf(...checks: Check[]): Check[] {
  const met = checks.filter((check) => check.met);
  const chosen = met.find(({ near }) => !near) ?? met[0] ?? [...checks].sort((a, b) => b.closeness - a.closeness)[0];
  return checks.map((check) => (check === chosen ? { ...check, role: 'must' } : { ...check, role: 'sign' }));
}

/** A figure that is shown with the others and compared with nothing. */
export function plain(what: EvidenceName, value: Evidence['value'], unit: EvidenceUnit = 'count'): Check {
  return holds('sign', what, true, { value, unit });
}

type Part = Extract<EvidenceName, { part: number | null }>['code'];

/** So many of all that there are, such as connections of a pool in use. */
export function partAtLeast(code: Part, part: number | null | undefined, whole: number | null | undefined, threshold: Threshold): Check {
  return atLeast('must', { code, part: part ?? null, whole: whole ?? null }, share(part, whole), threshold);
}

export function share(part: number | null | undefined, whole: number | null | undefined): number | null {
  return part == null || whole == null || whole <= 0 ? null : part / whole;
}

/** Of those that are known; null where none is. */
export function largest(...values: readonly (number | null | undefined)[]): number | null {
  const known = values.filter((value) => value != null);
  return known.length === 0 ? null : Math.max(...known);
}
