import type { FullPart, EvidenceItem } from '../../../model/domain/answerEvidence.ts';
import { bothAmple, enoughShare, largestGain, waitLimits } from '../../statistics/mechanism.ts';
import { againstMechanism, largestRatio } from '../../statistics/kneeRule.ts';
import { type MeasuredCandidate, isEnough } from '../../statistics/tuningSearch.ts';
import { headroomOf } from '../search/operationalLaws.ts';
import { type AnswerBasis, counted, nameless, openCandidates } from './answerFacts.ts';

type EvidenceBasis = Omit<AnswerBasis, 'settingNames' | 'today' | 'openLoop' | 'status'>;

/** The evidence, the figures first; the mechanism only where waits were seen, or where PostgreSQL’s sessions replace them. */
export function answerEvidenceOf(basis: EvidenceBasis): EvidenceItem[] {
  const mechanism = evidenceOfMechanism(basis);
  return [evidenceOfFigures(basis), ...(mechanism === null ? [] : [mechanism])];
}

/** What more of what is tuned can gain beyond a value: by its waits, and by what is full there. */
export interface Bound {
  /** The share of a request's time that is spent waiting, and the most that it may be; null where it is not seen. */
  waits: { mean: number; high: number } | null;
  gain: number;
  /** What is full and leaves less to gain than the waits would; null where the waits bound it. */
  full: FullPart | null;
}

/** Null where neither waits were seen nor anything is full. Where a larger one was seen to carry more by more than δ, nothing was full. */
export function boundOf(one: MeasuredCandidate, { candidates, statistics, seen, cores, delta }: EvidenceBasis): Bound | null {
  const waits = waitLimits(one);
  const own = seen.get(one.key);
  const headroom = own === undefined ? null : headroomOf(own, cores);
  const seenGain = Math.max(
    0,
    ...candidates.filter(({ cost }) => cost > one.cost).map(({ key }) => (statistics.difference(key, one.key)?.ratio ?? 1) - 1),
  );
  const ofWaits = waits === null ? Number.POSITIVE_INFINITY : largestGain(waits.high);
  const gain = Math.max(headroom?.gain ?? 0, seenGain);
  const full = headroom !== null && gain < ofWaits && seenGain <= (1 + headroom.gain) / (1 - delta) - 1 ? headroom : null;
  if (waits === null && full === null) return null;
  return { waits, gain: full === null ? ofWaits : gain, full: full?.what ?? null };
}

/** The next smaller value than the answer that has figures. */
export function nextBelow({ knee, candidates }: EvidenceBasis): MeasuredCandidate | undefined {
  return counted(candidates)
    .filter(({ cost }) => cost < knee.confirmed.cost)
    .at(-1);
}

/** A larger value that the figures prove better by more than δ than one that the mechanism calls enough. */
function contradicting({ candidates, statistics, delta }: EvidenceBasis, claimed: MeasuredCandidate): MeasuredCandidate | undefined {
  const margin = Math.log(1 - delta);
  const level = (rival: MeasuredCandidate): number => (bothAmple(claimed, rival) ? againstMechanism : 0.95);
  return candidates.find((rival) => rival.cost > claimed.cost && largestRatio(claimed.key, rival.key, statistics, level(rival)) < margin);
}

function evidenceOfFigures(basis: EvidenceBasis): EvidenceItem {
  const { statistics, delta } = basis;
  const { confirmed, best, plausible, proven } = basis.knee;
  const smaller = nextBelow(basis);
  const gap = smaller === undefined ? null : statistics.difference(smaller.key, confirmed.key);
  return {
    kind: 'figures',
    says: proven ? 'for' : 'open',
    code: 'carried',
    name: nameless(confirmed, basis),
    throughput: statistics.meanOf(confirmed.key),
    rounds: confirmed.blocks.length,
    fastest: best === confirmed ? null : { name: nameless(best, basis), throughput: statistics.meanOf(best.key) },
    smaller:
      smaller === undefined || gap === null
        ? null
        : { name: nameless(smaller, basis), ratio: gap.ratio, open: !proven && openCandidates(basis).includes(smaller) },
    open:
      plausible !== confirmed ? { why: 'not-told-apart', name: nameless(plausible, basis) } : proven ? null : { why: 'not-proven', delta },
  };
}

/** A gain beyond this is as good as unbounded: for a request that only waits, it has no bound. */
const mostGain = 99;
/** A pool used up to this share leaves nobody waiting for long; where it is so full at the next smaller size, that one was the limit. */
const sparePool = 0.8;
const fullPool = 0.9;

/** What PostgreSQL shows of its sessions, where nothing looks into the app. It supports an answer, and stops no search: see `busySessions`. */
function evidenceOfSessions(basis: EvidenceBasis): EvidenceItem | null {
  const { knee, busySessions } = basis;
  const own = busySessions?.get(knee.confirmed.key);
  if (own === undefined) return null;
  const smaller = nextBelow(basis);
  const before = smaller === undefined ? undefined : busySessions?.get(smaller.key);
  const spare = own <= sparePool && (before === undefined || before >= fullPool);
  return {
    kind: 'mechanism',
    says: spare ? 'for' : 'open',
    code: 'sessions',
    name: nameless(knee.confirmed, basis),
    busy: own,
    smaller: smaller === undefined || before === undefined ? null : { name: nameless(smaller, basis), busy: before },
    meaning: spare ? 'spare' : own <= sparePool ? 'no-limit' : 'full',
  };
}

function evidenceOfMechanism(basis: EvidenceBasis): EvidenceItem | null {
  const { candidates, delta, resource } = basis;
  if (resource === null) return null;
  const { confirmed, denied } = basis.knee;
  const bound = boundOf(confirmed, basis);
  const own = bound?.waits ?? null;
  if (bound === null || own === null) return resource === 'pool' ? evidenceOfSessions(basis) : null;
  const claimed = counted(candidates).find((one) => isEnough(one, delta));
  const rival = claimed === undefined ? undefined : contradicting(basis, claimed);
  if (claimed !== undefined && rival !== undefined) {
    const waits = waitLimits(claimed)?.mean ?? 0;
    return {
      kind: 'mechanism',
      says: 'against',
      code: 'contradicted',
      name: nameless(claimed, basis),
      waits,
      resource,
      rival: nameless(rival, basis),
    };
  }
  const next = nextBelow(basis);
  const before = next === undefined ? null : waitLimits(next);
  const smaller = next === undefined || before === null ? null : { name: nameless(next, basis), waits: before.mean };
  const gain = Math.min(bound.gain, mostGain);
  const seen = { kind: 'mechanism', name: nameless(confirmed, basis), waits: own.mean, resource, gain, smaller, full: bound.full } as const;
  return own.high <= enoughShare(delta)
    ? { ...seen, says: 'for', code: 'hardly-waits', denied: denied === undefined ? null : nameless(denied, basis) }
    : { ...seen, says: gain <= delta ? 'for' : 'open', code: 'still-waits' };
}
