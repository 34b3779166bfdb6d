import type { ProbeReport } from '../../model/domain/probe.ts';
import { durationsBetween, maxBetweenUs, mergeDurations, meanUs, msOf, quantileUs } from './durations.ts';
import type { GroupReport } from './groupReport.ts';

/** Collections that stopped the app: of the process that they stopped longest. */
export interface GcWindow {
  /** Share of the window in which it was paused, 0 … 1. */
  pauseShare: number;
  maxPauseMs: number;
  count: number;
  /** Collections of the whole heap; null where they are not distinguished. */
  full: number | null;
}

/** How late timers were; of the process in which they were latest. */
export interface LoopDelayWindow {
  mean: number;
  p99: number;
  max: number;
}

/** The heap of the process whose heap is fullest, at its fullest. */
export interface HeapWindow {
  usedMb: number;
  maxMb: number | null;
  /** What was in use after the last collection (of Node: of the whole heap) that was seen. */
  afterGcMb: number | null;
}

export interface HttpWindow {
  /** Requests in progress in the app’s HTTP servers, on average. */
  inFlight: number;
  meanMs: number | null;
}

/** Both readings of each process that is in both. */
export function pairs(before: GroupReport, after: GroupReport): { pid: number; first: ProbeReport; last: ProbeReport }[] {
  return [...after.byProcess].flatMap(([pid, last]) => {
    const first = before.byProcess.get(pid);
    return first === undefined ? [] : [{ pid, first, last }];
  });
}

export function gcWindow(before: GroupReport, after: GroupReport): GcWindow | null {
  const windowUs = (after.atMs - before.atMs) * 1000;
  const all = pairs(before, after).flatMap(({ first, last }): GcWindow[] => {
    const [from, to] = [first.gc, last.gc];
    if (from === null || to === null || windowUs <= 0) return [];
    const pauseUs = Math.max(0, to.pauseUs - from.pauseUs);
    const longest = from.pauses === null || to.pauses === null ? null : maxBetweenUs(from.pauses, to.pauses);
    // For a probe that keeps no single pauses: the longest ever, if it came in this window.
    const maxPauseUs = longest ?? (to.maxPauseUs > from.maxPauseUs ? to.maxPauseUs : 0);
    return [
      {
        pauseShare: Math.min(1, pauseUs / windowUs),
        maxPauseMs: maxPauseUs / 1000,
        count: Math.max(0, to.count - from.count),
        full: from.full === null || to.full === null ? null : Math.max(0, to.full - from.full),
      },
    ];
  });
  return worst(all, ({ pauseShare }) => pauseShare);
}

export function loopDelayWindow(before: GroupReport, after: GroupReport): LoopDelayWindow | null {
  const all = pairs(before, after).flatMap(({ first, last }): LoopDelayWindow[] => {
    if (first.eventLoop === null || last.eventLoop === null) return [];
    const since = durationsBetween(first.eventLoop.delay, last.eventLoop.delay);
    const [mean, p99] = [meanUs(since), quantileUs(since, 0.99)];
    if (mean === null || p99 === null) return [];
    const maxUs = maxBetweenUs(first.eventLoop.delay, last.eventLoop.delay) ?? 0;
    return [{ mean: mean / 1000, p99: p99 / 1000, max: maxUs / 1000 }];
  });
  return worst(all, ({ mean }) => mean);
}

export function heapWindow(readings: readonly GroupReport[]): HeapWindow | null {
  const all = readings.flatMap(({ byProcess }) =>
    [...byProcess.values()].flatMap(({ heap }): HeapWindow[] =>
      heap === null ? [] : [{ usedMb: mb(heap.usedBytes), maxMb: mbOrNull(heap.maxBytes), afterGcMb: mbOrNull(heap.afterGcBytes) }],
    ),
  );
  const fullest = worst(all, ({ usedMb, maxMb }) => usedMb / (maxMb ?? Number.MAX_SAFE_INTEGER));
  // A collection may have come after the moment at which the heap was fullest.
  return fullest === null ? null : { ...fullest, afterGcMb: all.at(-1)?.afterGcMb ?? fullest.afterGcMb };
}

export function httpWindow(before: GroupReport, after: GroupReport, during: readonly GroupReport[]): HttpWindow | null {
  const served = pairs(before, after).flatMap(({ first, last }) =>
    last.http === null ? [] : [first.http === null ? last.http.requests : durationsBetween(first.http.requests, last.http.requests)],
  );
  if (served.length === 0) return null;
  const readings = during.length > 0 ? during : [before];
  const inFlight = readings.map(({ byProcess }) => [...byProcess.values()].reduce((sum, { http }) => sum + (http?.inFlight ?? 0), 0));
  return {
    inFlight: inFlight.reduce((sum, count) => sum + count, 0) / inFlight.length,
    meanMs: msOf(meanUs(mergeDurations(served))),
  };
}

function worst<T>(all: readonly T[], value: (one: T) => number): T | null {
  return all.reduce<T | null>((most, one) => (most === null || value(one) > value(most) ? one : most), null);
}

function mb(bytes: number): number {
  return bytes / 2 ** 20;
}

function mbOrNull(bytes: number | null): number | null {
  return bytes === null ? null : mb(bytes);
}
