import { grouped } from '../../model/domain/grouped.ts';
import type { PoolReport } from '../../model/domain/probe.ts';
import { meanUs, msOf } from '../statistics/durations.ts';
import { type GroupReport, isOutbound, joinPools, poolsSince } from './groupReport.ts';

/** A pool of connections to another service, in a window. Busy and pending are means; times are means in ms, null where they are not known. */
export interface OutboundWindow {
  kind: string;
  name: string;
  max: number | null;
  busy: number;
  /** What each reading had in use. */
  busyReadings?: number[];
  pending: number;
  waitMs: number | null;
  holdMs: number | null;
  /** Connections that were acquired in the window, as far as they were given back. */
  taken: number;
  timeouts: number;
}

/**
 * The pool of the app to other services that is fullest, pools to the same service in several processes as one. Busy and pending are means over time by
 * Little’s law where the pool is timed, else over the readings. Only the readings show a connection that is held for longer than the window. So the larger of
 * the two counts.
 */
export function busiestOutbound(before: GroupReport, after: GroupReport, during: readonly GroupReport[]): OutboundWindow | null {
  const windowUs = (after.atMs - before.atMs) * 1000;
  const groups = grouped(
    poolsSince(before, after, isOutbound).map(({ since }) => since),
    groupOf,
  );
  const readings = during.length > 0 ? during : [before, after];
  const all = [...groups].flatMap(([group, pools]): OutboundWindow[] => {
    const joined = joinPools(pools);
    if (joined === null) return [];
    const sampled = (of: 'busy' | 'pending'): number =>
      readings.reduce((sum, reading) => sum + sumOf(reading, group, of), 0) / readings.length;
    const byTime = (sumUs: number): number => (windowUs > 0 ? sumUs / windowUs : 0);
    return [
      {
        kind: joined.kind,
        name: joined.name,
        max: joined.max,
        // A hold that began before the window counts whole: no more are at work than there are.
        busy: Math.max(Math.min(byTime(joined.hold.sumUs), joined.max ?? Number.POSITIVE_INFINITY), sampled('busy')),
        busyReadings: during.map((reading) => sumOf(reading, group, 'busy')),
        pending: Math.max(byTime(joined.acquire.sumUs), sampled('pending')),
        waitMs: msOf(meanUs(joined.acquire)),
        holdMs: msOf(meanUs(joined.hold)),
        taken: joined.hold.count,
        timeouts: joined.timeouts,
      },
    ];
  });
  return all.reduce<OutboundWindow | null>((most, one) => (most === null || isBusier(one, most) ? one : most), null);
}

function isBusier(one: OutboundWindow, other: OutboundWindow): boolean {
  const [a, b] = [fullness(one), fullness(other)];
  if (a !== b) return a > b;
  return one.pending === other.pending ? one.busy > other.busy : one.pending > other.pending;
}

function fullness({ busy, max }: OutboundWindow): number {
  return max === null || max === 0 ? 0 : busy / max;
}

function groupOf({ kind, name }: PoolReport): string {
  return `${kind}|${name}`;
}

function sumOf(report: GroupReport, group: string, of: 'busy' | 'pending'): number {
  const pools = [...report.byProcess.values()].flatMap((one) => one.pools);
  return pools.reduce((sum, pool) => (isOutbound(pool) && groupOf(pool) === group ? sum + pool[of] : sum), 0);
}
