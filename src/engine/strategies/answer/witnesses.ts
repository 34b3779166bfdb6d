import { wholeNumber } from '../../../model/format.ts';
import { watchedPartOf } from '../../../model/setting.ts';
import type { SettingSpec, WatchedPart } from '../../../model/setting.ts';
import type { Witness } from '../../../model/tuning.ts';
import type { Knee } from '../../statistics/kneeRule.ts';
import { bothAmple, enoughShare, largestGain, waitLimits, waitShares } from '../../statistics/mechanism.ts';
import { againstMechanism, largestRatio } from '../../statistics/kneeRule.ts';
import type { BlockStatistics } from '../../statistics/blockStatistics.ts';
import type { MeasuredCandidate } from '../../statistics/tuningSearch.ts';
import { isEnough } from '../../statistics/tuningSearch.ts';
import { headroomOf } from '../search/operationalLaws.ts';
import type { SettingEvidence } from '../search/operationalLaws.ts';
import { lossPhrase, oneDecimal } from './answerPhrases.ts';

/** What waits are about. */
export type TunedResource = WatchedPart;

/** What is waited for, and of what it is the size. */
export const resourceWords: Readonly<Record<TunedResource, { what: string; size: string }>> = {
  pool: { what: 'a connection', size: 'pool' },
  threads: { what: 'a request thread', size: 'number of threads' },
  bouncer: { what: 'a connection of PgBouncer’s to PostgreSQL', size: 'pool of PgBouncer' },
  client: { what: 'a connection of the HTTP client', size: 'number of them' },
};

/** What a setting is in the app as far as waiting for it can be seen; null of all others. */
export function resourceOf(name: string, spec: SettingSpec | undefined): TunedResource | null {
  return spec === undefined ? null : watchedPartOf(name, spec);
}

export interface WitnessInput {
  knee: Knee<MeasuredCandidate>;
  candidates: readonly MeasuredCandidate[];
  statistics: BlockStatistics;
  delta: number;
  resource: TunedResource | null;
  /** What was seen of each value beside its throughput, by key; on a machine of so many `cores`. */
  seen: ReadonlyMap<string, SettingEvidence>;
  cores: number;
  /** Of an app that nothing looks into, by key: see `busySessions`. */
  busySessions?: ReadonlyMap<string, number>;
  /** A value as people name it. */
  nameOf: (candidate: MeasuredCandidate) => string;
}

/** Each witness in a sentence, the figures first; the mechanism only where waits were seen, or where PostgreSQL’s sessions stand in for them. */
export function witnessesOf(input: WitnessInput): Witness[] {
  const mechanism = mechanismWitness(input);
  return [figuresWitness(input), ...(mechanism === null ? [] : [mechanism])];
}

function percent(share: number): string {
  return `${100 * share < 0.05 ? '0' : oneDecimal(100 * share)} %`;
}

/** What more of what is tuned can gain beyond a value: by its waits, and by what is full there. */
export interface Bound {
  /** The share of a request's time that is spent waiting, and the most that it may be; null where it is not seen. */
  waits: { mean: number; high: number } | null;
  gain: number;
  /** What is full and leaves less to gain than the waits would; null where the waits bound it. */
  full: string | null;
}

