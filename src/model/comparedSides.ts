import type { Comparison } from './comparison.ts';
import type { Trial } from './run.ts';
import { connectionsName, humanName } from './settingWords.ts';

/** What the two sides of a comparison are called in sentences: “pool 2” and “pool 16”, “the run of 13:40” and “the run of 14:02”. */
export interface SideNames {
  a: string;
  b: string;
}

type Sides = Pick<Comparison, 'a' | 'b' | 'rows'>;

/** The names of the sides: of two settings what they differ in, of two runs when they were begun, as the reader tells time. */
export function sideNames({ a, b, rows }: Sides): SideNames {
  const [only] = rows;
  if (a.trialKey !== null && b.trialKey !== null && rows.length === 1 && only?.a && only.b) {
    const names = settingNames(only.a, only.b);
    if (names !== null) return names;
  }
  return runNames(a.startedAt, b.startedAt);
}

/** A sentence on A and B, with their names instead; that of the throughput says what B is faster or slower than. */
export function inNames(sentence: string, { a, b }: SideNames): string {
  const whole = sentence
    .replace(/\bB is ([\d.,]+ (?:%|times)) (faster|slower)(?! in\b)/g, 'B is $1 $2 than A')
    .replace(/\bB is ([\d.,]+) times as fast(?! as)/g, 'B is $1 times as fast as A');
  // Not a target or a value that is called so: those stand before or after a dot between settings.
  const named = whole.replace(/(?<![\w·“(])(?<!· )\b(?:A and B|A|B)\b(?! ·)/g, (word) =>
    word === 'A and B' ? `${a} and ${b}` : word === 'A' ? a : b,
  );
  // “p99” stays as it is written everywhere.
  return named.replace(/(^|[.!?] )(?!p\d)(\p{Ll})/gu, (_, before: string, letter: string) => `${before}${letter.toUpperCase()}`);
}

function settingNames(a: Trial, b: Trial): SideNames | null {
  const names = [...new Set([...Object.keys(a.settings), ...Object.keys(b.settings)])].filter(
    (name) => a.settings[name] !== b.settings[name],
  );
  const said = (trial: Trial): string =>
    [
      ...(a.target === b.target ? [] : [trial.targetLabel]),
      ...names.flatMap((name) => (trial.settings[name] === undefined ? [] : [`${humanName(name)} ${trial.settings[name]}`])),
      ...(a.connections === b.connections ? [] : [`${trial.connections} ${connectionsName}`]),
    ].join(' · ');
  const [left, right] = [said(a), said(b)];
  return left === '' || right === '' || left === right ? null : { a: left, b: right };
}

function runNames(startedA: string, startedB: string): SideNames {
  const [a, b] = [new Date(startedA), new Date(startedB)];
  if (Number.isNaN(a.getTime()) || Number.isNaN(b.getTime()) || startedA === startedB) return { a: 'A', b: 'B' };
  const sameDay = a.toDateString() === b.toDateString();
  const sameMinute = Math.floor(a.getTime() / 60_000) === Math.floor(b.getTime() / 60_000);
  const time = new Intl.DateTimeFormat('en-GB', {
    hour: '2-digit',
    minute: '2-digit',
    ...(sameMinute ? { second: '2-digit' as const } : {}),
    ...(sameDay ? {} : { day: 'numeric' as const, month: 'short' as const }),
  });
  return { a: `the run of ${time.format(a)}`, b: `the run of ${time.format(b)}` };
}
