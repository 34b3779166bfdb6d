import type { ComparedFigure, Comparison, ComparisonRow } from '../../model/comparison.ts';
import { bytesPhrase, changePhrase, figure, percentPhrase, spanPhrase } from '../../model/format.ts';
import { withinPhrase } from '../../model/margin.ts';
import type { Verdict } from '../../model/tuning.ts';
import type { RouteDiff, VersionDiff, VersionMetric, VersionMetricId, VersionWhy } from '../../model/versionDiff.ts';
import { culpritOf, functionSentence } from './culprit.ts';
import { changedPlans } from './planChanges.ts';
import { callsFigure } from '../../model/versionDiffTable.ts';
import { metricsOf } from './metrics.ts';
import { missedByHead, objectiveNote } from './objective.ts';
import { routeSentence, wherePhrase } from './routes.ts';
import { changedStatements } from './statements.ts';
import { verdictOf } from './verdict.ts';

export interface Sides {
  base: VersionDiff['base'];
  head: VersionDiff['head'];
}

/**
 * What two versions differ in, from the comparison of their two trials. Counts per request, which nothing that others do on the machine touches, decide before times
 * do: more statements for the same requests are worse unless it is faster for all that. `judgeBy`: the figures that the verdict is made of. One of the `routes` that
 * is worse by itself makes the whole worse, unless the mix is faster or slower anyway. Reasons name first what can be pointed at: statements, plans, answers, and the function
 * that `why` says it is; figures follow.
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
  const [invalid] = [a, b].flatMap((trial) => (trial === null || trial.valid ? [] : [trial]));
  const missed = missedByHead(a, b);
  const objective = objectiveNote(a, b, { base: base.label, head: head.label });
  const ofMix = verdictOf(metrics);
  const route = ofMix === 'same' || ofMix === 'unknown' ? (routes.find((one) => one.verdict === 'worse') ?? null) : null;
  const verdict: Verdict = missed !== null ? 'worse' : row?.throughput == null ? 'unknown' : route !== null ? 'worse' : ofMix;
  return {
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
    headline:
      invalid === undefined
        ? headlineOf({ base, head }, { throughput: row?.throughput ?? null, metrics, missed, route, verdict, delta, more: moreTime(row) })
        : `Can’t tell: ${invalid === a ? base.label : head.label} was not measured as asked. ${invalid.reasons[0] ?? ''}`.trim(),
    reasons: [
      ...(missed === null ? [] : [`It misses the objective, which ${base.label} keeps: ${missed}.`]),
      ...routes
        .filter((one) => one.verdict === 'worse' || one.verdict === 'better')
        .slice(0, 3)
        .map(routeSentence),
      ...more
        .slice(0, 3)
        .map(
          ({ sql, base: before, head: after, nPlusOne }) =>
            `Sent ${callsFigure(before)} → ${callsFigure(after)} times per request${nPlusOne ? ' (N+1: once for each row of another statement)' : ''}: ${shortened(sql)}`,
        ),
      ...plans.slice(0, 3).map(({ sql, change }) => `PostgreSQL plans it otherwise, ${change}: ${shortened(sql)}`),
      ...pointedAt(verdict, why, metrics),
      ...(row?.cpuPerRequest != null && (cpu === 'better' || cpu === 'worse')
        ? [`${row.cpuPerRequest.sentence.replace(comparison.b.name, 'It')}.`]
        : []),
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

function decides({ counts, verdict }: VersionMetric): boolean {
  return counts === true && (verdict === 'worse' || verdict === 'better');
}

function metricSentence({ name, unit, base, head }: VersionMetric): string {
  const [before, after] = [base, head].map((value) => (value === null ? '–' : figure(value)));
  return `${capital(name)}: ${before} → ${after} ${unit}`.trimEnd() + '.';
}

/** Where both versions are the same code, nothing has to be measured to know it. */
export function sameCode({ base, head }: Sides, delta: number): VersionDiff {
  return {
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
    headline: `${leading(head.label)} and ${base.label} are the same code: there is nothing to measure.`,
  };
}

interface Found {
  throughput: ComparedFigure | null;
  metrics: readonly VersionMetric[];
  missed: string | null;
  /** The route that makes it worse, where the mix does not. */
  route: RouteDiff | null;
  verdict: Verdict;
  delta: number;
  /** What would decide, as a span; null where no affordable number of rounds would. */
  more: string | null;
}

