import { figure } from './format.ts';
import { type Parsed, misread, understood } from './parsed.ts';
import { type Slo, sloSchema } from './slo.ts';

/** One limit of an objective: how it is called, which way it points, and how its values are written. */
export interface SloLimit {
  key: keyof Slo;
  name: string;
  sign: '≤' | '≥';
  phrase: (value: number) => string;
}

const ms = (value: number): string => `${exact(value)} ms`;

/** All limits there are, in the order in which they are shown. */
export const sloLimits: readonly SloLimit[] = [
  { key: 'p50Ms', name: 'p50', sign: '≤', phrase: ms },
  { key: 'p95Ms', name: 'p95', sign: '≤', phrase: ms },
  { key: 'p99Ms', name: 'p99', sign: '≤', phrase: ms },
  { key: 'p999Ms', name: 'p99.9', sign: '≤', phrase: ms },
  { key: 'errorShare', name: 'errors', sign: '≤', phrase: (share) => `${exact(share * 100)} %` },
  { key: 'throughput', name: 'throughput', sign: '≥', phrase: (value) => `${exact(value)} req/s` },
];

const longest = 300;
const example = 'Write it as “p99 <= 50 ms, errors < 0.1 %”.';

/**
 * Reads an objective as a person types it: limits on p50, p95, p99, p99.9 (ms, s or µs), errors (%) and throughput (req/s), joined by commas or
 * “and”; `<` means at most and `>` at least. A problem is one or two sentences.
 */
export function parseSlo(text: string): Parsed<Slo> {
  if (text.length > longest) return misread(`The objective is too long: at most ${longest} characters. ${example}`);
  const parts = text
    .replace(/(\d),(?=\d{3}(?!\d))/g, '$1')
    .split(/,|;|\band\b|&&/i)
    .map((part) => part.trim())
    .filter((part) => part !== '');
  if (parts.length === 0) return misread(`The objective is empty. ${example}`);
  const slo: Partial<Record<keyof Slo, number>> = {};
  for (const part of parts) {
    const parsed = parsePart(part);
    if (!parsed.ok) return parsed;
    const { key, value } = parsed.value;
    if (slo[key] !== undefined) return misread(`The objective names ${nameOf(key)} twice. Keep the stricter limit.`);
    slo[key] = value;
  }
  const checked = sloSchema.safeParse(slo);
  return checked.success
    ? understood(checked.data)
    : misread(`The objective cannot be used: ${checked.error.issues[0]?.message ?? 'a limit is wrong'}. ${example}`);
}

/** The objective in words that {@link parseSlo} reads again: “p99 ≤ 50 ms, errors ≤ 0.1 %”. */
export function sloPhrase(slo: Slo): string {
  return sloLimits
    .flatMap(({ key, name, sign, phrase }) => {
      const limit = slo[key];
      return limit === undefined ? [] : [`${name} ${sign} ${phrase(limit)}`];
    })
    .join(', ');
}

function parsePart(part: string): Parsed<{ key: keyof Slo; value: number }> {
  const shown = part.slice(0, 60);
  const match = /^([a-z][a-z0-9. /_-]*?)(?:\s*(<=|>=|=<|=>|≤|≥|<|>|=)\s*|\s+)(\d+(?:\.\d+)?|\.\d+)\s*([a-zµμ%/]*)$/i.exec(part);
  if (match === null) return misread(`“${shown}” is not a limit. ${example}`);
  const [, what = '', sign, number = '', unit = ''] = match;
  const key = keyOf(what);
  if (key === null) return misread(`“${what.trim().slice(0, 60)}” cannot be limited. Use p50, p95, p99, p99.9, errors or throughput.`);
  if (sign === undefined || sign === '=') return misread(`“${shown}” says neither at most nor at least. ${example}`);
  const atLeast = sign.includes('>') || sign === '≥';
  if (atLeast !== (key === 'throughput')) {
    return misread(
      `“${shown}” points the wrong way: ${nameOf(key)} is limited ${key === 'throughput' ? 'from below, with >=' : 'from above, with <='}.`,
    );
  }
  const value = scaled(key, Number(number), unit.toLowerCase());
  if (value === null) return misread(`“${shown}” has a unit that does not fit: ${unitHint(key)}.`);
  return understood({ key, value });
}

function keyOf(what: string): keyof Slo | null {
  const word = what
    .trim()
    .toLowerCase()
    .replace(/[\s_-]+/g, ' ');
  if (/^p ?(50|95|99|999|99\.9)$/.test(word))
    return ({ '50': 'p50Ms', '95': 'p95Ms', '99': 'p99Ms', '999': 'p999Ms', '99.9': 'p999Ms' } as const)[word.replace(/[p ]/g, '')] ?? null;
  if (word === 'median') return 'p50Ms';
  if (/^(errors?|error (rate|share)|failures?)$/.test(word)) return 'errorShare';
  if (/^(throughput|req\/s|rps|requests\/s)$/.test(word)) return 'throughput';
  return null;
}

function scaled(key: keyof Slo, value: number, unit: string): number | null {
  if (key === 'errorShare') {
    // A bare number could be a share or a percentage; only at 0 does it not matter.
    if (unit === '%') return value / 100;
    return unit === '' && value === 0 ? 0 : null;
  }
  if (key === 'throughput') return ['', '/s', 'req/s', 'rps', 'requests/s'].includes(unit) ? value : null;
  const factor = ({ '': 1, ms: 1, s: 1000, us: 0.001, µs: 0.001, μs: 0.001 } as Record<string, number>)[unit];
  return factor === undefined ? null : value * factor;
}

function unitHint(key: keyof Slo): string {
  if (key === 'errorShare') return 'errors are a percentage, e.g. 0.1 %';
  return key === 'throughput' ? 'throughput is in req/s' : 'a latency is in ms, s or µs';
}

function nameOf(key: keyof Slo): string {
  return sloLimits.find((limit) => limit.key === key)?.name ?? key;
}

/** As many digits as the limit needs: a user wrote it. Twelve significant ones hide binary remainders. */
function exact(value: number): string {
  return String(Number(value.toPrecision(12)));
}

/** A measured value for a limit, with its unit: “9.81 ms”, “0.04 %”, “7,940 req/s”. */
export function sloValuePhrase(key: keyof Slo, value: number): string {
  if (key === 'errorShare') return `${figure(value * 100)} %`;
  return key === 'throughput' ? `${figure(value)} req/s` : `${figure(value)} ms`;
}
