import { joinCauses } from './causesWindow.ts';
import { mergeDurations } from '../statistics/durations.ts';
import type { GroupReport } from './groupReport.ts';
import { type ProbeWindow, mostWaitedIn, windowBetween } from './probeWindow.ts';

/**
 * What the probes saw of an app between two readings in which it was under load for `activeMs` only. What happened is that of its slices; shares of the time are
 * shares of them. `during` are readings while it was under load.
 */
export function windowOfSlices(before: GroupReport, after: GroupReport, during: readonly GroupReport[], activeMs: number): ProbeWindow {
  const wholeMs = after.atMs - before.atMs;
  const window = windowBetween({ ...before, atMs: after.atMs - activeMs }, after, during);
  const utilisation = window.eventLoopUtilisation;
  return {
    ...window,
    eventLoopUtilisation: utilisation === null || activeMs <= 0 ? utilisation : Math.min(1, (utilisation * wholeMs) / activeMs),
    causes: window.causes == null ? null : { ...window.causes, spanMs: wholeMs },
  };
}

/**
 * What belongs to one of several sides that share a process: what was counted, by the readings at both edges of each of its slices; what is only seen at a
 * moment, as `whole` has it from readings within them.
 */
export function joinedWindow(whole: ProbeWindow, edges: readonly (readonly [GroupReport, GroupReport])[], activeMs: number): ProbeWindow {
  const slices = edges.map(([before, after]) => windowBetween(before, after));
  const pools = slices.flatMap(({ pool }) => pool ?? []);
  const sum = (of: (slice: ProbeWindow) => number | null | undefined): number | null => {
    const known = slices.flatMap((slice) => of(slice) ?? []);
    return known.length === 0 ? null : known.reduce((total, one) => total + one, 0);
  };
  const last = pools.at(-1);
  const mostWaited = mostWaitedIn(pools.flatMap((one) => one.mostWaited ?? []));
  // Between the reading and the load on either side of a slice the loop is idle.
  const busyMs = sum(({ eventLoopUtilisation, windowMs }) => (eventLoopUtilisation === null ? null : eventLoopUtilisation * windowMs));
  const gcPauseMs = sum((slice) => slice.gcPauseMs);
  return {
    ...whole,
    windowMs: activeMs,
    pool:
      whole.pool === null || last === undefined
        ? null
        : {
            ...whole.pool,
            max: last.max,
            ...(mostWaited === null ? {} : { mostWaited }),
            outlived: whole.pool.outlived && { ...whole.pool.outlived, grew: sum(({ pool }) => pool?.outlived?.grew) ?? 0 },
            acquire: mergeDurations(pools.map(({ acquire }) => acquire)),
            hold: mergeDurations(pools.map(({ hold }) => hold)),
            timeouts: sum(({ pool }) => pool?.timeouts) ?? 0,
          },
    gcPauseMs,
    gc:
      whole.gc === null || gcPauseMs === null || activeMs <= 0
        ? whole.gc
        : { pauseShare: Math.min(1, gcPauseMs / activeMs), maxPauseMs: Math.max(0, ...slices.map(({ gc }) => gc?.maxPauseMs ?? 0)) },
    allocatedBytes: sum(({ allocatedBytes }) => allocatedBytes),
    causes: joinCauses(slices.flatMap(({ causes }) => causes ?? [])),
    eventLoopUtilisation: busyMs === null || activeMs <= 0 ? null : Math.min(1, busyMs / activeMs),
  };
}
