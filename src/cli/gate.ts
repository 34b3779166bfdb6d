import { appendFileSync } from 'node:fs';
import path from 'node:path';
import { onOneLine } from '../model/domain/plainText.ts';
import type { Verdict } from '../model/domain/tuning.ts';
import { type Values, one, orNull } from './options.ts';
import { writing } from './terminal.ts';
import { choice, word } from './values.ts';

/** What makes a comparison a gate of CI. */
export const gateOptions = {
  failOn: one('--fail-on <verdict>', 'exit status 3 when it is worse, 4 when it can’t be told', choice(['worse'] as const)),
  undecided: one(
    '--undecided <what>',
    'whether what can’t be told passes or fails a gate (default: fail)',
    choice(['pass', 'fail'] as const),
  ),
  junit: one('--junit <file>', 'write it as JUnit’s XML, a case for each route and figure', word),
};

export type Gate = ReturnType<typeof gateOf>;

export function gateOf({ failOn, undecided, junit }: Values<typeof gateOptions>) {
  return { ...orNull({ failOn, junit }), undecided: undecided ?? 'fail' };
}

/** Exit status of a gate: 0 the same or better (and for every verdict without a gate), 3 worse, 4 undecided. */
export function gateCode(verdict: Verdict, { failOn, undecided }: Gate): 0 | 3 | 4 {
  if (failOn === null) return 0;
  if (verdict === 'worse') return 3;
  return verdict === 'unknown' && undecided === 'fail' ? 4 : 0;
}

/** Of several verdicts the one that a gate uses; without comparisons it is undecided. */
export function worstVerdict(verdicts: readonly Verdict[]): Verdict {
  const order: readonly Verdict[] = ['worse', 'unknown', 'same', 'better'];
  return order.find((verdict) => verdicts.includes(verdict)) ?? 'unknown';
}

/** Writes a file of a gate; fails with `report-not-written`. */
export function writeGateFile(write: (file: string, text: string) => void, file: string, text: string): void {
  const absolute = path.resolve(file);
  writing('report-not-written', `${absolute} could not be written`, () => write(absolute, text));
}

/** Adds to the page that a hosted job shows of itself, where there is one. */
export function appendToSummary(text: string): void {
  const summary = process.env['GITHUB_STEP_SUMMARY'];
  if (summary === undefined || summary === '') return;
  writing('report-not-written', `${summary} could not be written`, () => appendFileSync(summary, text));
}

/** One figure that was compared. */
export interface JUnitCase {
  /** What it is of: a route, or the whole mix. */
  of: string;
  name: string;
  verdict: Verdict;
  /** What was found, as a sentence. */
  sentence: string;
  /** The verdict on the whole ignores it: an undecided case of this kind fails nothing. */
  aside?: boolean;
}

export interface JUnitSuite {
  name: string;
  cases: readonly JUnitCase[];
  /** An undecided case is a failure, too. */
  failUndecided: boolean;
}

/** A comparison as the XML from which CI shows tests: a worse case has failed, an undecided case is skipped unless it is to fail. Names are untrusted. */
export function junitXml({ name, cases, failUndecided }: JUnitSuite): string {
  const fails = ({ verdict, aside }: JUnitCase): boolean =>
    verdict === 'worse' || (verdict === 'unknown' && failUndecided && aside !== true);
  const skips = (one: JUnitCase): boolean => one.verdict === 'unknown' && !fails(one);
  const counts = `tests="${cases.length}" failures="${cases.filter(fails).length}" errors="0" skipped="${cases.filter(skips).length}"`;
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites ${counts}>`,
    `  <testsuite name="${attribute(name)}" ${counts}>`,
    ...cases.flatMap((one) => {
      const open = `    <testcase classname="${attribute(one.of)}" name="${attribute(one.name)}"`;
      if (fails(one))
        return [
          `${open}>`,
          `      <failure message="${attribute(one.sentence)}" type="${one.verdict === 'worse' ? 'worse' : 'undecided'}"/>`,
          '    </testcase>',
        ];
      if (skips(one)) return [`${open}>`, `      <skipped message="${attribute(one.sentence)}"/>`, '    </testcase>'];
      return [`${open}/>`];
    }),
    '  </testsuite>',
    '</testsuites>',
    '',
  ].join('\n');
}

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&apos;' };

/** On one line, without characters that XML cannot hold. */
function attribute(text: string): string {
  return onOneLine(text)
    .replace(/[^\u0009\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, '')
    .replace(/[&<>"']/g, (character) => entities[character] ?? '');
}
