import type { Witness } from './witness.ts';

/** How a witness is called. */
export const witnessNames: Readonly<Record<Witness['kind'], string>> = { figures: 'Figures', mechanism: 'Mechanism' };

/** What a witness says of the value of the headline, in words for a list or a screen reader. */
export const witnessSays: Readonly<Record<Witness['says'], string>> = { for: 'for it', open: 'open', against: 'against it' };

/** The warning where one piece of evidence supports an answer and another contradicts it; empty where none does. */
export function disagreement(witnesses: readonly Witness[]): string {
  const speaks = (says: Witness['says']): boolean => witnesses.some((witness) => witness.says === says);
  return speaks('for') && speaks('against') ? 'The two kinds of evidence disagree, so that the answer rests on neither alone.' : '';
}
