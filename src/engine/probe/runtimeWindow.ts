import { type ProbeReport, emptyDurations } from '../../model/domain/probe.ts';
import { mean } from '../statistics/moments.ts';
import { durationsBetween, maxBetweenUs, meanUs, mergeDurations, msOf } from '../statistics/durations.ts';
import type { GroupReport } from './groupReport.ts';

/** Collections that stopped the app: of the process that they stopped longest. */
export interface GcWindow {
  /** Share of the window in which it was paused, 0 … 1. */
  pauseShare: number;
  maxPauseMs: number;
}

/** How late timers were; of the process in which they were latest. */
export interface LoopDelayWindow {
  mean: number;
  max: number;
}

/** The heap of the process whose heap is fullest, at its fullest. */
export interface HeapWindow {
  usedMb: number;
  maxMb: number | null;
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
    return [{ pauseShare: Math.min(1, pauseUs / windowUs), maxPauseMs: maxPauseUs / 1000 }];
  });
  return worst(all, ({ pauseShare }) => pauseShare);
}

export function loopDelayWindow(before: GroupReport, after: GroupReport): LoopDelayWindow | null {
  const all = pairs(before, after).flatMap(({ first, last }): LoopDelayWindow[] => {
    if (first.eventLoop === null || last.eventLoop === null) return [];
    const mean = meanUs(durationsBetween(first.eventLoop.delay, last.eventLoop.delay));
    if (mean === null) return [];
    const maxUs = maxBetweenUs(first.eventLoop.delay, last.eventLoop.delay) ?? 0;
    return [{ mean: mean / 1000, max: maxUs / 1000 }];
  });
  return worst(all, ({ mean }) => mean);
}

export function heapWindow(readings: readonly GroupReport[]): HeapWindow | null {
  const all = readings.flatMap(({ byProcess }) =>
    [...byProcess.values()].flatMap(({ heap }): HeapWindow[] =>
      heap === null ? [] : [{ usedMb: mb(heap.usedBytes), maxMb: heap.maxBytes === null ? null : mb(heap.maxBytes) }],
    ),
  );
  return worst(all, ({ usedMb, maxMb }) => usedMb / (maxMb ?? Number.MAX_SAFE_INTEGER));
}

export function httpWindow(before: GroupReport, after: GroupReport, during: readonly GroupReport[]): HttpWindow | null {
  const served = pairs(before, after).flatMap(({ first, last }) =>
    last.http === null ? [] : [durationsBetween(first.http?.requests ?? emptyDurations, last.http.requests)],
  );
  if (served.length === 0) return null;
  const readings = during.length > 0 ? during : [before];
  const inFlight = readings.map(({ byProcess }) => [...byProcess.values()].reduce((sum, { http }) => sum + (http?.inFlight ?? 0), 0));
  return { inFlight: mean(inFlight), meanMs: msOf(meanUs(mergeDurations(served))) };
}

function worst<T>(all: readonly T[], value: (one: T) => number): T | null {
  return all.reduce<T | null>((most, one) => (most === null || value(one) > value(most) ? one : most), null);
}

function mb(bytes: number): number {
  return bytes / 2 ** 20;
}
