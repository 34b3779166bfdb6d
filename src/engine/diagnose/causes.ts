import type { PauseKind } from '../../model/domain/probe.ts';
import type { Slowest } from '../load/loadProtocol.ts';
import { type CausesWindow, type SeenPause, overlapMs } from '../probe/causesWindow.ts';
import { meanUs } from '../statistics/durations.ts';

/** Stretches of one kind in which an app, or a part of it, served nobody. */
export interface StallSignals {
  kind: PauseKind;
  count: number;
  /** The share of the time, for each process on average, 0 … 1. */
  share: number;
  totalMs: number;
  maxMs: number;
  /** Σ L² ÷ 2T: by so much a request that comes at any time is late on average. */
  lateMs: number;
  /** CPU time of the process, by the length of them; null where it is not known. */
  computes: number | null;
  /** The same in ms, of the pause that a waiting request is in: longer pauses have more of them. */
  cpuMs: number | null;
}

/** The slowest hundredth of the requests, and what they coincide with. */
export interface TailSignals {
  requests: number;
  fromMs: number;
  /** The one that takes most of their time first. */
  by: TailCause[];
}

export interface TailCause {
  kind: PauseKind;
  /** Share of them that overlap with one, 0 … 1, and what requests as long would at any other time. */
  overlapping: number;
  byChance: number;
  /** The share of their time that lies in a pause; and the share of all time. */
  ofTheirTime: number;
  ofAllTime: number;
}

/** What requests wait for apart from pools, threads and processors. */
export interface CauseSignals {
  /** One entry for each kind that was seen. */
  stalls: StallSignals[];
  tail: TailSignals | null;
  /** Libuv’s pool of threads: how long a task waits for one. */
  workerPool: { size: number; waitMs: number | null; busyWith: string | null } | null;
  /** For a JVM: the compiler’s CPU time, in percent of a core, and classes that were loaded each second. */
  warming: { compilePercent: number | null; classesPerS: number } | null;
  /** Connections that were begun for each request, of each sort; null where it is not counted. */
  connects: {
    database: number | null;
    tls: number | null;
    most: { to: string; perRequest: number } | null;
    closed: number | null;
  };
  /** Transactions that PostgreSQL rolled back for each request; null where it is not known. */
  rolledBack: number | null;
  /** Rows that PostgreSQL inserted, updated or deleted for each request; null where it is not known. */
  rowsChanged: number | null;
  /** Threads that a JVM starts for each request; null where they are not counted. */
  startedThreads: number | null;
  /** Acknowledgements of TCP that the machine sent late, for each request. */
  delayedAcks: number | null;
  /** Quantiles of the latency, in ms. */
  quantiles: { p50: number; p90: number } | null;
}

export function stallsOf(causes: CausesWindow | null): StallSignals[] {
  if (causes === null || causes.spanMs <= 0) return [];
  const wholeMs = causes.spanMs * causes.processes;
  return [...new Set(causes.pauses.map(({ kind }) => kind))].map((kind) => {
    const own = causes.pauses.filter((pause) => pause.kind === kind);
    const timed = own.filter(({ cpuMs }) => cpuMs !== null);
    const totalMs = sum(own, ({ ms }) => ms);
    return {
      kind,
      count: own.length,
      share: Math.min(1, totalMs / wholeMs),
      totalMs,
      maxMs: Math.max(...own.map(({ ms }) => ms)),
      lateMs: sum(own, ({ ms }) => ms * ms) / (2 * wholeMs),
      computes: timed.length === 0 ? null : sum(timed, ({ cpuMs }) => cpuMs ?? 0) / sum(timed, ({ ms }) => ms),
      cpuMs: timed.length === 0 ? null : sum(timed, ({ cpuMs, ms }) => (cpuMs ?? 0) * ms) / sum(timed, ({ ms }) => ms),
    };
  });
}