/** Null where neither waits were seen nor anything is full. Where a larger one was seen to carry more by more than δ, nothing was full. */
export function boundOf(
  one: MeasuredCandidate,
  { candidates, statistics, seen, cores, delta }: Pick<WitnessInput, 'candidates' | 'statistics' | 'seen' | 'cores' | 'delta'>,
): Bound | null {
  const waits = waitLimits(waitShares(one));
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

function below({ knee, candidates }: WitnessInput): MeasuredCandidate | undefined {
  return candidates.filter(({ cost, blocks }) => cost < knee.confirmed.cost && blocks.length >= 2).sort((a, b) => b.cost - a.cost)[0];
}

/** A larger value that the figures prove better by more than δ than one that the mechanism calls enough. */
function contradicting({ candidates, statistics, delta }: WitnessInput, claimed: MeasuredCandidate): MeasuredCandidate | undefined {
  const margin = Math.log(1 - delta);
  const level = (rival: MeasuredCandidate): number => (bothAmple(waitShares(claimed), waitShares(rival)) ? againstMechanism : 0.95);
  return candidates.find((rival) => rival.cost > claimed.cost && largestRatio(claimed.key, rival.key, statistics, level(rival)) < margin);
}

function figuresWitness(input: WitnessInput): Witness {
  const { knee, statistics, delta, nameOf } = input;
  const { confirmed, best, plausible, proven } = knee;
  const mean = (one: MeasuredCandidate): string => `${wholeNumber(statistics.intervals.get(one.key)?.mean ?? 0)} req/s`;
  const rounds = confirmed.blocks.length;
  const smaller = below(input);
  const gap = smaller === undefined ? null : statistics.difference(smaller.key, confirmed.key);
  const parts = [`${nameOf(confirmed)} carried ${mean(confirmed)} in ${rounds} rounds`];
  if (best !== confirmed) parts.push(`the fastest, ${nameOf(best)}, ${mean(best)}`);
  if (smaller !== undefined && gap !== null) parts.push(`${nameOf(smaller)} ${lossPhrase(gap.ratio)} against it`);
  const single = proven && plausible === confirmed;
  const tail = single
    ? ''
    : plausible === confirmed
      ? `, not yet proven to within ${percent(delta)}`
      : `; ${nameOf(plausible)} is not yet told apart`;
  return { kind: 'figures', says: single ? 'for' : 'open', sentence: `${parts.join('; ')}${tail}.` };
}

/** So much of a pool at work leaves nobody waiting for long; where it is so full at the next smaller size, that one was the limit. */
const sparePool = 0.8;
const fullPool = 0.9;

/** What PostgreSQL shows of its sessions, where nothing looks into the app. It supports an answer, and stops no search: see `busySessions`. */
function sessionWitness(input: WitnessInput): Witness | null {
  const { knee, busySessions, nameOf } = input;
  const own = busySessions?.get(knee.confirmed.key);
  if (own === undefined) return null;
  const smaller = below(input);
  const before = smaller === undefined ? undefined : busySessions?.get(smaller.key);
  const contrast = smaller === undefined || before === undefined ? '' : `, with ${nameOf(smaller)} ${percent(before)}`;
  const spare = own <= sparePool && (before === undefined || before >= fullPool);
  const meaning = spare
    ? 'so that hardly anybody waits for a connection'
    : own <= sparePool
      ? 'so that the pool was the limit of neither, as far as PostgreSQL can tell'
      : 'so that requests may wait for one, as far as PostgreSQL can tell';
  return {
    kind: 'mechanism',
    says: spare ? 'for' : 'open',
    sentence: `with ${nameOf(knee.confirmed)} PostgreSQL saw ${percent(own)} of the pool at work${contrast}, ${meaning}.`,
  };
}

function mechanismWitness(input: WitnessInput): Witness | null {
  const { knee, candidates, delta, resource, nameOf } = input;
  if (resource === null) return null;
  const { what, size } = resourceWords[resource];
  const waitsOf = (one: MeasuredCandidate): ReturnType<typeof waitLimits> => waitLimits(waitShares(one));
  const { confirmed } = knee;
  const bound = boundOf(confirmed, input);
  const own = bound?.waits ?? null;
  if (bound === null || own === null) return resource === 'pool' ? sessionWitness(input) : null;
  const claimed = [...candidates].sort((a, b) => a.cost - b.cost).find((one) => isEnough(one, delta));
  const rival = claimed === undefined ? undefined : contradicting(input, claimed);
  if (claimed !== undefined && rival !== undefined)
    return {
      kind: 'mechanism',
      says: 'against',
      sentence: `with ${nameOf(claimed)} a request waits ${percent(waitsOf(claimed)?.mean ?? 0)} of its time for ${what}, so that a larger ${size} should gain next to nothing, and yet the figures say that ${nameOf(rival)} is faster. The two disagree: something else changes with the size.`,
    };
  const smaller = below(input);
  const before = smaller === undefined ? null : waitsOf(smaller);
  const contrast = smaller === undefined || before === null ? '' : `; with ${nameOf(smaller)} it is ${percent(before.mean)}`;
  if (own.high <= enoughShare(delta)) {
    const { denied } = knee;
    const noise =
      denied === undefined
        ? ''
        : ` Nobody waits with ${nameOf(denied)} either: that it did more is what hit the blocks of the other, and not its size.`;
    return {
      kind: 'mechanism',
      says: 'for',
      sentence: `with ${nameOf(confirmed)} a request waits ${percent(own.mean)} of its time for ${what}, so that no larger ${size} can gain more than ${percent(bound.gain)}${contrast}.${noise}`,
    };
  }
  const gain = `a larger ${size} can gain ${bound.full === null ? `up to ${percent(Math.min(bound.gain, 99))}` : `${percent(bound.gain)} at the most`}`;
  const because = bound.full === null ? `: ${gain}` : `, but ${bound.full} is full: ${gain}`;
  return {
    kind: 'mechanism',
    says: bound.gain <= delta ? 'for' : 'open',
    sentence: `with ${nameOf(confirmed)} a request still waits ${percent(own.mean)} of its time for ${what}${because}${contrast}.`,
  };
}
