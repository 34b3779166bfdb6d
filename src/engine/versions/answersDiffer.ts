import { wholeNumber } from '../../model/format.ts';
import type { AnswerDigest } from '../../model/routeCheck.ts';

/** More routes than these are counted and not named. */
const mostNamed = 5;

/** A route that answered the same first request otherwise. */
export interface DifferingAnswer {
  route: string;
  what: 'status' | 'bytes';
  before: number;
  after: number;
}

/**
 * Where two sides answer the same first requests otherwise. Answers of the same status and length count as the same, since most hold a time or an id; so are
 * those that were not read to their end.
 */
export function differingAnswers(base: readonly AnswerDigest[] = [], head: readonly AnswerDigest[] = []): DifferingAnswer[] {
  return base.flatMap((before): DifferingAnswer[] => {
    const { route } = before;
    const after = head.find((one) => one.route === route && one.path === before.path);
    if (after === undefined || after.sha256 === before.sha256) return [];
    if (after.status !== before.status) return [{ route, what: 'status', before: before.status, after: after.status }];
    if (after.bytes === before.bytes || !before.whole || !after.whole) return [];
    return [{ route, what: 'bytes', before: before.bytes, after: after.bytes }];
  });
}

/** What is to be said where two versions answer the same first requests otherwise: then they may not do the same work. */
export function answersDiffer(base: readonly AnswerDigest[] | undefined, head: readonly AnswerDigest[] | undefined): string[] {
  const differing = differingAnswers(base, head).map(({ route, what, before, after }) =>
    what === 'status'
      ? `${route} with ${before} before and ${after} after the change`
      : `${route} with ${wholeNumber(before)} bytes before and ${wholeNumber(after)} after the change`,
  );
  if (differing.length === 0) return [];
  const further = differing.length - mostNamed;
  const named = differing.slice(0, mostNamed).join(', ');
  return [
    `Asked the same, the versions answered otherwise: ${named}${further > 0 ? `, and ${further} more` : ''}. What they cost is then not that of the same work.`,
  ];
}