/** What the slowest requests of these windows coincide with; each window with those that were slowest in it. */
export function tailOf(windows: readonly { causes: CausesWindow | null; slowest: Slowest | undefined }[]): TailSignals | null {
  const seen = windows.flatMap(({ causes, slowest }) => (causes === null || slowest === undefined ? [] : [{ causes, slowest }]));
  const requests = sum(seen, ({ slowest }) => slowest.tookMs.length);
  if (requests === 0) return null;
  const tookMs = sum(seen, ({ slowest }) => sum(slowest.tookMs, (took) => took));
  const spanMs = sum(seen, ({ causes }) => causes.spanMs);
  const kinds = new Set(seen.flatMap(({ causes }) => causes.pauses.map(({ kind }) => kind)));
  const by = [...kinds].map((kind): TailCause => {
    const each = seen.map(({ causes, slowest }) => meetings(causes, kind, slowest));
    return {
      kind,
      overlapping: sum(each, ({ met }) => met) / requests,
      byChance: sum(each, ({ chance }) => chance) / requests,
      ofTheirTime: tookMs > 0 ? sum(each, (one) => one.overlapMs) / tookMs : 0,
      ofAllTime: spanMs > 0 ? Math.min(1, sum(each, (one) => one.pausedMs) / spanMs) : 0,
    };
  });
  return {
    requests,
    fromMs: Math.min(...seen.flatMap(({ slowest }) => slowest.tookMs)),
    by: by.sort((a, b) => b.ofTheirTime - a.ofTheirTime),
  };
}

/**
 * How many of them overlap with a pause of this kind, and how many would where pauses and requests came at any time: a request that takes d meets a pause
 * [a, b] when it begins between a − d and b, so that the chance is the length of all such stretches, joined, by the time.
 */
function meetings(
  { pauses, spanMs }: CausesWindow,
  kind: PauseKind,
  { endMs, tookMs }: Slowest,
): { met: number; chance: number; overlapMs: number; pausedMs: number } {
  const own = pauses.filter((pause) => pause.kind === kind).sort((a, b) => a.atMs - b.atMs);
  const of = { met: 0, chance: 0, overlapMs: 0, pausedMs: joinedMs(own, 0) };
  for (const [index, took] of tookMs.entries()) {
    const request = { atMs: (endMs[index] ?? 0) - took, ms: took };
    const overlap = Math.min(
      took,
      sum(own, (pause) => overlapMs(pause, request)),
    );
    if (overlap > 0) of.met += 1;
    of.overlapMs += overlap;
    of.chance += spanMs > 0 ? Math.min(1, joinedMs(own, took) / spanMs) : 0;
  }
  return of;
}

/** The length of these stretches, each begun `earlierMs` earlier, where none counts twice. In the order of their beginning. */
function joinedMs(pauses: readonly SeenPause[], earlierMs: number): number {
  let total = 0;
  let untilMs = Number.NEGATIVE_INFINITY;
  for (const { atMs, ms } of pauses) {
    const endMs = atMs + ms;
    total += Math.max(0, endMs - Math.max(untilMs, atMs - earlierMs));
    untilMs = Math.max(untilMs, endMs);
  }
  return total;
}

export function workerPoolOf(causes: CausesWindow | null): CauseSignals['workerPool'] {
  if (causes?.workerPool == null) return null;
  const { size, wait, busyWith } = causes.workerPool;
  const us = meanUs(wait);
  return { size, waitMs: us === null ? null : us / 1000, busyWith: tasksIn(busyWith) };
}

/** Kinds of what Node has in progress that are no task of its pool. */
const otherResources = /Wrap$|^Timeout$|^Immediate$|^MessagePort$|^TickObject$|^Worker$/;
const lookUp = /^GetAddrInfoReqWrap$|^GetNameInfoReqWrap$|^FSReq/;

/** The probe’s own task, by which the wait is timed. */
const ownTask = 'FSReqCallback';

/** “12 PBKDF2Job, 2 FSReqCallback”, without the probe’s own; null without tasks. */
function tasksIn(busyWith: Record<string, number> | null): string | null {
  const others = Object.entries(busyWith ?? {}).map(([name, count]) => [name, name === ownTask ? count - 1 : count] as const);
  const tasks = others.filter(([, count]) => count > 0).filter(([name]) => lookUp.test(name) || !otherResources.test(name));
  const most = tasks.sort(([, a], [, b]) => b - a).slice(0, 3);
  return most.length === 0 ? null : most.map(([name, count]) => `${count} ${name}`).join(', ');
}

export function warmingOf(causes: CausesWindow | null): CauseSignals['warming'] {
  if (causes?.warming == null || causes.spanMs <= 0) return null;
  const { compileMs, loadedClasses } = causes.warming;
  return {
    compilePercent: compileMs === null ? null : (100 * compileMs) / causes.spanMs,
    classesPerS: (1000 * loadedClasses) / causes.spanMs,
  };
}

function sum<T>(all: readonly T[], value: (one: T) => number): number {
  return all.reduce((total, one) => total + value(one), 0);
}
