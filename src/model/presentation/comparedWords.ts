import { wholeNumber } from '../domain/format.ts';
import { resourceWords } from '../domain/answerEvidence.ts';
import type { ComparedCure, ComparedFigure, ComparedMetric } from '../domain/comparison.ts';
import { withinPhrase } from '../domain/margin.ts';
import type { WatchedPart } from '../domain/setting.ts';
import type { Trial } from '../domain/run.ts';
import { connectionsName, humanName } from './settingWords.ts';

/** What was decided *is* so; what was only seen *looks* so. */
type Verbs = Record<'is' | 'uses', string>;
const decided: Verbs = { is: 'is', uses: 'uses' };
const seen: Verbs = { is: 'looks', uses: 'seems to use' };

type Change = (amount: string, sides: SideNames, verbs: Verbs) => string;
type FigureWords = Record<'more' | 'less' | 'times', Change> & { same: (sides: SideNames, verbs: Verbs) => string };

const figureWords: Readonly<Record<ComparedFigure, FigureWords>> = {
  throughput: {
    more: (amount, { a, b }, { is }) => `${b} ${is} ${amount} faster than ${a}`,
    less: (amount, { a, b }, { is }) => `${b} ${is} ${amount} slower than ${a}`,
    times: (amount, { a, b }, { is }) => `${b} ${is} ${amount} times as fast as ${a}`,
    same: ({ a, b }, { is }) => `${b} ${is} as fast as ${a}`,
  },
  p99: {
    more: (amount, { b }, { is }) => `p99 of ${b} ${is} ${amount} higher`,
    less: (amount, { b }, { is }) => `p99 of ${b} ${is} ${amount} lower`,
    times: (amount, { b }, { is }) => `p99 of ${b} ${is} ${amount} times as high`,
    same: (_, { is }) => `p99 ${is} the same`,
  },
  cpu: {
    more: (amount, { b }, { uses }) => `${b} ${uses} ${amount} more CPU per request`,
    less: (amount, { b }, { uses }) => `${b} ${uses} ${amount} less CPU per request`,
    times: (amount, { b }, { uses }) => `${b} ${uses} ${amount} times the CPU per request`,
    same: (_, { is }) => `CPU per request ${is} the same`,
  },
};

/** "pool 8 is 12 % faster than pool 4 (8 – 16 %)", without the full stop. */
export function comparedSentence(
  compared: Pick<ComparedMetric, 'of' | 'ratio' | 'verdict' | 'delta' | 'byMechanism' | 'unanswered'>,
  sides: SideNames,
): string {
  const { verdict, delta, byMechanism, unanswered } = compared;
  if (unanswered !== undefined) return unansweredSentence(unanswered, sides);
  const words = figureWords[compared.of];
  const { mean, ciLow, ciHigh } = compared.ratio;
  const change = (verbs: Verbs): string => changeWords(mean, words, sides, verbs);
  if (ciLow === null || ciHigh === null) return `${change(decided)}, but there are too few blocks to tell whether that is noise`;
  const range = signedRange(ciLow, ciHigh);
  if (byMechanism !== undefined)
    return verdict === 'same'
      ? `${words.same(sides, decided)}: ${mechanismPhrase(byMechanism)} (measured: ${range})`
      : `${change(seen)} (${range}), and yet ${mechanismPhrase(byMechanism)}, so that it cannot be the setting`;
  if (verdict === 'same') return `${words.same(sides, decided)}, within ${withinPhrase(delta)} (${range})`;
  return verdict === 'unknown' ? `${change(seen)} (${range})` : `${change(decided)} (${plainRange(mean, ciLow, ciHigh)})`;
}

/** What a figure says, and what would decide it where that is open; without the full stop. */
export function sentenceWithCure(compared: ComparedMetric, sides: SideNames): string {
  const cure = cureText(compared);
  return `${comparedSentence(compared, sides)}${cure === null ? '' : `; ${cure}`}`;
}

const cureWords: Readonly<Record<Exclude<ComparedCure, 'rounds'>, string>> = {
  'side-by-side': 'run both side by side to decide',
  'in-turn': 'run both again, in turn, to decide',
  'fresh-processes': 'run it again, in fresh processes, to see whether it stays',
  'larger-budget': 'a larger budget, or several comparisons, would tell',
};

/** What would decide a figure that is open; null where it is not. */
export function cureText({ cure, moreRounds }: Pick<ComparedMetric, 'cure' | 'moreRounds'>): string | null {
  if (cure === undefined) return null;
  if (cure !== 'rounds') return cureWords[cure];
  return moreRounds === null
    ? 'its blocks scatter too much for more rounds to decide'
    : `about ${moreRounds} more round${moreRounds === 1 ? '' : 's'} would decide`;
}

/** Why two sizes must do the same. */
export function mechanismPhrase(part: WatchedPart): string {
  return `nobody waits for ${resourceWords[part].what} with either`;
}

