import { wholeNumber } from '../../../model/domain/format.ts';
import { advice, raise, record, tuneAround } from '../actions.ts';
import { anyOf, atLeast, below, holds, share } from '../checks.ts';
import type { Check } from '../checks.ts';
import type { Rule, VerdictText } from '../rule.ts';
import { connectionsNeeded, deadlockFloor } from '../sizes.ts';
import { appCpuShare, fullestCpu, pgCpuShare } from '../cpuUse.ts';
import { taken } from '../cpuUse.ts';
import { heldIdle, heldIdleAtLeast, heldIdleMs } from '../requestTime.ts';
import { looksUnanswered, processesWith } from '../signals.ts';
import type { Signals } from '../signals.ts';
import { thresholds } from '../thresholds.ts';
import { allBusy, mean, ms, ofCores, percentOf, waited } from '../words.ts';
import { cpuIdle } from './guards.ts';
import { full, queued, standsStill } from './poolChecks.ts';

/** The size of all pools together, and of how many processes; a setting is of one. */
function processes(s: Signals): number {
  return processesWith(s.pool, s);
}

/** “ (4 in each of 2 processes)”. */
function ofEach(s: Signals): string {
  const many = processes(s);
  return many < 2 || s.pool?.max == null ? '' : ` (${mean(s.pool.max / many)} in each of ${many} processes)`;
}

/** Connections that the requests of a closed loop can want at once; null where more can come. */
function mostWanted(s: Signals): number | null {
  return s.load === 'closed' ? s.connections * Math.max(1, s.pool?.perRequest ?? 1) : null;
}

/** Whether the pool has a connection for every one that the load can ask for at once: it can never be what they wait for. */
export function isBeyondLoad(s: Signals): boolean {
  const most = mostWanted(s);
  return most !== null && s.pool?.max != null && s.pool.max >= most;
}

function needed(s: Signals): number | null {
  const { pool } = s;
  return pool === null
    ? null
    : connectionsNeeded({
        connections: s.connections,
        throughput: s.throughput,
        meanMs: s.meanMs,
        waitMs: pool.waitMs,
        holdMs: pool.holdMs,
        perRequest: pool.perRequest,
        cpuShare: fullestCpu(s),
        paced: s.load === 'paced',
      });
}

/**
 * Every connection is held by a request that waits for another one, and nothing gives any back. Comes before what discards a measurement: nothing is answered
 * then, which looks as though the load generator did not use its connections.
 */
