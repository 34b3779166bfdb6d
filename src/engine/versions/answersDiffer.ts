import { wholeNumber } from '../../model/domain/format.ts';
import { firstDifferencePhrase } from '../../model/domain/routeCheck.ts';
import type { DifferingAnswer } from '../../model/domain/routeCheck.ts';

/** More routes than these are counted and not named. */
const mostNamed = 5;

/** What is to be said where two versions answer the same requests otherwise: then they may not do the same work. */
export function answersDiffer(all: readonly DifferingAnswer[]): string[] {
  const differing = all.map((one) => {
    const { route, what, before, after } = one;
    const said =
      what === 'status'
        ? `${before} before and ${after} after the change`
        : what === 'bytes'
          ? `${wholeNumber(before)} bytes before and ${wholeNumber(after)} after the change`
          : `other content of the same length, ${wholeNumber(after)} bytes`;
    return `${route} with ${said}${firstDifferencePhrase(one, ' → ')}`;
  });
  if (differing.length === 0) return [];
  const further = differing.length - mostNamed;
  const named = differing.slice(0, mostNamed).join(', ');
  return [
    `Asked the same, the versions answered otherwise: ${named}${further > 0 ? `, and ${further} more` : ''}. What they cost is then not that of the same work.`,
  ];
}
