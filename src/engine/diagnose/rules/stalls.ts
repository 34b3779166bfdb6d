import { figure } from '../../../model/domain/format.ts';
import { ms, percentOf, plural } from '../../../model/domain/verdict/phrases.ts';
import { advice, record } from '../actions.ts';
import { type Check, atLeast, below, holds, plain, share } from '../checks.ts';
import { loopUse, taken } from '../cpuUse.ts';
import type { StallSignals } from '../causes.ts';
import { loopIsItsOwn, stall, stoodStillMs, unexplainedMs } from '../requestTime.ts';
import type { Rule } from '../rule.ts';
import type { Signals } from '../signals.ts';
import { thresholds } from '../thresholds.ts';
import { cpuIdle, noQueueAtPool } from './guards.ts';

function timesOf({ count, maxMs, share: part }: StallSignals): string {
  return `${count} ${plural(count, 'time', 'times')}, for up to ${ms(maxMs)} and ${percentOf(part)} of the time`;
}

/** Part of a request’s time for which it waits for a paused thread. */
export function stoodShare(s: Signals, kind: 'loop' | 'collector'): number | null {
  return stall(s, kind) === null ? null : share(stoodStillMs(s, kind), s.meanMs);
}

function byItself(s: Signals, { computes }: StallSignals): Check {
  const own = loopIsItsOwn(s);
  const { limit, source } = thresholds.stallComputes;
  const threshold = taken(s) === 0 ? null : `≥ ${100 * limit} %`;
  return {
    ...holds('must', 'CPU that the process used meanwhile', own === null ? null : own !== 'no', percentOf(computes), threshold, source),
    near: own === 'likely',
  };
}

/** The event loop is idle most of the time, and blocked now and then for so long that requests mostly wait for that. */
export const blockedLoop: Rule = {
  kind: 'event-loop',
  byWaits: true,
  applies: (s) => s.runtime === 'node' && stall(s, 'loop') !== null,
  checks: (s) => {
    const seen = stall(s, 'loop');
    return [
      atLeast('must', 'part of a request’s time in which the event loop was blocked', stoodShare(s, 'loop'), thresholds.stalled),
      ...(seen === null ? [] : [byItself(s, seen), plain('the event loop was blocked', timesOf(seen))]),
      cpuIdle(s),
    ];
  },
  explain: (s) => {
    const seen = stall(s, 'loop');
    const computes = (seen?.computes ?? 1) >= thresholds.stallComputes.limit || loopIsItsOwn(s) === 'likely';
    return {
      said: {
        code: 'loop-blocked',
        waitMs: stoodStillMs(s, 'loop'),
        meanMs: s.meanMs,
        stalls: seen && { maxMs: seen.maxMs, share: seen.share },
      },
      why: [{ code: 'loop-blocked-why', stalls: seen?.count ?? null, computes }],
      actions: [
        computes ? record('cpu', { code: 'what-runs-long' }) : record('wall', { code: 'what-blocks-loop' }),
        advice({ code: 'in-pieces' }),
      ],
    };
  },
};

/** Tasks for files, names, crypto and compression queue for a thread of libuv’s pool. */
export const workerPool: Rule = {
  kind: 'thread-pool',
  byWaits: true,
  applies: (s) => s.runtime === 'node' && s.causes.workerPool !== null,
  checks: (s) => {
    const { waitMs = null, size = 0, busyWith = null } = s.causes.workerPool ?? {};
    return [
      atLeast(
        'must',
        'part of a request’s time that one task waits for a thread of libuv’s pool',
        share(waitMs, s.meanMs),
        thresholds.workerPoolWait,
        waitMs === null || s.meanMs === null ? null : `${ms(waitMs)} of ${ms(s.meanMs)}`,
      ),
      // On a machine that others use, a thread that is free wakes late, too.
      { ...atLeast('must', 'that wait', waitMs, thresholds.workerPoolMs), ...(taken(s) === 0 ? {} : { near: true }) },
      below('guard', 'time in which the event loop was busy', loopUse(s), thresholds.room),
      below('guard', 'delay of the event loop, of that wait', share(s.eventLoopDelayMs?.mean ?? 0, waitMs), thresholds.workerPoolWait),
      noQueueAtPool(s),
      cpuIdle(s),
      plain('threads of libuv’s pool', String(size)),
      ...(busyWith === null ? [] : [plain('under way then', busyWith)]),
    ];
  },
  explain: (s) => {
    const { waitMs = null, size = 4, busyWith = null } = s.causes.workerPool ?? {};
    return {
      said: { code: 'worker-pool', threads: size, waitMs, meanMs: s.meanMs },
      why: [{ code: 'worker-pool-why', busyWith }],
      actions: [advice({ code: 'more-worker-threads', from: size }), record('wall', { code: 'where-time-goes' })],
    };
  },
};

/** Names are looked up again and again, and slowly. Quick look-ups are not seen. */
export const nameLookUps: Rule = {
  kind: 'outbound-service',
  byWaits: true,
  applies: (s) => stall(s, 'name-look-up') !== null && s.attempts > 0,
  checks: (s) => {
    const seen = stall(s, 'name-look-up');
    const each = seen === null ? null : seen.totalMs / s.attempts;
    return [
      atLeast('must', 'part of a request’s time in which names are looked up', share(each, s.meanMs), thresholds.outboundShare),
      atLeast('must', 'that time', each, thresholds.outboundMs),
      // A look-up may serve several requests, or none.
      { ...cpuIdle(s), near: true },
    ];
  },
  explain: (s) => {
    const seen = stall(s, 'name-look-up');
    return {
      said: { code: 'name-look-ups', eachMs: (seen?.totalMs ?? 0) / s.attempts, meanMs: s.meanMs, maxMs: seen?.maxMs ?? null },
      why: [{ code: 'name-look-ups-why' }],
      actions: [advice({ code: 'cache-names' }), record('wall', { code: 'wall-graph' })],
    };
  },
};

/** Latency piles up where TCP’s acknowledgements are delayed, while nothing is at work. */
export const delayedAnswers: Rule = {
  kind: 'network-or-payload',
  byWaits: true,
  applies: (s) => s.causes.quantiles !== null,
  checks: (s) => {
    const { p50, p90 } = s.causes.quantiles ?? { p50: 0, p90: 0 };
    return [
      atLeast('must', 'median of the latency', p50, thresholds.pileFromMs),
      below('must', 'the same of nine in ten', p90, thresholds.pileToMs),
      atLeast('must', 'part of a request’s time that nothing accounts for', share(unexplainedMs(s), s.meanMs), thresholds.unexplained),
      // Not every kernel counts those that delay an answer: without them it may be a timer of the app.
      holds(
        'guard',
        'acknowledgements that were delayed, for each request',
        (s.causes.delayedAcks ?? 0) >= thresholds.delayedAcks.limit ? true : null,
        figure(s.causes.delayedAcks ?? 0),
        `≥ ${thresholds.delayedAcks.limit}`,
        thresholds.delayedAcks.source,
      ),
      cpuIdle(s),
    ].map((check, index) => (index < 2 ? { ...check, near: false } : check));
  },
  explain: (s) => ({
    said: { code: 'delayed-answers', p50Ms: s.causes.quantiles?.p50 ?? null },
    why: [{ code: 'delayed-answers-why', delayedAcks: s.causes.delayedAcks }],
    actions: [advice({ code: 'no-delay' })],
  }),
};
