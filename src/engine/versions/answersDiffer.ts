import { wholeNumber } from '../../model/format.ts';
import type { AnswerDigest } from '../../model/routeCheck.ts';

/** More routes than these are counted and not named. */
const mostNamed = 5;

/**
 * What is to be said where two versions answer the same first requests otherwise: then they may not do the same work. Answers of the same status and length are taken for the same, since most hold a
 * time or an id; so are those that were not read to their end.
 */
export function answersDiffer(base: readonly AnswerDigest[] | undefined, head: readonly AnswerDigest[] | undefined): string[] {
  const differing = (base ?? []).flatMap((before) => {
    const after = head?.find(({ route, path }) => route === before.route && path === before.path);
    if (after === undefined || after.sha256 === before.sha256) return [];
    if (after.status !== before.status) return [`${before.route} with ${before.status} before and ${after.status} after the change`];
    if (after.bytes === before.bytes || !before.whole || !after.whole) return [];
    return [`${before.route} with ${wholeNumber(before.bytes)} bytes before and ${wholeNumber(after.bytes)} after the change`];
  });
  if (differing.length === 0) return [];
  const further = differing.length - mostNamed;
  const named = differing.slice(0, mostNamed).join(', ');
  return [
    `Asked the same, the versions answered otherwise: ${named}${further > 0 ? `, and ${further} more` : ''}. What they cost is then not that of the same work.`,
  ];
}
