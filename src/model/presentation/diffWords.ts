import { diffNoteText } from '../domain/diffNoteKinds.ts';
import { findingTexts } from '../domain/findings.ts';
import {
  bracketedRange,
  bytesPhrase,
  changePhrase,
  changeSize,
  figure,
  listPhrase,
  percentPhrase,
  spanPhrase,
  wholeNumber,
} from '../domain/format.ts';
import { missedPhrase } from '../domain/judgeSlo.ts';
import { withinPhrase } from '../domain/margin.ts';
import { planChangeText } from '../domain/planChangeKinds.ts';
import { compacted } from '../domain/plainText.ts';
import { type DifferingAnswer, firstDifferencePhrase } from '../domain/routeCheck.ts';
import { capital } from '../domain/sentence.ts';
import type { SloResult } from '../domain/slo.ts';
import type { Ratio, Verdict } from '../domain/tuning.ts';
import {
  type ChangedFunction,
  type MeasuredFacts,
  type RouteDiff,
  type VersionDiff,
  type VersionMetric,
  type VersionMetricId,
  type VersionWhy,
  decides,
  decidingRoute,
  missesObjective,
} from '../domain/versionDiff.ts';
import { comparedSentence } from './comparedWords.ts';
import { callsFigure, metricInterval, saysNothing, sideText, weightPhrase } from './versionDiffTable.ts';

/** The answer in a sentence: what was seen and its interval, also where that decides nothing; then how much longer would. */
export function diffHeadline(diff: VersionDiff): string {
  const { base, head, facts } = diff;
  switch (facts.code) {
    case 'recorded':
      return facts.headline;
    case 'same-code':
      return `${leading(head.label)} and ${base.label} ${sameWords(facts.documents)}: there is nothing to measure.`;
    case 'measured':
      return measuredHeadline(diff, facts);
  }
}

function sameWords([first, ...others]: readonly string[]): string {
  if (first === undefined) return 'are the same code';
  return `differ in documentation only (${others.length === 0 ? first : `${first} and ${others.length} more`})`;
}

function measuredHeadline(diff: VersionDiff, facts: MeasuredFacts): string {
  const { base, head, metrics, verdict, delta } = diff;
  const [who, against] = [leading(head.label), base.label];
  const { failedShare = null } = facts.invalid ?? {};
  if (failedShare !== null) return `${who} fails ${percentPhrase(100 * failedShare)} of the requests, which ${against} answers.`;
  const missed = missedOf(facts);
  const throughput = metrics.find(({ id }) => id === 'throughput');
  const ratio = throughput?.ratio ?? null;
  if (throughput === undefined || ratio === null)
    return missed === null ? unmeasured(diff, facts) : `${who} misses the objective (${missed}).`;
  const unknown = saysNothing(ratio) || isWithinStarts(ratio, throughput);
  const interval = bracketedRange(ratio);
  const open = openPhrase(ratio.ciLow !== null, facts.moreS);
  if (verdict === 'unknown' && unknown) return `${untold(who, against, ratio)}; ${open}.`;
  const speed: Verdict = throughput.verdict ?? 'unknown';
  const percent = changeSize(ratio.mean);
  const asFast = `${samePhrase(ratio, against)} within ${withinPhrase(delta)}${interval}`;
  const route = decidingRoute(diff);
  const other = metrics.find((metric) => decides(metric) && metric.verdict === verdict && metric.id !== 'throughput');
  if (speed !== 'worse' && speed !== verdict && (missed !== null || route !== null || other !== undefined)) {
    const worse = route === null ? other && metricPhrase(other) : `is worse on ${route.route}${wherePhrase(route)}`;
    const what = missed === null ? (worse ?? '') : `misses the objective (${missed})`;
    const it = route === null || missed !== null ? 'it' : 'over the mix it';
    const words = {
      same: `${it} is ${asFast}`,
      better: `it is ${percent} faster than ${against}${interval}`,
      unknown: unknown ? untold('its speed', against, ratio) : `${it} looks ${seenPhrase(ratio.mean, against)}${interval}`,
    };
    return `${who} ${what}; ${words[speed]}.`;
  }
  const slower = ratio.mean < 0.5 ? `${figure(1 / ratio.mean)} times slower than` : `${percent} slower than`;
  const faster = ratio.mean > 2 ? `${figure(ratio.mean)} times as fast as` : `${percent} faster than`;
  const words = {
    worse: `is ${slower} ${against}${interval}`,
    better: `is ${faster} ${against}${interval}`,
    same: `is ${asFast}`,
    unknown: `looks ${seenPhrase(ratio.mean, against)}${interval}; ${open}`,
  };
  return `${who} ${words[speed]}.`;
}

