import type { DurationHistogram, Pause, PauseKind, ProbeReport } from '../../model/domain/probe.ts';
import { durationsBetween, mergeDurations } from '../statistics/durations.ts';
import type { GroupReport } from './groupReport.ts';
import { pairs } from './runtimeWindow.ts';

/** A pause of one process, by the machine’s monotonic clock. Times in ms. */
export interface SeenPause {
  kind: PauseKind;
  pid: number;
  atMs: number;
  ms: number;
  cpuMs: number | null;
}

/** What else than pools and threads the probes saw between two readings that requests may wait for. Of all processes together. */
export interface CausesWindow {
  /** How long the processes were observed. */
  spanMs: number;
  processes: number;
  pauses: SeenPause[];
  /** Libuv’s pool of threads: of all processes that have one. */
  workerPool: { size: number; wait: DurationHistogram; busyWith: Record<string, number> | null } | null;
  /** For a JVM; null elsewhere. */
  warming: { compileMs: number | null; loadedClasses: number } | null;
  /** Threads that JVMs started; null elsewhere. */
  startedThreads: number | null;
  /** Connections that were opened, of Node processes: as a TLS client, and to which address most; null where that is not counted. */
  opened: { tls: number; most: { to: string; count: number } | null } | null;
}

/** Null where no probe reports any of it. */
export function causesWindow(before: GroupReport, after: GroupReport, during: readonly GroupReport[]): CausesWindow | null {
  const both = pairs(before, after).filter(({ last }) => last.pauses !== undefined);
  if (both.length === 0) return null;
  return {
    spanMs: after.atMs - before.atMs,
    processes: both.length,
    pauses: both.flatMap(({ pid, first, last }) =>
      namedOnce(pausesOf(pid, [first], [...during.flatMap(({ byProcess }) => byProcess.get(pid) ?? []), last])),
    ),
    workerPool: joinWorkers(
      both.flatMap(({ first, last }) =>
        first.workerPool === undefined || last.workerPool === undefined
          ? []
          : [{ ...last.workerPool, wait: durationsBetween(first.workerPool.wait, last.workerPool.wait) }],
      ),
    ),
    warming: joinWarming(both.flatMap(({ first, last }) => warmingOf(first, last) ?? [])),
    startedThreads: sumOf(both.flatMap(({ first, last }) => startedIn(first, last) ?? [])),
    opened: joinOpened(both.flatMap(({ first, last }) => openedOf(first, last) ?? [])),
  };
}

/** Several windows as one: of the same processes one after another. */
export function joinCauses(windows: readonly CausesWindow[]): CausesWindow | null {
  if (windows.length === 0) return null;
  return {
    spanMs: windows.reduce((sum, { spanMs }) => sum + spanMs, 0),
    processes: Math.max(...windows.map(({ processes }) => processes)),
    pauses: windows.flatMap(({ pauses }) => pauses),
    workerPool: joinWorkers(windows.flatMap(({ workerPool }) => workerPool ?? [])),
    warming: joinWarming(windows.flatMap(({ warming }) => warming ?? [])),
    startedThreads: sumOf(windows.flatMap(({ startedThreads }) => startedThreads ?? [])),
    opened: joinOpened(windows.flatMap(({ opened }) => opened ?? [])),
  };
}

/** Those that later readings contain and the earlier do not. */
function pausesOf(pid: number, before: readonly ProbeReport[], later: readonly ProbeReport[]): SeenPause[] {
  const key = ({ kind, atUs }: Pause): string => `${kind} ${atUs}`;
  const known = new Set(before.flatMap(({ pauses = [] }) => pauses.map(key)));
  return later.flatMap(({ pauses = [] }) =>
    pauses.flatMap((pause) => {
      if (known.has(key(pause))) return [];
      known.add(key(pause));
      const { kind, atUs, us, cpuUs } = pause;
      return [{ kind, pid, atMs: atUs / 1000, ms: us / 1000, cpuMs: cpuUs === undefined ? null : cpuUs / 1000 }];
    }),
  );
}

