import type { SourceCode } from '../../model/domain/verdict/thresholdSources.ts';
import type { EvidenceUnit } from '../../model/domain/verdict/evidence.ts';

/** A limit that a signal is held against, and where it comes from. */
export interface Threshold {
  limit: number;
  /** What it and the signal are in; left out of a share, 0 … 1. */
  unit?: EvidenceUnit;
  source: SourceCode;
}

/** Every limit by which a verdict is made. */
export const thresholds = {
  /** Requests that failed, of all. Above `flagged` a verdict is not confident, above `void` there is none. */
  errorsFlagged: { limit: 0.001, source: 'valid-block' },
  errorsDiscard: { limit: 0.01, source: 'valid-block' },
  generatorCpuPercent: { limit: 90, unit: 'percent', source: 'locust-core' },
  saturatedBlocks: { limit: 0.25, source: 'ours' },
  /** The share of the CPU that the load generator used or waited for. A generator that waits for longer than it runs may only be woken often. */
  generatorRuns: { limit: 0.5, source: 'ours' },
  generatorLoop: { limit: 0.9, source: 'valid-block' },
  /** CPU that others used. From here on a verdict of CPU by the cores that were left is not sure. */
  highInterference: { limit: 0.4, source: 'mission-control-processes' },
  /** Part of a request’s time that is known to pass outside of the CPU: what others took of it is then not what it waits for. */
  waitsElsewhere: { limit: 0.5, source: 'ours' },
  /** Among other programs, a program that wants the CPU gets its turn: less use than this means that it did not ask for more. */
  fairShare: { limit: 0.15, source: 'ours-fair-scheduler' },
  /** A share of the CPU: less makes no other program worth a verdict of its own. */
  noticeableInterference: { limit: 0.25, source: 'ours' },
  /** Time for which nothing accounts, by the CPU time of the request: more is no wait for a turn. */
  turnsPerRequest: { limit: 40, unit: 'count', source: 'ours' },
  poolBusy: { limit: 0.95, source: 'ours' },
  waiting: { limit: 1, unit: 'count', source: 'never-empty-queue' },
  /** For what is behind a queue: at this fill it limits next, and is worth a word. */
  fullNext: { limit: 0.6, source: 'ours' },
  /** A share of a request’s time: a wait in addition to what limits that is worth a word. */
  waitsBeside: { limit: 0.1, source: 'ours' },
  notWaiting: { limit: 0.5, unit: 'count', source: 'ours' },
  /** The share of the pool's connections that no request in progress holds. */
  leakedShare: { limit: 0.5, source: 'ours' },
  /** A share of the connections that outlived their request. */
  neverBack: { limit: 0.8, source: 'ours-work-behind-answer' },
  /** Connections lost while it was measured: one alone may be a job's. */
  leakGrows: { limit: 2, unit: 'count', source: 'ours' },
  heldIdle: { limit: 0.5, source: 'ours' },
  idleInTransaction: { limit: 0.3, source: 'ours' },
  interferenceWhileHeld: { limit: 0.2, source: 'measured-holds' },
  heldIdleMs: { limit: 2, unit: 'ms', source: 'ours-round-trips' },
  lockShare: { limit: 0.3, source: 'ours' },
  ioShare: { limit: 0.5, source: 'ours' },
  databaseActive: { limit: 1, unit: 'count', source: 'ours' },
  /** Of the time for which a connection is held. */
  busiestStatement: { limit: 0.4, source: 'ours' },
  /** Of the time of all statements. */
  inFunction: { limit: 0.4, source: 'ours' },
  /** Of the blocks. */
  lockedUp: { limit: 0.5, source: 'ours' },
  /** Of PostgreSQL’s CPU, the time that statements take while they execute. */
  executing: { limit: 0.5, source: 'ours' },
  databaseCpu: { limit: 0.8, source: 'polardb-sessions' },
  eventLoop: { limit: 0.95, source: 'doctor-utilisation' },
  serverLoop: { limit: 0.9, source: 'ours-half-second' },
  eventLoopDelayMs: { limit: 10, unit: 'ms', source: 'doctor-delay' },
  computingLoop: { limit: 60, unit: 'percent', source: 'ours-blocked-loop' },
  /** Part of a request’s time that it waits for something that was paused. */
  stalled: { limit: 0.5, source: 'ours' },
  /** CPU time of a process while its event loop was blocked: less is no computation. */
  stallComputes: { limit: 0.5, source: 'ours' },
  /** CPU time of one stretch for which the loop was blocked, where others took some of the CPU: a loop with little to do has less, however late it is. */
  stallCpuMs: { limit: 25, unit: 'ms', source: 'ours' },
  /** The share of a request’s time for which one task waits for a thread of libuv’s pool. */
  workerPoolWait: { limit: 0.5, source: 'ours' },
  workerPoolMs: { limit: 5, unit: 'ms', source: 'ours-turn-of-loop' },
  /** Connections begun for each request: with a pool, or kept open, it is hardly any. */
  connectsPerRequest: { limit: 0.1, unit: 'count', source: 'ours' },
  connectsEach: { limit: 0.5, unit: 'count', source: 'ours' },
  /** Transactions rolled back for each request: fewer are requests that fail. */
  rolledBack: { limit: 0.1, unit: 'count', source: 'ours' },
  /** Blocks of 8 KiB that a call uses: with an OFFSET near the beginning, or where indexes lead to all rows, it uses fewer. */
  blocksOfCall: { limit: 100, unit: 'count', source: 'ours' },
  /** Blocks of 8 KiB that a call writes to temporary files: what fits into work_mem writes none. */
  tempBlocks: { limit: 1, unit: 'count', source: 'ours' },
  /** Blocks for each row that is read by an index alone: one of the table, and of the index a part, once there are some rows. */
  blocksOfRow: { limit: 5, unit: 'count', source: 'ours' },
  rowsByIndex: { limit: 5, unit: 'count', source: 'ours' },
  /** Threads that are started for each request: an executor that is kept starts hardly any. */
  threadsPerRequest: { limit: 0.1, unit: 'count', source: 'ours' },
  threadsEach: { limit: 0.5, unit: 'count', source: 'ours' },
  /** Shares of the slowest hundredth: how many meet a pause, and how much of their time lies in one. */
  tailMeets: { limit: 0.5, source: 'ours' },
  tailTime: { limit: 0.3, source: 'ours' },
  tailBeyondChance: { limit: 1.5, unit: 'count', source: 'ours' },
  rowsPerRequest: { limit: 1000, unit: 'count', source: 'ours-rows-read' },
  compilesStill: { limit: 20, unit: 'percent', source: 'ours-of-core' },
  loadsClasses: { limit: 50, unit: 'count', source: 'ours-each-second' },
  delayedAcks: { limit: 0.5, unit: 'count', source: 'kernel-delayed-acks' },
  /** An acknowledgement waits for 40 ms at the least on Linux (TCP_DELACK_MIN). */
  pileFromMs: { limit: 39, unit: 'ms', source: 'linux-delack' },
  pileToMs: { limit: 50, unit: 'ms', source: 'ours-timer-tick' },
  gcPause: { limit: 0.1, source: 'mission-control-pauses' },
  /** From here on the collector limits, whatever its heap is, and also where large answers are copied and collected. */
  gcAlone: { limit: 0.33, source: 'ours-without-pauses' },
  heapInUse: { limit: 0.2, source: 'ours-roomy-heap' },
  gcPauseInfo: { limit: 0.05, source: 'mission-control-short-pauses' },
  appCpu: { limit: 0.85, source: 'mission-control-cpu' },
  oneCore: { limit: 90, unit: 'percent', source: 'ours-cpython' },
  machineCpu: { limit: 0.9, source: 'ours' },
  cpuIdle: { limit: 0.85, source: 'ours' },
  alwaysInUse: { limit: 0.8, source: 'ours-of-readings' },
  requestsPerTurn: { limit: 2, unit: 'count', source: 'ours' },
  threadsBusy: { limit: 0.9, source: 'ours-jetty' },
  offTheLoop: { limit: 0.5, source: 'ours' },
  idleLoop: { limit: 0.3, source: 'ours' },
  waitForResults: { limit: 0.5, source: 'ours' },
  resultsPerThread: { limit: 1.25, unit: 'count', source: 'more-wait-than-threads' },
  blockedThreads: { limit: 0.2, source: 'mission-control-monitors' },
  threadsPerIdeal: { limit: 16, unit: 'count', source: 'goetz-threads' },
  runnablePerCore: { limit: 32, unit: 'count', source: 'ours' },
  pressurePercent: { limit: 20, unit: 'percent', source: 'kernel-pressure' },
  switchesPerCore: { limit: 10_000, unit: 'count', source: 'mission-control-switches' },
  outboundShare: { limit: 0.5, source: 'ours' },
  callsPerRequest: { limit: 1.5, unit: 'count', source: 'ours' },
  /** Calls under way for each request, on average. */
  callsInTurn: { limit: 0.8, unit: 'count', source: 'ours' },
  outboundMs: { limit: 10, unit: 'ms', source: 'ours' },
  acquisitionsPerRequest: { limit: 1.5, unit: 'count', source: 'hikari-dead-lock' },
  proxyWorker: { limit: 0.9, source: 'cores-of-proxy' },
  behindGeneratorCpu: { limit: 0.2, source: 'ours' },
  behindProxyCpu: { limit: 0.2, source: 'ours' },
  reachesApp: { limit: 0.5, source: 'ours' },
  descriptors: { limit: 0.95, source: 'soft-limit' },
  payloadBytes: { limit: 256 * 1024, unit: 'bytes', source: 'ours' },
  payloadBytesPerSecond: { limit: 100 * 1024 * 1024, unit: 'bytes', source: 'gigabit-line' },
  littleRatio: { limit: 0.9, unit: 'count', source: 'healthy-loops' },
  plentyOfRoom: { limit: 0.5, source: 'twice-fits' },
  room: { limit: 0.8, source: 'ours' },
  unexplained: { limit: 0.5, source: 'ours' },
  unexplainedMs: { limit: 2, source: 'ours' },
} as const satisfies Record<string, Threshold>;
