import type { EvidenceItem } from '../../../model/domain/answerEvidence.ts';
import type { MeasuredCandidate } from '../../statistics/tuningSearch.ts';
import { factsOf, openCandidates } from './answerFacts.ts';
import type { FactsInput, Judged } from './answerFacts.ts';
import { nameless } from './answerReasons.ts';
import type { Found, ReasonsInput } from './answerReasons.ts';
import { answerEvidenceOf } from './answerEvidence.ts';

export interface AnsweredInput extends ReasonsInput, Pick<FactsInput, 'barred'> {
  /** Seconds that one more round of what is open takes; null where that is not known. */
  roundS: number | null;
  /** For an app without a probe, by key of the candidate; see `busySessions`. */
  busySessions?: ReadonlyMap<string, number> | undefined;
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
export function answered(input: AnsweredInput, judged: Judged, moreRounds: () => number | null): Answered {
  const { knee, statistics, status } = judged;
  const { facts, chosen } = factsOf(input, judged);
  if (facts.code === 'unused')
    return { found: { ...judged, status: 'undecided', input, moreSeconds: null, facts }, chosen: null, open: [], evidence: [] };
  const rounds = status === 'confirmed' || input.roundS === null ? null : moreRounds();
  const moreSeconds = rounds === null || input.roundS === null ? null : rounds * input.roundS;
  return {
    found: { ...judged, input, moreSeconds, facts },
    chosen,
    open: openCandidates(input, judged),
    evidence: answerEvidenceOf({ ...input, knee, statistics, nameOf: (one) => nameless(one, input) }),
  };
}
