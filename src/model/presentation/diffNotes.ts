import { diffNoteText } from '../domain/diffNoteKinds.ts';
import { wholeNumber } from '../domain/format.ts';
import { firstDifferencePhrase } from '../domain/routeCheck.ts';
import type { DifferingAnswer } from '../domain/routeCheck.ts';
import type { SloResult } from '../domain/slo.ts';
import type { MeasuredFacts, VersionDiff } from '../domain/versionDiff.ts';

/** What a comparison is to be read with: how both did against the objective, what they answered otherwise, and what was not compared. */
export function diffNotes({ facts, base, head, answers, notes }: VersionDiff): string[] {
  const found =
    facts.code === 'recorded'
      ? []
      : [
          ...(facts.code === 'same-code' || facts.objective === null ? [] : [objectiveNote(facts.objective, base.label, head.label)]),
          ...answersDiffer(answers?.differing ?? []),
        ];
  return [...found, ...notes.map(diffNoteText)];
}

/** How both did against the objective, and under which load that was seen. */
function objectiveNote(objective: NonNullable<MeasuredFacts['objective']>, base: string, head: string): string {
  const { rows } = objective.head;
  const told = rows.map((row, index) => {
    const before = objective.base.rows[index];
    const said = [...(before === undefined ? [] : [`${base} ${judged(before)}`]), `${head} ${judged(row)}`];
    return `${row.what} ${row.limit}: ${said.join(', ')}`;
  });
  const atRate = rows.some(({ what }) => what.startsWith('p99 at '));
  const load = !atRate
    ? 'under the load of the profile'
    : `p99 at a fixed rate${rows.length > 1 ? ', the rest under the load of the profile' : ''}`;
  return `The objective (${load}): ${told.join('; ')}.`;
}

function judged({ value, passed }: SloResult['rows'][number]): string {
  return `${value} (${passed === null ? 'undecided' : passed ? 'kept' : 'missed'})`;
}

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
