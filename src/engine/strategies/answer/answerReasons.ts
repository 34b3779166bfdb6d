import type { AnswerFacts } from '../../../model/domain/answerFacts.ts';
import type { AnswerReason } from '../../../model/domain/answerReason.ts';
import type { OpenLoopMetric } from '../../../model/domain/tuning.ts';
import type { BlockStatistics } from '../../statistics/blockStatistics.ts';
import { confirmRounds } from '../../statistics/kneeRule.ts';
import type { KneeStatus } from '../../statistics/kneeRule.ts';
import { ratioToBest } from '../../statistics/tuningSearch.ts';
import { valuesPhrase } from '../../statistics/valuesPhrase.ts';
import type { MeasuredCandidate } from '../../statistics/tuningSearch.ts';
import { p99Margin } from '../search/openLoopComparison.ts';
import type { OpenLoopComparison } from '../search/openLoopComparison.ts';
import type { FactsInput, Judged } from './answerFacts.ts';
import { boundOf, nextBelow } from './answerEvidence.ts';

export interface ReasonsInput extends Omit<FactsInput, 'barred'> {
  openLoop: OpenLoopComparison | null;
  /** A budget in seconds that would have had the time to compare p99; null or absent where it is not compared. */
  p99BudgetS?: number | null;
  /** `openLoop`: requests of the blocks at a fixed rate; `null` when there were none. Absent where p99 is not compared. */
  evidence?: { openLoop: object | null };
  finished?: boolean;
  cores: number;
}

/** Everything that the reasons are made from. `moreSeconds` is `null` where it would take too long. */
export interface Found extends Judged {
  input: ReasonsInput;
  moreSeconds: number | null;
  facts: AnswerFacts;
}

/** Values without the names of their settings: "8", "8 × 50". */
export function nameless(candidate: MeasuredCandidate, { candidates }: Pick<ReasonsInput, 'candidates'>): string {
  return valuesPhrase([candidate], candidates);
}

/** What the answer rests on, and what is still open. */
export function reasonsOf(found: Found, status: KneeStatus): AnswerReason[] {
  if (found.facts.code === 'unused') return [{ code: 'other-load' }];
  return [
    comparedReason(found),
    ...largestReasons(found),
    ...(found.facts.code === 'not-limiting' && found.facts.busy !== null ? [{ code: 'busy', busy: found.facts.busy } as const] : []),
    ...belowReasons(found),
    ...(status === 'undecided' ? [] : latencyReasons(found)),
    ...openReasons(found, status),
  ];
}

function comparedReason({ input, statistics, knee, facts }: Found): AnswerReason {
  const { best, confirmed, denied } = knee;
  const { delta } = input;
  const of = carriedOf(confirmed, input, statistics);
  if (denied !== undefined) return { code: 'not-its-size', of, rival: carriedOf(denied, input, statistics), delta };
  if (confirmed === best) return { code: 'best', of };
  const against = carriedOf(best, input, statistics);
  if (facts.code === 'open') return { code: 'against-best', of, best: against };
  // Means that differ by more are no proof: it then follows from the waits alone, or it is left out.
  const isNear = (statistics.difference(confirmed.key, best.key)?.ratio ?? 1) >= 1 - delta;
  return { code: 'near', of, best: against, delta, proven: knee.proven, waitsOnly: !isNear && knee.byMechanism };
}

function carriedOf(
  candidate: MeasuredCandidate,
  input: ReasonsInput,
  { intervals }: BlockStatistics,
): { name: string; throughput: { mean: number; ciLow: number | null; ciHigh: number | null } | null } {
  const found = intervals.get(candidate.key);
  const throughput = found === undefined ? null : { mean: found.mean, ciLow: found.ciLow, ciHigh: found.ciHigh };
  return { name: nameless(candidate, input), throughput };
}

