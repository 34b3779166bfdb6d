import type { EvidenceItem } from '../domain/answerEvidence.ts';

export const evidenceNames: Readonly<Record<EvidenceItem['kind'], string>> = { figures: 'Figures', mechanism: 'Mechanism' };

/** What a piece of evidence says of the value of the headline, in words for a list or a screen reader. */
export const evidenceSays: Readonly<Record<EvidenceItem['says'], string>> = { for: 'for it', open: 'open', against: 'against it' };

/** The warning where one piece of evidence supports an answer and another contradicts it; empty where none does. */
export function disagreement(evidence: readonly EvidenceItem[]): string {
  const speaks = (says: EvidenceItem['says']): boolean => evidence.some((item) => item.says === says);
  return speaks('for') && speaks('against') ? 'The two kinds of evidence disagree, so that the answer rests on neither alone.' : '';
}
