import type { NextAction } from '../../../model/domain/verdict/nextActions.ts';
import type { VerdictPart } from '../../../model/domain/verdict/verdictKinds.ts';
import { advice, record } from '../actions.ts';
import { type Check, atLeast, below, partAtLeast, share } from '../checks.ts';
import { taken, workloadCpuShare } from '../cpuUse.ts';
import { type RequestTime, requestTime, stoodStillMs, unexplainedMs } from '../requestTime.ts';
import type { Rule } from '../rule.ts';
import { type Signals, addressOf } from '../signals.ts';
import { type Threshold, thresholds } from '../thresholds.ts';
import { cpuAtLeast, cpuIdle, ofCoresLeft } from './guards.ts';

/**
 * Threads that wait for a monitor, by thread dumps; only those outside of the queue for the pool. That queue exists because the others keep their connections
 * while they wait.
 */
export const applicationLock: Rule = {
  kind: 'application-lock',
  byWaits: true,
  applies: (s) => s.blocked !== null,
  checks: (s) => [
    threadsLocked(s),
    atLeast('must', { code: 'such-threads' }, s.blocked?.threads ?? null, { ...thresholds.waiting, limit: fewestLocked }),
    cpuIdle(s),
  ],
  explain: (s) => ({
    said: { code: 'app-lock', waiting: s.blocked?.threads ?? 0, threads: s.blocked?.of ?? 0, where: s.blocked?.where ?? null },
    why: [{ code: 'app-lock-why', poolQueues: isQueued(s) }],
    actions: [record('lock', { code: 'which-locks' }), record('wall', { code: 'wall-graph' })],
  }),
};

/** Where others used much of the CPU, many wait by chance for a lock whose owner waits for its turn; only where nearly all do is it sure. */
function threadsLocked(s: Signals): Check {
  const part = share(s.blocked?.threads, s.blocked?.of);
  const check = partAtLeast('threads-locked', s.blocked?.threads, s.blocked?.of, lockedShare(s));
  return { ...check, near: check.near || (taken(s) >= thresholds.highInterference.limit && (part ?? 0) < nearlyAll) };
}

const nearlyAll = 0.7;

/** With a pool of two, one thread has the lock and one waits for it, and a dump may find them between two turns. */
const fewestLocked = 0.6;

function isQueued(s: Signals): boolean {
  return (s.pool?.pending ?? 0) >= thresholds.waiting.limit;
}

/** A queue before the pool has a cause of its own unless the lock is that: then nearly all that hold a connection wait for it, and of two one. */
function lockedShare(s: Signals): Pick<Threshold, 'limit' | 'source'> {
  const { limit, source } = thresholds.blockedThreads;
  return isQueued(s) ? { limit: 0.4, source } : { limit, source };
}

/** What the app lets only a few requests do at a time, by the number of those that are always there: calls of another service, or uses of the database. */
function fewAtATime({ outbound, pool }: Signals): { few: number; to: string | null; database: boolean; eachMs: number | null } | null {
  if (outbound?.always != null) return { few: outbound.always, to: addressOf(outbound.name), database: false, eachMs: outbound.holdMs };
  return pool?.always == null ? null : { few: pool.always, to: null, database: true, eachMs: pool.holdMs };
}

/** Requests wait in the app, and always the same small number of them is past that. Never sure: who lets no more pass is not seen. */
export const limitOfApp: Rule = {
  kind: 'application-lock',
  byWaits: true,
  applies: (s) => fewAtATime(s) !== null,
  checks: (s) => {
    const { few = null, database = false } = fewAtATime(s) ?? {};
    const requests = s.load === 'closed' ? s.connections : (s.throughput * (s.meanMs ?? 0)) / 1000;
    return [
      hidden(s),
      {
        ...atLeast('must', { code: 'requests-for-each', database }, share(requests, few), thresholds.requestsPerTurn),
        near: true,
      },
      cpuIdle(s),
    ];
  },
  explain: (s) => {
    const { few = 0, to = null, database = false, eachMs = null } = fewAtATime(s) ?? {};
    return {
      said: { code: 'app-lets-few', few, to, database, waitMs: unexplainedMs(s), meanMs: s.meanMs },
      why: [{ code: 'app-lets-few-why', eachMs }],
      actions: [advice({ code: 'raise-limit-of-app', few, to, database }), record('wall', { code: 'wall-graph' })],
    };
  },
};

type SpentParts = Extract<VerdictPart, { code: 'spent' }>['parts'];

/** The parts of a request’s time that something accounts for, the largest first. */
function accountedFor(time: RequestTime): SpentParts {
  const parts: SpentParts = [
    { what: 'pool-wait', ms: time.poolWaitMs },
    { what: 'hold', ms: time.databaseMs },
    { what: 'outbound', ms: time.outboundMs },
    { what: 'stood-still', ms: time.stoodMs },
    { what: 'cpu', ms: time.cpuMs },
  ];
  return parts.filter((part) => part.ms >= 0.02 * time.totalMs).sort((a, b) => b.ms - a.ms);
}

