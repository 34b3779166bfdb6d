import { wholeNumber } from '../../model/format.ts';
import type { AnswerDigest } from '../../model/routeCheck.ts';
import type { DifferingAnswer, VersionDiff } from '../../model/versionDiff.ts';

/** More routes than these are counted and not named. */
const mostNamed = 5;

/** The answers of two sides that can be compared: both were asked the same. */
function pairsOf(base: readonly AnswerDigest[], head: readonly AnswerDigest[]): { before: AnswerDigest; after: AnswerDigest }[] {
  return base.flatMap((before) => {
    const after = head.find((one) => one.route === before.route && one.path === before.path);
    return after === undefined ? [] : [{ before, after }];
  });
}

/**
 * Where two sides answer the same first requests otherwise. Most answers hold a time or an id, so that those of the same status and length count as the same,
 * unless another process of the first answered with the same bytes, too. What it answered with other bytes, or was not read to its end, counts as the same by its
 * status alone.
 */
export function differingAnswers(base: readonly AnswerDigest[] = [], head: readonly AnswerDigest[] = []): DifferingAnswer[] {
  return pairsOf(base, head).flatMap(({ before, after }): DifferingAnswer[] => {
    const { route } = before;
    if (after.sha256 === before.sha256) return [];
    if (after.status !== before.status) return [{ route, what: 'status', before: before.status, after: after.status }];
    if (!before.whole || !after.whole || before.steady === false) return [];
    const lengths = { route, before: before.bytes, after: after.bytes };
    if (after.bytes !== before.bytes) return [{ ...lengths, what: 'bytes' }];
    return before.steady === true ? [{ ...lengths, what: 'content' }] : [];
  });
}

/** How many routes both were asked for, and which of them answer otherwise; undefined where none was asked. */
export function comparedAnswers(base: readonly AnswerDigest[] = [], head: readonly AnswerDigest[] = []): VersionDiff['answers'] {
  const asked = pairsOf(base, head).length;
  return asked === 0 ? undefined : { asked, differing: differingAnswers(base, head) };
}

/** What is to be said where two versions answer the same first requests otherwise: then they may not do the same work. */
export function answersDiffer(base: readonly AnswerDigest[] | undefined, head: readonly AnswerDigest[] | undefined): string[] {
  const differing = differingAnswers(base, head).map(({ route, what, before, after }) =>
    what === 'status'
      ? `${route} with ${before} before and ${after} after the change`
      : what === 'bytes'
        ? `${route} with ${wholeNumber(before)} bytes before and ${wholeNumber(after)} after the change`
        : `${route} with other content of the same length, ${wholeNumber(after)} bytes`,
  );
  if (differing.length === 0) return [];
  const further = differing.length - mostNamed;
  const named = differing.slice(0, mostNamed).join(', ');
  return [
    `Asked the same, the versions answered otherwise: ${named}${further > 0 ? `, and ${further} more` : ''}. What they cost is then not that of the same work.`,
  ];
}
