import type { AnswerFacts } from '../../../model/domain/answerFacts.ts';
import { figure, lossPhrase, oneDecimal, spanPhrase, wholeNumber } from '../../../model/domain/format.ts';
import type { OpenLoopMetric } from '../../../model/domain/tuning.ts';
import type { BlockStatistics } from '../../statistics/blockStatistics.ts';
import { confirmRounds } from '../../statistics/kneeRule.ts';
import type { KneeStatus } from '../../statistics/kneeRule.ts';
import { ratioToBest } from '../../statistics/tuningSearch.ts';
import { valuesPhrase } from '../../statistics/valuesPhrase.ts';
import type { MeasuredCandidate } from '../../statistics/tuningSearch.ts';
import { p99Margin } from '../search/openLoopComparison.ts';
import type { OpenLoopComparison } from '../search/openLoopComparison.ts';
import type { FactsInput, Judged } from './answerFacts.ts';
import { boundOf, nextBelow } from './answerEvidence.ts';

export interface SentenceInput extends Omit<FactsInput, 'barred'> {
  openLoop: OpenLoopComparison | null;
  /** A budget in seconds that would have had the time to compare p99; null or absent where it is not compared. */
  p99BudgetS?: number | null;
  /** `openLoop`: requests of the blocks at a fixed rate; `null` when there were none. Absent where p99 is not compared. */
  evidence?: { openLoop: object | null };
  finished?: boolean;
  cores: number;
}

/** Everything that the sentences are made from. `moreSeconds` is `null` where it would take too long. */
export interface Found extends Judged {
  input: SentenceInput;
  moreSeconds: number | null;
  facts: AnswerFacts;
}

/** Values without the names of their settings: "8", "8 × 50". */
export function nameless(candidate: MeasuredCandidate, { candidates }: Pick<SentenceInput, 'candidates'>): string {
  return valuesPhrase([candidate], candidates);
}

/** "40 s", "2 min". */
function secondsPhrase(seconds: number): string {
  return seconds < 100 ? `${Math.max(1, Math.round(seconds / 5) * 5 || Math.ceil(seconds))} s` : `${wholeNumber(seconds / 60)} min`;
}

function throughputPhrase(candidate: MeasuredCandidate, statistics: BlockStatistics): string {
  const interval = statistics.intervals.get(candidate.key);
  if (interval === undefined) return 'no figure';
  const range =
    interval.ciLow === null || interval.ciHigh === null ? '' : ` [${wholeNumber(interval.ciLow)} – ${wholeNumber(interval.ciHigh)}]`;
  return `${wholeNumber(interval.mean)} req/s${range}`;
}

/** The evidence behind the headline. */
export function why(found: Found, status: KneeStatus): string {
  const { input, statistics, knee } = found;
  const { best, confirmed } = knee;
  const allowed = `${oneDecimal(100 * input.delta)} %`;
  const name = nameless(confirmed, input);
  const sentences: string[] = [];
  if (knee.denied !== undefined)
    sentences.push(
      `${name} carried ${throughputPhrase(confirmed, statistics)}, and ${nameless(knee.denied, input)}, at which nobody waits either, ${throughputPhrase(knee.denied, statistics)}: by more than ${allowed}, which cannot be its size.`,
    );
  else if (confirmed === best) sentences.push(`${name} is the best measured: ${throughputPhrase(best, statistics)}.`);
  else {
    const figures = `${throughputPhrase(confirmed, statistics)}; the best has ${throughputPhrase(best, statistics)}.`;
    // Means that differ by more are no proof; the sentence then follows from the waits alone, or is empty.
    const isNear = (statistics.difference(confirmed.key, best.key)?.ratio ?? 1) >= 1 - input.delta;
    const sure = `${knee.proven ? '' : 'most likely '}within ${allowed} of the best (${nameless(best, input)})`;
    if (found.facts.code === 'open') sentences.push(`${name} against the best (${nameless(best, input)}): ${figures}`);
    else
      sentences.push(
        `${name} is ${sure}${isNear || !knee.byMechanism ? '' : ' by what requests wait, though the figures do not show it'}: ${figures}`,
      );
  }
  sentences.push(...largestSentences(found), ...busySentences(found), ...belowSentences(found, allowed));
  if (status !== 'undecided') sentences.push(...latencySentences(found));
  sentences.push(...decidingSentences(found, status));
  return sentences.join(' ');
}

/** Where the answer is the largest value tested, and something larger could be better still. */
function largestSentences({ input, statistics, knee, facts }: Found): string[] {
  const { best, confirmed, byMechanism } = knee;
  const largest = [...input.candidates].sort((a, b) => a.cost - b.cost).at(-1);
  if (best !== confirmed || largest !== best || input.candidates.length < 2 || facts.code === 'not-limiting') return [];
  const seen = input.seen.get(best.key);
  const usable = (seen?.connections ?? Number.POSITIVE_INFINITY) * Math.max(1, seen?.pool?.perRequest ?? 1);
  if (input.resource === 'pool' && (seen?.pool?.max ?? 0) >= usable)
    return [`It is also the largest value tested, and the load never uses more than ${wholeNumber(usable)}.`];
  const bound = boundOf(best, { ...input, statistics });
  return [
    byMechanism || (bound !== null && bound.gain <= input.delta)
      ? 'It is also the largest value tested.'
      : 'It is also the largest value tested: a larger one may be better still.',
  ];
}