export const poolLockedUp: Rule = {
  kind: 'pool-exhausted',
  surely: true,
  applies: (s) => s.pool !== null && looksUnanswered(s),
  checks: (s) => [
    standsStill(s),
    holdersUnderWay(s),
    atLeast('sign', 'connections in use on which no statement ran', heldIdle(s), thresholds.heldIdle, { unit: 'share' }),
  ],
  explain: (s) => {
    const held = `all of its ${s.pool?.max ?? 'few'} connections were held, ${waited(s.pool?.pending ?? null)}, and ${
      (s.pool?.completions ?? 0) === 0 ? 'none was given back' : 'nearly none was given back before a wait ran out'
    }`;
    const lost = s.pool?.outlived?.held ?? null;
    const told = deadlock(s, `The connection pool locked itself up: ${held}`);
    if ((lost === 0 && !mayBeLost(s)) || takesSeveral(s)) return told;
    const unsure = s.pool?.outlived?.unsure ?? 0;
    const known =
      lost === null
        ? ''
        : `: ${mean(lost)} of the connections outlived the request that took them${unsure === 0 ? '' : `, and of ${mean(unsure)} it is not known`}`;
    return {
      headline: `The connection pool came to a stand: ${held}.`,
      explanation: `Either requests hold one connection while they wait for another, or requests end without giving theirs back${known}. A larger pool cures only the first. ${told.explanation}`,
      actions: [advice('Give the connection back on every path of a request, also on an early return and on an error'), ...told.actions],
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
  return holds('guard', 'connections that outlived the request that took them', known ? true : null, mean(lost ?? 0), null, null);
}

/** Requests gave up waiting for a connection, so that figures of throughput say little; two connections per request can block each other for good. */
export const poolExhausted: Rule = {
  kind: 'pool-exhausted',
  surely: true,
  applies: (s) => s.pool !== null,
  checks: (s) => [
    atLeast(
      'must',
      'requests that gave up waiting for a connection',
      s.pool?.timeouts ?? null,
      { limit: 1, source: 'any time-out of the pool' },
      { unit: 'count' },
    ),
    ...anyOf(
      full(s),
      atLeast('must', 'requests that gave up, of all', share(s.pool?.timeouts, s.attempts), thresholds.errorsFlagged, { unit: 'share' }),
    ),
    atLeast('sign', 'connections taken per request', s.pool?.perRequest ?? null, thresholds.acquisitionsPerRequest, { unit: 'count' }),
    atLeast('sign', 'connections in use on which no statement ran', heldIdle(s), thresholds.heldIdle, { unit: 'share' }),
  ],
  explain: (s) => {
    const max = s.pool?.max ?? null;
    const timeouts = s.pool?.timeouts ?? 0;
    const head = `The connection pool ran dry: ${wholeNumber(timeouts)} ${timeouts === 1 ? 'request' : 'requests'} gave up waiting for one of its ${max ?? 'few'} ${max === 1 ? 'connection' : 'connections'}`;
    if (takesSeveral(s)) return deadlock(s, head);
    return {
      headline: `${head}.`,
      explanation: `A connection was held for ${ms(s.pool?.holdMs ?? null)} on average, and the queue before the pool was longer than the time-out allows. Throughput is that of a service which turns requests away.`,
      actions: [
        ...raise(s.knobs.pool, needed(s), processes(s)),
        ...tuneAround(s.knobs.pool, needed(s), processes(s)),
        record('pool-wait', 'Record who waits for connections, and where'),
      ],
    };
  },
};

/** What to say of requests that hold one connection while they wait for another. */
function deadlock(s: Signals, head: string): VerdictText {
  const { value } = s.knobs.threads ?? {};
  const many = processes(s);
  const each = Math.max(2, Math.ceil(s.pool?.perRequest ?? 2));
  // Each process locks itself up for its own: the worst that can come to one of them is all of the load.
  const atOnce = typeof value === 'number' ? Math.min(s.connections, value) : s.connections;
  const floor = deadlockFloor(atOnce, each);
  return {
    headline: `${head}, because requests hold one connection while they wait for another.`,
    explanation: `When every connection is held by a request that waits for a second one, none of them can go on until the wait runs out. With ${atOnce} requests at work that each take ${each}, this cannot happen from ${atOnce} × (${each} − 1) + 1 = ${floor} connections on${many > 1 ? ', in each process' : ''}.`,
    actions: [
      advice('Let a request take one connection and use it for all its statements: that cures it at any size'),
      ...raise(s.knobs.pool, floor * many, many),
      record('pool-wait', 'Record who waits for connections, and where'),
    ],
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
        'connections in use whose session was idle in a transaction',
        share(s.sessions?.idleInTransaction, s.pool?.busy),
        thresholds.idleInTransaction,
        { unit: 'share' },
      ),
      atLeast(
        'must',
        'connections in use on which no statement ran (at least, by the samples there are)',
        heldIdleAtLeast(s),
        thresholds.heldIdle,
        { unit: 'share' },
      ),
    ),
    atLeast('must', 'time per use in which no statement ran', heldIdleMs(s), thresholds.heldIdleMs, { unit: 'ms' }),
    // An app that waits for the CPU with a connection in its hand looks the same, unless its session says that it is within a transaction.
    ...((share(s.sessions?.idleInTransaction, s.pool?.busy) ?? 0) >= thresholds.idleInTransaction.limit
      ? []
      : [
          below('guard', 'CPU that interference took while connections were held', taken(s), thresholds.interferenceWhileHeld, {
            unit: 'share',
          }),
        ]),
    cpuIdle(s),
  ],
  explain: (s) => ({
    headline: `Connections are held while the database has nothing to do: ${allBusy(s.pool ?? { busy: null, max: null })}, but a statement ran on ${(s.sessions?.active ?? 0) < 0.05 ? 'none' : `only ${mean(s.sessions?.active ?? 0)}`} of them, and ${waited(s.pool?.pending ?? null)}.`,
    explanation: `A request keeps its connection for ${ms(s.pool?.holdMs ?? null)} and uses it for about ${ms((s.pool?.holdMs ?? 0) * (1 - (heldIdle(s) ?? 0)))}. A larger pool would only hold more connections idle, and would bring nothing at all where requests wait for each other meanwhile (a lock in the app); do the other work (a computation, a call to another service) before the connection is taken or after it is given back.`,
    actions: [
      record('wall', 'Record a wall-clock flame graph: what is done while the connection is held?'),
      advice('Move work that needs no database out of the transaction'),
      ...raise(s.knobs.pool, needed(s), processes(s)),
    ],
  }),
};