function unansweredSentence({ ratePerS, a, b }: NonNullable<ComparedMetric['unanswered']>, sides: SideNames): string {
  const rate = `${wholeNumber(ratePerS)} requests/s`;
  if (a && b) return `Neither could answer ${rate}, so that p99 says nothing`;
  return a ? `${sides.a} could not answer ${rate}, ${sides.b} could` : `${sides.b} could not answer ${rate}, ${sides.a} could`;
}

function changeWords(ratio: number, words: FigureWords, sides: SideNames, verbs: Verbs): string {
  if (ratio >= 2) return words.times(timesText(ratio), sides, verbs);
  const amount = numberText(Math.abs(ratio - 1));
  if (amount === '0') return words.same(sides, verbs);
  return ratio >= 1 ? words.more(`${amount} %`, sides, verbs) : words.less(`${amount} %`, sides, verbs);
}

function plainRange(mean: number, low: number, high: number): string {
  if (mean >= 2) return `${timesText(low)} – ${timesText(high)} times`;
  const ends = mean >= 1 ? [low - 1, high - 1] : [1 - high, 1 - low];
  return `${ends.map(numberText).join(' – ')} %`;
}

/** An interval of a ratio as changes: "−3 to +11 %". */
export function signedRange(low: number, high: number): string {
  const signed = (change: number): string => `${change < 0 ? '−' : '+'}${numberText(Math.abs(change))}`;
  return `${signed(low - 1)} to ${signed(high - 1)} %`;
}

/** A share in percent without the sign for it: one decimal below ten. */
function numberText(share: number): string {
  const percent = share * 100;
  return Math.abs(percent) >= 9.95 ? wholeNumber(percent) : String(Number(percent.toFixed(1)));
}

function timesText(ratio: number): string {
  return ratio >= 10 ? wholeNumber(ratio) : ratio.toFixed(1);
}

export interface SideName {
  /** In a sentence: “pool 2”, “the run of 13:40”. */
  name: string;
  /** Over a column of figures: “pool 2”, “13:40”. */
  short: string;
}

/** The names of both sides in sentences. */
export interface SideNames {
  a: string;
  b: string;
}

export interface NamedSide {
  startedAt: string;
  /** What the user calls the run. */
  given?: string | null | undefined;
  /** The one trial of the run that is meant. */
  trial: Trial | null;
}

/** The names of the sides: for two settings their difference, for two runs the names that the user gave, else their start times in the reader's format. */
export function nameSides(a: NamedSide, b: NamedSide): { a: SideName; b: SideName } {
  const settings = a.trial === null || b.trial === null ? null : settingNames(a.trial, b.trial);
  if (settings !== null) return settings;
  const times = runNames(a.startedAt, b.startedAt);
  const named = (given: string | null | undefined, time: SideName): SideName =>
    given == null || given === '' ? time : { name: `“${given}”`, short: given };
  return a.given === b.given ? times : { a: named(a.given, times.a), b: named(b.given, times.b) };
}

function settingNames(a: Trial, b: Trial): { a: SideName; b: SideName } | null {
  const names = [...new Set([...Object.keys(a.settings), ...Object.keys(b.settings)])].filter(
    (name) => a.settings[name] !== b.settings[name],
  );
  const said = (trial: Trial): SideName => {
    const words = [
      ...(a.target === b.target ? [] : [trial.targetLabel]),
      ...names.flatMap((name) => (trial.settings[name] === undefined ? [] : [`${humanName(name)} ${trial.settings[name]}`])),
      ...(a.connections === b.connections ? [] : [`${trial.connections} ${connectionsName}`]),
    ].join(' · ');
    return { name: words, short: words };
  };
  const [left, right] = [said(a), said(b)];
  return left.name === '' || right.name === '' || left.name === right.name ? null : { a: left, b: right };
}

function runNames(startedA: string, startedB: string): { a: SideName; b: SideName } {
  const [a, b] = [new Date(startedA), new Date(startedB)];
  if (Number.isNaN(a.getTime()) || Number.isNaN(b.getTime()) || startedA === startedB)
    return { a: { name: 'the first', short: 'first' }, b: { name: 'the second', short: 'second' } };
  const sameDay = a.toDateString() === b.toDateString();
  const sameMinute = Math.floor(a.getTime() / 60_000) === Math.floor(b.getTime() / 60_000);
  const time = new Intl.DateTimeFormat('en-GB', {
    hour: '2-digit',
    minute: '2-digit',
    ...(sameMinute ? { second: '2-digit' as const } : {}),
    ...(sameDay ? {} : { day: 'numeric' as const, month: 'short' as const }),
  });
  const said = (date: Date): SideName => ({ name: `the run of ${time.format(date)}`, short: time.format(date) });
  return { a: said(a), b: said(b) };
}
