import type { NextAction } from '../../../model/domain/verdict/nextActions.ts';
import type { VerdictPart } from '../../../model/domain/verdict/verdictKinds.ts';
import { advice, raise, record, tuneAround, whoWaits } from '../actions.ts';
import { type Check, anyOf, atLeast, below, holds, plain, share } from '../checks.ts';
import type { Rule, RuleVerdict } from '../rule.ts';
import { deadlockFloor } from '../sizes.ts';
import { appCpuShare, pgCpuShare, taken } from '../cpuUse.ts';
import { heldIdle, heldIdleAtLeast, heldIdleMs } from '../requestTime.ts';
import { type Signals, addressOf, errorShare, looksUnanswered, processesWith } from '../signals.ts';
import { thresholds } from '../thresholds.ts';
import { cpuBelow, cpuIdle, ofPostgres } from './guards.ts';
import { full, fullOfSeveral, needed, queued, standsStill, waitedFor } from './poolChecks.ts';

/** Connections that the requests of a closed loop can want at once; null where more can come. */
function mostWanted(s: Signals): number | null {
  return s.load === 'closed' ? s.connections * Math.max(1, waitedFor(s)?.perRequest ?? 1) : null;
}

/** Whether the pool has a connection for every one that the load can ask for at once: it can never be what they wait for. */
export function isBeyondLoad(s: Signals): boolean {
  const [most, max] = [mostWanted(s), waitedFor(s)?.max];
  return most !== null && max != null && max >= most;
}

/**
 * Every connection is held by a request that waits for another one, and nothing gives any back. Comes before what discards a measurement: nothing is answered
 * then, which looks as though the load generator did not use its connections.
 */
export const poolLockedUp: Rule = {
  kind: 'pool-exhausted',
  surely: true,
  applies: (s) => s.pool !== null && looksUnanswered(s),
  checks: (s) => [standsStill(s), holdersUnderWay(s), atLeast('sign', { code: 'held-idle' }, heldIdle(s), thresholds.heldIdle)],
  explain: (s) => {
    const { max = null, pending = null, completions = null, outlived } = s.pool ?? {};
    const stand = { max, pending, noneBack: (completions ?? 0) === 0 };
    const lost = outlived?.held ?? null;
    const told = deadlock(s, { code: 'pool-locked-up', ...stand });
    if ((lost === 0 && !mayBeLost(s)) || takesSeveral(s)) return told;
    return {
      said: { code: 'pool-stands', ...stand },
      why: [{ code: 'pool-stands-why', outlived: lost, unsure: outlived?.unsure ?? 0 }, ...told.why],
      actions: [advice({ code: 'give-back-of-request' }), ...told.actions],
    };
  },
};

/** Whether so many connections may be of requests that are over that a leak would explain it as well. */
function mayBeLost(s: Signals): boolean {
  const unsure = share(s.pool?.outlived?.unsure ?? 0, s.pool?.max);
  return unsure !== null && unsure >= thresholds.leakedShare.limit;
}

/** Whether requests in progress hold the pool, so that they can wait for each other; not known where nobody knows who holds what. */
function holdersUnderWay(s: Signals): Check {
  const lost = s.pool?.outlived?.held ?? null;
  const known = (lost !== null && !mayBeLost(s)) || (s.pool?.perRequest ?? 0) >= thresholds.acquisitionsPerRequest.limit;
  return holds('guard', { code: 'outlived' }, known ? true : null, { value: lost ?? 0 });
}

/** Requests gave up waiting for a connection, so that figures of throughput say little; two connections per request can block each other for good. */
export const poolExhausted: Rule = {
  kind: 'pool-exhausted',
  surely: true,
  applies: (s) => s.pool !== null,
  checks: (s) => [
    atLeast('must', { code: 'gave-up' }, s.pool?.timeouts ?? null, {
      limit: 1,
      unit: 'count',
      source: 'any-time-out',
    }),
    // A pool that is not full may fail to open connections, which fails requests. Whoever only left without an answer is no sign of that.
    ...(errorShare(s) === 0
      ? [full(s)]
      : anyOf(full(s), atLeast('must', { code: 'gave-up-of-all' }, share(s.pool?.timeouts, s.attempts), thresholds.errorsFlagged))),
    atLeast('sign', { code: 'taken-for-request' }, s.pool?.perRequest ?? null, thresholds.acquisitionsPerRequest),
    atLeast('sign', { code: 'held-idle' }, heldIdle(s), thresholds.heldIdle),
  ],
  explain: (s) => {
    const max = s.pool?.max ?? null;
    const timeouts = s.pool?.timeouts ?? 0;
    if (takesSeveral(s)) return deadlock(s, { code: 'pool-ran-dry', timeouts, max, holdsOne: true });
    return {
      said: { code: 'pool-ran-dry', timeouts, max, holdsOne: false },
      why: [{ code: 'pool-ran-dry-why', holdMs: s.pool?.holdMs ?? null }],
      actions: wider(s),
    };
  },
};

