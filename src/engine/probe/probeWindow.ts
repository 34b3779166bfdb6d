import type { DurationHistogram } from '../../model/probe.ts';
import type { PoolUse, ThreadUse } from '../../model/run.ts';
import { durationsBetween, meanUs, mergeDurations, quantileUs } from './durations.ts';
import { databasePools, joinPools, requestThreads } from './groupReport.ts';
import type { GroupReport } from './groupReport.ts';

/** What the probes saw between two readings. */
export interface ProbeWindow {
  windowMs: number;
  pool: {
    kind: string;
    name: string;
    max: number | null;
    total: number;
    acquire: DurationHistogram;
    hold: DurationHistogram;
    timeouts: number;
  } | null;
  threads: { kind: string; name: string; max: number | null; busy: number; queue: number } | null;
  eventLoopUtilisation: number | null;
  gcPauseMs: number | null;
}

/**
 * The difference of two readings of the same app; processes and pools that only one of them knows are left out. `during` are readings between
 * the two, for what can only be seen at a moment: when the window has closed, the load is gone.
 */
export function windowBetween(before: GroupReport, after: GroupReport, during: readonly GroupReport[] = []): ProbeWindow {
  const earlier = new Map([...before.byProcess].flatMap(([pid, { pools }]) => pools.map((pool) => [`${pid}|${pool.id}`, pool] as const)));
  const pools = [...after.byProcess].flatMap(([pid, report]) =>
    databasePools({ atMs: after.atMs, byProcess: new Map([[pid, report]]) }).flatMap((pool) => {
      const first = earlier.get(`${pid}|${pool.id}`);
      if (first === undefined) return [];
      return [
        {
          ...pool,
          acquire: durationsBetween(first.acquire, pool.acquire),
          hold: durationsBetween(first.hold, pool.hold),
          timeouts: Math.max(0, pool.timeouts - first.timeouts),
        },
      ];
    }),
  );
  // A pool that nobody used in the window tells nothing of it: that of a second data source would only blur the one that works.
  const used = pools.filter(({ acquire, hold }) => acquire.count + hold.count > 0);
  const joined = joinPools(used.length > 0 ? used : pools.slice(0, 1));
  const threads = requestThreads(after);
  return {
    windowMs: after.atMs - before.atMs,
    pool: joined,
    threads: threads.length === 0 ? null : meanThreads([before, ...during]),
    eventLoopUtilisation: utilisation(before, after),
    gcPauseMs: gcPause(before, after),
  };
}

function meanThreads(reports: readonly GroupReport[]): ProbeWindow['threads'] {
  const pools = reports.map(requestThreads);
  const [first] = pools.at(-1) ?? [];
  if (first === undefined) return null;
  const sum = (all: readonly { busy: number; queue: number }[], of: 'busy' | 'queue'): number =>
    all.reduce((total, one) => total + one[of], 0);
  const mean = (of: 'busy' | 'queue'): number => pools.reduce((total, all) => total + sum(all, of), 0) / pools.length;
  const last = pools.at(-1) ?? [];
  return {
    kind: first.kind,
    name: first.name,
    max: last.some(({ max }) => max === null) ? null : last.reduce((total, { max }) => total + (max ?? 0), 0),
    busy: mean('busy'),
    queue: mean('queue'),
  };
}

/** The busiest event loop of the app: one that is full limits it, whatever the others do. */
function utilisation(before: GroupReport, after: GroupReport): number | null {
  const shares = [...after.byProcess].flatMap(([pid, { eventLoop }]) => {
    const first = before.byProcess.get(pid)?.eventLoop;
    if (eventLoop === null || first === null || first === undefined) return [];
    const active = eventLoop.activeUs - first.activeUs;
    const all = active + eventLoop.idleUs - first.idleUs;
    return all > 0 ? [Math.min(1, active / all)] : [];
  });
  return shares.length === 0 ? null : Math.max(...shares);
}

function gcPause(before: GroupReport, after: GroupReport): number | null {
  const pauses = [...after.byProcess].flatMap(([pid, { gc }]) => {
    const first = before.byProcess.get(pid)?.gc;
    return gc === null || first === null || first === undefined ? [] : [Math.max(0, gc.pauseUs - first.pauseUs) / 1000];
  });
  return pauses.length === 0 ? null : pauses.reduce((sum, pause) => sum + pause, 0);
}

/**
 * What the pool did in these windows together. Busy and pending connections are means over time by Little's law: connections that were
 * held (waited for) × how long ÷ the time, which no sampling once a second could tell as well.
 */
export function poolUseOf(windows: readonly ProbeWindow[], requests: number): PoolUse | null {
  const pools = windows.flatMap(({ pool }) => (pool === null ? [] : [pool]));
  const [first] = pools;
  const timeUs = windows.reduce((sum, window) => sum + (window.pool === null ? 0 : window.windowMs * 1000), 0);
  if (first === undefined || timeUs === 0) return null;
  const acquire = mergeDurations(pools.map((pool) => pool.acquire));
  const hold = mergeDurations(pools.map((pool) => pool.hold));
  const ms = (us: number | null): number | null => (us === null ? null : us / 1000);
  return {
    kind: first.kind,
    name: first.name,
    max: pools.at(-1)?.max ?? null,
    busy: hold.sumUs / timeUs,
    pending: acquire.sumUs / timeUs,
    waitMs: ms(meanUs(acquire)),
    waitP99Ms: ms(quantileUs(acquire, 0.99)),
    holdMs: ms(meanUs(hold)),
    perRequest: requests === 0 ? null : hold.count / requests,
  };
}

export function threadUseOf(windows: readonly ProbeWindow[]): ThreadUse | null {
  const pools = windows.flatMap(({ threads }) => (threads === null ? [] : [threads]));
  const last = pools.at(-1);
  if (last === undefined) return null;
  const mean = (of: 'busy' | 'queue'): number => pools.reduce((sum, pool) => sum + pool[of], 0) / pools.length;
  return { ...last, busy: mean('busy'), queue: mean('queue') };
}
