import type { ErrorCounts } from '../../model/run.ts';
import type { StatementUse } from '../../model/statement.ts';
import type { Runtime } from '../../model/target.ts';
import type { Knobs } from './knobs.ts';

/** A pool of connections, to a database or to another service, in means over time. Times in ms. */
export interface PoolSignals {
  name: string;
  max: number | null;
  busy: number | null;
  pending: number | null;
  waitMs: number | null;
  holdMs: number | null;
  /** Connections taken per request that was tried. */
  perRequest: number | null;
  /** Callers that gave up waiting. */
  timeouts: number | null;
}

/** PostgreSQL’s sessions, in means over the samples. */
export interface SessionSignals {
  active: number;
  /** Active and waiting for nothing. */
  onCpu: number;
  lock: number;
  /** Waiting for a disk or for one of PostgreSQL’s own inner locks. */
  io: number;
  idleInTransaction: number;
  /** How many samples these are means of. */
  samples: number;
}

/** All that a verdict is made from. What was not seen is null, and never counts as met. */
export interface Signals {
  runtime: Runtime;
  /** As `METHOD /path`. */
  routes: readonly string[];
  /** `closed`: a connection sends its next request when the last is answered; `paced`: at a rate, or with pauses for thought. */
  load: 'closed' | 'paced';
  connections: number;
  /** Requests tried, those that failed included. */
  attempts: number;
  throughput: number;
  meanMs: number | null;
  bytesPerSecond: number | null;
  errors: ErrorCounts;
  /** Why what was measured says nothing of the app. Errors are not among them. */
  voidReasons: readonly string[];
  /** What takes the confidence from any verdict. */
  doubts: readonly string[];
  generator: { cpuPercent: number | null; loop: number | null; littleRatio: number | null };
  cores: number | null;
  /** Cores that the app may use: all, or its share of them. */
  appCores: number | null;
  /** Whether `appCores` is a share that was given to it. */
  isShared: boolean;
  pgCores: number | null;
  instances: number;
  /** Percent of one core. */
  appCpuPercent: number | null;
  pgCpuPercent: number | null;
  /** Percent of all cores. */
  otherPercent: number | null;
  stealPercent: number | null;
  pressurePercent: number | null;
  switchesPerSecond: number | null;
  sessions: SessionSignals | null;
  /** The longest in all first; empty where they are not counted. */
  statements: readonly StatementUse[];
  pool: PoolSignals | null;
  outbound: PoolSignals | null;
  threads: { name: string; max: number | null; busy: number | null; queue: number | null } | null;
  /** 0 … 1, of the busiest event loop. */
  eventLoop: number | null;
  eventLoopDelayMs: { mean: number | null; max: number | null } | null;
  gc: { pauseShare: number | null; maxPauseMs: number | null } | null;
  heap: { usedMb: number | null; maxMb: number | null } | null;
  /** Requests that the app itself knows of, on average. */
  inFlight: number | null;
  descriptors: { open: number; limit: number } | null;
  proxy: { cpuPercent: number | null; workers: number } | null;
  /** Of thread dumps: request threads that wait for a monitor, and where. */
  blocked: { threads: number; of: number; where: string | null } | null;
  knobs: Knobs;
}

/** CPU of the app, PostgreSQL and the load generator together, as a share of the machine. */
export function ownCpuShare(s: Signals): number | null {
  if (s.cores === null || s.appCpuPercent === null) return null;
  return (s.appCpuPercent + (s.pgCpuPercent ?? 0) + (s.generator.cpuPercent ?? 0) + (s.proxy?.cpuPercent ?? 0)) / (100 * s.cores);
}

/** Use of the cores that the app may use, 0 … 1. */
export function appCpuShare(s: Signals): number | null {
  return s.appCpuPercent === null || s.appCores === null ? null : s.appCpuPercent / (100 * s.appCores);
}

export function pgCpuShare(s: Signals): number | null {
  return s.pgCpuPercent === null || s.pgCores === null ? null : s.pgCpuPercent / (100 * s.pgCores);
}

/** Use of the processor that is fullest: the machine, the app’s share of it, or one event loop. */
export function fullestCpu(s: Signals): number | null {
  const known = [ownCpuShare(s), appCpuShare(s), s.eventLoop].filter((value) => value !== null);
  return known.length === 0 ? null : Math.max(...known);
}

/** Of the mean request, the ms that nothing seen accounts for; null where that cannot be told. */
export function unexplainedMs(s: Signals): number | null {
  if (s.meanMs === null || s.appCpuPercent === null) return null;
  const cpuMs = s.throughput > 0 ? (10 * (s.appCpuPercent + (s.generator.cpuPercent ?? 0))) / s.throughput : 0;
  const inPool = (pool: PoolSignals | null): number =>
    pool === null ? 0 : ((pool.waitMs ?? 0) + (pool.holdMs ?? 0)) * (pool.perRequest ?? 1);
  return Math.max(0, s.meanMs - cpuMs - inPool(s.pool) - inPool(s.outbound));
}

export function errorShare(s: Signals): number {
  return s.attempts === 0 ? 0 : s.errors.total / s.attempts;
}
