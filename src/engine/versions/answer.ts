import { compacted } from '../../model/domain/plainText.ts';
import { findingTexts } from '../../model/domain/findings.ts';
import type { Comparison } from '../../model/domain/comparison.ts';
import { bytesPhrase, figure } from '../../model/domain/format.ts';
import { capital } from '../../model/domain/sentence.ts';
import type { Verdict } from '../../model/domain/tuning.ts';
import type { RouteDiff, VersionDiff, VersionMetric, VersionMetricId, VersionWhy } from '../../model/domain/versionDiff.ts';
import { culpritOf, functionSentence } from './culprit.ts';
import { changedPlans } from './planChanges.ts';
import { callsFigure } from '../../model/presentation/versionDiffTable.ts';
import { decides, headlineOf, leading, moreTime } from './headline.ts';
import { metricsOf } from './metrics.ts';
import { failingHead, missedByHead, objectiveNote } from './objective.ts';
import { routeSentence } from './routes.ts';
import { changedStatements } from './statements.ts';
import { verdictOf } from './verdict.ts';

const longestSql = 160;

export interface Sides {
  base: VersionDiff['base'];
  head: VersionDiff['head'];
}

/**
 * What two versions differ in, from the comparison of their two trials. Counts per request, which nothing that others do on the machine touches, decide before
 * times do: more statements for the same requests are worse unless it is faster for all that. `judgeBy`: the figures that the verdict is made of. One of the
 * `routes` that is worse alone makes the whole worse, unless the mix is faster or slower anyway. Reasons name first what can be pointed at: statements, plans,
 * answers, and the function that `why` says it is; figures follow. A head that fails requests which base answers is worse, however fast it is.
 */
export function composeDiff(
  { base, head }: Sides,
  comparison: Comparison,
  judgeBy?: readonly VersionMetricId[],
  routes: readonly RouteDiff[] = [],
  why: VersionWhy | null = null,
): VersionDiff {
  const row = comparison.rows[0];
  const [a, b] = [row?.a ?? null, row?.b ?? null];
  const { delta } = comparison;
  const statements = a === null || b === null ? [] : changedStatements(a, b);
  const plans = changedPlans(a?.statements ?? [], b?.statements ?? []);
  const metrics = metricsOf(comparison, judgeBy, why?.functions);
  const more = statements.filter(({ kind }) => kind === 'new' || kind === 'more often');
  const cpu = metrics.find(({ id }) => id === 'cpu')?.verdict ?? null;
  const missed = missedByHead(a, b);
  const failing = failingHead(a, b, base.label);
  const objective = objectiveNote(a, b, { base: base.label, head: head.label });
  const ofMix = verdictOf(metrics);
  const route = ofMix === 'same' || ofMix === 'unknown' ? (routes.find((one) => one.verdict === 'worse') ?? null) : null;
  const verdict: Verdict =
    missed !== null || failing !== null ? 'worse' : row?.throughput == null ? 'unknown' : route !== null ? 'worse' : ofMix;
  return {
    kind: 'diff',
    base,
    head,
    sameCode: false,
    verdict,
    metrics,
    statements,
    ...(plans.length === 0 ? {} : { plans }),
    ...(routes.length === 0 ? {} : { routes: [...routes] }),
    ...(objective === null ? {} : { notes: [objective] }),
    delta,
    files: [],
    why,
    headline: headlineOf(
      { base, head },
      {
        throughput: row?.throughput ?? null,
        trials: { a, b },
        metrics,
        missed,
        failing,
        route,
        verdict,
        delta,
        more: moreTime(row, metrics),
      },
    ),
    reasons: [
      ...(failing === null ? [] : findingTexts((b?.reasons ?? []).slice(0, 3))),
      ...(missed === null ? [] : [`It misses the objective, which ${base.label} keeps: ${missed}.`]),
      ...routes
        .filter((one) => one.verdict === 'worse' || one.verdict === 'better')
        .slice(0, 3)
        .map(routeSentence),
      ...more
        .slice(0, 3)
        .map(
          ({ sql, base: before, head: after, nPlusOne }) =>
            `Sent ${callsFigure(before)} → ${callsFigure(after)} times per request${nPlusOne ? ' (N+1: once for each row of another statement)' : ''}: ${compacted(sql, longestSql)}`,
        ),
      ...plans.slice(0, 3).map(({ sql, change }) => `PostgreSQL plans it otherwise, ${change}: ${compacted(sql, longestSql)}`),
      ...pointedAt(verdict, why, metrics),
      ...(row?.cpuPerRequest != null && (cpu === 'better' || cpu === 'worse') ? [`${capital(row.cpuPerRequest.sentence)}.`] : []),
      ...metrics.flatMap((metric) => (decides(metric) && !told.has(metric.id ?? 'throughput') ? [metricSentence(metric)] : [])),
    ],
  };
}

/** What has sentences of its own. */
const told: ReadonlySet<VersionMetricId> = new Set<VersionMetricId>(['throughput', 'cpu', 'statements', 'answer']);

/** Answers that are a fifth larger or smaller, and more than a header makes them. */
const [otherAnswer, leastAnswerBytes] = [1.2, 256];

/** The function that answers for it, and answers of another size: first the one that the change touched. */
function pointedAt(verdict: Verdict, why: VersionWhy | null, metrics: readonly VersionMetric[]): string[] {
  const [culprit] = culpritOf(verdict, why?.functions ?? []);
  const functions = culprit === undefined ? [] : [functionSentence(culprit)];
  const { base, head } = metrics.find(({ id }) => id === 'answer') ?? { base: null, head: null };
  const differs =
    base !== null && head !== null && Math.abs(head - base) >= leastAnswerBytes && Math.max(head / base, base / head) >= otherAnswer;
  const answers = differs ? [`Each answer holds ${bytesPhrase(head)} instead of ${bytesPhrase(base)}.`] : [];
  return culprit?.touched === true ? [...functions, ...answers] : [...answers, ...functions];
}

function metricSentence({ name, unit, base, head }: VersionMetric): string {
  const [before, after] = [base, head].map((value) => (value === null ? '–' : figure(value)));
  return `${capital(name)}: ${before} → ${after} ${unit}`.trimEnd() + '.';
}

/** Where both versions are the same code, nothing has to be measured to know it. `documents`: files that they differ in all the same. */
export function sameCode({ base, head }: Sides, delta: number, documents: readonly string[] = []): VersionDiff {
  const [first, ...others] = documents;
  const named = others.length === 0 ? first : `${first} and ${others.length} more`;
  const are = first === undefined ? 'are the same code' : `differ in documentation only (${named})`;
  return {
    kind: 'diff',
    base,
    head,
    sameCode: true,
    verdict: 'same',
    reasons: [],
    metrics: [],
    statements: [],
    delta,
    files: [],
    why: null,
    headline: `${leading(head.label)} and ${base.label} ${are}: there is nothing to measure.`,
  };
}
