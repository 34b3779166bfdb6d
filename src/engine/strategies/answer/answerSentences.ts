import { durationPhrase, figure, wholeNumber } from '../../../model/format.ts';
import type { OpenLoopFigure, TuningAnswer } from '../../../model/tuning.ts';
import { atStart, inSentence, lossPhrase, lossRange, oneDecimal, roundsPhrase } from './answerPhrases.ts';
import type { BlockStatistics, Difference } from '../../statistics/blockStatistics.ts';
import { claimRounds, confirmRounds } from '../../statistics/kneeRule.ts';
import type { Knee, KneeStatus } from '../../statistics/kneeRule.ts';
import { p99Margin } from '../search/openLoopComparison.ts';
import type { OpenLoopComparison } from '../search/openLoopComparison.ts';
import { ratioToBest, valuesPhrase } from '../../statistics/tuningSearch.ts';
import type { MeasuredCandidate } from '../../statistics/tuningSearch.ts';

export interface SentenceInput extends Pick<TuningAnswer, 'settingNames' | 'settingLabels'> {
  delta: number;
  candidates: readonly MeasuredCandidate[];
  openLoop: OpenLoopComparison | null;
  /** Seconds that comparing p99 would have needed beyond its share of the time; absent where it is not compared. */
  p99NeedsS?: number;
  /** `openLoop`: requests of the blocks at a fixed rate; `null` when there were none. Absent where p99 is not compared. */
  evidence?: { openLoop: object | null };
  finished?: boolean;
}

/** Beyond this many more rounds it is better to choose than to measure on. */
export const worthwhileRounds = 30;

/** Everything that the sentences are made from. `moreSeconds` is `null` where it would take too long. */
export interface Found {
  input: SentenceInput;
  statistics: BlockStatistics;
  knee: Knee<MeasuredCandidate>;
  status: KneeStatus;
  moreRounds: number | null;
  moreSeconds: number | null;
}

/** "pool size 8", "pool size 8 and HTTP threads 50": the settings that vary, and their values. */
function nameOf({ values }: MeasuredCandidate, { candidates, settingNames, settingLabels }: SentenceInput): string {
  const varying = settingNames.filter((name) => new Set(candidates.map((one) => one.values[name])).size > 1);
  return varying.map((name) => `${inSentence(settingLabels[name] ?? name)} ${values[name] ?? ''}`).join(' and ');
}

/** Values without the names of their settings: "8", "8 × 50". */
export function nameless(candidate: MeasuredCandidate, { candidates }: Pick<SentenceInput, 'candidates'>): string {
  return valuesPhrase([candidate], candidates);
}

/** "40 s", "2 min". */
function secondsPhrase(seconds: number): string {
  return seconds < 100 ? `${Math.max(1, Math.round(seconds / 5) * 5 || Math.ceil(seconds))} s` : `${wholeNumber(seconds / 60)} min`;
}

/** What to use, as a person would say it; how sure that is, the tier says beside it. Without rounds enough for any claim, how many are missing. */
export function headline({ knee, status, input }: Found): string {
  const { confirmed, plausible, proven } = knee;
  if (status === 'undecided') {
    const missing = claimRounds - knee.rounds;
    return missing > 0
      ? `At least ${roundsPhrase(missing)} ${missing === 1 ? 'is' : 'are'} needed`
      : `Most likely ${nameOf(confirmed, input)}`;
  }
  const name = `Use ${nameOf(confirmed, input)}`;
  if (plausible !== confirmed) return `${name}${proven ? '' : ', most likely'}; ${nameless(plausible, input)} may be enough`;
  return status === 'confirmed' ? name : `${name}, most likely`;
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
  const { best, confirmed, plausible } = knee;
  const allowed = `${oneDecimal(100 * input.delta)} %`;
  const name = nameless(confirmed, input);
  const sentences: string[] = [];
  if (knee.denied !== undefined)
    sentences.push(
      `${name} carried ${throughputPhrase(confirmed, statistics)}, and ${nameless(knee.denied, input)}, at which nobody waits either, ${throughputPhrase(knee.denied, statistics)}: by more than ${allowed}, which cannot be its size.`,
    );
  else if (confirmed === best) sentences.push(`${name} is the best measured: ${throughputPhrase(best, statistics)}.`);
  else
    sentences.push(
      `${name} is ${knee.proven ? '' : 'most likely '}within ${allowed} of the best (${nameless(best, input)}): ${throughputPhrase(confirmed, statistics)}; the best has ${throughputPhrase(best, statistics)}.`,
    );
  const sorted = [...input.candidates].sort((a, b) => a.cost - b.cost);
  if (best === confirmed && sorted.at(-1) === best && sorted.length > 1)
    sentences.push(
      knee.byMechanism ? 'It is also the largest value tested.' : 'It is also the largest value tested: a larger one may be better still.',
    );
  sentences.push(...belowSentences(found, allowed));
  if (status !== 'undecided') sentences.push(...latencySentences(found));
  if (status === 'plausible' && plausible === confirmed && !knee.proven)
    sentences.push(
      found.moreSeconds === null
        ? 'That a larger one is better is not ruled out, and ruling it out is not worth the time.'
        : `That a larger one is better is not ruled out: about ${secondsPhrase(found.moreSeconds)} more would decide.`,
    );
  else if (status === 'plausible' && plausible === confirmed && knee.rounds < confirmRounds)
    sentences.push(`${atStart(roundsPhrase(confirmRounds - knee.rounds))} would confirm it.`);
  else if (status === 'plausible' && plausible !== confirmed) {
    sentences.push(
      found.moreSeconds === null
        ? `The two are so close together that telling them apart is not worth the time.`
        : `About ${secondsPhrase(found.moreSeconds)} more would decide.`,
    );
  }
  return sentences.join(' ');
}

