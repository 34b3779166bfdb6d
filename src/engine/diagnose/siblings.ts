import { fromSource } from '../../model/domain/verdict/thresholdSources.ts';
import type { Diagnosis } from '../../model/domain/diagnosis.ts';
import { type DiagnosisKind, isLimit } from '../../model/domain/diagnosisKind.ts';
import { type Trial, wantedByAllPercent } from '../../model/domain/run.ts';
import type { Evidence } from '../../model/domain/verdict/evidence.ts';
import type { WaitedFor } from '../../model/domain/verdict/runVerdicts.ts';
import { advice, possible, record } from './actions.ts';
import { beatenByLarger } from './beatenByLarger.ts';
import { clearlyMore, differing, differInOne, isDiscarded, isPoolFull, useOf, wantedGain } from './likeTrials.ts';
import { thresholds } from './thresholds.ts';

/** What a larger pool would have to bring, by Little’s law, for its not bringing it to mean anything. */
const leastExpected = 1.3;
/** Where at most this share of the expected gain was reached, no pool was the limit. */
const mostOfGain = 0.25;
/** Where connections are held while each waits for its turn on the CPU, more of them ask for more of it: by so much at least. */
const leastWantedMore = 1.1;
/** The share of the growth of the hold time that goes with it: a queue behind the pool makes it grow as the pool does. */
const leastOfHold = 0.5;

/** Two sizes of one pool under one load, of which the larger brought nothing. */
interface NoGain {
  smaller: Trial;
  larger: Trial;
  /** The ratio of the larger to the smaller, 1 being the same. */
  gain: number;
  expected: number;
}

/**
 * Verdicts that look at the whole run. A single trial cannot distinguish a pool that is too small from a pool that is full because its connections wait for
 * each other (for a lock, say). Trials of the same target under the same load with different pool sizes can: where the larger pool brought no more throughput,
 * and its connections were held longer in proportion, the pool is not what limits either of them. CPU that others use slows both figures alike. Returns the
 * trials with their verdicts, those that no sibling contradicts unchanged. `cores`: of the machine; null where they are not known.
 */
export function judgeTogether(trials: readonly Trial[], cores: number | null = null): Trial[] {
  const pairs = trials.flatMap((smaller) => trials.flatMap((larger) => noGain(smaller, larger) ?? []));
  return trials.map((trial) => {
    const load = noMoreFromLoad(trial, trials);
    const pair = pairs.find(({ smaller }) => smaller === trial) ?? pairs.find(({ larger }) => larger === trial);
    if (trial.diagnosis === null || pair === undefined) {
      const diagnosis = load ?? beatenByLarger(trial, trials);
      return diagnosis === null ? trial : { ...trial, diagnosis };
    }
    return isContradicted(trial.diagnosis.kind, trial === pair.smaller)
      ? { ...trial, diagnosis: behindThePool(trial, trial.diagnosis, pair, cores) }
      : trial;
  });
}

const ofPool: readonly DiagnosisKind[] = ['pool-limited', 'held-connection'];
/** Verdicts on a pool, and those that name no limit. */
const ofNoLimit: readonly DiagnosisKind[] = [...ofPool, 'client-limited', 'healthy', 'unknown-wait'];

/** What a pool that is not the limit was judged to be: too small, or, for the larger one, with room. A lock that thread dumps show stays. */
function isContradicted(kind: DiagnosisKind, isSmaller: boolean): boolean {
  return (isSmaller ? ofPool : ofNoLimit).includes(kind);
}

/** Whether `larger` is the same except for a larger pool, which by what is seen of `smaller` was to bring more, and brought nothing. */
function noGain(smaller: Trial, larger: Trial): NoGain | null {
  const [less, more] = [smaller.pool, larger.pool];
  if (less?.max == null || more?.max == null || more.max <= less.max || !differInOne(smaller, larger)) return null;
  const [before, after] = [smaller.throughput.mean, larger.throughput.mean];
  if (!isPoolFull(smaller) || before <= 0 || after <= 0 || isDiscarded(smaller) || isDiscarded(larger)) return null;
  const expected = wantedGain(smaller, less.max, more.max);
  const gain = after / before;
  const grew = less.holdMs === null || more.holdMs === null || less.holdMs <= 0 ? null : more.holdMs / less.holdMs;
  if (expected < leastExpected || gain > 1 + mostOfGain * (expected - 1) * Math.min(1, 1 / (expected - 1))) return null;
  return grew !== null && grew >= 1 + leastOfHold * (expected / gain - 1) ? { smaller, larger, gain, expected } : null;
}