/** As many more rounds as would decide, in the time that those took which there are. */
function moreTime(row: ComparisonRow | undefined): string | null {
  const rounds = row?.throughput?.moreRounds ?? null;
  if (rounds === null) return null;
  const blocks = [row?.a, row?.b].flatMap((trial) => trial?.blocks ?? []);
  const done = new Set(blocks.map(({ round }) => round)).size;
  const spanMs = Math.max(...blocks.map(({ startMs, windowMs }) => startMs + windowMs)) - Math.min(...blocks.map(({ startMs }) => startMs));
  return spanPhrase((rounds * spanMs) / done / 1000);
}

function headlineOf({ base, head }: Sides, { throughput, metrics, missed, route, verdict, delta, more }: Found): string {
  const [who, against] = [leading(head.label), base.label];
  if (throughput === null) return `Can’t tell: nothing was measured of ${against} or of ${head.label}.`;
  const { ratio } = throughput;
  // Of several figures the word is the more careful one.
  const speed = metrics.find(({ id }) => id === 'throughput')?.verdict ?? throughput.verdict;
  const interval = ratio.ciLow === null || ratio.ciHigh === null ? '' : ` (${changePhrase(ratio.ciLow)} to ${changePhrase(ratio.ciHigh)})`;
  const percent = percentPhrase(Math.abs(100 * (ratio.mean - 1)));
  const other = metrics.find((metric) => decides(metric) && metric.verdict === verdict && metric.id !== 'throughput');
  const asFast = `as fast as ${against}, within ${withinPhrase(delta)}${interval}`;
  if (speed !== 'worse' && speed !== verdict && (missed !== null || route !== null || other !== undefined)) {
    const what =
      missed !== null
        ? `misses the objective (${missed})`
        : route !== null
          ? `is worse on ${route.route}${wherePhrase(route)}`
          : other === undefined
            ? ''
            : otherPhrase(other);
    const it = route === null || missed !== null ? 'it' : 'over the mix it';
    switch (speed) {
      case 'same':
        return `${who} ${what}; ${it} is ${asFast}.`;
      case 'better':
        return `${who} ${what}; it is ${percent} faster than ${against}${interval}.`;
      case 'unknown':
        return `${who} ${what}; ${it} looks ${seenPhrase(ratio.mean, against)}${interval}.`;
    }
  }
  switch (speed) {
    case 'worse':
      return ratio.mean < 0.5
        ? `${who} is ${figure(1 / ratio.mean)} times slower than ${against}${interval}.`
        : `${who} is ${percent} slower than ${against}${interval}.`;
    case 'better':
      return ratio.mean > 2
        ? `${who} is ${figure(ratio.mean)} times as fast as ${against}${interval}.`
        : `${who} is ${percent} faster than ${against}${interval}.`;
    case 'same':
      return `${who} is ${asFast}.`;
    case 'unknown':
      return `${who} looks ${seenPhrase(ratio.mean, against)}${interval}${more === null ? '' : `; about ${more} more would decide`}.`;
  }
}

/** "2.0 % slower than main": what was seen, whether or not it was decided. */
function seenPhrase(ratio: number, against: string): string {
  const percent = percentPhrase(Math.abs(100 * (ratio - 1)));
  return ratio === 1 ? `as fast as ${against}` : `${percent} ${ratio > 1 ? 'faster' : 'slower'} than ${against}`;
}

/** "sends 21 statements instead of 1 statement for each request", "uses 20 % more CPU for each request". */
function otherPhrase({ id, name, unit, base, head, ratio }: VersionMetric): string {
  if (id === 'statements') return `sends ${callsPhrase(head ?? 0)} instead of ${callsPhrase(base ?? 0)} for each request`;
  const change = ratio === null ? 0 : ratio.mean - 1;
  const amount = `${percentPhrase(Math.abs(100 * change))} ${change > 0 ? 'more' : 'less'}`;
  if (id === 'cpu') return `uses ${amount} CPU for each request`;
  const [before, after] = [base, head].map((value) => `${value === null ? '–' : figure(value)} ${unit}`.trimEnd());
  return `has ${name} of ${after} instead of ${before}`;
}

/** At the beginning of a sentence: a branch or a commit is called as it is. */
function leading(label: string): string {
  return label.startsWith('the ') ? capital(label) : label;
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function callsPhrase(calls: number): string {
  const shown = callsFigure(calls);
  return `${shown} ${shown === '1' ? 'statement' : 'statements'}`;
}

function shortened(sql: string): string {
  const line = sql.replace(/\s+/g, ' ').trim();
  return line.length <= 160 ? line : `${line.slice(0, 157)}…`;
}