function wider(s: Signals): NextAction[] {
  const [count, many] = [needed(s, waitedFor(s)), processesWith(s.pool, s)];
  return [...raise(s.knobs.pool, count, many), ...tuneAround(s.knobs.pool, count, many), whoWaits];
}

const mostUnanswered = 0.5;

/** What to say of requests that hold one connection while they wait for another. */
function deadlock(s: Signals, said: VerdictPart): RuleVerdict {
  const { value } = s.knobs.threads ?? {};
  const many = processesWith(s.pool, s);
  // Of requests that are never answered, connections count and they themselves do not.
  const isKnown = errorShare(s) < mostUnanswered && (s.pool?.lockedUp ?? 0) < thresholds.lockedUp.limit;
  const each = isKnown ? Math.max(2, Math.ceil(s.pool?.perRequest ?? 2)) : 2;
  // Each process locks itself up for its own: the worst that can come to one of them is all of the load.
  const atOnce = typeof value === 'number' ? Math.min(s.connections, value) : s.connections;
  const floor = deadlockFloor(atOnce, each);
  return {
    said,
    why: [{ code: 'second-connection', requests: atOnce, each, floor, inEach: many > 1 }],
    actions: [advice({ code: 'one-connection' }), ...raise(s.knobs.pool, floor * many, many), whoWaits],
  };
}

/**
 * Whether requests wait for a second connection while they hold one: they acquire 1.5 or more each, or connections are held for a good part of the pool’s
 * time-out without a statement on them (a request that failed has acquired only one of its two).
 */
function takesSeveral(s: Signals): boolean {
  if ((s.pool?.perRequest ?? 0) >= thresholds.acquisitionsPerRequest.limit) return true;
  const timeoutMs = s.knobs.poolTimeoutMs?.value;
  const isLong = typeof timeoutMs === 'number' && (s.pool?.holdMs ?? 0) >= 0.3 * timeoutMs;
  return isLong && (heldIdle(s) ?? 0) >= thresholds.heldIdle.limit && (s.sessions?.idleInTransaction ?? 0) < 0.5 * (s.pool?.busy ?? 0);
}

/** Of the connections in use, an idle share; of several pools the least that it may be of the full one: all others that are in use may be idle. */
function ofFull(s: Signals, idle: number | null): number | null {
  const [one, busy] = [fullOfSeveral(s), s.pool?.busy ?? null];
  if (one === null || idle === null || busy === null || one.busy <= 0) return idle;
  return Math.max(0, idle * busy - (busy - one.busy)) / one.busy;
}

/** The pool is full of connections on which nothing is asked. */
export const heldConnection: Rule = {
  kind: 'held-connection',
  byWaits: true,
  applies: (s) => s.pool !== null,
  checks: (s) => [
    full(s),
    queued(s),
    ...anyOf(
      atLeast(
        'must',
        { code: 'idle-in-transaction' },
        ofFull(s, share(s.sessions?.idleInTransaction, s.pool?.busy)),
        thresholds.idleInTransaction,
      ),
      atLeast('must', { code: 'held-idle-at-least' }, ofFull(s, heldIdleAtLeast(s)), thresholds.heldIdle),
    ),
    atLeast('must', { code: 'idle-of-use' }, heldIdleMs(s), thresholds.heldIdleMs),
    ...turnWhileHeld(s),
    ...mayBeTriedAgain(s),
    cpuIdle(s),
  ],
  explain: (s) => {
    const { busy = null, max = null, pending = null, holdMs = null } = waitedFor(s) ?? {};
    const elsewhere = waitMeanwhile(s);
    return {
      said: { code: 'connections-held', busy, max, active: s.sessions?.active ?? 0, pending },
      why: [{ code: 'connections-held-why', holdMs, usedMs: (holdMs ?? 0) * (1 - (heldIdle(s) ?? 0)), elsewhere }],
      actions: [
        ...(elsewhere === null ? [] : [advice({ code: 'ask-apart', to: elsewhere.to })]),
        record('wall', { code: 'what-is-done-held' }),
        advice({ code: 'work-outside' }),
        ...raise(s.knobs.pool, needed(s, s.pool), processesWith(s.pool, s)),
      ],
    };
  },
};

/**
 * An app that waits for the CPU with a connection in its hand looks the same, unless another service is known to be what it waits for. A session that is within a
 * transaction speaks for work in it, although the app also waits for its turn between two statements: where others used much, that is no sure sign.
 */