function locks({ resources: { sessions } }: Trial): number {
  const waiting = Object.entries(sessions).reduce((sum, [name, many]) => (name.startsWith('Lock:') ? sum + many : sum), 0);
  return waiting / Math.max(1, sessions['active'] ?? 0);
}

/** The share of the connections in use on which no statement ran; null where sessions were not seen. */
function idle({ pool, resources: { sessions } }: Trial): number | null {
  if (pool === null || pool.busy <= 0 || Object.keys(sessions).length === 0) return null;
  return Math.max(0, pool.busy - (sessions['active'] ?? 0)) / pool.busy;
}

/** What it is that connections wait for, as far as the two trials show: what the larger one was found to be limited by, a lock, or what nobody saw. */
function limitBehind({ larger, smaller }: NoGain, cores: number | null): { kind: DiagnosisKind; waitedFor: WaitedFor } {
  const found = larger.diagnosis?.kind ?? 'unknown-wait';
  if (![...ofNoLimit, 'busy-machine', 'invalid'].includes(found))
    return { kind: found, waitedFor: { by: 'verdict', kind: found, connections: larger.pool?.max ?? null } };
  if (Math.max(locks(larger), locks(smaller)) >= thresholds.lockShare.limit)
    return { kind: 'database-lock', waitedFor: { by: 'database-lock' } };
  const queue = cores === null ? null : queueForCpu(smaller, larger, cores);
  if (queue !== null) return queue;
  const idleShare = Math.max(idle(larger) ?? 0, idle(smaller) ?? 0);
  if (idleShare >= thresholds.lockShare.limit) return { kind: 'application-lock', waitedFor: { by: 'idle', share: idleShare } };
  return { kind: 'unknown-wait', waitedFor: { by: 'nothing' } };
}

/**
 * Whether the queue behind the pool is one for the CPU: app, database and load generator ask for nearly all of it, and for more of it with more connections,
 * or for more than there is with the smaller pool already. Behind a lock one at a time has something to do, however many wait. Where others take much, a single
 * thread can ask for more than there is.
 */
function queueForCpu(smaller: Trial, larger: Trial, cores: number): ReturnType<typeof limitBehind> | null {
  const [less, more] = [wantedByAllPercent(smaller.resources), wantedByAllPercent(larger.resources)];
  if (less === null || more === null || more < 100 * cores * thresholds.machineCpu.limit) return null;
  const takenPercent = larger.interference?.takenPercent ?? 0;
  const isTaken = takenPercent >= 100 * thresholds.highInterference.limit;
  const isFullBefore = !isTaken && less >= 100 * cores;
  if (!isFullBefore && more < leastWantedMore * less) return null;
  const waitedFor = { by: 'cpu' as const, fewCores: less / 100, manyCores: more / 100, cores, takenPercent: isTaken ? takenPercent : null };
  return { kind: isTaken ? 'busy-machine' : 'cpu', waitedFor };
}

/** A gain of less than this is not worth its connections. */
const nextToNothing = 0.05;
function isNothing({ gain }: NoGain): boolean {
  return gain <= 1 + nextToNothing;
}

/** Names what limits by two trials; where the larger pool did bring something, the pool is what comes first at the smaller size. */
function saidOf(behind: DiagnosisKind, pair: NoGain, isSmaller: boolean): Diagnosis['said'] {
  const { smaller, larger, expected } = pair;
  const [few, many] = [smaller.pool?.max ?? 0, larger.pool?.max ?? 0];
  const gained = clearlyMore(smaller, larger);
  if (gained !== null) return { code: isSmaller ? 'pool-first' : 'behind-pool-by-now', behind, few, many, ratio: gained.ratio, expected };
  const [fewPerS, manyPerS] = [smaller.throughput.mean, larger.throughput.mean];
  return { code: 'behind-pool', behind, few, many, fewPerS, manyPerS, isNothing: isNothing(pair) };
}

