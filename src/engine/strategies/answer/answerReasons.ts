import type { EvidenceItem } from '../../../model/domain/answerEvidence.ts';
import type { AnswerFacts } from '../../../model/domain/answerFacts.ts';
import type { AnswerReason } from '../../../model/domain/answerReason.ts';
import { type KneeStatus, confirmRounds, ratioToBest } from '../../statistics/kneeRule.ts';
import type { MeasuredCandidate } from '../../statistics/tuningSearch.ts';
import { p99Margin } from '../search/openLoopComparison.ts';
import { type AnswerBasis, factsOf, isBarred, nameless, openCandidates } from './answerFacts.ts';
import { answerEvidenceOf, boundOf, nextBelow } from './answerEvidence.ts';

export interface AnsweredInput extends AnswerBasis {
  /** Seconds that one more round of what is open takes; null where that is not known. */
  roundS: number | null;
  /** A budget in seconds that would have had the time to compare p99; null or absent where it is not compared. */
  p99BudgetS?: number | null;
  /** `openLoop`: requests of the blocks at a fixed rate; `null` when there were none. Absent where p99 is not compared. */
  evidence?: { openLoop: object | null };
  finished?: boolean;
}

/** The answer of a run or a tuning about the values of one target. */
export interface Answered {
  facts: AnswerFacts;
  /** The value that it is about; null while it is open. */
  chosen: MeasuredCandidate | null;
  status: KneeStatus;
  /** Smallest first: what may be the answer as far as is known. */
  open: readonly MeasuredCandidate[];
  /** How much longer would decide what is open; `null` where it would take too long. */
  moreSeconds: number | null;
  why: AnswerReason[];
  evidence: EvidenceItem[];
}

/**
 * What the knee of the values says of them. `moreRounds`: how many more would decide; null: more than are worth their time. Of what is `refused` nothing is
 * claimed.
 */
export function answered(input: AnsweredInput, moreRounds: () => number | null, refused = false): Answered {
  const { facts, chosen } = factsOf(input);
  if (facts.code === 'unused')
    return { facts, chosen: null, status: 'undecided', open: [], moreSeconds: null, why: [{ code: 'other-load' }], evidence: [] };
  const { roundS } = input;
  const rounds = input.status === 'confirmed' || roundS === null ? null : moreRounds();
  const moreSeconds = rounds === null || roundS === null ? null : rounds * roundS;
  const status = refused ? 'undecided' : input.status;
  const why = reasonsOf({ ...input, status, facts, moreSeconds });
  return { facts, chosen, status, open: openCandidates(input), moreSeconds, why, evidence: answerEvidenceOf(input) };
}

/** Everything that the reasons are made from. */
type Found = AnsweredInput & Pick<Answered, 'facts' | 'moreSeconds'>;

/** What the answer rests on, and what is still open. */
function reasonsOf(found: Found): AnswerReason[] {
  const { facts, status } = found;
  return [
    comparedReason(found),
    ...largestReasons(found),
    ...(facts.code === 'not-limiting' && facts.busy !== null ? [{ code: 'busy', busy: facts.busy } as const] : []),
    ...belowReasons(found),
    ...(status === 'undecided' ? [] : latencyReasons(found)),
    ...openReasons(found),
  ];
}

function comparedReason(found: Found): AnswerReason {
  const { statistics, knee, facts, delta } = found;
  const { best, confirmed, denied } = knee;
  const of = carriedOf(confirmed, found);
  if (denied !== undefined) return { code: 'not-its-size', of, rival: carriedOf(denied, found), delta };
  if (confirmed === best) return { code: 'best', of };
  const against = carriedOf(best, found);
  if (facts.code === 'open') return { code: 'against-best', of, best: against };
  // Means that differ by more are no proof: it then follows from the waits alone, or it is left out.
  const isNear = (statistics.difference(confirmed.key, best.key)?.ratio ?? 1) >= 1 - delta;
  return { code: 'near', of, best: against, delta, proven: knee.proven, waitsOnly: !isNear && knee.byMechanism };
}

