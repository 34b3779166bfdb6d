import type { Trial } from '../domain/run.ts';
import { connectionsName, humanName } from './settingWords.ts';

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
