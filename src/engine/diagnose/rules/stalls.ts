import { advice, record } from '../actions.ts';
import { type Check, anyOf, atLeast, below, holds, partAtLeast, plain, share } from '../checks.ts';
import { loopUse, taken } from '../cpuUse.ts';
import type { StallSignals } from '../causes.ts';
import { loopIsItsOwn, stall, stoodStillMs, unexplainedMs } from '../requestTime.ts';
import type { Rule } from '../rule.ts';
import type { Signals } from '../signals.ts';
import { thresholds } from '../thresholds.ts';
import { cpuIdle, noQueueAtPool } from './guards.ts';

/** Part of a request’s time for which it waits for a paused thread. */
export function stoodShare(s: Signals, kind: 'loop' | 'collector'): number | null {
  return stall(s, kind) === null ? null : share(stoodStillMs(s, kind), s.meanMs);
}

function byItself(s: Signals, { computes }: StallSignals): Check {
  const own = loopIsItsOwn(s);
  const { limit, source } = thresholds.stallComputes;
  const threshold = taken(s) === 0 ? null : ({ is: '≥', limit } as const);
  const shown = { value: computes, unit: 'share', threshold, source } as const;
  return { ...holds('must', { code: 'stall-cpu' }, own === null ? null : own !== 'no', shown), near: own === 'likely' };
}

/** The event loop is idle most of the time, and blocked now and then for so long that requests mostly wait for that. */
export const blockedLoop: Rule = {
  kind: 'event-loop',
  byWaits: true,
  applies: (s) => s.runtime === 'node' && stall(s, 'loop') !== null,
  checks: (s) => {
    const seen = stall(s, 'loop');
    return [
      atLeast('must', { code: 'loop-stalled' }, stoodShare(s, 'loop'), thresholds.stalled),
      ...(seen === null ? [] : [byItself(s, seen), plain({ code: 'loop-stalls', maxMs: seen.maxMs, share: seen.share }, seen.count)]),
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
      partAtLeast('worker-pool-wait', waitMs, s.meanMs, thresholds.workerPoolWait),
      // On a machine that others use, a thread that is free wakes late, too.
      { ...atLeast('must', { code: 'that-wait' }, waitMs, thresholds.workerPoolMs), ...(taken(s) === 0 ? {} : { near: true }) },
      below('guard', { code: 'loop-busy' }, loopUse(s), thresholds.room),
      below('guard', { code: 'loop-delay-of-wait' }, share(s.eventLoopDelayMs?.mean ?? 0, waitMs), thresholds.workerPoolWait),
      noQueueAtPool(s),
      cpuIdle(s),
      plain({ code: 'worker-pool-size' }, size),
      ...(busyWith === null ? [] : [plain({ code: 'worker-pool-tasks' }, busyWith)]),
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
      atLeast('must', { code: 'name-look-ups' }, share(each, s.meanMs), thresholds.outboundShare),
      atLeast('must', { code: 'that-time' }, each, thresholds.outboundMs),
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

function acksDelay({ causes }: Signals): boolean {
  return (causes.delayedAcks ?? 0) >= thresholds.delayedAcks.limit;
}

const ofPile: ReadonlySet<string> = new Set(['latency-median', 'latency-p90', 'delay-alone']);
function isOfPile({ evidence: { what } }: Check): boolean {
  return ofPile.has(what.code);
}

/** Latency piles up where TCP’s acknowledgements are delayed, while nothing is at work. */
export const delayedAnswers: Rule = {
  kind: 'network-or-payload',
  byWaits: true,
  applies: (s) => s.causes.quantiles !== null,
  checks: (s) => {
    const { p50, p90 } = s.causes.quantiles ?? { p50: 0, p90: 0 };
    const { delayedAcks: acks } = thresholds;
    return [
      atLeast('must', { code: 'latency-median' }, p50, thresholds.pileFromMs),
      ...anyOf(
        below('must', { code: 'latency-p90' }, p90, thresholds.pileToMs),
        // Besides the delay a request has a time of its own, which may vary.
        ...(acksDelay(s) ? [below('must', { code: 'delay-alone' }, unexplainedMs(s), thresholds.pileToMs)] : []),
      ),
      atLeast('must', { code: 'unaccounted', share: null, ms: null }, share(unexplainedMs(s), s.meanMs), thresholds.unexplained),
      // Not every kernel counts those that delay an answer: without them it may be a timer of the app.
      holds('guard', { code: 'delayed-acks' }, acksDelay(s) ? true : null, {
        value: s.causes.delayedAcks,
        threshold: { is: '≥', limit: acks.limit },
        source: acks.source,
      }),
      cpuIdle(s),
    ].map((check) => (isOfPile(check) ? { ...check, near: false } : check));
  },
  explain: (s) => ({
    said: { code: 'delayed-answers', p50Ms: s.causes.quantiles?.p50 ?? null },
    why: [{ code: 'delayed-answers-why', delayedAcks: s.causes.delayedAcks }],
    actions: [advice({ code: 'no-delay' })],
  }),
};