/** Nothing that is watched is full, the CPU is idle, and yet most of a request’s time passes somewhere. */
export const unknownWait: Rule = {
  kind: 'unknown-wait',
  byWaits: true,
  applies: () => true,
  checks: (s) => [hidden(s), cpuIdle(s)],
  explain: (s) => {
    const time = requestTime(s);
    const connections = 2 * s.connections;
    const actions: NextAction[] = [
      record('wall', { code: 'where-time-goes' }),
      { kind: 'connections', label: { code: 'is-it-a-queue', connections }, connections },
      ...(s.runtime === 'jvm' ? [record('lock', { code: 'which-locks' })] : []),
    ];
    const several = s.connections >= 2;
    const cpuShare = workloadCpuShare(s);
    if (time === null)
      return { said: { code: 'unseen-wait', several, of: null }, why: [{ code: 'time-unseen' }, { code: 'queue-or-time' }], actions };
    const parts = accountedFor(time);
    const { totalMs: meanMs, unexplainedMs: unseenMs, heldIdleMs: idleMs } = time;
    if (unseenMs < thresholds.unexplained.limit * meanMs) {
      return {
        said: { code: 'no-single-limit', meanMs, knownMs: meanMs - unseenMs },
        why: [...(parts.length === 0 ? [] : [{ code: 'spent' as const, parts }]), { code: 'raise-load' }],
        actions,
      };
    }
    const rest: VerdictPart[] = parts.length === 0 ? [] : [{ code: 'rest-spent', parts }];
    if (idleMs >= 0.5 * unseenMs) {
      return {
        said: { code: 'held-for-unseen', several, idleMs, meanMs, cpuShare },
        why: [{ code: 'perhaps-lock' }, ...rest, { code: 'queue-or-time' }],
        actions,
      };
    }
    const stoodMs = stoodStillMs(s, 'loop');
    if (stoodMs >= 0.5 * unseenMs) {
      return {
        said: { code: 'wait-for-loop', several, stoodMs, meanMs },
        why: [{ code: 'loop-or-turn', taken: taken(s) }, ...rest],
        actions: [record('wall', { code: 'what-blocks-loop' }), ...actions.slice(1)],
      };
    }
    return {
      said: { code: 'unseen-wait', several, of: { unseenMs, meanMs, cpuShare } },
      why: [{ code: 'perhaps-timer' }, ...rest, { code: 'queue-or-time' }],
      actions,
    };
  },
};

function hidden(s: Signals): Check {
  const time = unexplainedMs(s);
  const part = share(time, s.meanMs);
  // Where others used much of the CPU, a wait that is not very long compared with the CPU time of a request may be one for a turn.
  const isShort = taken(s) >= thresholds.highInterference.limit && (share(time, ownCpuMs(s)) ?? 0) < longestTurns(s);
  const check = atLeast('must', { code: 'unaccounted', share: part, ms: time }, part, thresholds.unexplained);
  // A pause of this length was seen, though not its cause.
  const isSeen = stoodStillMs(s, 'loop', 'standstill') >= 0.5 * (time ?? Number.POSITIVE_INFINITY);
  return { ...check, near: check.near || isShort || isSeen };
}

/** CPU times of a request that its waits for a turn may take: where others use several times what they left, each turn comes as many times later. */
function longestTurns(s: Signals): number {
  const others = taken(s) / Math.max(0.01, 1 - taken(s));
  return thresholds.turnsPerRequest.limit * Math.max(1, others);
}

/** ms of CPU that app, database and load generator use for a request. */
function ownCpuMs(s: Signals): number | null {
  const own = workloadCpuShare(s);
  return own === null || s.cores === null || s.throughput <= 0 ? null : (1000 * own * s.cores) / s.throughput;
}

/**
 * Nothing in the app explains the time, and no core was left idle. Only a guess: a wait that is very long compared with the CPU time of a request is none for a
 * turn, since the scheduler shares.
 */
export const busyMachine: Rule = {
  kind: 'busy-machine',
  applies: (s) => taken(s) > 0,
  checks: (s) => [
    hidden(s),
    // Never sure: who waited for a turn, and for how long, is not seen.
    { ...atLeast('must', { code: 'cpu-taken' }, taken(s), thresholds.noticeableInterference), near: true },
    cpuAtLeast('must', { ...ofCoresLeft(s), code: 'cpu-of-what-was-left' }, thresholds.machineCpu),
    below('must', { code: 'in-cpu-times' }, share(unexplainedMs(s), ownCpuMs(s)), thresholds.turnsPerRequest),
  ],
  explain: (s) => ({
    said: { code: 'busy-machine', taken: taken(s) },
    why: [{ code: 'busy-machine-why', unexplainedMs: unexplainedMs(s), meanMs: s.meanMs }],
    actions: [advice({ code: 'close-programs' }), record('cpu', { code: 'cpu-graph' })],
  }),
};