/** How many are in use at once, where that says how large is large enough. */
function busySentences({ facts }: Found): string[] {
  if (facts.code !== 'not-limiting' || facts.busy === null) return [];
  return [`Of a pool, at most ${facts.busy} ${facts.busy === 1 ? 'connection is' : 'connections are'} in use at once 99.9 % of the time.`];
}

/** What is open, and how much longer would decide it. */
function decidingSentences({ knee, moreSeconds, facts }: Found, status: KneeStatus): string[] {
  if (status === 'confirmed' || facts.code === 'rounds-missing') return [];
  const { plausible, confirmed, proven, rounds } = knee;
  if (status === 'undecided') return moreSeconds === null ? [] : [`About ${secondsPhrase(moreSeconds)} more would decide.`];
  if (plausible === confirmed && proven)
    return rounds < confirmRounds
      ? [`${confirmRounds - rounds} more ${confirmRounds - rounds === 1 ? 'round' : 'rounds'} would confirm it.`]
      : [];
  if (plausible === confirmed)
    return [
      moreSeconds === null
        ? 'That another is better is not ruled out, and ruling it out is not worth the time.'
        : `That another is better is not ruled out: about ${secondsPhrase(moreSeconds)} more would decide.`,
    ];
  return [
    moreSeconds === null
      ? 'Telling the two apart would take longer than it is worth.'
      : `About ${secondsPhrase(moreSeconds)} more would decide.`,
  ];
}

/**
 * " [12.2 – 64.7 %]": what is lost at least and at most, from an interval of the ratio to the best. Empty where there is none, or where it is so
 * wide (more than the whole could be won) that its figures would say nothing.
 */
function lossRange(ciLow: number | null, ciHigh: number | null): string {
  if (ciLow === null || ciHigh === null || ciHigh > 2) return '';
  const percent = (ratio: number): string => oneDecimal(100 * (1 - ratio)).replace('-', '−');
  return ` [${percent(ciHigh)} – ${percent(ciLow)} %]`;
}

/** What the next smaller value loses: why it is not the answer. */
function belowSentences({ input, statistics, knee }: Found, allowed: string): string[] {
  const below = nextBelow({ knee, candidates: input.candidates });
  const gap = below === undefined || below === knee.best ? null : statistics.difference(below.key, knee.best.key);
  if (below === undefined || gap === null) return [];
  const than = knee.best === knee.confirmed ? '' : ' against the best';
  const { ciLow, ciHigh } = ratioToBest(gap, input.candidates.length);
  const range = lossRange(ciLow, ciHigh);
  const barred = input.openLoop?.verdicts.get(below.key) === 'worse';
  const open = !barred && below.cost >= knee.plausible.cost ? `, which is not yet distinguished from ${allowed}` : '';
  const loss = `${nameless(below, input)} ${lossPhrase(gap.ratio)}${range}${than}${open}`;
  const latency = input.openLoop?.figures.get(below.key);
  if (!barred || latency === undefined) return [`${loss}.`];
  const rate = `${wholeNumber(latency.rate)} req/s`;
  return [
    latency.carried ? `${loss}, and its p99 at ${rate} is worse: ${figure(latency.p99Ms)} ms.` : `${loss}, and it cannot carry ${rate}.`,
  ];
}

/** " over 12 of 16 windows": how many were quiet enough to be merged. Empty where that is not on record. */
function windowsPhrase({ windows, windowsMeasured }: OpenLoopMetric): string {
  if (windows === undefined || windowsMeasured === undefined) return '';
  const of = windows === windowsMeasured ? '' : `${windows} of `;
  return ` over ${of}${windowsMeasured} ${windowsMeasured === 1 ? 'window' : 'windows'}`;
}

function latencySentences({ input, knee }: Found): string[] {
  const sentences: string[] = [];
  const { confirmed, best } = knee;
  const [own, other] = [input.openLoop?.figures.get(confirmed.key), input.openLoop?.figures.get(best.key)];
  if (own !== undefined && own.carried) {
    const name = nameless(confirmed, input);
    const floor = input.openLoop?.floors.get(confirmed.key);
    const against =
      confirmed === best || other === undefined
        ? floor === undefined
          ? ''
          : `; nothing larger can bring it below ${figure(floor.leastMs)} ms, as 999 of 1,000 requests waited at most ${figure(floor.waitedMs)} ms for a connection`
        : `, against ${figure(other.p99Ms)} ms with ${nameless(best, input)}${
            floor !== undefined && other.p99Ms < own.p99Ms
              ? `, which is not for its size, as 999 of 1,000 requests waited at most ${figure(floor.waitedMs)} ms for a connection`
              : ''
          }`;
    const open =
      input.openLoop?.verdicts.get(confirmed.key) === 'unknown' ? `, which is not yet distinguished from ${100 * p99Margin} % more` : '';
    sentences.push(`p99 at ${wholeNumber(own.rate)} req/s is ${figure(own.p99Ms)} ms with ${name}${windowsPhrase(own)}${against}${open}.`);
  } else if (input.finished === true && input.evidence !== undefined && own === undefined) {
    const budgetS = input.p99BudgetS ?? null;
    if (input.evidence.openLoop !== null)
      sentences.push(
        'p99 could not be compared: too few requests came at the fixed rate, or they were sent late. Allow more time, or run on a quieter machine.',
      );
    else if (budgetS !== null) sentences.push(`p99 was not compared, for want of time: a budget of ${spanPhrase(budgetS)} has it.`);
  }
  if (confirmed.errorShare > best.errorShare)
    sentences.push(`${nameless(confirmed, input)} had more errors than the best: ${figure(100 * confirmed.errorShare)} % of requests.`);
  return sentences;
}
