import { grouped } from '../../model/domain/grouped.ts';
import { mean } from '../statistics/moments.ts';
import type { DurationHistogram, OutlivedConnections, PoolReport, ProbeReport } from '../../model/domain/probe.ts';
import type { PoolUse, ThreadUse } from '../../model/domain/run.ts';
import { meanUs, mergeDurations, msOf, quantileUs } from '../statistics/durations.ts';
import { type GroupReport, isOfDatabase, joinPools, mostLent, poolKey, poolsSince, requestThreads } from './groupReport.ts';
import { type CausesWindow, causesWindow } from './causesWindow.ts';
import { type OutboundWindow, busiestOutbound } from './outboundPools.ts';
import {
  type GcWindow,
  type HeapWindow,
  type HttpWindow,
  type LoopDelayWindow,
  gcWindow,
  heapWindow,
  httpWindow,
  loopDelayWindow,
  pairs,
} from './runtimeWindow.ts';

/** One of several pools of a process, in means over time. Times in ms. */
export interface PoolOfSeveral {
  id: string;
  name: string;
  /** Where the app made it; null where that is not known. */
  madeAt: string | null;
  max: number | null;
  busy: number;
  pending: number;
  acquire: DurationHistogram;
  hold: DurationHistogram;
  /** Whether no other pool of a process has this size. */
  isOnlyOfSize: boolean;
}

/** What the probes saw between two readings. */
export interface ProbeWindow {
  windowMs: number;
  pool: {
    kind: string;
    name: string;
    /** The number that it lends at once: its size, or a lower limit that was set. */
    max: number | null;
    total: number;
    acquire: DurationHistogram;
    hold: DurationHistogram;
    timeouts: number;
    /**
     * Connections that outlived the request that took them, at the end; `grew`: since the beginning; `lentInAll`: connections ever lent. Absent where that is
     * not known.
     */
    outlived?: (OutlivedConnections & { grew: number; lentInAll?: number }) | undefined;
    /** Processes whose pools these are together. */
    processes?: number;
    /** Means over the readings within the window, of all processes together. */
    busySampled: number;
    pendingSampled: number;
    /** The most at any of these readings. */
    busyMost?: number;
    /** What each of them had in use. */
    busyReadings?: number[];
    /** Where a process uses several pools: the one that requests wait for most, of all processes together. Absent where there is one. */
    mostWaited?: PoolOfSeveral;
  } | null;
  /** Requests that ended between the readings, where these are more than those of the block: the edges of slices are left out of it. */
  requests?: number;
  threads: { kind: string; name: string; max: number | null; busy: number; queue: number } | null;
  /** The busiest group of event loops of a JVM, in the mean over the readings. Absent or null where there is none. */
  serverLoops?: { name: string; count: number; busy: number; busiest: number } | null;
  eventLoopUtilisation: number | null;
  /** The sum over all processes. */
  gcPauseMs: number | null;
  /** The sum over all processes; null where a runtime does not report it. */
  allocatedBytes?: number | null;
  /** The fullest pool of connections to another HTTP service. */
  outbound: OutboundWindow | null;
  gc: GcWindow | null;
  eventLoopDelayMs: LoopDelayWindow | null;
  heap: HeapWindow | null;
  /** Null where the app’s requests are not seen, as in a JVM. */
  http: HttpWindow | null;
  /** Absent or null where no probe reports any. */
  causes?: CausesWindow | null;
}

/**
 * The difference of two readings of the same app; processes and pools that only one of them knows are left out. `during` are readings between
 * the two, for what can only be seen at a moment: when the window has closed, the load is gone.
 */