/** What head missed of an objective that base keeps; null where that is not so. */
function missedOf(facts: MeasuredFacts): string | null {
  return facts.objective !== null && missesObjective(facts) ? missedPhrase(facts.objective.head) : null;
}

/** Whether two starts of one version differ by more than the two versions do: then a direction that is not proven is that of the starts. */
function isWithinStarts({ mean }: Ratio, { again }: VersionMetric): boolean {
  const { base = null, head = null } = again ?? {};
  return Math.abs(Math.log(mean)) <= Math.log(1 + Math.max(base ?? 0, head ?? 0)) && (base !== null || head !== null);
}

/** Without an interval, or with one that holds twice as fast and half as fast, a direction is chance and is not reported. */
function untold(who: string, against: string, ratio: Ratio): string {
  return `${who} can’t be told from ${against} yet${bracketedRange(ratio)}`;
}

function openPhrase(hasInterval: boolean, moreS: number | null): string {
  if (moreS !== null) return `about ${spanPhrase(moreS)} more would decide`;
  return hasInterval ? 'it scatters too much for more time to decide' : 'there are too few rounds';
}

/** Which of both has no figure, and why: the app, the load or the machine was not what was asked for, so that nothing of its speed was seen. */
function unmeasured(diff: VersionDiff, { invalid, unmeasured: without }: MeasuredFacts): string {
  if (invalid !== null)
    return `${leading(diff[invalid.side].label)} was not measured as asked, so that nothing is known of its speed. ${findingTexts(invalid.because.slice(0, 1)).join('')}`.trim();
  const sides = without.length === 0 ? (['base', 'head'] as const) : without;
  return `Nothing was measured of ${sides.map((side) => diff[side].label).join(' and of ')}.`;
}

/** "2.0 % slower than main": what was seen, whether or not it was decided. */
function seenPhrase(ratio: number, against: string): string {
  const percent = changeSize(ratio);
  return ratio === 1 ? `as fast as ${against}` : `${percent} ${ratio > 1 ? 'faster' : 'slower'} than ${against}`;
}

/** A small difference is named where it is certain, though it is no more than what may be given up. */
function samePhrase({ mean, ciLow, ciHigh }: Ratio, against: string): string {
  const isCertain = ciLow !== null && ciHigh !== null && (ciLow > 1 || ciHigh < 1);
  return isCertain ? `${seenPhrase(mean, against)}, which is` : `as fast as ${against},`;
}

/** At the beginning of a sentence: a branch or a commit is called as it is. */
function leading(label: string): string {
  return label.startsWith('the ') ? capital(label) : label;
}

/** The figure by which a route is what its verdict says: a count before a time. Null where none says so alone. */
function decisive({ metrics, verdict }: RouteDiff): VersionMetric | null {
  const saying = metrics.filter((metric) => metric.counts === true && metric.verdict === verdict);
  return saying.find(({ exact }) => exact) ?? saying[0] ?? null;
}

/** "where it sends 8 statements instead of 1 statement for each request". */
function wherePhrase(route: RouteDiff): string {
  const metric = decisive(route);
  return metric === null ? '' : `, where it ${metricPhrase(metric)}`;
}

/** "sends 21 statements instead of 1 statement for each request", "uses 20 % more CPU for each request". */
function metricPhrase(metric: VersionMetric): string {
  const { id, name, unit, base, head, ratio } = metric;
  if (id === 'statements') return `sends ${callsPhrase(head ?? 0)} instead of ${callsPhrase(base ?? 0)} for each request`;
  const mean = ratio?.mean ?? 1;
  const percent = changeSize(mean);
  if (id === 'throughput') return `is ${percent} ${mean < 1 ? 'slower' : 'faster'}`;
  if (id === 'cpu') return `uses ${percent} ${mean > 1 ? 'more' : 'less'} CPU for each request`;
  if (metric.unanswered?.head === true) return `could not answer at the rate of ${name}`;
  const [before, after] = [sideText(metric, 'base'), sideText(metric, 'head')].map((text) => `${text} ${unit}`.trimEnd());
  return `has ${name} of ${after} instead of ${before}`;
}

