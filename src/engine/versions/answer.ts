import type { ComparedFigure, Comparison } from '../../model/comparison.ts';
import { changePhrase, figure, percentPhrase, wholeNumber } from '../../model/format.ts';
import { withinPhrase } from '../../model/margin.ts';
import type { Trial } from '../../model/run.ts';
import { answeredRequests, isOncePerRow } from '../../model/statement.ts';
import type { Verdict } from '../../model/tuning.ts';
import type { ChangedStatement, VersionDiff } from '../../model/versionDiff.ts';
import { callsPerRequest, leastCallsMore, leastCallsRatio, metricsOf } from './metrics.ts';

export interface Sides {
  base: VersionDiff['base'];
  head: VersionDiff['head'];
}

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
  const metrics = metricsOf(row);
  const more = statements.filter(({ kind }) => kind === 'new' || kind === 'more often');
  const cpu = metrics.find(({ name }) => name === 'CPU per request')?.verdict ?? null;
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
      ...(row?.cpuPerRequest != null && (cpu === 'better' || cpu === 'worse')
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
