import type { ComparedFigure, Comparison } from '../../model/comparison.ts';
import { changePhrase, figure, percentPhrase, wholeNumber } from '../../model/format.ts';
import { withinPhrase } from '../../model/margin.ts';
import type { Trial } from '../../model/run.ts';
import { answeredRequests, isOncePerRow } from '../../model/statement.ts';
import type { StatementUse } from '../../model/statement.ts';
import type { Verdict } from '../../model/tuning.ts';
import type { ChangedStatement, VersionDiff, VersionMetric } from '../../model/versionDiff.ts';

export interface Sides {
  base: VersionDiff['base'];
  head: VersionDiff['head'];
}

/** Calls per request that differ by less are the share of requests that straddled the edge of a block. */
const leastCallsMore = 0.2;
const leastCallsRatio = 1.2;
const mostStatements = 10;

/**
 * What two versions differ in, from the comparison of their two trials. Counts per request, which nothing that others do on the machine touches, decide where
 * times cannot: more statements for the same requests are worse, whatever the figures can tell yet.
 */
export function composeDiff({ base, head }: Sides, comparison: Comparison): VersionDiff {
  const row = comparison.rows[0];
  const [a, b] = [row?.a ?? null, row?.b ?? null];
  const { delta } = comparison;
  const throughput = row?.throughput ?? null;
  const statements = a === null || b === null ? [] : changedStatements(a, b);
  const counts = a === null || b === null ? null : ([callsPerRequest(a), callsPerRequest(b)] as const);
  const metrics: VersionMetric[] = [
    timed('throughput', 'req/s', a?.throughput.mean ?? null, b?.throughput.mean ?? null, throughput),
    timed(
      'CPU per request',
      'µs',
      a?.resources.app.cpuUsPerRequest ?? null,
      b?.resources.app.cpuUsPerRequest ?? null,
      row?.cpuPerRequest ?? null,
    ),
    timed('p99', 'ms', a?.latencyMs?.p99 ?? null, b?.latencyMs?.p99 ?? null, row?.p99 ?? null),
    ...(counts === null || counts[0] === null || counts[1] === null ? [] : [counted('statements per request', counts[0], counts[1])]),
    ...rowsMetric(a, b),
  ];
  const more = statements.filter(({ kind }) => kind === 'new' || kind === 'more often');
  const byCount = metrics.find(({ name }) => name === 'statements per request')?.verdict ?? null;
  const [invalid] = [a, b].flatMap((trial) => (trial === null || trial.valid ? [] : [trial]));
  const verdict: Verdict =
    throughput === null ? 'unknown' : throughput.verdict === 'unknown' && byCount === 'worse' ? 'worse' : throughput.verdict;
  return {
    ...{ base, head, sameCode: false, verdict, metrics, statements, delta, files: [], why: null },
    headline:
      invalid === undefined
        ? headlineOf({ base, head }, throughput, verdict, counts, delta)
        : `Can’t tell: ${invalid === a ? base.label : head.label} was not measured as asked. ${invalid.reasons[0] ?? ''}`.trim(),
    reasons: [
      ...more
        .slice(0, 3)
        .map(
          ({ sql, base: before, head: after, nPlusOne }) =>
            `Sent ${timesPhrase(before)} → ${timesPhrase(after)} times per request${nPlusOne ? ' (once for each row of another statement)' : ''}: ${shortened(sql)}`,
        ),
      ...(row?.cpuPerRequest != null && row.cpuPerRequest.verdict !== 'same' && row.cpuPerRequest.verdict !== 'unknown'
        ? [`${row.cpuPerRequest.sentence.replace(comparison.b.name, 'It')}.`]
        : []),
    ],
  };
}

/** Where both versions are the same code, nothing has to be measured to know it. */
export function sameCode({ base, head }: Sides, delta: number): VersionDiff {
  return {
    ...{ base, head, sameCode: true, verdict: 'same', reasons: [], metrics: [], statements: [], delta, files: [], why: null },
    headline: `${capital(head.label)} and ${base.label} are the same code: there is nothing to measure.`,
  };
}