function behindThePool(trial: Trial, was: Diagnosis, pair: NoGain, cores: number | null): Diagnosis {
  const { smaller, larger, gain, expected } = pair;
  const [few, many] = [smaller.pool?.max ?? 0, larger.pool?.max ?? 0];
  const { kind, waitedFor } = limitBehind(pair, cores);
  const forCpu = kind === 'busy-machine' || kind === 'cpu';
  const helps = clearlyMore(smaller, larger) !== null;
  const isPoolFirst = helps && trial === smaller;
  const [fewMs, manyMs] = [smaller.pool?.holdMs ?? null, larger.pool?.holdMs ?? null];
  const evidence: Evidence[] = [
    {
      what: { code: 'gain-if-limit', few, many },
      value: gain,
      unit: 'share',
      threshold: { is: '<', limit: expected },
      met: true,
      source: fromSource('little-on-trials'),
    },
    {
      what: { code: 'hold-of-larger', few, many, fewMs },
      value: manyMs,
      unit: 'ms',
      threshold: { is: '>', limit: fewMs ?? 0 },
      met: true,
      source: fromSource('queue-behind-pool'),
    },
  ];
  const { pool } = trial;
  const inUse = pool?.max == null ? null : { busy: Math.min(pool.busy, pool.max), max: pool.max };
  return {
    kind: isPoolFirst ? 'pool-limited' : kind,
    confident: false,
    said: saidOf(kind, pair, trial === smaller),
    why: [{ code: 'behind-pool-why', forCpu, inUse, few, many, fewMs, manyMs, helps, waitedFor }],
    evidence: [...evidence, ...was.evidence],
    ruledOut: [
      ...(helps || !isNothing(pair)
        ? []
        : [{ kind: 'pool-limited' as const, because: { code: 'larger-brought-nothing' as const, few, many } }]),
      ...was.ruledOut.filter((one) => one.kind !== kind && one.kind !== 'pool-limited'),
    ],
    actions: possible(
      [
        ...(isPoolFirst ? useOf(smaller, larger) : []),
        ...(forCpu
          ? [record('cpu', { code: 'what-takes-time' }), advice({ code: kind === 'cpu' ? 'more-cores' : 'close-programs' })]
          : [
              ...(trial.runtime === 'jvm' ? [record('lock', { code: 'which-locks' })] : []),
              record('wall', { code: 'what-waits-held' }),
              advice({ code: 'hold-shorter' }),
            ]),
      ],
      trial.runtime,
    ),
    threadDumps: was.threadDumps,
  };
}

/**
 * For a trial that its load seems to limit, although twice that load brought no more: the limit under that load is the limit here. The load alone would bring
 * nothing.
 */
function noMoreFromLoad(trial: Trial, trials: readonly Trial[]): Diagnosis | null {
  const { diagnosis } = trial;
  if (diagnosis?.kind !== 'client-limited' || trial.throughput.mean <= 0) return null;
  const more = trials.filter(
    (one) =>
      one.target === trial.target && one.connections >= 1.5 * trial.connections && differing(one, trial).length === 0 && !isDiscarded(one),
  );
  const [next] = [...more].sort((a, b) => a.connections - b.connections);
  const found = next?.diagnosis;
  if (next === undefined || found == null || next.throughput.mean > 1.1 * trial.throughput.mean || !isLimit(found.kind)) return null;
  if (found.kind === 'client-limited') return null;
  const [connections, moreConnections] = [trial.connections, next.connections];
  return {
    ...diagnosis,
    kind: found.kind,
    confident: false,
    said: { code: 'no-more-from-load', connections, perS: trial.throughput.mean, moreConnections, morePerS: next.throughput.mean },
    why: [{ code: 'no-more-from-load-why', connections, moreConnections }, found.said],
    actions: found.actions,
  };
}