/** More connections would be used, and the database could serve them. */
export const poolLimited: Rule = {
  kind: 'pool-limited',
  byWaits: true,
  applies: (s) => s.pool !== null,
  checks: (s) => [
    // A queue that never empties proves that connections are missing; in use they are only between getting one and giving it back.
    ...anyOf(
      full(s),
      atLeast('must', 'requests waiting for each connection of the pool', share(s.pool?.pending, s.pool?.max), thresholds.waiting, {
        unit: 'count',
      }),
    ),
    queued(s),
    ...(s.load === 'closed' && s.pool?.max != null
      ? [
          holds(
            'must',
            'connections that the load can want at once',
            !isBeyondLoad(s),
            mean(mostWanted(s) ?? 0),
            `> ${s.pool.max}`,
            'a pool of as many can never be what they wait for',
          ),
        ]
      : []),
    below('guard', 'CPU of PostgreSQL', pgCpuShare(s), thresholds.databaseCpu, { unit: 'share', text: ofCores(pgCpuShare(s), s.pgCores) }),
    below('guard', 'active sessions that wait for locks or disks', waitingSessions(s), thresholds.lockShare, { unit: 'share' }),
    cpuIdle(s),
  ],
  explain: (s) => {
    const count = needed(s);
    const busy = s.pool ?? { busy: null, max: null };
    const why =
      count === null
        ? ''
        : ` Without the wait the load would need about ${count} connections${processes(s) > 1 ? ' in all processes together' : ''}: requests per second × the ${ms((s.pool?.holdMs ?? 0) * Math.max(1, s.pool?.perRequest ?? 1))} for which each holds one (Little’s law).`;
    return {
      headline: `The connection pool is the limit: ${allBusy(busy)}${ofEach(s)} and ${waited(s.pool?.pending ?? null)}.`,
      explanation: `A request waited ${ms(s.pool?.waitMs ?? null)} for a connection and held it for ${ms(s.pool?.holdMs ?? null)}, while the database and the CPU had room (PostgreSQL at ${percentOf(pgCpuShare(s))}, ${s.isShared ? 'the app’s share' : 'the app'} at ${percentOf(appCpuShare(s))} of the cores).${why}`,
      actions: [
        ...raise(s.knobs.pool, count, processes(s)),
        ...tuneAround(s.knobs.pool, count, processes(s)),
        record('pool-wait', 'Record who waits for connections, and where'),
      ],
    };
  },
};

function waitingSessions(s: Signals): number | null {
  return s.sessions === null || s.sessions.active === 0 ? null : (s.sessions.lock + s.sessions.io) / s.sessions.active;
}