function headlineOf(
  { base, head }: Sides,
  throughput: ComparedFigure | null,
  verdict: Verdict,
  counts: readonly [number | null, number | null] | null,
  delta: number,
): string {
  const [who, against] = [capital(head.label), base.label];
  if (throughput === null) return `Can’t tell: nothing was measured of ${against} or of ${head.label}.`;
  const { ratio } = throughput;
  const interval = ratio.ciLow === null || ratio.ciHigh === null ? '' : ` (${changePhrase(ratio.ciLow)} to ${changePhrase(ratio.ciHigh)})`;
  const percent = percentPhrase(Math.abs(100 * (ratio.mean - 1)));
  if (throughput.verdict === 'unknown' && verdict === 'worse')
    return `${who} sends ${callsPhrase(counts?.[1] ?? 0)} instead of ${callsPhrase(counts?.[0] ?? 0)} for each request; whether it is slower than ${against} can’t be told yet${interval}.`;
  switch (throughput.verdict) {
    case 'worse':
      return ratio.mean < 0.5
        ? `${who} is ${figure(1 / ratio.mean)} times slower than ${against}${interval}.`
        : `${who} is ${percent} slower than ${against}${interval}.`;
    case 'better':
      return ratio.mean > 2
        ? `${who} is ${figure(ratio.mean)} times as fast as ${against}${interval}.`
        : `${who} is ${percent} faster than ${against}${interval}.`;
    case 'same':
      return `${who} is as fast as ${against}, within ${withinPhrase(delta)}${interval}.`;
    case 'unknown':
      return `Can’t tell yet whether ${head.label} is slower or faster than ${against}${interval}${throughput.moreRounds === null ? '' : `; about ${wholeNumber(throughput.moreRounds)} more rounds would decide`}.`;
  }
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function timed(name: string, unit: string, base: number | null, head: number | null, compared: ComparedFigure | null): VersionMetric {
  return { name, unit, base, head, ratio: compared?.ratio ?? null, verdict: compared?.verdict ?? null, exact: false };
}

/** A count per request: more of it is worse. */
function counted(name: string, base: number, head: number): VersionMetric {
  const ratio = base === 0 ? null : { mean: head / base, ciLow: null, ciHigh: null };
  const grown = head - base >= leastCallsMore && head >= leastCallsRatio * base;
  const shrunk = base - head >= leastCallsMore && base >= leastCallsRatio * head;
  return { name, unit: '', base, head, ratio, verdict: grown ? 'worse' : shrunk ? 'better' : 'same', exact: true };
}

function rowsMetric(a: Trial | null, b: Trial | null): VersionMetric[] {
  const [base, head] = [a, b].map((trial) => perRequest(trial, (use) => use.rows));
  return base === null || base === undefined || head === null || head === undefined
    ? []
    : [{ ...counted('rows per request', base, head), verdict: null }];
}

function perRequest(trial: Trial | null, of: (use: StatementUse) => number): number | null {
  if (trial?.statements === undefined) return null;
  const requests = answeredRequests(trial);
  return requests === 0 ? null : trial.statements.reduce((sum, use) => sum + of(use), 0) / requests;
}

function callsPerRequest(trial: Trial): number | null {
  return perRequest(trial, ({ calls }) => calls);
}

function changedStatements(a: Trial, b: Trial): ChangedStatement[] {
  const [before, after] = [callsBySql(a), callsBySql(b)];
  if (before === null || after === null) return [];
  return [...new Set([...before.keys(), ...after.keys()])]
    .flatMap((sql): ChangedStatement[] => {
      const [base, head] = [before.get(sql) ?? 0, after.get(sql) ?? 0];
      if (Math.abs(head - base) < leastCallsMore || Math.max(base, head) < leastCallsRatio * Math.min(base, head)) return [];
      const kind = base === 0 ? 'new' : head === 0 ? 'gone' : head > base ? 'more often' : 'less often';
      return [{ sql, kind, base, head, nPlusOne: head > base && isOncePerRow(sql, head) }];
    })
    .sort((one, other) => Math.abs(other.head - other.base) - Math.abs(one.head - one.base))
    .slice(0, mostStatements);
}

/** Calls per request by text; null where PostgreSQL did not count. */
function callsBySql(trial: Trial): Map<string, number> | null {
  const requests = answeredRequests(trial);
  if (trial.statements === undefined || requests === 0) return null;
  const calls = new Map<string, number>();
  for (const use of trial.statements) calls.set(use.sql, (calls.get(use.sql) ?? 0) + use.calls / requests);
  return calls;
}

function timesPhrase(calls: number): string {
  // A request that straddles the edge of a block is counted without some of its statements.
  return Math.abs(calls - Math.round(calls)) < Math.max(0.05, 0.02 * calls) ? wholeNumber(Math.round(calls)) : figure(calls);
}

function callsPhrase(calls: number): string {
  const shown = timesPhrase(calls);
  return `${shown} ${shown === '1' ? 'statement' : 'statements'}`;
}

function shortened(sql: string): string {
  const line = sql.replace(/\s+/g, ' ').trim();
  return line.length <= 160 ? line : `${line.slice(0, 157)}…`;
}
