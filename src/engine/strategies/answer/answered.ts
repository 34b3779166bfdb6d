import type { EvidenceItem } from '../../../model/domain/answerEvidence.ts';
import type { MeasuredCandidate } from '../../statistics/tuningSearch.ts';
import { factsOf, openCandidates } from './answerFacts.ts';
import type { Found } from './answerReasons.ts';
import { answerEvidenceOf } from './answerEvidence.ts';

export interface AnsweredInput extends Omit<Found, 'facts' | 'moreSeconds'> {
  /** Seconds that one more round of what is open takes; null where that is not known. */
  roundS: number | null;
}

/** The answer of a run or a tuning about the values of one target. */
export interface Answered {
  /** What its reasons are made from. */
  found: Found;
  /** The value that it is about; null while it is open. */
  chosen: MeasuredCandidate | null;
  /** Smallest first: what may be the answer as far as is known. */
  open: readonly MeasuredCandidate[];
  evidence: EvidenceItem[];
}

/** What the knee of the values says of them. `moreRounds`: how many more would decide; null: more than are worth their time. */
export function answered(input: AnsweredInput, moreRounds: () => number | null): Answered {
  const { facts, chosen } = factsOf(input);
  if (facts.code === 'unused')
    return { found: { ...input, status: 'undecided', moreSeconds: null, facts }, chosen: null, open: [], evidence: [] };
  const { roundS, status } = input;
  const rounds = status === 'confirmed' || roundS === null ? null : moreRounds();
  const moreSeconds = rounds === null || roundS === null ? null : rounds * roundS;
  return { found: { ...input, moreSeconds, facts }, chosen, open: openCandidates(input), evidence: answerEvidenceOf(input) };
}
