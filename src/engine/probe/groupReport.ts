import {
  type OutlivedConnections,
  type PoolReport,
  type ProbeReport,
  type ThreadPoolReport,
  emptyDurations,
} from '../../model/domain/probe.ts';
import { durationsBetween, mergeDurations } from '../statistics/durations.ts';
import type { ProbeGroup } from './probeServer.ts';
import type { ProbeSession } from './probeSession.ts';

/** The kinds of pools that hold connections to other HTTP services. All others hold connections to a database, where the kind is known. */
const outboundKinds = ['http-client', 'undici'];

/** What all probes of one app say at one moment. */
export interface GroupReport {
  /** `performance.now()` of this process when it was asked for. */
  atMs: number;
  byProcess: ReadonlyMap<number, ProbeReport>;
}

/** Asks every process of the app; one that does not answer is left out. `null` when none does. */
export async function readGroup(group: ProbeGroup, timeoutMs = 1_000): Promise<GroupReport | null> {
  const atMs = performance.now();
  const answers = await Promise.all(
    group.sessions.map(async (session): Promise<[number, ProbeReport] | null> => {
      try {
        return [session.hello.pid, await session.get(timeoutMs)];
      } catch {
        return null;
      }
    }),
  );
  const known = answers.filter((answer) => answer !== null);
  return known.length === 0 ? null : { atMs, byProcess: new Map(known) };
}

export function latestOf(group: ProbeGroup): GroupReport | null {
  const known = group.sessions.flatMap((session: ProbeSession): [number, ProbeReport][] =>
    session.latest === null ? [] : [[session.hello.pid, session.latest]],
  );
  return known.length === 0 ? null : { atMs: performance.now(), byProcess: new Map(known) };
}

/** What probes report of the hosts that an app connects to; nothing where there is none. */
export interface CalledByGroup {
  /** Whether a pool of connections to a database has an open one. */
  poolIsOpen: boolean;
  /** As the app names them. */
  called: { host: string; port: number }[];
}

/** Asks the probes of an app which hosts it has called so far. */
export async function calledByGroup(group: ProbeGroup | null): Promise<CalledByGroup> {
  const report = group === null ? null : await readGroup(group);
  if (report === null) return { poolIsOpen: false, called: [] };
  return {
    poolIsOpen: databasePools(report).some(({ total }) => total > 0),
    called: [...report.byProcess.values()].flatMap(({ peers = [] }) => peers.map(({ host, port }) => ({ host, port }))),
  };
}

export function isOfDatabase({ kind }: PoolReport): boolean {
  return kind !== 'other' && !isOutbound({ kind });
}

/** Whether it holds connections to other HTTP services. */
export function isOutbound({ kind }: Pick<PoolReport, 'kind'>): boolean {
  return outboundKinds.includes(kind);
}

export function databasePools(report: GroupReport): PoolReport[] {
  return [...report.byProcess.values()].flatMap(({ pools }) => pools.filter(isOfDatabase));
}

/** Each of these pools with its difference between two readings; `first` is undefined of one that was made in between: it has counted from nothing. */
export function poolsSince(
  before: GroupReport,
  after: GroupReport,
  isWanted: (pool: PoolReport) => boolean,
): { key: string; pid: number; first: PoolReport | undefined; last: PoolReport; since: PoolReport }[] {
  return [...after.byProcess].flatMap(([pid, { pools }]) =>
    pools.filter(isWanted).map((pool) => {
      const first = before.byProcess.get(pid)?.pools.find(({ id }) => id === pool.id);
      const since = {
        ...pool,
        acquire: durationsBetween(first?.acquire ?? emptyDurations, pool.acquire),
        hold: durationsBetween(first?.hold ?? emptyDurations, pool.hold),
        timeouts: Math.max(0, pool.timeouts - (first?.timeouts ?? 0)),
      };
      return { key: poolKey(pid, pool), pid, first, last: pool, since };
    }),
  );
}

/** By which pools of several processes are distinguished. */
export function poolKey(pid: number, { id }: PoolReport): string {
  return `${pid}|${id}`;
}

/** The pools that serve requests: an executor that the app made for itself is not one. */
export function requestThreads(report: GroupReport): ThreadPoolReport[] {
  return [...report.byProcess.values()].flatMap(({ threadPools }) =>
    threadPools.filter(({ kind }) => kind === 'jetty' || kind === 'tomcat' || kind === 'undertow'),
  );
}

/** The threads that carry virtual threads, which serve no request themselves. */
export function carriers(report: GroupReport): ThreadPoolReport[] {
  return [...report.byProcess.values()].flatMap(({ threadPools }) => threadPools.filter(({ kind }) => kind === 'carriers'));
}

/** What serves requests and has no size that could be changed, with the reason. */
export function unboundThreads(report: GroupReport): ThreadPoolReport[] {
  return [...report.byProcess.values()].flatMap(({ threadPools }) =>
    threadPools.filter(({ kind }) => kind === 'netty' || kind === 'virtual'),
  );
}

/** How many connections a pool lends at once, by its size and by the limit that was set; null: no bound. */
export function mostLent({ max, lendLimit }: PoolReport): number | null {
  return max === null || lendLimit === null ? (max ?? lendLimit) : Math.min(max, lendLimit);
}

/** Several pools as one: sums, and merged histograms. `null` of none. */
export function joinPools(pools: readonly PoolReport[]): PoolReport | null {
  const [first] = pools;
  if (first === undefined) return null;
  const sum = (value: (pool: PoolReport) => number | null): number => pools.reduce((total, pool) => total + (value(pool) ?? 0), 0);
  return {
    ...first,
    max: pools.some(({ max }) => max === null) ? null : sum(({ max }) => max),
    min: pools.some(({ min }) => min === null) ? null : sum(({ min }) => min),
    total: sum(({ total }) => total),
    idle: sum(({ idle }) => idle),
    busy: sum(({ busy }) => busy),
    pending: sum(({ pending }) => pending),
    timeouts: sum(({ timeouts }) => timeouts),
    ...joinOutlived(pools.flatMap(({ outlived }) => outlived ?? [])),
    lendable: pools.every(({ lendable }) => lendable),
    lendLimit: pools.some(({ lendLimit }) => lendLimit === null) ? null : sum(({ lendLimit }) => lendLimit),
    acquire: mergeDurations(pools.map(({ acquire }) => acquire)),
    hold: mergeDurations(pools.map(({ hold }) => hold)),
  };
}

function joinOutlived(all: readonly OutlivedConnections[]): Pick<PoolReport, 'outlived'> {
  if (all.length === 0) return {};
  const places = new Map<string, number>();
  for (const { at, count } of all.flatMap((one) => one.places ?? [])) places.set(at, (places.get(at) ?? 0) + count);
  return {
    outlived: {
      held: all.reduce((sum, { held }) => sum + held, 0),
      cameBack: all.reduce((sum, { cameBack }) => sum + cameBack, 0),
      ...(all.every(({ unsure }) => unsure === undefined) ? {} : { unsure: all.reduce((sum, { unsure }) => sum + (unsure ?? 0), 0) }),
      ...(places.size === 0 ? {} : { places: [...places].map(([at, count]) => ({ at, count })).sort((a, b) => b.count - a.count) }),
    },
  };
}
