import { findingTexts } from '../../model/domain/findings.ts';
import type { ComparedMetric, ComparisonRow } from '../../model/domain/comparison.ts';
import { changePhrase, figure, percentPhrase, spanPhrase } from '../../model/domain/format.ts';
import { withinPhrase } from '../../model/domain/margin.ts';
import type { Trial } from '../../model/domain/run.ts';
import { capital } from '../../model/domain/sentence.ts';
import type { Verdict } from '../../model/domain/tuning.ts';
import type { Ratio } from '../../model/domain/tuning.ts';
import type { RouteDiff, VersionDiff, VersionMetric } from '../../model/domain/versionDiff.ts';
import { saysNothing } from '../../model/presentation/versionDiffTable.ts';
import { studentTQuantile } from '../statistics/studentT.ts';
import { metricPhrase, wherePhrase } from './routes.ts';

/** What the answer is made of. */
export interface Found {
  throughput: ComparedMetric | null;
  trials: { a: Trial | null; b: Trial | null };
  metrics: readonly VersionMetric[];
  missed: string | null;
  /** How much of its requests head fails, where base does not. */
  failing: string | null;
  /** The route that makes it worse, where the mix does not. */
  route: RouteDiff | null;
  verdict: Verdict;
  delta: number;
  /** What would decide, as a span; null where no affordable number of rounds would. */
  more: string | null;
}

/** Many figures scatter: equal versions are reported as different in this share of cases. */
const level = 0.05;

/** The time of the additional rounds that would decide, at the speed of the rounds so far. */
export function moreTime(row: ComparisonRow | undefined, metrics: readonly VersionMetric[]): string | null {
  const blocks = [row?.a, row?.b].flatMap((trial) => trial?.blocks ?? []);
  const done = new Set(blocks.map(({ round }) => round)).size;
  const figureOfBlocks = row?.throughput ?? null;
  const rounds = figureOfBlocks === null ? null : (figureOfBlocks.moreRounds ?? roundsBeyondChance(figureOfBlocks, metrics, done));
  if (rounds === null) return null;
  const spanMs = Math.max(...blocks.map(({ startMs, windowMs }) => startMs + windowMs)) - Math.min(...blocks.map(({ startMs }) => startMs));
  return spanPhrase((rounds * spanMs) / done / 1000);
}

/** Where throughput alone differs, and only looking at several figures may explain it: the rounds after which that could not, if it stays where it is. */
function roundsBeyondChance({ ratio, verdict }: ComparedMetric, metrics: readonly VersionMetric[], done: number): number | null {
  if ((verdict !== 'worse' && verdict !== 'better') || ratio.ciLow === null || ratio.ciHigh === null || done < 2) return null;
  const figures = metrics.filter(({ counts, exact, ratio: known }) => counts === true && !exact && known !== null).length;
  const [one, several] = [1, Math.max(1, figures)].map((count) => studentTQuantile(1 - level / (2 * count), done - 1)) as [number, number];
  const half = Math.log(ratio.ciHigh / ratio.ciLow) / 2;
  const wider = ((several / one) * half) / Math.abs(Math.log(ratio.mean));
  return Math.max(1, Math.ceil(done * (wider ** 2 - 1)));
}

/** The answer in a sentence: what was seen and its interval, also where that decides nothing; then how much longer would. */
export function headlineOf(
  { base, head }: Pick<VersionDiff, 'base' | 'head'>,
  { throughput, trials, metrics, missed, failing, route, verdict, delta, more }: Found,
): string {
  const [who, against] = [leading(head.label), base.label];
  if (failing !== null) return `${who} ${failing}.`;
  if (throughput === null && missed !== null) return `${who} misses the objective (${missed}).`;
  if (throughput === null)
    return unmeasured([
      { label: against, trial: trials.a },
      { label: head.label, trial: trials.b },
    ]);
  const { ratio } = throughput;
  const unknown = saysNothing(ratio) || isWithinStarts(ratio, metrics);
  if (verdict === 'unknown' && unknown) return `${untold(who, against, ratio)}; ${openPhrase(ratio.ciLow !== null, more)}.`;
  // Among several figures the more careful word is used.
  const speed = metrics.find(({ id }) => id === 'throughput')?.verdict ?? throughput.verdict;
  const interval = intervalPhrase(ratio);
  const percent = percentPhrase(Math.abs(100 * (ratio.mean - 1)));
  const other = metrics.find((metric) => decides(metric) && metric.verdict === verdict && metric.id !== 'throughput');
  const asFast = `${samePhrase(ratio, against)} within ${withinPhrase(delta)}${interval}`;
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
      return `${who} looks ${seenPhrase(ratio.mean, against)}${interval}; ${openPhrase(ratio.ciLow !== null, more)}.`;
  }
}

/** Whether two starts of one version differ by more than the two versions do: then a direction that is not proven is that of the starts. */
function isWithinStarts({ mean }: Ratio, metrics: readonly VersionMetric[]): boolean {
  const { base = null, head = null } = metrics.find(({ id }) => id === 'throughput')?.again ?? {};
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
function openPhrase(hasInterval: boolean, more: string | null): string {
  if (more !== null) return `about ${more} more would decide`;
  return hasInterval ? 'it scatters too much for more time to decide' : 'there are too few rounds';
}

/** Which of both has no figure, and why: the app, the load or the machine was not what was asked for, so that nothing of its speed was seen. */
function unmeasured(sides: readonly { label: string; trial: Trial | null }[]): string {
  const invalid = sides.find(({ trial }) => trial?.valid === false);
  if (invalid !== undefined)
    return `${leading(invalid.label)} was not measured as asked, so that nothing is known of its speed. ${findingTexts(invalid.trial?.reasons.slice(0, 1) ?? []).join('')}`.trim();
  const without = sides.filter(({ trial }) => trial?.blocks.some(({ valid }) => valid) !== true);
  return `Nothing was measured of ${(without.length === 0 ? sides : without).map(({ label }) => label).join(' and of ')}.`;
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
export function leading(label: string): string {
  return label.startsWith('the ') ? capital(label) : label;
}

/** It is part of the verdict, and says that something differs. */
export function decides({ counts, verdict }: VersionMetric): boolean {
  return counts === true && (verdict === 'worse' || verdict === 'better');
}
