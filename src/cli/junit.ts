import { onOneLine } from '../model/domain/plainText.ts';
import type { Verdict } from '../model/domain/tuning.ts';

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