/** Each stretch under its nearest name: a collector stops the loop, too, and behind a loop that is blocked nobody hears of a thread that is free. */
const behind: Partial<Record<PauseKind, readonly PauseKind[]>> = {
  loop: ['collector'],
  standstill: ['collector'],
  'worker-pool': ['collector', 'loop'],
  'name-look-up': ['collector', 'loop'],
};

function namedOnce(pauses: readonly SeenPause[]): SeenPause[] {
  return pauses.filter((pause) => {
    const nearer = pauses.filter(({ kind }) => behind[pause.kind]?.includes(kind));
    return nearer.reduce((sum, one) => sum + overlapMs(pause, one), 0) < pause.ms / 2;
  });
}

/** For how long two stretches of time lie in each other, in ms. */
export function overlapMs(one: Pick<SeenPause, 'atMs' | 'ms'>, other: Pick<SeenPause, 'atMs' | 'ms'>): number {
  return Math.max(0, Math.min(one.atMs + one.ms, other.atMs + other.ms) - Math.max(one.atMs, other.atMs));
}

function joinWorkers(pools: readonly NonNullable<CausesWindow['workerPool']>[]): CausesWindow['workerPool'] {
  const last = pools.at(-1);
  if (last === undefined) return null;
  return {
    size: last.size,
    wait: mergeDurations(pools.map((pool) => pool.wait)),
    busyWith: pools.findLast(({ busyWith }) => busyWith !== null)?.busyWith ?? null,
  };
}

function warmingOf(first: ProbeReport, last: ProbeReport): NonNullable<CausesWindow['warming']> | null {
  if (first.warming === undefined || last.warming === undefined) return null;
  const [from, to] = [first.warming.compileUs, last.warming.compileUs];
  return {
    compileMs: from === null || to === null ? null : Math.max(0, to - from) / 1000,
    loadedClasses: Math.max(0, last.warming.loadedClasses - first.warming.loadedClasses),
  };
}

function joinWarming(all: readonly NonNullable<CausesWindow['warming']>[]): CausesWindow['warming'] {
  if (all.length === 0) return null;
  const known = all.flatMap(({ compileMs }) => compileMs ?? []);
  return {
    compileMs: sumOf(known),
    loadedClasses: all.reduce((sum, { loadedClasses }) => sum + loadedClasses, 0),
  };
}

function startedIn(first: ProbeReport, last: ProbeReport): number | null {
  const [from, to] = [first.startedThreads, last.startedThreads];
  return from === undefined || to === undefined ? null : Math.max(0, to - from);
}

/** Null of none. */
function sumOf(all: readonly number[]): number | null {
  return all.length === 0 ? null : all.reduce((sum, one) => sum + one, 0);
}

function openedOf(first: ProbeReport, last: ProbeReport): NonNullable<CausesWindow['opened']> | null {
  if (last.peers === undefined || last.tlsOpened === undefined) return null;
  const earlier = new Map((first.peers ?? []).map(({ host, port, opened }) => [`${host}:${port}`, opened ?? 0]));
  return joinOpened([
    { tls: Math.max(0, last.tlsOpened - (first.tlsOpened ?? 0)), most: null },
    ...last.peers.map(({ host, port, opened = 0 }) => {
      const to = `${host}:${port}`;
      return { tls: 0, most: { to, count: opened - (earlier.get(to) ?? 0) } };
    }),
  ]);
}

function joinOpened(all: readonly NonNullable<CausesWindow['opened']>[]): CausesWindow['opened'] {
  if (all.length === 0) return null;
  const counts = new Map<string, number>();
  for (const { most } of all) if (most !== null) counts.set(most.to, (counts.get(most.to) ?? 0) + most.count);
  const [first] = [...counts].filter(([, count]) => count > 0).sort(([, a], [, b]) => b - a);
  return {
    tls: all.reduce((sum, { tls }) => sum + tls, 0),
    most: first === undefined ? null : { to: first[0], count: first[1] },
  };
}
