import { findingText } from '../../model/domain/findings.ts';
import { changePhrase, figure, percentPhrase } from '../../model/domain/format.ts';
import type { ComparisonRow } from '../../model/domain/comparison.ts';
import type { Verdict } from '../../model/domain/tuning.ts';
import { usualMetrics } from '../../model/domain/versionDiff.ts';
import type { RouteDiff, VersionMetric, VersionMetricId } from '../../model/domain/versionDiff.ts';
import { callsFigure, metricInterval } from '../../model/presentation/versionDiffTable.ts';
import type { RouteAlone } from '../run/routesAlone.ts';
import { trialMetrics } from '../runs/compareMetrics.ts';
import { routeMetrics } from './metrics.ts';
import { changedStatements } from './statements.ts';
import { verdictOf } from './verdict.ts';

/** How routes are compared. `sides`: what the versions are called. */
export interface RouteOptions {
  sides: { a: string; b: string };
  delta: number;
  judgeBy?: readonly VersionMetricId[] | undefined;
}

/**
 * What two versions differ in on each route of a mix alone, the worst first. All figures of all routes are judged together, more carefully than those of the
 * mix.
 */
export function composeRoutes(measured: readonly RouteAlone[], { sides, delta, judgeBy = usualMetrics }: RouteOptions): RouteDiff[] {
  const rows = new Map(
    measured.flatMap(({ route, trials }): [string, ComparisonRow][] => {
      if ('unknown' in trials || !trials.base.valid || !trials.head.valid) return [];
      const [a, b] = [trials.base, trials.head];
      const figures = trialMetrics({ a, b, sameRun: [a, b], delta, sides });
      return [[route, { label: route, a, b, throughputRatio: null, p99Ratio: null, cpuPerRequestRatio: null, ...figures, curves: null }]];
    }),
  );
  const metrics = routeMetrics(rows, sides, delta, judgeBy);
  const found = measured.map(({ route, share, trials }): RouteDiff => {
    const own = metrics.get(route);
    const row = rows.get(route);
    if (own === undefined || row?.a == null || row.b === null)
      return { route, share, verdict: 'unknown', metrics: [], statements: [], unknown: whyNot(trials, sides) };
    return { route, share, verdict: verdictOf(own), metrics: own, statements: changedStatements(row.a, row.b), unknown: null };
  });
  return found.sort((one, other) => ranks[one.verdict] - ranks[other.verdict] || badness(other) - badness(one) || other.share - one.share);
}

const ranks: Readonly<Record<Verdict, number>> = { worse: 0, unknown: 1, same: 2, better: 3 };

function whyNot(trials: RouteAlone['trials'], sides: RouteOptions['sides']): string {
  if ('unknown' in trials) return trials.unknown;
  const invalid = trials.base.valid ? trials.head : trials.base;
  return `${invalid === trials.base ? sides.a : sides.b}: ${invalid.reasons[0] === undefined ? 'not measured as asked.' : findingText(invalid.reasons[0])}`;
}

/** By how much the worst of what counts is worse, on a logarithm. */
function badness({ metrics }: RouteDiff): number {
  return Math.max(
    0,
    ...metrics.flatMap(({ id, counts, ratio }) =>
      counts === true && ratio !== null ? [(id === 'throughput' ? -1 : 1) * Math.log(ratio.mean)] : [],
    ),
  );
}

/** The figure by which a route is what its verdict says: a count before a time. Null where none says so alone. */
function decisive({ metrics, verdict }: RouteDiff): VersionMetric | null {
  const saying = metrics.filter((metric) => metric.counts === true && metric.verdict === verdict);
  return saying.find(({ exact }) => exact) ?? saying[0] ?? null;
}

/** "where it sends 8 statements instead of 1 statement for each request". */
export function wherePhrase(route: RouteDiff): string {
  const metric = decisive(route);
  return metric === null ? '' : `, where it ${metricPhrase(metric)}`;
}

/** "sends 21 statements instead of 1 statement for each request", "uses 20 % more CPU for each request". */
export function metricPhrase({ id, name, unit, base, head, ratio }: VersionMetric): string {
  if (id === 'statements') return `sends ${callsPhrase(head ?? 0)} instead of ${callsPhrase(base ?? 0)} for each request`;
  const change = ratio === null ? 0 : ratio.mean - 1;
  const percent = percentPhrase(Math.abs(100 * change));
  if (id === 'throughput') return `is ${percent} ${change < 0 ? 'slower' : 'faster'}`;
  if (id === 'cpu') return `uses ${percent} ${change > 0 ? 'more' : 'less'} CPU for each request`;
  const [before, after] = [base, head].map((value) => `${value === null ? '–' : figure(value)} ${unit}`.trimEnd());
  return `has ${name} of ${after} instead of ${before}`;
}

function callsPhrase(calls: number): string {
  const shown = callsFigure(calls);
  return `${shown} ${shown === '1' ? 'statement' : 'statements'}`;
}

/** One sentence on a route: its share of the mix, then its figures, such as “statements per request 1 → 8”. */
export function routeSentence(route: RouteDiff): string {
  const said = route.metrics.flatMap((metric) => {
    if (metric.counts !== true || metric.verdict !== route.verdict) return [];
    const [before, after] = [metric.base, metric.head].map((value) => (value === null ? '–' : callsFigure(value)));
    if (metric.exact || metric.ratio === null) return [`${metric.name} ${before} → ${after} ${metric.unit}`.trimEnd()];
    const interval = metricInterval(metric);
    return [`${metric.name} ${changePhrase(metric.ratio.mean)}${interval === '' ? '' : ` (${interval})`}`];
  });
  return `${route.route} alone (${percentPhrase(100 * route.share)} of the mix): ${said.join(', ')}.`;
}
