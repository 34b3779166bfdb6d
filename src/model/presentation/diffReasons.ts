import { findingTexts } from '../domain/findings.ts';
import { bytesPhrase, changePhrase, figure, percentPhrase } from '../domain/format.ts';
import { compacted } from '../domain/plainText.ts';
import { capital } from '../domain/sentence.ts';
import type { Verdict } from '../domain/tuning.ts';
import { decides } from '../domain/versionDiff.ts';
import type { ChangedFunction, MeasuredFacts, RouteDiff, VersionDiff, VersionMetric, VersionMetricId } from '../domain/versionDiff.ts';
import { comparedSentence } from './comparedWords.ts';
import { missedOf } from './diffHeadline.ts';
import { callsFigure, metricInterval, weightPhrase } from './versionDiffTable.ts';

const longestSql = 160;

/** What explains a comparison, each a sentence: first what can be pointed at (statements, plans, answers, and the function that answers for it), then figures. */
export function diffReasons(diff: VersionDiff): string[] {
  const { facts } = diff;
  switch (facts.code) {
    case 'recorded':
      return facts.reasons;
    case 'same-code':
      return [];
    case 'measured':
      return measuredReasons(diff, facts);
  }
}

function measuredReasons(diff: VersionDiff, facts: MeasuredFacts): string[] {
  const { base, metrics, statements, plans = [], routes = [] } = diff;
  const { invalid } = facts;
  const missed = missedOf(facts);
  return [
    ...(invalid === null || invalid.failedShare === null ? [] : findingTexts(invalid.because)),
    ...(missed === null ? [] : [`It misses the objective, which ${base.label} keeps: ${missed}.`]),
    ...routes.filter(isDecided).slice(0, 3).map(routeSentence),
    ...statements
      .filter(({ kind }) => kind === 'new' || kind === 'more often')
      .slice(0, 3)
      .map(
        ({ sql, base: before, head: after, nPlusOne }) =>
          `Sent ${callsFigure(before)} → ${callsFigure(after)} times per request${nPlusOne ? ' (N+1: once for each row of another statement)' : ''}: ${compacted(sql, longestSql)}`,
      ),
    ...plans.slice(0, 3).map(({ sql, change }) => `PostgreSQL plans it otherwise, ${change}: ${compacted(sql, longestSql)}`),
    ...pointedAt(diff),
    ...metrics.flatMap((metric) => (metric.id === 'cpu' && isDecided(metric) ? cpuSentence(metric, diff, facts) : [])),
    ...metrics.flatMap((metric) => (decides(metric) && !told.has(metric.id ?? 'throughput') ? [metricSentence(metric)] : [])),
  ];
}

function isDecided({ verdict }: { verdict: Verdict | null }): boolean {
  return verdict === 'worse' || verdict === 'better';
}

/** What has sentences of its own. */
const told: ReadonlySet<VersionMetricId> = new Set<VersionMetricId>(['throughput', 'cpu', 'statements', 'answer']);

/** Answers that are a fifth larger or smaller, and more than a header makes them. */
const [otherAnswer, leastAnswerBytes] = [1.2, 256];

/** The function that answers for it, and answers of another size: first the one that the change touched. */
function pointedAt({ verdict, why, metrics }: VersionDiff): string[] {
  const culprit = culpritOf(verdict, why?.functions ?? []);
  const functions = culprit === null ? [] : [functionSentence(culprit)];
  const { base, head } = metrics.find(({ id }) => id === 'answer') ?? { base: null, head: null };
  const differs =
    base !== null && head !== null && Math.abs(head - base) >= leastAnswerBytes && Math.max(head / base, base / head) >= otherAnswer;
  const answers = differs ? [`Each answer holds ${bytesPhrase(head)} instead of ${bytesPhrase(base)}.`] : [];
  return culprit?.touched === true ? [...functions, ...answers] : [...answers, ...functions];
}

/**
 * The function that answers for a verdict: the first that changed in the same direction, itself and with all that it calls. Null where there is no verdict to
 * explain.
 */
export function culpritOf(verdict: Verdict, functions: readonly ChangedFunction[]): ChangedFunction | null {
  if (!isDecided({ verdict })) return null;
  const sign = verdict === 'worse' ? 1 : -1;
  return functions.find(({ change, base, head }) => sign * change > 0 && sign * (head - base) > 0) ?? null;
}

const eventWords: Readonly<Record<string, string>> = {
  cpu: 'CPU',
  wall: 'time',
  database: 'waiting for the database',
  poolWait: 'waiting for a connection of the pool',
  alloc: 'memory',
};

/** “itemsOf (server.js:20), which the change touched, takes 1.1 ms more per request: …” */
function functionSentence({ name, file, line, touched, change, base, head, event, unit }: ChangedFunction): string {
  const where = file === null ? '' : ` (${file}${line === null ? '' : `:${line}`})`;
  const how = touched ? ', which the change touched,' : '';
  const amount = (value: number): string => weightPhrase(value, unit);
  return `${name}${where}${how} takes ${amount(Math.abs(change))} ${change > 0 ? 'more' : 'less'} per request: ${amount(base)} → ${amount(head)} of ${eventWords[event] ?? event} with all that it calls.`;
}

/** One sentence on a route: its share of the mix, then its figures, such as “statements per request 1 → 8”. */
function routeSentence(route: RouteDiff): string {
  const said = route.metrics.flatMap((metric) => {
    if (metric.counts !== true || metric.verdict !== route.verdict) return [];
    const [before, after] = [metric.base, metric.head].map((value) => (value === null ? '–' : callsFigure(value)));
    if (metric.exact || metric.ratio === null) return [`${metric.name} ${before} → ${after} ${metric.unit}`.trimEnd()];
    const interval = metricInterval(metric);
    return [`${metric.name} ${changePhrase(metric.ratio.mean)}${interval === '' ? '' : ` (${interval})`}`];
  });
  return `${route.route} alone (${percentPhrase(100 * route.share)} of the mix): ${said.join(', ')}.`;
}

function cpuSentence({ ratio, verdict }: VersionMetric, { base, delta }: VersionDiff, { headName }: MeasuredFacts): string[] {
  if (ratio === null || verdict === null) return [];
  return [`${capital(comparedSentence({ of: 'cpu', ratio, verdict, delta }, { a: base.label, b: headName }))}.`];
}

function metricSentence({ name, unit, base, head }: VersionMetric): string {
  const [before, after] = [base, head].map((value) => (value === null ? '–' : figure(value)));
  return `${capital(name)}: ${before} → ${after} ${unit}`.trimEnd() + '.';
}