export function windowBetween(before: GroupReport, after: GroupReport, during: readonly GroupReport[] = []): ProbeWindow {
  const pools = poolsSince(before, after, isOfDatabase).filter(({ first }) => first !== undefined);
  // A pool that nobody used in the window, or waits for, says nothing of it: that of a second data source would only blur the one that works.
  const used = pools.filter(({ since: { acquire, hold, pending } }) => acquire.count + hold.count + pending > 0);
  const counted = used.length > 0 ? used : pools.slice(0, 1);
  const joined = joinPools(counted.map(({ since }) => since));
  const threads = requestThreads(after);
  const readings = during.length > 0 ? during : [before];
  const keys = new Set<string>(counted.map(({ key }) => key));
  return {
    windowMs: after.atMs - before.atMs,
    pool:
      joined === null
        ? null
        : {
            ...joined,
            max: mostLent(joined),
            outlived: joined.outlived && {
              ...joined.outlived,
              grew: joined.outlived.held - counted.reduce((sum, { first }) => sum + (first?.outlived?.held ?? 0), 0),
              lentInAll: counted.reduce((sum, { last }) => sum + last.hold.count + last.busy, 0),
            },
            processes: new Set(counted.map(({ pid }) => pid)).size,
            busySampled: mean(sampled(readings, keys, 'busy')),
            pendingSampled: mean(sampled(readings, keys, 'pending')),
            busyMost: Math.max(...sampled(readings, keys, 'busy')),
            busyReadings: sampled(during, keys, 'busy'),
            ...mostWaitedOf(
              counted.map(({ since }) => since),
              after.atMs - before.atMs,
            ),
          },
    threads: threads.length === 0 ? null : meanThreads([before, ...during]),
    serverLoops: busiestLoops(readings),
    eventLoopUtilisation: utilisation(before, after),
    gcPauseMs: sumOrNull(growth(before, after, ({ gc }) => gc?.pauseUs).map((us) => us / 1000)),
    allocatedBytes: sumOrNull(growth(before, after, ({ heap }) => heap?.allocatedBytes)),
    outbound: busiestOutbound(before, after, during),
    gc: gcWindow(before, after),
    eventLoopDelayMs: loopDelayWindow(before, after),
    heap: heapWindow([...during, after]),
    http: httpWindow(before, after, during),
    causes: causesWindow(before, after, during),
  };
}

/** Of several windows, or of one: that which is waited for most in all of them. */
export function mostWaitedIn(all: readonly PoolOfSeveral[]): PoolOfSeveral | null {
  const pending = (same: readonly PoolOfSeveral[]): number => same.reduce((sum, one) => sum + one.pending, 0);
  const [most] = [...grouped(all, ({ id }) => id).values()].sort((a, b) => pending(b) - pending(a));
  const last = most?.at(-1);
  if (most === undefined || last === undefined) return null;
  return {
    ...last,
    busy: mean(most.map(({ busy }) => busy)),
    pending: pending(most) / most.length,
    acquire: mergeDurations(most.map(({ acquire }) => acquire)),
    hold: mergeDurations(most.map(({ hold }) => hold)),
  };
}

/** Pools of several processes with the same number within theirs are one: those that the same code made. */
function mostWaitedOf(pools: readonly PoolReport[], windowMs: number): { mostWaited?: PoolOfSeveral } {
  const apart = [...grouped(pools, ({ id }) => id).values()];
  if (apart.length < 2 || windowMs <= 0) return {};
  const each = apart.flatMap((same): PoolOfSeveral[] => {
    const joined = joinPools(same);
    if (joined === null) return [];
    const { id, name, madeAt = null, acquire, hold } = joined;
    const max = mostLent(joined);
    const isOnlyOfSize = apart.filter((others) => others[0].max === joined.max).length < 2;
    const busy = Math.min(hold.sumUs / windowMs / 1000, max ?? Number.POSITIVE_INFINITY);
    return [{ id, name, madeAt, max, busy, pending: acquire.sumUs / windowMs / 1000, acquire, hold, isOnlyOfSize }];
  });
  const most = mostWaitedIn(each);
  return most === null ? {} : { mostWaited: most };
}

