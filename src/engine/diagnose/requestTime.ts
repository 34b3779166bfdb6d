import { noticeablePercent } from '../../model/domain/interference.ts';
import type { PauseKind } from '../../model/domain/probe.ts';
import type { StallSignals } from './causes.ts';
import type { PoolSignals, Signals } from './signals.ts';
import { thresholds } from './thresholds.ts';

/** Connections in use whose statement is still before PgBouncer: nobody holds them idle, though PostgreSQL knows nothing of them. */
function queuedBefore(s: Signals): number {
  return s.bouncer?.waiting ?? 0;
}

/** The share of the connections in use on which no statement runs, 0 … 1. */
export function heldIdle(s: Signals): number | null {
  const busy = s.pool?.busy ?? null;
  if (busy === null || busy <= 0 || s.sessions === null) return null;
  return Math.max(0, busy - s.sessions.active - queuedBefore(s)) / busy;
}

/**
 * The least that this share may be, seeing how few samples there are: each connection in each sample is one look, so that the share has a
 * standard error of √(p·(1 − p) ÷ looks); 1.645 of them below it (95 %, one-sided).
 */
export function heldIdleAtLeast(s: Signals): number | null {
  const idle = heldIdle(s);
  if (idle === null || s.sessions === null) return null;
  const looks = s.sessions.samples * Math.max(1, s.pool?.busy ?? 1);
  // Laplace’s two additional looks keep a few equal ones from counting as a certainty.
  const smoothed = (idle * looks + 1) / (looks + 2);
  return looks === 0 ? null : Math.max(0, smoothed - 1.645 * Math.sqrt((smoothed * (1 - smoothed)) / (looks + 2)));
}

/** The ms of each use of a connection in which no statement ran. */
export function heldIdleMs(s: Signals): number | null {
  const idle = heldIdle(s);
  return idle === null || s.pool?.holdMs == null ? null : idle * s.pool.holdMs;
}

/** The ms of each request in which so many percent of a core are used; null where that is not known. */
export function cpuMsOf({ throughput }: Signals, percent: number | null): number | null {
  return throughput > 0 && percent !== null ? (10 * percent) / throughput : null;
}

/** Stretches of one kind in which the app served nobody; null where there were none. */
export function stall(s: Signals, kind: PauseKind): StallSignals | null {
  return s.causes.stalls.find((one) => one.kind === kind) ?? null;
}

/** Where the mean request’s time goes, in ms. The parts may overlap (CPU is used while a connection is held), so that they may be more than the whole. */
export interface RequestTime {
  totalMs: number;
  cpuMs: number;
  poolWaitMs: number;
  /** A connection was held and the database was, or may have been, at work on it. */
  databaseMs: number;
  /** A connection was held and nothing was asked of the database: something in the app that no pool reports. */
  heldIdleMs: number;
  /** Waiting for the connection to another service, and for its answer. */
  outboundMs: number;
  /** The app was paused: its event loop was blocked, or the whole process. */
  stoodMs: number;
  /** What is left of the whole without any of these, that with idle connections included. */
  unexplainedMs: number;
}

/** Less than that is round trips. */
const shortHoldMs = 2;

/** Null where the request’s time or the app’s CPU is not known. */
export function requestTime(s: Signals): RequestTime | null {
  if (s.meanMs === null || s.appCpuPercent === null) return null;
  const cpuMs = cpuMsOf(s, s.appCpuPercent + (s.generator.cpuPercent ?? 0)) ?? 0;
  const perRequest = s.pool?.perRequest ?? 1;
  const poolWaitMs = (s.pool?.waitMs ?? 0) * perRequest;
  const heldMs = (s.pool?.holdMs ?? 0) * perRequest;
  const idleMs = (heldIdleAtLeast(s) ?? 0) * heldMs;
  const idle = idleMs >= shortHoldMs ? idleMs : 0;
  const outboundMs = s.outbound === null ? 0 : ((s.outbound.waitMs ?? 0) + (s.outbound.holdMs ?? 0)) * (s.outbound.perRequest ?? 1);
  const databaseMs = heldMs - idle;
  // What the app does while it holds a connection is its CPU, or the wait for another service.
  const stoodMs = stoodStillMs(s, 'collector', ...(loopIsItsOwn(s) === 'no' ? [] : (['loop'] as const)));
  const known = cpuMs + poolWaitMs + databaseMs + outboundMs + stoodMs;
  const unexplainedMs = Math.max(0, s.meanMs - known);
  return {
    totalMs: s.meanMs,
    cpuMs,
    poolWaitMs,
    databaseMs,
    heldIdleMs: Math.min(idle, unexplainedMs),
    outboundMs,
    stoodMs,
    unexplainedMs,
  };
}

/**
 * Whether the process itself is why its event loop was blocked, rather than the wait for its turn on the CPU: surely where it computed, or nobody took any;
 * likely where it computed for long, if not for most of the time, as a loop that has only little to do does not. Null where no loop was seen to be blocked.
 */
export function loopIsItsOwn(s: Signals): 'surely' | 'likely' | 'no' | null {
  const loop = stall(s, 'loop');
  if (loop === null) return null;
  const taken = s.interferenceShare ?? 0;
  const computes = loop.computes ?? 0;
  if (100 * taken < noticeablePercent || computes >= thresholds.stallComputes.limit) return 'surely';
  const isLong = (loop.cpuMs ?? 0) >= thresholds.stallCpuMs.limit;
  return isLong && computes >= thresholds.stallComputes.limit * (1 - taken) ? 'likely' : 'no';
}

