import { figure, wholeNumber } from '../../model/format.ts';
import type { Recommendation, Trial } from '../../model/run.ts';
import type { BlockStatistics, SettingBlocks } from '../statistics/blockStatistics.ts';
import { atStart, inSentence, lossPhrase, lossRange, oneDecimal, roundsPhrase } from './answerPhrases.ts';
import { blockStatistics } from '../statistics/blockStatistics.ts';
import { claimRounds, confirmRounds, defaultDelta, findKnee, kneeStatus, missingRounds, tooNoisy } from '../statistics/kneeRule.ts';
import type { Knee } from '../statistics/kneeRule.ts';

/** Beyond this many more rounds it is better to choose than to measure on. */
const worthwhileRounds = 30;
/** How much worse p99 may be than that of the best before it is mentioned. */
const p99Tolerance = 1.1;

/** One value of the setting, with its valid blocks. */
export interface Candidate extends SettingBlocks {
  value: number;
  p99Ms: number | null;
  /** Errors over all requests of the valid blocks. */
  errorShare: number;
}

export interface Subject {
  target: string;
  targetLabel: string;
  setting: string;
  settingLabel: string;
}

interface Answer {
  status: Recommendation['status'];
  headline: string;
  /** What would make the answer a better one, as a sentence. */
  outlook?: string;
}

function answer(found: Knee<Candidate>, statistics: BlockStatistics, name: string, delta: number): Answer {
  const { confirmed, plausible, best, rounds } = found;
  const more = missingRounds(found, statistics, delta);
  const decide =
    more === null || more > worthwhileRounds
      ? 'this machine is too noisy now to decide it in a reasonable time'
      : `about ${roundsPhrase(more)} would decide`;
  const status = kneeStatus(found, statistics, delta);
  if (rounds < claimRounds) return { status, headline: `Can’t tell yet: ${decide}` };
  if (status === 'undecided') {
    const [low, high] = [plausible.value, Math.max(confirmed.value, best.value)];
    return { status, headline: low === high ? `Can’t tell yet: ${decide}` : `Can’t tell yet between ${low} and ${high}: ${decide}` };
  }
  if (status === 'confirmed') return { status, headline: `Use ${name} ${confirmed.value}` };
  if (plausible === confirmed) {
    return {
      status,
      headline: `Use ${name} ${confirmed.value}, most likely`,
      outlook: `${atStart(roundsPhrase(confirmRounds - rounds))} would confirm it.`,
    };
  }
  const sure = rounds >= confirmRounds ? 'is confirmed' : 'is most likely enough';
  return { status, headline: `${atStart(name)} ${plausible.value} may be enough; ${confirmed.value} ${sure}` };
}

function throughputPhrase(candidate: Candidate, statistics: BlockStatistics): string {
  const interval = statistics.intervals.get(candidate.key);
  if (interval === undefined) return 'no figure';
  if (interval.ciLow === null || interval.ciHigh === null) return `${wholeNumber(interval.mean)} req/s`;
  return `${wholeNumber(interval.mean)} req/s [${wholeNumber(interval.ciLow)} – ${wholeNumber(interval.ciHigh)}]`;
}

function explain(
  found: Knee<Candidate>,
  candidates: readonly Candidate[],
  statistics: BlockStatistics,
  status: Answer['status'],
  delta: number,
): string {
  const { best, confirmed, plausible } = found;
  const allowed = `${oneDecimal(100 * delta)} %`;
  const sentences: string[] = [];
  if (confirmed === best) sentences.push(`${best.value} is the best measured: ${throughputPhrase(best, statistics)}.`);
  else
    sentences.push(
      `${confirmed.value} is within ${allowed} of the best (${best.value}): ${throughputPhrase(confirmed, statistics)}; the best has ${throughputPhrase(best, statistics)}.`,
    );

  const below = candidates
    .filter((candidate) => candidate.value < confirmed.value && candidate.blocks.length >= 2)
    .sort((a, b) => b.value - a.value)[0];
  const loss = below === undefined ? null : statistics.difference(below.key, best.key);
  if (below !== undefined && loss !== null) {
    sentences.push(
      `${below.value} ${lossPhrase(loss.ratio)}${lossRange(loss.ciLow, loss.ciHigh)}${below.value >= plausible.value ? `, which is not yet told apart from ${allowed}` : ''}.`,
    );
  }
  const largest = Math.max(...candidates.map((candidate) => candidate.value));
  if (best.value === largest && confirmed === best)
    sentences.push(`It is also the largest value tested: a larger one may be better still.`);
  if (status === 'undecided' && found.rounds < claimRounds)
    sentences.push(`${claimRounds} valid rounds are the least for any claim; there are ${found.rounds}.`);
  const floor = statistics.noiseFloorPercent;
  if (floor !== null && tooNoisy(statistics, delta)) {
    sentences.push(`Differences below ${oneDecimal(floor)} % are lost in this run’s noise, and ${allowed} is asked for.`);
  }
  if (status !== 'undecided') sentences.push(...cautions(confirmed, best));
  return sentences.join(' ');
}

function cautions(confirmed: Candidate, best: Candidate): string[] {
  const sentences: string[] = [];
  if (confirmed.p99Ms !== null && best.p99Ms !== null && confirmed.p99Ms > p99Tolerance * best.p99Ms) {
    sentences.push(`Its p99 is ${figure(confirmed.p99Ms)} ms against ${figure(best.p99Ms)} ms.`);
  }
  if (confirmed.errorShare > best.errorShare)
    sentences.push(`It had more errors than the best: ${figure(100 * confirmed.errorShare)} % of requests.`);
  return sentences;
}

