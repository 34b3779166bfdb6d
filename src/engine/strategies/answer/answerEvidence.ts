import type { WatchedPart } from '../../../model/domain/setting.ts';
import type { FullPart, EvidenceItem } from '../../../model/domain/answerEvidence.ts';
import type { Knee } from '../../statistics/kneeRule.ts';
import { bothAmple, enoughShare, largestGain, waitLimits } from '../../statistics/mechanism.ts';
import { againstMechanism, largestRatio } from '../../statistics/kneeRule.ts';
import type { BlockStatistics } from '../../statistics/blockStatistics.ts';
import type { MeasuredCandidate } from '../../statistics/tuningSearch.ts';
import { isEnough } from '../../statistics/tuningSearch.ts';
import { headroomOf } from '../search/operationalLaws.ts';
import type { SettingEvidence } from '../search/operationalLaws.ts';

export interface EvidenceInput {
  knee: Knee<MeasuredCandidate>;
  candidates: readonly MeasuredCandidate[];
  statistics: BlockStatistics;
  delta: number;
  resource: WatchedPart | null;
  /** What was seen of each value in addition to its throughput, by key; on a machine of so many `cores`. */
  seen: ReadonlyMap<string, SettingEvidence>;
  cores: number;
  /** For an app without a probe, by key: see `busySessions`. */
  busySessions?: ReadonlyMap<string, number> | undefined;
  /** A value as people name it. */
  nameOf: (candidate: MeasuredCandidate) => string;
}

/** The evidence, the figures first; the mechanism only where waits were seen, or where PostgreSQL’s sessions replace them. */
export function answerEvidenceOf(input: EvidenceInput): EvidenceItem[] {
  const mechanism = evidenceOfMechanism(input);
  return [evidenceOfFigures(input), ...(mechanism === null ? [] : [mechanism])];
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
export function boundOf(
  one: MeasuredCandidate,
  { candidates, statistics, seen, cores, delta }: Pick<EvidenceInput, 'candidates' | 'statistics' | 'seen' | 'cores' | 'delta'>,
): Bound | null {
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
export function nextBelow({ knee, candidates }: Pick<EvidenceInput, 'knee' | 'candidates'>): MeasuredCandidate | undefined {
  return candidates.filter(({ cost, blocks }) => cost < knee.confirmed.cost && blocks.length >= 2).sort((a, b) => b.cost - a.cost)[0];
}

/** A larger value that the figures prove better by more than δ than one that the mechanism calls enough. */
function contradicting({ candidates, statistics, delta }: EvidenceInput, claimed: MeasuredCandidate): MeasuredCandidate | undefined {
  const margin = Math.log(1 - delta);
  const level = (rival: MeasuredCandidate): number => (bothAmple(claimed, rival) ? againstMechanism : 0.95);
  return candidates.find((rival) => rival.cost > claimed.cost && largestRatio(claimed.key, rival.key, statistics, level(rival)) < margin);
}

function evidenceOfFigures(input: EvidenceInput): EvidenceItem {
  const { knee, statistics, delta, nameOf } = input;
  const { confirmed, best, plausible, proven } = knee;
  const smaller = nextBelow(input);
  const gap = smaller === undefined ? null : statistics.difference(smaller.key, confirmed.key);
  return {
    kind: 'figures',
    says: proven ? 'for' : 'open',
    code: 'carried',
    name: nameOf(confirmed),
    throughput: statistics.meanOf(confirmed.key),
    rounds: confirmed.blocks.length,
    fastest: best === confirmed ? null : { name: nameOf(best), throughput: statistics.meanOf(best.key) },
    smaller: smaller === undefined || gap === null ? null : { name: nameOf(smaller), ratio: gap.ratio },
    open: plausible !== confirmed ? { why: 'not-told-apart', name: nameOf(plausible) } : proven ? null : { why: 'not-proven', delta },
  };
}

/** A gain beyond this is as good as unbounded: for a request that only waits, it has no bound. */
const mostGain = 99;
/** A pool used up to this share leaves nobody waiting for long; where it is so full at the next smaller size, that one was the limit. */
const sparePool = 0.8;
const fullPool = 0.9;

/** What PostgreSQL shows of its sessions, where nothing looks into the app. It supports an answer, and stops no search: see `busySessions`. */
function evidenceOfSessions(input: EvidenceInput): EvidenceItem | null {
  const { knee, busySessions, nameOf } = input;
  const own = busySessions?.get(knee.confirmed.key);
  if (own === undefined) return null;
  const smaller = nextBelow(input);
  const before = smaller === undefined ? undefined : busySessions?.get(smaller.key);
  const spare = own <= sparePool && (before === undefined || before >= fullPool);
  return {
    kind: 'mechanism',
    says: spare ? 'for' : 'open',
    code: 'sessions',
    name: nameOf(knee.confirmed),
    busy: own,
    smaller: smaller === undefined || before === undefined ? null : { name: nameOf(smaller), busy: before },
    meaning: spare ? 'spare' : own <= sparePool ? 'no-limit' : 'full',
  };
}

function evidenceOfMechanism(input: EvidenceInput): EvidenceItem | null {
  const { knee, candidates, delta, resource, nameOf } = input;
  if (resource === null) return null;
  const { confirmed } = knee;
  const bound = boundOf(confirmed, input);
  const own = bound?.waits ?? null;
  if (bound === null || own === null) return resource === 'pool' ? evidenceOfSessions(input) : null;
  const claimed = [...candidates].sort((a, b) => a.cost - b.cost).find((one) => isEnough(one, delta));
  const rival = claimed === undefined ? undefined : contradicting(input, claimed);
  if (claimed !== undefined && rival !== undefined) {
    const waits = waitLimits(claimed)?.mean ?? 0;
    return { kind: 'mechanism', says: 'against', code: 'contradicted', name: nameOf(claimed), waits, resource, rival: nameOf(rival) };
  }
  const next = nextBelow(input);
  const before = next === undefined ? null : waitLimits(next);
  const smaller = next === undefined || before === null ? null : { name: nameOf(next), waits: before.mean };
  const { full } = bound;
  const gain = Math.min(bound.gain, mostGain);
  const seen = { kind: 'mechanism', name: nameOf(confirmed), waits: own.mean, resource, gain, smaller } as const;
  const { denied } = knee;
  return own.high <= enoughShare(delta)
    ? { ...seen, says: 'for', code: 'hardly-waits', denied: denied === undefined ? null : nameOf(denied) }
    : { ...seen, says: gain <= delta ? 'for' : 'open', code: 'still-waits', full };
}