/** Of the loss on a quieter machine and that on the machine as it was, the one that is known to be larger: see `largestRatio`. */
function tellingGap(gap: Difference): Difference {
  const { measured } = gap;
  if (measured === undefined) return gap;
  const upper = ({ logRatio, standardError }: Pick<Difference, 'logRatio' | 'standardError'>): number => logRatio + 2 * standardError;
  return upper(measured) < upper(gap) ? { ...gap, ...measured, ratio: Math.exp(measured.logRatio) } : gap;
}

/** What the next smaller value loses: why it is not the answer. */
function belowSentences({ input, statistics, knee }: Found, allowed: string): string[] {
  const below = input.candidates
    .filter(({ cost, blocks }) => cost < knee.confirmed.cost && blocks.length >= 2)
    .sort((a, b) => b.cost - a.cost)[0];
  const gap = below === undefined || below === knee.best ? null : statistics.difference(below.key, knee.best.key);
  if (below === undefined || gap === null) return [];
  const telling = tellingGap(gap);
  const { ciLow, ciHigh } = ratioToBest(telling, input.candidates.length);
  const range = lossRange(ciLow, ciHigh);
  const barred = input.openLoop?.verdicts.get(below.key) === 'worse';
  const open = !barred && below.cost >= knee.plausible.cost ? `, which is not yet told apart from ${allowed}` : '';
  const loss = `${nameless(below, input)} ${lossPhrase(telling.ratio)}${range}${open}`;
  const latency = input.openLoop?.figures.get(below.key);
  if (!barred || latency === undefined) return [`${loss}.`];
  const rate = `${wholeNumber(latency.rate)} req/s`;
  return [
    latency.carried ? `${loss}, and its p99 at ${rate} is worse: ${figure(latency.p99Ms)} ms.` : `${loss}, and it cannot carry ${rate}.`,
  ];
}

/** " over 12 of 16 windows": how many were quiet enough to be merged. Nothing is said where that is not on record. */
function windowsPhrase({ windows, windowsMeasured }: OpenLoopFigure): string {
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
      input.openLoop?.verdicts.get(confirmed.key) === 'unknown' ? `, which is not yet told apart from ${100 * p99Margin} % more` : '';
    sentences.push(`p99 at ${wholeNumber(own.rate)} req/s is ${figure(own.p99Ms)} ms with ${name}${windowsPhrase(own)}${against}${open}.`);
  } else if (input.finished === true && input.evidence !== undefined && own === undefined)
    sentences.push(
      input.evidence.openLoop === null
        ? `p99 was not compared: ${(input.p99NeedsS ?? 0) >= 1 ? `that would take about ${durationPhrase(1000 * (input.p99NeedsS ?? 0))} more` : 'no time was left for it'}.`
        : 'p99 could not be compared: too few requests came at the fixed rate, or the load generator sent them late.',
    );
  if (confirmed.errorShare > best.errorShare)
    sentences.push(`${nameless(confirmed, input)} had more errors than the best: ${figure(100 * confirmed.errorShare)} % of requests.`);
  return sentences;
}