/** Where the answer is the largest value tested, and something larger could be better still. */
function largestReasons({ input, statistics, knee, facts }: Found): AnswerReason[] {
  const { best, confirmed, byMechanism } = knee;
  const largest = [...input.candidates].sort((a, b) => a.cost - b.cost).at(-1);
  if (best !== confirmed || largest !== best || input.candidates.length < 2 || facts.code === 'not-limiting') return [];
  const seen = input.seen.get(best.key);
  const usable = (seen?.connections ?? Number.POSITIVE_INFINITY) * Math.max(1, seen?.pool?.perRequest ?? 1);
  if (input.resource === 'pool' && (seen?.pool?.max ?? 0) >= usable) return [{ code: 'all-used', usable }];
  const bound = boundOf(best, { ...input, statistics });
  return [{ code: 'largest', mayBeBetter: !byMechanism && (bound === null || bound.gain > input.delta) }];
}

/** What is open, and how much longer would decide it. */
function openReasons({ knee, moreSeconds, facts }: Found, status: KneeStatus): AnswerReason[] {
  if (status === 'confirmed' || facts.code === 'rounds-missing') return [];
  const { plausible, confirmed, proven, rounds } = knee;
  if (status === 'undecided') return moreSeconds === null ? [] : [{ code: 'more-time', between: 'all', seconds: moreSeconds }];
  if (plausible !== confirmed) return [{ code: 'more-time', between: 'two', seconds: moreSeconds }];
  if (!proven) return [{ code: 'another-open' }, { code: 'more-time', between: 'another', seconds: moreSeconds }];
  return rounds < confirmRounds ? [{ code: 'rounds-missing', rounds: confirmRounds - rounds }] : [];
}

/** What the next smaller value loses: why it is not the answer. */
function belowReasons({ input, statistics, knee }: Found): AnswerReason[] {
  const below = nextBelow({ knee, candidates: input.candidates });
  const gap = below === undefined || below === knee.best ? null : statistics.difference(below.key, knee.best.key);
  if (below === undefined || gap === null) return [];
  const barred = input.openLoop?.verdicts.get(below.key) === 'worse';
  const latency = barred ? input.openLoop?.figures.get(below.key) : undefined;
  return [
    {
      code: 'below',
      name: nameless(below, input),
      ratio: ratioToBest(gap, input.candidates.length),
      isBest: knee.best === knee.confirmed,
      open: !barred && below.cost >= knee.plausible.cost ? input.delta : null,
      worse: latency === undefined ? null : { ratePerS: latency.rate, p99Ms: latency.carried ? latency.p99Ms : null },
    },
  ];
}

function windowsOf({ windows, windowsMeasured }: OpenLoopMetric): { counted: number; measured: number } | null {
  return windows === undefined || windowsMeasured === undefined ? null : { counted: windows, measured: windowsMeasured };
}

function latencyReasons({ input, knee }: Found): AnswerReason[] {
  const { confirmed, best } = knee;
  const [own, other] = [input.openLoop?.figures.get(confirmed.key), input.openLoop?.figures.get(best.key)];
  const reasons: AnswerReason[] = [];
  if (own !== undefined && own.carried)
    reasons.push({
      code: 'p99',
      name: nameless(confirmed, input),
      ratePerS: own.rate,
      p99Ms: own.p99Ms,
      windows: windowsOf(own),
      best: confirmed === best || other === undefined ? null : { name: nameless(best, input), p99Ms: other.p99Ms },
      floor: input.openLoop?.floors.get(confirmed.key) ?? null,
      open: input.openLoop?.verdicts.get(confirmed.key) === 'unknown' ? p99Margin : null,
    });
  else if (input.finished === true && input.evidence !== undefined && own === undefined) {
    const budgetS = input.p99BudgetS ?? null;
    if (input.evidence.openLoop !== null) reasons.push({ code: 'p99-not-compared', budgetS: null });
    else if (budgetS !== null) reasons.push({ code: 'p99-not-compared', budgetS });
  }
  if (confirmed.errorShare > best.errorShare)
    reasons.push({ code: 'more-errors', name: nameless(confirmed, input), share: confirmed.errorShare });
  return reasons;
}
