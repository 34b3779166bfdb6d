import type { ComparedFigure, ComparisonRow } from '../../model/comparison.ts';
import type { Trial } from '../../model/run.ts';
import { answeredRequests } from '../../model/statement.ts';
import type { StatementUse } from '../../model/statement.ts';
import type { VersionMetric } from '../../model/versionDiff.ts';
import { differBeyondChance } from '../statistics/holm.ts';

/** Calls per request that differ by less are the share of requests that straddled the edge of a block. */
export const leastCallsMore = 0.2;
export const leastCallsRatio = 1.2;

/**
 * The figures of both versions. Throughput decides by its own interval; of the others that are timed none is said to differ but beyond the chance that lies in
 * looking at several.
 */
export function metricsOf(row: Pick<ComparisonRow, 'a' | 'b' | 'throughput' | 'p99' | 'cpuPerRequest'> | undefined): VersionMetric[] {
  const [a, b] = [row?.a ?? null, row?.b ?? null];
  const others = new Map([
    ['CPU per request', row?.cpuPerRequest ?? null],
    ['p99', row?.p99 ?? null],
  ]);
  const chances = [...others].flatMap(([name, figure]) => (figure?.chance === undefined ? [] : [[name, figure.chance] as const]));
  const beyond = differBeyondChance(new Map(chances));
  const other = (name: string, unit: string, of: (trial: Trial) => number | null): VersionMetric =>
    surely(timed(name, unit, both(of), others.get(name) ?? null), beyond);
  const both = (of: (trial: Trial) => number | null): Sides => [a === null ? null : of(a), b === null ? null : of(b)];
  return [
    timed(
      'throughput',
      'req/s',
      both(({ throughput }) => throughput.mean),
      row?.throughput ?? null,
    ),
    other('CPU per request', 'µs', ({ resources }) => resources.app.cpuUsPerRequest),
    other('p99', 'ms', ({ latencyMs }) => latencyMs?.p99 ?? null),
    ...counted('statements per request', both(callsPerRequest)),
    ...counted('rows per request', both(rowsPerRequest)).map((metric) => ({ ...metric, verdict: null })),
  ];
}

export function callsPerRequest(trial: Trial): number | null {
  return perRequest(trial, ({ calls }) => calls);
}

function rowsPerRequest(trial: Trial): number | null {
  return perRequest(trial, ({ rows }) => rows);
}

type Sides = [base: number | null, head: number | null];

function timed(name: string, unit: string, [base, head]: Sides, compared: ComparedFigure | null): VersionMetric {
  return { name, unit, base, head, ratio: compared?.ratio ?? null, verdict: compared?.verdict ?? null, exact: false };
}

/** What differs by its own interval alone, but not beyond chance among the others, is open. */
function surely(metric: VersionMetric, beyond: ReadonlySet<string>): VersionMetric {
  const differs = metric.verdict === 'worse' || metric.verdict === 'better';
  return differs && !beyond.has(metric.name) ? { ...metric, verdict: 'unknown' } : metric;
}

/** A count per request, where it is known of both: more of it is worse. */
function counted(name: string, [base, head]: Sides): VersionMetric[] {
  if (base === null || head === null) return [];
  const ratio = base === 0 ? null : { mean: head / base, ciLow: null, ciHigh: null };
  const grown = head - base >= leastCallsMore && head >= leastCallsRatio * base;
  const shrunk = base - head >= leastCallsMore && base >= leastCallsRatio * head;
  return [{ name, unit: '', base, head, ratio, verdict: grown ? 'worse' : shrunk ? 'better' : 'same', exact: true }];
}

function perRequest(trial: Trial, of: (use: StatementUse) => number): number | null {
  const requests = answeredRequests(trial);
  return trial.statements === undefined || requests === 0 ? null : trial.statements.reduce((sum, use) => sum + of(use), 0) / requests;
}