function turnWhileHeld(s: Signals): Check[] {
  if (waitMeanwhile(s) !== null) return [];
  const inTransaction = (share(s.sessions?.idleInTransaction, s.pool?.busy) ?? 0) >= thresholds.idleInTransaction.limit;
  if (!inTransaction) return [below('guard', { code: 'cpu-taken-while-held' }, taken(s), thresholds.interferenceWhileHeld)];
  const isHigh = taken(s) >= thresholds.highInterference.limit;
  return isHigh ? [{ ...plain({ code: 'cpu-taken-while-held' }, taken(s), 'share'), role: 'guard', near: true }] : [];
}

/** Transactions that fail and are tried again hold connections for longer, and more connections make more of them fail: no sure sign of a pool. */
function mayBeTriedAgain(s: Signals): Check[] {
  const { rolledBack } = s.causes;
  if (rolledBack === null || rolledBack < thresholds.rolledBack.limit) return [];
  return [{ ...plain({ code: 'rolled-back' }, rolledBack), role: 'guard', near: true }];
}

/** The wait of a request for another service, where it is as long as most of the time for which the request keeps its connection idle. */
function waitMeanwhile(s: Signals): { to: string | null; waitMs: number } | null {
  const { outbound, pool } = s;
  if (outbound?.holdMs == null || pool?.holdMs == null) return null;
  const waitMs = outbound.holdMs * (outbound.perRequest ?? 1);
  const all = pool.holdMs * (pool.perRequest ?? 1);
  const ofIdle = share(waitMs, (heldIdle(s) ?? 0) * all);
  return ofIdle === null || ofIdle < thresholds.heldIdle.limit || waitMs > all ? null : { to: addressOf(outbound.name), waitMs };
}

/** More connections would be used, and the database could serve them. */
export const poolLimited: Rule = {
  kind: 'pool-limited',
  byWaits: true,
  applies: (s) => s.pool !== null,
  checks: (s) => [
    // A queue that never empties proves that connections are missing; in use they are only between getting one and giving it back.
    ...anyOf(
      full(s),
      atLeast('must', { code: 'pool-queue-for-each' }, share(waitedFor(s)?.pending, waitedFor(s)?.max), thresholds.waiting),
    ),
    queued(s),
    ...wantsMore(s),
    cpuBelow('guard', ofPostgres(s), thresholds.databaseCpu),
    below('guard', { code: 'sessions-waiting' }, waitingSessions(s), thresholds.lockShare),
    ...mayBeTriedAgain(s),
    cpuIdle(s),
  ],
  explain: (s) => {
    const pool = waitedFor(s);
    const count = needed(s, pool);
    const many = processesWith(s.pool, s);
    const { busy = null, max = null, pending = null, waitMs = null, holdMs = null, perRequest = null } = pool ?? {};
    const heldMs = (holdMs ?? 0) * Math.max(1, perRequest ?? 1);
    const times: VerdictPart = {
      code: 'pool-full-why',
      waitMs,
      holdMs,
      postgresShare: pgCpuShare(s),
      appShare: appCpuShare(s),
      isShared: s.isShared,
    };
    const why: VerdictPart[] = [
      times,
      ...(count === null ? [] : [{ code: 'connections-needed' as const, connections: count, processes: many, holdMs: heldMs }]),
    ];
    const one = fullOfSeveral(s);
    if (one === null) return { said: { code: 'pool-full', busy, max, pending, processes: many }, why, actions: wider(s) };
    const { name, madeAt, isOnlyOfSize } = one;
    const others = {
      busy: Math.max(0, (s.pool?.busy ?? 0) - one.busy),
      max: s.pool?.max == null || max === null ? null : s.pool.max - max,
    };
    const { value, label: setting } = s.knobs.pool ?? { label: null };
    const isOfSetting = max === null || typeof value !== 'number' ? null : value * many !== max ? false : isOnlyOfSize ? true : null;
    return {
      said: { code: 'one-pool-full', busy, max, pending, name, madeAt, others },
      why: [...(setting === null ? [] : [{ code: 'one-pool-full-why' as const, setting, isOfSetting }]), ...why],
      actions: isOfSetting === true ? wider(s) : [advice({ code: 'larger-of-several', name, madeAt, max, needed: count }), whoWaits],
    };
  },
};

/** Of a closed loop it is known how many connections its requests can ask for at once. */
function wantsMore(s: Signals): Check[] {
  const max = waitedFor(s)?.max ?? null;
  if (s.load !== 'closed' || max === null) return [];
  const shown = { value: mostWanted(s) ?? 0, threshold: { is: '>', limit: max }, source: 'pool-of-as-many' } as const;
  return [holds('must', { code: 'wanted-at-once' }, !isBeyondLoad(s), shown)];
}

function waitingSessions(s: Signals): number | null {
  return s.sessions === null || s.sessions.active === 0 ? null : (s.sessions.lock + s.sessions.io) / s.sessions.active;
}
