import type { Finding } from '../../model/domain/findingKinds.ts';
import { isOf } from '../../model/domain/findings.ts';
import type { OutlivedConnections } from '../../model/domain/probe.ts';
import type { ErrorCounts } from '../../model/domain/run.ts';
import type { BouncerUse, ProxyUse } from '../../model/domain/topologyUse.ts';
import type { StatementUse } from '../../model/domain/statement.ts';
import type { FunctionUse } from '../observe/functionTimes.ts';
import type { Runtime } from '../../model/domain/runtimes.ts';
import type { LockedThing } from '../../model/domain/verdict/figures.ts';
import type { VerdictPart } from '../../model/domain/verdict/verdictKinds.ts';
import type { CauseSignals } from './causes.ts';
import type { Knobs } from './knobs.ts';
import { thresholds } from './thresholds.ts';

/** One of several pools of the app, as {@link PoolSignals}. */
export interface OneOfPools extends Pick<PoolSignals, 'name' | 'max' | 'pending' | 'waitMs' | 'holdMs' | 'perRequest'> {
  busy: number;
  pending: number;
  /** Where the app made it; null where that is not known. */
  madeAt: string | null;
  /** Whether no other pool of the app has this size. */
  isOnlyOfSize: boolean;
}

/** A pool of connections, to a database or to another service, in means over time. Times in ms. */
export interface PoolSignals {
  name: string;
  /** The sum over all processes, as all that follows. */
  max: number | null;
  /** Processes that have one of these pools each: a setting is of one of them. Null where nobody counted them. */
  processes: number | null;
  busy: number | null;
  pending: number | null;
  waitMs: number | null;
  holdMs: number | null;
  /** Of several pools, whose sum this is, the one that requests wait for most. */
  mostWaited?: OneOfPools | null;
  /** So many were in use whenever it was read, or nearly so, and never more: less than it has. Null where it varies, or was read too seldom. */
  always?: number | null;
  /** Connections acquired per request that was tried. */
  perRequest: number | null;
  timeouts: number | null;
  /** The share of the blocks in which the pool had locked itself up, 0 … 1: between them it is free again once waits have run out. */
  lockedUp?: number;
  /** Uses of a connection that ended while it was measured. */
  completions: number | null;
  /**
   * Connections that outlived the request that took them: at the end, since the beginning of what was measured, and such that came back, ever; how many were
   * ever lent; and where those of the end were acquired, as far as that was recorded, the most frequent place first.
   */
  outlived: (OutlivedConnections & { grew: number; lentInAll?: number }) | null;
}

/** What of a pool is seen by no probe. */
export const unprobedPool = { processes: null, timeouts: null, completions: null, outlived: null } as const;

/** PostgreSQL’s sessions, in means over the samples. */
export interface SessionSignals {
  active: number;
  /** Active and waiting for nothing. */
  onCpu: number;
  lock: number;
  /** What most of them wait for; null: something else, or several. */
  lockedOn?: LockedThing | null;
  /** Waiting for a disk or for one of PostgreSQL’s own inner locks. */
  io: number;
  idleInTransaction: number;
  samples: number;
}