/** The sum of these pools in each reading. */
function sampled(readings: readonly GroupReport[], keys: ReadonlySet<string>, of: 'busy' | 'pending'): number[] {
  return readings.map(({ byProcess }) =>
    [...byProcess].reduce(
      (total, [pid, { pools }]) => total + pools.reduce((sum, pool) => (keys.has(poolKey(pid, pool)) ? sum + pool[of] : sum), 0),
      0,
    ),
  );
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

/** Of several groups (those that accept, those that serve, those of clients) the one whose busiest loop has the least time to spare. */
function busiestLoops(readings: readonly GroupReport[]): NonNullable<ProbeWindow['serverLoops']> | null {
  const seen = readings.flatMap(({ byProcess }) =>
    [...byProcess].flatMap(([pid, { threadPools }]) =>
      threadPools.flatMap(({ kind, name, threads, busy, busiest }) =>
        kind === 'netty' && busiest !== undefined ? [{ pid, name, count: threads, busy, busiest }] : [],
      ),
    ),
  );
  const groups = grouped(seen, ({ pid, name }) => `${pid} ${name}`);
  const all = [...groups.values()].map((each) => ({
    name: each[0].name,
    count: Math.max(...each.map(({ count }) => count)),
    busy: mean(each.map(({ busy }) => busy)),
    busiest: mean(each.map(({ busiest }) => busiest)),
  }));
  return all.sort((a, b) => b.busiest - a.busiest)[0] ?? null;
}

/** The busiest event loop of the app: one that is full limits it, whatever the others do. */
function utilisation(before: GroupReport, after: GroupReport): number | null {
  const shares = pairs(before, after).flatMap(({ first: { eventLoop: from }, last: { eventLoop: to } }) => {
    if (from === null || to === null) return [];
    const active = to.activeUs - from.activeUs;
    const all = active + to.idleUs - from.idleUs;
    return all > 0 ? [Math.min(1, active / all)] : [];
  });
  return shares.length === 0 ? null : Math.max(...shares);
}

/** By how much a count of each process grew, of those that report it. */
function growth(before: GroupReport, after: GroupReport, of: (report: ProbeReport) => number | null | undefined): number[] {
  return pairs(before, after).flatMap(({ first, last }) => {
    const [from, to] = [of(first), of(last)];
    return from == null || to == null ? [] : [Math.max(0, to - from)];
  });
}

function sumOrNull(values: readonly number[]): number | null {
  return values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0);
}

/** By how many requests what was counted in these windows is to be divided; `ofBlocks`: those that their blocks count. */
export function requestsOf(windows: readonly ProbeWindow[], ofBlocks: number): number {
  const own = windows.flatMap(({ requests }) => requests ?? []);
  return own.length === 0 || own.length < windows.length ? ofBlocks : own.reduce((sum, one) => sum + one, 0);
}

/**
 * What the pool did in these windows together. Busy and pending connections are means over time by Little's law: connections that were held (waited for) × how
 * long ÷ the time. Sampling once a second would be less exact. A wait that began before the window counts whole, so that more would seem to wait than there
 * are: at most `mostAtOnce` requests are at work (in a closed loop, its connections), and in a pool at most as many connections as it has.
 */
export function poolUseOf(windows: readonly ProbeWindow[], blockRequests: number, mostAtOnce = Number.POSITIVE_INFINITY): PoolUse | null {
  const requests = requestsOf(windows, blockRequests);
  const pools = windows.flatMap(({ pool }) => (pool === null ? [] : [pool]));
  const [first] = pools;
  const timeUs = windows.reduce((sum, window) => sum + (window.pool === null ? 0 : window.windowMs * 1000), 0);
  if (first === undefined || timeUs === 0) return null;
  const acquire = mergeDurations(pools.map((pool) => pool.acquire));
  const hold = mergeDurations(pools.map((pool) => pool.hold));
  const seenAtOnce = pools.flatMap(({ busyMost }) => busyMost ?? []);
  return {
    kind: first.kind,
    name: first.name,
    max: pools.at(-1)?.max ?? null,
    busy: Math.min(hold.sumUs / timeUs, pools.at(-1)?.max ?? Number.POSITIVE_INFINITY),
    ...(seenAtOnce.length === 0 ? {} : { busyMost: Math.max(...seenAtOnce) }),
    pending: Math.min(acquire.sumUs / timeUs, mostAtOnce),
    waitMs: msOf(meanUs(acquire)),
    waitP99Ms: msOf(quantileUs(acquire, 0.99)),
    holdMs: msOf(meanUs(hold)),
    perRequest: requests === 0 ? null : hold.count / requests,
    processes: pools.at(-1)?.processes,
  };
}

export function threadUseOf(windows: readonly ProbeWindow[]): ThreadUse | null {
  const pools = windows.flatMap(({ threads }) => (threads === null ? [] : [threads]));
  const last = pools.at(-1);
  if (last === undefined) return null;
  return { ...last, busy: mean(pools.map(({ busy }) => busy)), queue: mean(pools.map(({ queue }) => queue)) };
}
