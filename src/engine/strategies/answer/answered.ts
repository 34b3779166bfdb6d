import type { EvidenceItem } from '../../../model/domain/answerEvidence.ts';
import { missingRounds } from '../../statistics/kneeRule.ts';
import type { MeasuredCandidate } from '../../statistics/tuningSearch.ts';
import { factsOf, openCandidates } from './answerFacts.ts';
import type { FactsInput, Judged } from './answerFacts.ts';
import { nameless } from './answerReasons.ts';
import type { Found, ReasonsInput } from './answerReasons.ts';
import { answerEvidenceOf } from './answerEvidence.ts';

/** Beyond this many more rounds it is better to choose than to measure on. */
const worthwhileRounds = 30;

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

/** What the knee of the values says of them. */
export function answered(input: AnsweredInput, judged: Judged): Answered {
  const { knee, statistics, status } = judged;
  const moreRounds = status === 'confirmed' ? null : missingRounds(knee, statistics, input.delta);
  const moreSeconds = moreRounds === null || input.roundS === null || moreRounds > worthwhileRounds ? null : moreRounds * input.roundS;
  const { facts, chosen } = factsOf(input, judged);
  return {
    found: { ...judged, input, moreSeconds, facts },
    chosen,
    open: openCandidates(input, judged),
    evidence: answerEvidenceOf({ ...input, knee, statistics, nameOf: (one) => nameless(one, input) }),
  };
}
