import { advice, choose, raise, record, tuneAround } from '../actions.ts';
import { type Check, atLeast, below, partAtLeast, share } from '../checks.ts';
import { workloadCpuShare } from '../cpuUse.ts';
import type { Rule } from '../rule.ts';
import { type Signals, addressOf, processesWith, shakesHandsEach } from '../signals.ts';
import { thresholds } from '../thresholds.ts';
import { cpuIdle, noQueueAtPool } from './guards.ts';
import { needed } from './poolChecks.ts';

/** The client of another service has too few connections: study C’s first bottleneck. */
export const outboundPool: Rule = {
  kind: 'outbound-pool',
  byWaits: true,
  applies: (s) => s.outbound !== null,
  checks: (s) => [
    partAtLeast('client-in-use', s.outbound?.busy, s.outbound?.max, thresholds.poolBusy),
    atLeast('must', { code: 'client-queue' }, s.outbound?.pending ?? null, thresholds.waiting),
    cpuIdle(s),
  ],
  explain: (s) => {
    const [count, many] = [needed(s, s.outbound), processesWith(s.outbound, s)];
    const { name = '', busy = null, max = null, pending = null, holdMs = null } = s.outbound ?? {};
    return {
      said: { code: 'client-pool-full', busy, max, pending, to: addressOf(name) },
      why: [{ code: 'client-pool-full-why', max, holdMs }],
      actions: [
        ...raise(s.knobs.outboundPool, count, many),
        ...tuneAround(s.knobs.outboundPool, count, many),
        ...(s.knobs.outboundPool === null ? [advice({ code: 'larger-client-pool' })] : []),
        record('wall', { code: 'waits-for-client-pool' }),
      ],
    };
  },
};

/** Nearly all of a request’s time is the other service’s, and connections to it are free. */
export const outboundService: Rule = {
  kind: 'outbound-service',
  byWaits: true,
  applies: (s) => s.outbound !== null,
  checks: (s) => [
    answersLate(s),
    atLeast('must', { code: 'other-service-time' }, s.outbound?.holdMs ?? null, thresholds.outboundMs),
    atLeast('must', { code: 'other-service-queue' }, s.outbound?.busy ?? null, {
      limit: 2,
      unit: 'count',
      source: 'more-load-brings-more',
    }),
    waitForFullPool(s),
    cpuIdle(s),
  ],
  explain: (s) => {
    const { name = '', busy = null, holdMs = null, perRequest = null } = s.outbound ?? {};
    // Of requests that end after the window, calls are counted and they are not.
    const waitMs = Math.min((holdMs ?? 0) * (perRequest ?? 1), s.meanMs ?? Number.POSITIVE_INFINITY);
    const inTurn = isInTurn(s) ? { calls: perRequest ?? 1, eachMs: holdMs ?? 0 } : null;
    return {
      said: { code: 'other-service', meanMs: s.meanMs, waitMs, to: addressOf(name) },
      why: [{ code: 'other-service-why', waiting: busy ?? 0, inTurn, connects: shakesHandsEach(s) }],
      actions: [
        ...(inTurn === null ? [] : [advice({ code: 'at-the-same-time' })]),
        advice({ code: 'measure-service' }),
        ...choose(s.knobs.outboundClient, 'async', { code: 'async-client' }),
        record('wall', { code: 'wall-graph' }),
      ],
    };
  },
};

/** Not sure where each call connects first, with TLS: how much of the time that takes is not seen, and much of it is the CPU of both. */
function answersLate(s: Signals): Check {
  const check = atLeast('must', { code: 'other-service' }, outboundShare(s), thresholds.outboundShare);
  return { ...check, near: check.near || shakesHandsEach(s) };
}

/** Whether a request sends several calls of which one is under way nearly all the time, and never more: several at the same time would be more than one. */
function isInTurn(s: Signals): boolean {
  const requests = s.load === 'closed' ? s.connections : (s.throughput * (s.meanMs ?? 0)) / 1000;
  const underWay = share(s.outbound?.busy, requests) ?? 0;
  const { callsPerRequest, callsInTurn } = thresholds;
  return (s.outbound?.perRequest ?? 1) >= callsPerRequest.limit && underWay >= callsInTurn.limit && underWay <= mostInTurn;
}

/** Calls under way for each request, where a call may end before its request does. */
const mostInTurn = 1.05;

/** While connections are free, what counts as waiting for one is on its way to it (a turn of the loop, a handshake): no pool is the limit then. */
function waitForFullPool(s: Signals): Check {
  const { busy = null, max = null, pending = null } = s.outbound ?? {};
  const isFree = (share(busy, max) ?? 1) < thresholds.poolBusy.limit;
  const what = { code: 'client-queue-if-full', free: isFree ? { busy, max } : null } as const;
  return below('guard', what, isFree ? 0 : pending, thresholds.waiting);
}

function outboundShare(s: Signals): number | null {
  const { outbound } = s;
  return outbound?.holdMs == null ? null : share(outbound.holdMs * (outbound.perRequest ?? 1), s.meanMs);
}

/** All request threads are at work, and requests wait for one. */
export const threadPool: Rule = {
  kind: 'thread-pool',
  byWaits: true,
  applies: (s) => s.threads !== null,
  checks: (s) => [
    partAtLeast('threads-at-work', s.threads?.busy, s.threads?.max, thresholds.threadsBusy),
    atLeast('must', { code: 'threads-queue' }, waitingForThread(s), thresholds.waiting),
    noQueueAtPool(s),
    cpuIdle(s),
  ],
  explain: (s) => {
    const busy = s.threads?.busy ?? 0;
    return {
      said: { code: 'threads-full', busy, max: s.threads?.max ?? null, waiting: waitingForThread(s) },
      why: [{ code: 'threads-full-why', cpuShare: workloadCpuShare(s), atDatabase: s.pool?.busy ?? 0, elsewhere: s.outbound?.busy ?? 0 }],
      actions: [
        ...raise(
          s.knobs.threads,
          s.threads?.max == null ? null : Math.min(2 * s.threads.max, s.connections + (s.threads.max - busy) + 4),
          s.instances,
        ),
        ...tuneAround(s.knobs.threads, s.threads?.max == null ? null : 2 * s.threads.max, s.instances),
        record('wall', { code: 'what-threads-wait-for' }),
      ],
    };
  },
};

/** By the server’s own queue, or by what a closed loop has sent and no thread works at: connections that no thread reads wait in the kernel. */
function waitingForThread(s: Signals): number | null {
  const { threads } = s;
  if (threads?.busy == null) return null;
  const outside = s.load === 'closed' ? s.connections - threads.busy : 0;
  const waiting = Math.max(threads.queue ?? 0, outside);
  // A server’s queue holds jobs of its own besides.
  return s.load === 'closed' ? Math.min(waiting, s.connections) : waiting;
}