function carriedOf(candidate: MeasuredCandidate, found: Found): Extract<AnswerReason, { code: 'best' }>['of'] {
  const interval = found.statistics.intervals.get(candidate.key);
  const throughput = interval === undefined ? null : { mean: interval.mean, ciLow: interval.ciLow, ciHigh: interval.ciHigh };
  return { name: nameless(candidate, found), throughput };
}

/** Where the answer is the largest value tested, and something larger could be better still. */
function largestReasons(found: Found): AnswerReason[] {
  const { candidates, facts } = found;
  const { best, confirmed, byMechanism } = found.knee;
  const isLargest = candidates.every(({ cost }) => cost <= best.cost);
  if (best !== confirmed || !isLargest || candidates.length < 2 || facts.code === 'not-limiting') return [];
  const seen = found.seen.get(best.key);
  const usable = (seen?.connections ?? Number.POSITIVE_INFINITY) * Math.max(1, seen?.pool?.perRequest ?? 1);
  if (found.resource === 'pool' && (seen?.pool?.max ?? 0) >= usable) return [{ code: 'all-used', usable }];
  const bound = boundOf(best, found);
  return [{ code: 'largest', mayBeBetter: !byMechanism && (bound === null || bound.gain > found.delta) }];
}

/** What is open, and how much longer would decide it. */
function openReasons({ knee, moreSeconds, facts, status }: Found): AnswerReason[] {
  if (status === 'confirmed' || facts.code === 'rounds-missing') return [];
  const { plausible, confirmed, proven, rounds } = knee;
  if (status === 'undecided') return moreSeconds === null ? [] : [{ code: 'more-time', between: 'all', seconds: moreSeconds }];
  if (plausible !== confirmed) return [{ code: 'more-time', between: 'two', seconds: moreSeconds }];
  if (!proven) return [{ code: 'another-open' }, { code: 'more-time', between: 'another', seconds: moreSeconds }];
  return rounds < confirmRounds ? [{ code: 'rounds-missing', rounds: confirmRounds - rounds }] : [];
}

/** What the next smaller value loses: why it is not the answer. */
function belowReasons(found: Found): AnswerReason[] {
  const { knee, openLoop } = found;
  const below = nextBelow(found);
  const ratio = below === undefined || below === knee.best ? null : ratioToBest(below.key, knee.best.key, found.statistics);
  if (below === undefined || ratio === null) return [];
  const barred = isBarred(below.key, openLoop);
  const latency = barred ? openLoop?.figures.get(below.key) : undefined;
  return [
    {
      code: 'below',
      name: nameless(below, found),
      ratio,
      isBest: knee.best === knee.confirmed,
      open: !barred && below.cost >= knee.plausible.cost ? found.delta : null,
      worse: latency === undefined ? null : { ratePerS: latency.rate, p99Ms: latency.carried ? latency.p99Ms : null },
    },
  ];
}

function latencyReasons(found: Found): AnswerReason[] {
  const { openLoop, evidence, p99BudgetS: budgetS = null } = found;
  const { confirmed, best } = found.knee;
  const [own, other] = [openLoop?.figures.get(confirmed.key), openLoop?.figures.get(best.key)];
  const reasons: AnswerReason[] = [];
  if (own !== undefined && own.carried)
    reasons.push({
      code: 'p99',
      name: nameless(confirmed, found),
      ratePerS: own.rate,
      p99Ms: own.p99Ms,
      windows:
        own.windows === undefined || own.windowsMeasured === undefined ? null : { counted: own.windows, measured: own.windowsMeasured },
      best: confirmed === best || other === undefined ? null : { name: nameless(best, found), p99Ms: other.p99Ms },
      floor: openLoop?.floors.get(confirmed.key) ?? null,
      open: openLoop?.verdicts.get(confirmed.key) === 'unknown' ? p99Margin : null,
    });
  else if (found.finished === true && evidence !== undefined && own === undefined) {
    if (evidence.openLoop !== null) reasons.push({ code: 'p99-not-compared', budgetS: null });
    else if (budgetS !== null) reasons.push({ code: 'p99-not-compared', budgetS });
  }
  if (confirmed.errorShare > best.errorShare)
    reasons.push({ code: 'more-errors', name: nameless(confirmed, found), share: confirmed.errorShare });
  return reasons;
}