/**
 * The recommendation for one setting of one target by the knee rule; when undecided, with the number of rounds that would decide.
 * `null` when fewer than two values have two valid blocks.
 */
export function recommendSetting(candidates: readonly Candidate[], subject: Subject, delta = defaultDelta): Recommendation | null {
  const statistics = blockStatistics(candidates);
  const smallestFirst = [...candidates].sort((a, b) => a.value - b.value);
  const found = findKnee(smallestFirst, statistics, { delta });
  if (found === null) return null;
  const { status, headline, outlook } = answer(found, statistics, inSentence(subject.settingLabel), delta);
  const upper = status === 'undecided' ? Math.max(found.confirmed.value, found.best.value) : found.confirmed.value;
  return {
    ...subject,
    status,
    value: status === 'undecided' ? null : found.confirmed.value,
    plausible: [found.plausible.value, upper],
    best: { value: found.best.value, throughput: statistics.intervals.get(found.best.key)?.mean ?? 0 },
    headline,
    why: [explain(found, candidates, statistics, status, delta), ...(outlook === undefined ? [] : [outlook])].join(' '),
    trialKey: status === 'undecided' ? null : found.confirmed.key,
    witnesses: [],
    moreSeconds: null,
  };
}

/** The setting that varies among trials, if exactly one does and its values are numbers. */
function varyingSetting(trials: readonly Trial[]): string | null {
  const names = new Set(trials.flatMap((trial) => Object.keys(trial.settings)));
  const varying = [...names].filter((name) => new Set(trials.map((trial) => trial.settings[name])).size > 1);
  const [name] = varying;
  if (name === undefined || varying.length !== 1) return null;
  return trials.every((trial) => typeof trial.settings[name] === 'number') ? name : null;
}

/**
 * A recommendation for each target of a run of which exactly one numeric setting was varied. Invalid trials and blocks take no
 * part, and the text says which values they were. With several numbers of connections the largest counts: that is where a
 * setting binds. `labelOf` gives a setting's name for people.
 */
export function recommend(
  trials: readonly Trial[],
  labelOf: (target: string, setting: string) => string,
  delta = defaultDelta,
): Recommendation[] {
  return [...new Set(trials.map((trial) => trial.target))].flatMap((target) => {
    const ofTarget = trials.filter((trial) => trial.target === target);
    const connections = Math.max(...ofTarget.map((trial) => trial.connections));
    const compared = ofTarget.filter((trial) => trial.connections === connections);
    const setting = varyingSetting(compared);
    const [first] = compared;
    if (setting === null || first === undefined) return [];
    const candidates = compared.filter((trial) => trial.valid).map((trial) => candidateOf(trial, Number(trial.settings[setting])));
    const subject = { target, targetLabel: first.targetLabel, setting, settingLabel: labelOf(target, setting) };
    const found = recommendSetting(candidates, subject, delta);
    if (found === null) return [];
    const notes: string[] = [];
    const leftOut = compared.filter((trial) => !trial.valid).map((trial) => Number(trial.settings[setting]));
    const missed = leftOut.filter((value) => mightBeBetter(value, found, candidates));
    if (missed.length > 0) return [withheld(found, missed)];
    if (leftOut.length > 0) notes.push(`Left out because not valid: ${leftOut.join(', ')}.`);
    if (new Set(ofTarget.map((trial) => trial.connections)).size > 1) notes.push(`At ${wholeNumber(connections)} connections.`);
    return [{ ...found, why: [found.why, ...notes].join(' ') }];
  });
}

/**
 * Whether a value that could not be measured might have changed the answer: a smaller one might be enough unless a valid one between the
 * two is known to lose, and a larger one might be better unless another larger one, being valid, was not.
 */
function mightBeBetter(value: number, found: Recommendation, candidates: readonly Candidate[]): boolean {
  const smallest = Number(found.plausible?.[0] ?? found.value ?? Number.POSITIVE_INFINITY);
  const largest = Number(found.plausible?.[1] ?? found.value ?? Number.NEGATIVE_INFINITY);
  if (value > largest) return !candidates.some((candidate) => candidate.value > largest);
  return value >= smallest || !candidates.some((candidate) => candidate.value > value && candidate.value < smallest);
}

// What more rounds would confirm is not the answer any more.
const confirmSentence = / \d+ more rounds? would confirm it\.$/;

/** No answer is better than one that a missing measurement might overturn. */
function withheld(found: Recommendation, missed: readonly number[]): Recommendation {
  const which = missed.join(' and ');
  return {
    ...found,
    status: 'undecided',
    value: null,
    trialKey: null,
    headline: `Can’t tell yet: ${which} could not be measured`,
    why: `${missed.length === 1 ? `The trial of ${which} is` : `The trials of ${which} are`} not valid, and might change the answer. Among the others: ${found.why.replace(confirmSentence, '')}`,
  };
}

function candidateOf(trial: Trial, value: number): Candidate {
  const valid = trial.blocks.filter((block) => block.valid);
  // The trial's own count has the errors of the blocks that were left out too.
  const errors = valid.reduce((sum, block) => sum + block.errors.total, 0);
  const attempts = errors + valid.reduce((sum, block) => sum + block.requests, 0);
  return {
    key: trial.key,
    value,
    blocks: valid.map(({ round, throughput }) => ({ round, throughput })),
    p99Ms: trial.latencyMs?.p99 ?? null,
    errorShare: attempts === 0 ? 0 : errors / attempts,
  };
}
