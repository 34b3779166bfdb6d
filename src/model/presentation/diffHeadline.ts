import { findingTexts } from '../domain/findings.ts';
import { changePhrase, figure, percentPhrase, spanPhrase } from '../domain/format.ts';
import { missedPhrase } from '../domain/judgeSlo.ts';
import { withinPhrase } from '../domain/margin.ts';
import { capital } from '../domain/sentence.ts';
import type { Ratio, Verdict } from '../domain/tuning.ts';
import { decides, decidingRoute, missesObjective } from '../domain/versionDiff.ts';
import type { MeasuredFacts, RouteDiff, VersionDiff, VersionMetric } from '../domain/versionDiff.ts';
import { callsFigure, saysNothing } from './versionDiffTable.ts';

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
  const interval = intervalPhrase(ratio);
  const open = openPhrase(ratio.ciLow !== null, facts.moreS);
  if (verdict === 'unknown' && unknown) return `${untold(who, against, ratio)}; ${open}.`;
  const speed: Verdict = throughput.verdict ?? 'unknown';
  const percent = percentPhrase(Math.abs(100 * (ratio.mean - 1)));
  const asFast = `${samePhrase(ratio, against)} within ${withinPhrase(delta)}${interval}`;
  const route = decidingRoute(diff);
  const other = metrics.find((metric) => decides(metric) && metric.verdict === verdict && metric.id !== 'throughput');
  if (speed !== 'worse' && speed !== verdict && (missed !== null || route !== null || other !== undefined)) {
    const what =
      missed !== null
        ? `misses the objective (${missed})`
        : route !== null
          ? `is worse on ${route.route}${wherePhrase(route)}`
          : other === undefined
            ? ''
            : metricPhrase(other);
    const it = route === null || missed !== null ? 'it' : 'over the mix it';
    switch (speed) {
      case 'same':
        return `${who} ${what}; ${it} is ${asFast}.`;
      case 'better':
        return `${who} ${what}; it is ${percent} faster than ${against}${interval}.`;
      case 'unknown':
        return unknown
          ? `${who} ${what}; ${untold('its speed', against, ratio)}.`
          : `${who} ${what}; ${it} looks ${seenPhrase(ratio.mean, against)}${interval}.`;
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
      return `${who} looks ${seenPhrase(ratio.mean, against)}${interval}; ${open}.`;
  }
}

/** What head missed of an objective that base keeps; null where that is not so. */
export function missedOf(facts: MeasuredFacts): string | null {
  return facts.objective !== null && missesObjective(facts) ? missedPhrase(facts.objective.head) : null;
}

/** Whether two starts of one version differ by more than the two versions do: then a direction that is not proven is that of the starts. */
function isWithinStarts({ mean }: Ratio, { again }: VersionMetric): boolean {
  const { base = null, head = null } = again ?? {};
  return Math.abs(Math.log(mean)) <= Math.log(1 + Math.max(base ?? 0, head ?? 0)) && (base !== null || head !== null);
}

/** Without an interval, or with one that holds twice as fast and half as fast, a direction is chance and is not reported. */
function untold(who: string, against: string, ratio: Ratio): string {
  return `${who} can’t be told from ${against} yet${intervalPhrase(ratio)}`;
}

function intervalPhrase({ ciLow, ciHigh }: Ratio): string {
  return ciLow === null || ciHigh === null ? '' : ` (${changePhrase(ciLow)} to ${changePhrase(ciHigh)})`;
}

/** What would decide what is open. */
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
  const percent = percentPhrase(Math.abs(100 * (ratio - 1)));
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
function metricPhrase({ id, name, unit, base, head, ratio }: VersionMetric): string {
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