function callsPhrase(calls: number): string {
  const shown = callsFigure(calls);
  return `${shown} ${shown === '1' ? 'statement' : 'statements'}`;
}

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
    ...plans
      .slice(0, 3)
      .map(({ sql, change }) => `PostgreSQL plans it otherwise, ${planChangeText(change)}: ${compacted(sql, longestSql)}`),
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
  const functions = culprit === null ? touchedSentence(verdict, why?.ran ?? []) : [functionSentence(culprit)];
  const { base, head } = metrics.find(({ id }) => id === 'answer') ?? { base: null, head: null };
  const differs =
    base !== null && head !== null && Math.abs(head - base) >= leastAnswerBytes && Math.max(head / base, base / head) >= otherAnswer;
  const answers = differs ? [`Each answer holds ${bytesPhrase(head)} instead of ${bytesPhrase(base)}.`] : [];
  return culprit === null || culprit.touched ? [...functions, ...answers] : [...answers, ...functions];
}

/** More of them point at nothing. */
const mostTouched = 3;

/** What the change can have worked through, where no function changed by more than chance. */
function touchedSentence(verdict: Verdict, ran: NonNullable<VersionWhy['ran']>): string[] {
  if (!isDecided({ verdict }) || ran.length === 0 || ran.length > mostTouched) return [];
  const [only, each] = ran.length === 1 ? ['only ', 'its part'] : ['', 'the part of each'];
  return [`Of what ran, the change touched ${only}${listPhrase(ran.map(placed))}; ${each} cannot be distinguished from chance.`];
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

/** “itemsOf (server.js:20)” */
function placed({ name, file, line }: Pick<ChangedFunction, 'name' | 'file' | 'line'>): string {
  return file === null ? name : `${name} (${file}${line === null ? '' : `:${line}`})`;
}

/** “itemsOf (server.js:20), which the change touched, takes 1.1 ms more per request: …” */
function functionSentence(changed: ChangedFunction): string {
  const { touched, change, base, head, event, unit } = changed;
  const how = touched ? ', which the change touched,' : '';
  const amount = (value: number): string => weightPhrase(value, unit);
  return `${placed(changed)}${how} takes ${amount(Math.abs(change))} ${change > 0 ? 'more' : 'less'} per request: ${amount(base)} → ${amount(head)} of ${eventWords[event] ?? event} with all that it calls.`;
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

function metricSentence(metric: VersionMetric): string {
  return `${capital(metric.name)}: ${sideText(metric, 'base')} → ${sideText(metric, 'head')} ${metric.unit}`.trimEnd() + '.';
}

/** What a comparison is to be read with: how both did against the objective, what they answered otherwise, and what was not compared. */
export function diffNotes({ facts, base, head, answers, notes }: VersionDiff): string[] {
  const found =
    facts.code === 'recorded'
      ? []
      : [
          ...(facts.code === 'same-code' || facts.objective === null ? [] : [objectiveNote(facts.objective, base.label, head.label)]),
          ...answersDiffer(answers?.differing ?? []),
        ];
  return [...found, ...notes.map(diffNoteText)];
}

function objectiveNote(objective: NonNullable<MeasuredFacts['objective']>, base: string, head: string): string {
  const { rows } = objective.head;
  const told = rows.map((row, index) => {
    const before = objective.base.rows[index];
    const said = [...(before === undefined ? [] : [`${base} ${judged(before)}`]), `${head} ${judged(row)}`];
    return `${row.what} ${row.limit}: ${said.join(', ')}`;
  });
  const atRate = rows.some(({ what }) => what.startsWith('p99 at '));
  const load = !atRate
    ? 'under the load of the profile'
    : `p99 at a fixed rate${rows.length > 1 ? ', the rest under the load of the profile' : ''}`;
  return `The objective (${load}): ${told.join('; ')}.`;
}

function judged({ value, passed }: SloResult['rows'][number]): string {
  return `${value} (${passed === null ? 'undecided' : passed ? 'kept' : 'missed'})`;
}

/** More routes than these are counted and not named. */
const mostNamed = 5;

/** What is to be said where two versions answer the same requests otherwise: then they may not do the same work. */
export function answersDiffer(all: readonly DifferingAnswer[]): string[] {
  const differing = all.map((one) => {
    const { route, what, before, after } = one;
    const said =
      what === 'status'
        ? `${before} before and ${after} after the change`
        : what === 'bytes'
          ? `${wholeNumber(before)} bytes before and ${wholeNumber(after)} after the change`
          : `other content of the same length, ${wholeNumber(after)} bytes`;
    return `${route} with ${said}${firstDifferencePhrase(one, ' → ')}`;
  });
  if (differing.length === 0) return [];
  const further = differing.length - mostNamed;
  const named = differing.slice(0, mostNamed).join(', ');
  return [
    `Asked the same, the versions answered otherwise: ${named}${further > 0 ? `, and ${further} more` : ''}. What they cost is then not that of the same work.`,
  ];
}