/** The PgBouncer before PostgreSQL, in means over time. */
export type BouncerSignals = Pick<BouncerUse, 'mode' | 'poolSize' | 'busy' | 'waiting' | 'waitMs' | 'clients' | 'cpuPercent'>;

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
  discardReasons: readonly Finding[];
  /** What takes the confidence from any verdict. */
  doubts: readonly VerdictPart[];
  /** Why throughput was not steady before it was measured; null: it was. It takes the confidence from verdicts that rest on CPU or on room. */
  unsteady: Finding | null;
  generator: { cpuPercent: number | null; loop: number | null; littleRatio: number | null };
  /** The same of the block in which each was worst: the figures that a reason for a discarded measurement names. */
  generatorAtWorst: { cpuPercent: number | null; loop: number | null; littleRatio: number | null };
  /** Share of the blocks that were left out because the generator was saturated, 0 … 1: those that count are then the ones in which others kept it from that. */
  saturatedBlocks: number;
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
  /**
   * Percent of one core that threads of the app used or were ready to use and waited for: what they would have used without other programs. Threads that wait
   * for a lock, such as that of an interpreter which runs one of them at a time, are not among them. Null where it was not seen.
   */
  appWantedPercent: number | null;
  /** The share of the app’s CPU that the first threads of its processes use, 0 … 1: in Node, its event loops. Null where it was not seen. */
  firstThreadShare: number | null;
  /** That of `appWantedPercent` for the load generator. */
  generatorWantedPercent: number | null;
  /** That of app, PostgreSQL and load generator together. */
  allWantedPercent: number | null;
  /** The app’s CPU in the block in which it was least and in which it was most; null where no block has it. */
  appCpuRange: { low: number; high: number } | null;
  /** Share of the CPU that the hypervisor and other programs took, 0 … 1; null where it was not seen. */
  interferenceShare: number | null;
  pressurePercent: number | null;
  switchesPerSecond: number | null;
  sessions: SessionSignals | null;
  /** The longest in all first; empty where they are not counted. */
  statements: readonly StatementUse[];
  /** The one in which most of the statements’ time passes first, with its share of that, 0 … 1; empty where they are not counted. */
  functions: readonly (Pick<FunctionUse, 'name' | 'trigger'> & { meanMs: number; share: number })[];
  pool: PoolSignals | null;
  outbound: PoolSignals | null;
  threads: { name: string; max: number | null; busy: number | null; queue: number | null } | null;
  /** The busiest group of event loops in a JVM (Netty): how many of them are at work, and for which share of the time the busiest is, on average. */
  serverLoops: { name: string; count: number; busy: number; busiest: number } | null;
  /** 0 … 1, of the busiest event loop of Node. */
  eventLoop: number | null;
  eventLoopDelayMs: { mean: number | null; max: number | null } | null;
  gc: { pauseShare: number | null; maxPauseMs: number | null } | null;
  heap: { usedMb: number | null; maxMb: number | null } | null;
  /** Requests that the app itself knows of, on average. */
  inFlight: number | null;
  descriptors: { open: number; limit: number } | null;
  proxy: ProxyUse | null;
  bouncer: BouncerSignals | null;
  /** From thread dumps: request threads that wait for a monitor, and where. */
  blocked: { threads: number; of: number; where: string | null } | null;
  /**
   * From thread dumps: an executor of the app with no free thread, what its threads do, whether most of them wait meanwhile, and how many of the request threads
   * wait for a result of another thread.
   */
  executor: { name: string; threads: number; where: string; waits: boolean; waiting: number; of: number } | null;
  causes: CauseSignals;
  knobs: Knobs;
}

/** What a pool is called after: a host with its port, or an origin; other names tell nobody which service is meant. */
const isAddress = /^(https?:\/\/)?[\w.[\]:-]+:\d+$|^https?:\/\//;

/** The address of a service by the name of the pool of connections to it; null where it is none. */
export function addressOf(name: string): string | null {
  return isAddress.test(name) ? name : null;
}

/** How many processes a setting of a pool’s size is multiplied by; as many as there are instances where nobody counted. */
export function processesWith(pool: PoolSignals | null, { instances }: Pick<Signals, 'instances'>): number {
  return Math.max(1, pool?.processes ?? instances);
}

/** Whether requests connect to another service with TLS, each for itself: the time until it has answered is then that of connecting, too. */
export function shakesHandsEach({ causes }: Signals): boolean {
  const { tls, most } = causes.connects;
  return most !== null && Math.min(tls ?? 0, most.perRequest) >= thresholds.connectsEach.limit;
}

export function errorShare(s: Signals): number {
  return s.attempts === 0 ? 0 : s.errors.total / s.attempts;
}

/**
 * Whether all that discards it looks as if the load generator had not used its connections, or as if nothing had answered: both are what requests that hang look
 * like.
 */
export function looksUnanswered({ discardReasons }: Signals): boolean {
  return discardReasons.every((reason) => isOf(reason, 'generator-idle', 'answers'));
}