/**
 * Of the mean request, the ms for which it waits while the app is paused. Requests that come at their own times find it so for Σ L² ÷ 2T on average; of a
 * closed loop, whose connections pause with it, the share of the time is that of a request’s.
 */
export function stoodStillMs(s: Signals, ...kinds: PauseKind[]): number {
  const stalls = s.causes.stalls.filter(({ kind }) => kinds.includes(kind));
  const ms = stalls.reduce((sum, { lateMs, share }) => sum + (s.load === 'closed' ? share * (s.meanMs ?? 0) : lateMs), 0);
  return Math.min(ms, s.meanMs ?? 0);
}

/** The ms of the mean request that nothing seen accounts for; null where that is unknown. */
export function unexplainedMs(s: Signals): number | null {
  return requestTime(s)?.unexplainedMs ?? null;
}

/** A wait this many times as long as the CPU time of a request is no wait for a turn: no interference seen so far slowed a program down as much. */
const slowestTurn = 10;

/**
 * Part of a request’s time that is known to pass in waiting for something other than the CPU, however much of it others used: connections on which PostgreSQL
 * waits rather than computes, or is asked nothing for far longer than the app computes; the queue before them; another service; and an executor whose threads
 * wait themselves. Null where none of that is seen.
 */
export function waitsOutsideCpu(s: Signals): number | null {
  if (s.executor?.waits === true && s.executor.of > 0) return s.executor.waiting / s.executor.of;
  const behind = behindBlockedLoops(s);
  if (behind !== null) return behind;
  if (s.meanMs === null || s.meanMs <= 0 || (s.pool === null && s.outbound === null)) return null;
  const appMs = cpuMsOf(s, s.appCpuPercent) ?? Number.POSITIVE_INFINITY;
  const waits =
    outsideShare(s, appMs) * inPoolMs(s.pool, s.meanMs) +
    ((s.outbound?.holdMs ?? 0) >= slowestTurn * appMs ? inPoolMs(s.outbound, s.meanMs) : 0);
  return Math.min(1, waits / s.meanMs);
}

/** The part of a closed loop’s requests that wait while an event loop of a JVM’s server is blocked; null where none is. */
function behindBlockedLoops(s: Signals): number | null {
  const { serverLoops: loops, load, connections } = s;
  if (loops === null || load !== 'closed' || loops.busiest < thresholds.serverLoop.limit || loopsCompute(s)) return null;
  return Math.max(0, connections - loops.busy) / connections;
}

/** Whether the event loops of a JVM’s server compute for most of the time that they work, by what others left of the CPU. */
export function loopsCompute({ appCpuPercent, serverLoops: loops, interferenceShare }: Signals): boolean {
  if (loops === null || appCpuPercent === null) return false;
  return appCpuPercent >= thresholds.computingLoop.limit * loops.busy * (1 - (interferenceShare ?? 0));
}

/** A request that asks for several connections at the same time waits for all of them together, and for no longer than it lasts. */
function inPoolMs(pool: PoolSignals | null, meanMs: number): number {
  return pool === null ? 0 : Math.min(meanMs, ((pool.waitMs ?? 0) + (pool.holdMs ?? 0)) * (pool.perRequest ?? 1));
}

/** The share of the time of held connections that is no work of a processor. */
function outsideShare(s: Signals, appMs: number): number {
  const busy = s.pool?.busy ?? 0;
  if (s.sessions === null || busy <= 0) return 0;
  const waiting = (Math.max(0, s.sessions.active - s.sessions.onCpu) + queuedBefore(s)) / busy;
  const idle = (heldIdleMs(s) ?? 0) >= slowestTurn * appMs ? (heldIdle(s) ?? 0) : 0;
  return Math.min(1, waiting + idle);
}

/** The share of PostgreSQL’s sessions at work that wait for a lock, or for a disk or one of its inner locks, 0 … 1. */
export function shareOfActive({ sessions }: Signals, waitsFor: 'lock' | 'io'): number | null {
  return sessions === null ? null : sessions.active === 0 ? 0 : sessions[waitsFor] / sessions.active;
}

export function waitsForDisk(s: Signals): boolean {
  return (shareOfActive(s, 'io') ?? 0) >= thresholds.ioShare.limit && (s.sessions?.active ?? 0) >= thresholds.databaseActive.limit;
}

/** Of a request, in ms: PostgreSQL’s CPU, and the time that its statements take while they execute, with how many there are. Null where any is not known. */
export function executedOf(s: Signals): { executeMs: number; cpuMs: number; calls: number } | null {
  const [answered, cpuMs] = [s.attempts - s.errors.total, cpuMsOf(s, s.pgCpuPercent)];
  if (answered <= 0 || cpuMs === null || s.statements.length === 0) return null;
  const perRequest = (of: 'totalMs' | 'calls'): number => s.statements.reduce((sum, one) => sum + one[of], 0) / answered;
  return { executeMs: perRequest('totalMs'), cpuMs, calls: perRequest('calls') };
}
