import { noErrors } from '../../../src/model/domain/run.ts';
import type { CauseSignals } from '../../../src/engine/diagnose/causes.ts';
import type { Knob, Knobs } from '../../../src/engine/diagnose/knobs.ts';
import type { PoolSignals, Signals } from '../../../src/engine/diagnose/signals.ts';

/** Nothing but pool, CPU and database holds a request up. */
export const noCauses: CauseSignals = {
  stalls: [],
  tail: null,
  workerPool: null,
  warming: null,
  connects: { database: null, tls: null, most: null, closed: null },
  rolledBack: null,
  rowsChanged: null,
  startedThreads: null,
  delayedAcks: null,
  quantiles: null,
};

export function knob(name: string, value: number, max = 256): Knob {
  return { name, label: name, value, min: 1, max };
}

export const sampleKnobs: Knobs = {
  threads: null,
  outboundClient: null,
  workers: null,
  searchIn: null,
  bouncerPool: null,
  pool: knob('pool', 10),
  poolTimeoutMs: knob('poolTimeoutMs', 2000, 60_000),
  heapMb: knob('heapMb', 256, 16_384),
  outboundPool: knob('documentPool', 2, 1000),
};

export function pool(more: Partial<PoolSignals> = {}): PoolSignals {
  return {
    name: 'main',
    max: 10,
    processes: null,
    busy: 2,
    pending: 0,
    waitMs: 0.01,
    holdMs: 1,
    perRequest: 1,
    timeouts: 0,
    completions: 16_000,
    outlived: { held: 0, grew: 0, cameBack: 0 },
    ...more,
  };
}

/** A quiet app on two cores: 16 connections, 2,000 requests a second of 8 ms, everything half used and nothing waiting. */
export function signals(more: Partial<Signals> = {}): Signals {
  return {
    runtime: 'jvm',
    routes: [],
    load: 'closed',
    connections: 16,
    attempts: 16_000,
    throughput: 2000,
    meanMs: 8,
    bytesPerSecond: 600_000,
    errors: noErrors,
    discardReasons: [],
    doubts: [],
    unsteady: null,
    generator: { cpuPercent: 20, loop: 0.2, littleRatio: 0.99 },
    generatorAtWorst: { cpuPercent: 22, loop: 0.22, littleRatio: 0.98 },
    cores: 2,
    appCores: 2,
    isShared: false,
    pgCores: 2,
    instances: 1,
    appCpuPercent: 60,
    pgCpuPercent: 30,
    appWantedPercent: null,
    firstThreadShare: null,
    generatorWantedPercent: null,
    saturatedBlocks: 0,
    allWantedPercent: null,
    appCpuRange: { low: 58, high: 62 },
    interferenceShare: 0.02,
    pressurePercent: 5,
    switchesPerSecond: 2000,
    sessions: { active: 11.5, onCpu: 1, lock: 0, io: 0, idleInTransaction: 0, samples: 8 },
    statements: [],
    functions: [],
    pool: pool({ max: 32, busy: 12, holdMs: 6 }),
    outbound: null,
    threads: { name: 'qtp', max: 50, busy: 18, queue: 0 },
    serverLoops: null,
    eventLoop: null,
    eventLoopDelayMs: null,
    gc: { pauseShare: 0.01, maxPauseMs: 5 },
    heap: { usedMb: 80, maxMb: 256 },
    inFlight: null,
    descriptors: { open: 80, limit: 1024 },
    proxy: null,
    bouncer: null,
    blocked: null,
    executor: null,
    causes: noCauses,
    knobs: { ...sampleKnobs, threads: knob('threads', 50, 1000) },
    ...more,
  };
}

/** The same on Node: one event loop, and no threads. */
export function nodeSignals(more: Partial<Signals> = {}): Signals {
  return signals({ runtime: 'node', threads: null, eventLoop: 0.6, eventLoopDelayMs: { mean: 1, max: 12 }, knobs: sampleKnobs, ...more });
}

/** A runtime that can use one core only, and uses it. */
export function oneCore(more: Partial<Signals> = {}): Signals {
  return signals({
    runtime: 'other',
    connections: 16,
    throughput: 300,
    meanMs: 53,
    appCpuPercent: 98,
    appCpuRange: { low: 97, high: 99 },
    pgCpuPercent: 20,
    generator: { cpuPercent: 6, loop: 0.06, littleRatio: 0.99 },
    pool: null,
    threads: null,
    gc: null,
    heap: null,
    ...more,
  });
}

/** Nothing in the app explains its time, and other programs have the CPU. */
export function starvedMachine(more: Partial<Signals> = {}): Signals {
  return nodeSignals({
    eventLoop: 0.3,
    appCpuPercent: 14,
    pgCpuPercent: 4,
    throughput: 400,
    meanMs: 20,
    connections: 8,
    interferenceShare: 0.86,
    generator: { cpuPercent: 8, loop: 0.2, littleRatio: 0.99 },
    pool: pool({ busy: 0.4, holdMs: 1 }),
    ...more,
  });
}

export const idle = { appCpuPercent: 20, pgCpuPercent: 10 };
export const sleeping = { active: 2, onCpu: 0, lock: 0, io: 0, idleInTransaction: 0, samples: 8 };

/** A full pool of two before a database that waits: 100 requests a second of 160 ms. */
export const poolLimited = (more: Partial<Signals> = {}): Signals =>
  signals({
    ...idle,
    throughput: 98,
    attempts: 800,
    meanMs: 163,
    pool: pool({ max: 2, busy: 1.99, pending: 13.8, waitMs: 141, holdMs: 20.5 }),
    sessions: sleeping,
    knobs: { ...sampleKnobs, pool: knob('pool', 2) },
    ...more,
  });
