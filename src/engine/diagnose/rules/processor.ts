import { isProbed } from '../../../model/domain/runtimes.ts';
import type { NextAction } from '../../../model/domain/verdict/nextActions.ts';
import type { VerdictPart } from '../../../model/domain/verdict/verdictKinds.ts';
import { advice, choose, lower, oneMoreInstance, raise, record, tuneDown } from '../actions.ts';
import { type Check, anyOf, atLeast, below, holds, partAtLeast, plain, share } from '../checks.ts';
import {
  appCpuShare,
  asksLittle,
  coresLeft,
  cpuFullness,
  workloadCpuShare,
  workloadOfCoresLeft,
  pgCpuShare,
  taken,
  waitsElsewhere,
} from '../cpuUse.ts';
import { cpuMsOf, stoodStillMs, waitsForDisk } from '../requestTime.ts';
import type { Rule } from '../rule.ts';
import type { Signals } from '../signals.ts';
import { type Threshold, thresholds } from '../thresholds.ts';
import { type CpuUse, cpuAtLeast, cpuBelow, ofApp, ofCoresLeft, ofMachine, ofPostgres } from './guards.ts';
import { stoodShare } from './stalls.ts';

/** Most of what the app allocates has to be collected at once: the heap is too small for it, or too much is allocated. */
export const gc: Rule = {
  kind: 'gc',
  applies: (s) => s.gc !== null,
  checks: (s) => [
    ...anyOf(
      atLeast('must', { code: 'gc-pauses' }, s.gc?.pauseShare ?? null, thresholds.gcPause),
      atLeast('must', { code: 'gc-waits' }, stoodShare(s, 'collector'), thresholds.stalled),
    ),
    ...(largeAnswers(s).every(({ met }) => met)
      ? [atLeast('guard', { code: 'gc-pauses-large-answers' }, s.gc?.pauseShare ?? null, thresholds.gcAlone)]
      : []),
    ...collectsOfAll(s),
    ...(isForLittleHeap(s) ? [atLeast('guard', { code: 'heap-share' }, share(s.heap?.usedMb, s.heap?.maxMb), thresholds.heapInUse)] : []),
    plain({ code: 'gc-longest' }, s.gc?.maxPauseMs ?? null, 'ms'),
    ...(s.heap?.usedMb == null ? [] : [plain({ code: 'heap', maxMb: s.heap.maxMb }, s.heap.usedMb)]),
  ],
  explain: (s) => {
    const isLate = (stoodShare(s, 'collector') ?? 0) >= thresholds.stalled.limit;
    const waits = isLate ? { waitMs: stoodStillMs(s, 'collector'), meanMs: s.meanMs } : null;
    return {
      said: { code: 'gc', instances: s.instances, pauseShare: s.gc?.pauseShare ?? null, maxPauseMs: s.gc?.maxPauseMs ?? null },
      why: [{ code: 'gc-why', waits, heapShare: share(s.heap?.usedMb, s.heap?.maxMb) }],
      actions: [...raise(s.knobs.heapMb, null), record('alloc', { code: 'what-allocates' }), advice({ code: 'kept-alive' })],
    };
  },
};

/**
 * Where others of those that are measured fill the CPU, a collection that waits for its turn lasts longer than it computes: of what all use it has at most the
 * pauses’ part of the app’s own.
 */
function collectsOfAll(s: Signals): Check[] {
  const own = workloadCpuShare(s);
  const ofApp = own === null || s.cores === null ? null : share(s.appCpuPercent, 100 * own * s.cores);
  if (ofApp === null || ofApp >= 0.5 || s.gc?.pauseShare == null || (cpuFullness(s) ?? 0) < thresholds.machineCpu.limit) return [];
  return [atLeast('guard', { code: 'gc-of-cpu' }, s.gc.pauseShare * ofApp, thresholds.gcPause)];
}

/** Whether the pauses are so short a part that only a heap with little room explains them; else what is allocated does, and the CPU is what limits. */
function isForLittleHeap(s: Signals): boolean {
  return (
    s.heap !== null && (s.gc?.pauseShare ?? 0) < thresholds.gcAlone.limit && (stoodShare(s, 'collector') ?? 0) < thresholds.stalled.limit
  );
}

/** One event loop is full while other cores are idle. */
export const eventLoop: Rule = {
  kind: 'event-loop',
  applies: (s) => s.runtime === 'node',
  checks: (s) => [
    atLeast('must', { code: 'loop-busy' }, s.eventLoop, thresholds.eventLoop),
    ...(taken(s) === 0
      ? [cpuBelow('guard', ofMachine(s), thresholds.machineCpu)]
      : [
          // However much others use, app, database and load share what is left as they share the whole.
          cpuBelow('guard', ofFullLoops(s), thresholds.machineCpu),
          elsewhere(waitsElsewhere(s)),
        ]),
    ...(s.isShared ? [cpuBelow('guard', ofItsShare(s), thresholds.appCpu)] : []),
    ...(isInterferenceHigh(s) && !isBlocked(s) ? [atLeast('guard', { code: 'cpu-of-busy-loop' }, s.appCpuPercent, turns(s))] : []),
    atLeast('sign', { code: 'loop-delay' }, s.eventLoopDelayMs?.mean ?? null, thresholds.eventLoopDelayMs),
  ],
  explain: (s) => {
    const blocked = isBlocked(s);
    return {
      said: { code: 'loop-full', loopShare: s.eventLoop, used: { share: workloadCpuShare(s), cores: s.cores } },
      why: [blocked ? { code: 'loop-computes-little', cpuPercent: s.appCpuPercent ?? 0 } : { code: 'loop-full-why', cpuMs: cpuMs(s) }],
      actions: [blocked ? record('wall', { code: 'what-blocks-loop' }) : record('cpu', { code: 'cpu-graph' }), ...moreLoops(s)],
    };
  },
};

/** The app's CPU time of a request; null where it is not known. */
function cpuMs(s: Signals): number | null {
  return cpuMsOf(s, s.appCpuPercent);
}

/** CPU of the app as the verdict names it where it has a share of the machine. */
function ofItsShare(s: Signals): CpuUse {
  return s.isShared ? { ...ofApp(s), code: 'cpu-of-its-share' } : ofApp(s);
}

function elsewhere(is: boolean): Check {
  const { source } = thresholds.waitsElsewhere;
  return holds('guard', { code: 'elsewhere' }, !is, { value: Number(is), threshold: { is: '<', limit: 1 }, source });
}

/** Whether so much of the CPU went to others that a loop counts as busy while it waits for its turn. */
function isInterferenceHigh(s: Signals): boolean {
  return taken(s) >= thresholds.highInterference.limit;
}

/** Whether the loop is busy with something that computes little. Where others use much of the CPU, only if it does not ask for more of it either. */
function isBlocked(s: Signals): boolean {
  const { limit } = thresholds.computingLoop;
  const little = (percent: number | null): boolean => percent !== null && percent < limit;
  return little(s.appCpuPercent) && (!isInterferenceHigh(s) || little(s.appWantedPercent));
}

/** The least share of a core, in percent, that a computing loop gets from what was left. */
function turns(s: Signals): Threshold {
  return { ...thresholds.computingLoop, limit: Math.max(10, thresholds.computingLoop.limit * (1 - taken(s))) };
}

/** Event loops of the app, as far as they are known. */
function loops({ instances, knobs }: Signals): number {
  const workers = knobs.workers?.value;
  return Math.max(1, instances) * (typeof workers === 'number' ? workers : 1);
}

/** The CPU of app, database and load, were each loop to get a whole core for what it does. */
function ofFullLoops(s: Signals): CpuUse {
  const { appCpuPercent, appWantedPercent, cores } = s;
  const own = workloadCpuShare(s);
  const isKnown = own !== null && appCpuPercent !== null && appCpuPercent > 0;
  // A loop that a synchronous call blocks is neither at work nor ready for a turn.
  const wanted = Math.max(Math.min(100 * loops(s), appWantedPercent ?? Number.POSITIVE_INFINITY), appCpuPercent ?? 0);
  return { code: 'cpu-with-full-loops', share: isKnown ? (own * wanted) / appCpuPercent : null, cores };
}

function moreLoops(s: Signals): NextAction[] {
  const offLoop = s.routes.some((route) => route.includes('/search'))
    ? choose(s.knobs.searchIn, 'worker', { code: 'search-in-worker' })
    : [];
  const idleCores = s.cores === null ? 1 : s.cores - (workloadCpuShare(s) ?? 0) * s.cores;
  return idleCores < 0.5 ? offLoop : [...offLoop, ...raise(s.knobs.workers, 1), oneMoreInstance(s.instances)];
}

/**
 * What others left is full with what is measured, or would be if it got all that it asks for. Threads that wait for a turn while some of what was left is idle
 * wait for each other’s answers too: with a database that waits for its disk they are no sign of a full CPU. Sure only where others left most of the machine.
 */
function leftIsFull(s: Signals): Check[] {
  const wants = workloadCpuShare(s) !== null && !asksLittle(s) && !s.isShared && !wantsOneCore(s);
  const wanted = share(s.allWantedPercent, s.cores === null ? null : 100 * s.cores);
  const checks = [
    cpuAtLeast('must', wants ? ofCoresLeft(s) : { ...ofCoresLeft(s), share: null }, thresholds.machineCpu),
    cpuAtLeast('must', { code: 'cpu-wanted', share: wants && !waitsForDisk(s) ? wanted : null, cores: s.cores }, thresholds.machineCpu),
  ];
  return checks.map((check) => ({ ...check, near: check.near || taken(s) >= thresholds.highInterference.limit }));
}

/**
 * Whether the app, in a runtime without a probe, asks for exactly one core in each of its processes, all the time, however much of it others use: a thread that
 * is ready and waits for its turn counts as one that runs. Where there are as many such processes as cores, the machine is full.
 */
function wantsOneCore(s: Signals): boolean {
  const each = s.appWantedPercent === null ? null : s.appWantedPercent / loops(s);
  const fewer = s.cores !== null && loops(s) < thresholds.machineCpu.limit * s.cores;
  return !isProbed(s.runtime) && fewer && each !== null && each >= thresholds.oneCore.limit && each < mostOfOneCore;
}

/** Whether another wait explains a request’s time. It speaks against a CPU that is full by what others took, not against one that the app fills itself. */
function notElsewhere(s: Signals): Check {
  const itself = (appCpuShare(s) ?? 0) >= thresholds.appCpu.limit || (workloadCpuShare(s) ?? 0) >= thresholds.machineCpu.limit;
  return elsewhere(!itself && waitsElsewhere(s));
}

/**
 * A runtime that computes on one core only (CPython, Ruby, a program with one thread): as much CPU as one core has, in every block, while others are idle. A
 * sum of its threads above one core is explained by the most that it uses.
 */
export const oneCore: Rule = {
  kind: 'one-core',
  applies: (s) => !isProbed(s.runtime) && !s.isShared && s.load === 'closed' && s.connections >= 2 && (s.cores ?? 0) >= 2,
  checks: (s) => {
    const each = (percent: number | null | undefined): number | null => (percent == null ? null : percent / loops(s));
    const most: Threshold = { limit: mostOfOneCore, unit: 'percent', source: 'beyond-one-core' };
    const turn = { ...thresholds.oneCore, limit: thresholds.oneCore.limit * (1 - taken(s)) };
    return [
      atLeast('must', { code: 'one-core', each: loops(s) > 1 }, each(s.appCpuPercent), turn),
      {
        ...below('must', { code: 'one-core-at-most' }, each(s.appCpuRange?.high ?? s.appCpuPercent), most),
        near: (each(s.appCpuPercent) ?? 0) < thresholds.oneCore.limit && !wantsOneCore(s),
      },
      cpuBelow('guard', { ...ofPostgres(s), share: pgCpuShare(s) ?? 0, cores: s.pgCores ?? 0 }, thresholds.databaseCpu),
      ...(taken(s) === 0
        ? []
        : [notElsewhere(s), atLeast('sign', { code: 'one-core-wanted' }, each(s.appWantedPercent), thresholds.oneCore)]),
    ];
  },
  explain: (s) => ({
    said: ofOneCore(s),
    why: [{ code: 'one-core-why', cpuMs: cpuMs(s) }],
    actions: [...raise(s.knobs.workers, 1), oneMoreInstance(s.instances), record('cpu', { code: 'what-takes-time' })],
  }),
};

function ofOneCore(s: Signals): VerdictPart {
  const cpuPercent = s.appCpuPercent ?? 0;
  if (loops(s) > 1) return { code: 'one-core-each', processes: loops(s), cpuPercent };
  if (cpuPercent < thresholds.oneCore.limit)
    return wantsOneCore(s) ? { code: 'one-core-wanted', cpuPercent } : { code: 'one-core-left', cpuPercent, taken: taken(s) };
  const idle = s.cores === null ? 0 : s.cores * (1 - (workloadCpuShare(s) ?? 0) - taken(s));
  return { code: 'one-core', cpuPercent, idle: idle >= 0.2 ? { cores: idle, of: s.cores ?? 0 } : null };
}

/** Percent of a core: a collector or a driver’s thread may use a little of another one. */
const mostOfOneCore = 115;

/** All cores that the app may use are full. */
export const cpu: Rule = {
  kind: 'cpu',
  applies: () => true,
  checks: (s) => [
    ...anyOf(
      cpuAtLeast('must', ofItsShare(s), thresholds.appCpu),
      cpuAtLeast('must', s.isShared ? { ...ofMachine(s), share: null } : ofMachine(s), thresholds.machineCpu),
      ...(taken(s) === 0 ? [] : leftIsFull(s)),
    ),
    ...(taken(s) === 0 ? [] : [notElsewhere(s)]),
    cpuBelow('guard', { ...ofPostgres(s), ...(s.pgCores === null ? { share: 0, cores: 0 } : {}) }, thresholds.databaseCpu),
    below('sign', { code: 'generator-cpu' }, s.generator.cpuPercent, {
      limit: 50,
      unit: 'percent',
      source: 'missing-to-app',
    }),
  ],
  explain: (s) => {
    const isOwn = (appCpuShare(s) ?? 0) >= thresholds.appCpu.limit;
    return {
      said: isOwn
        ? { code: 'cpu', instances: s.instances, used: { share: appCpuShare(s), cores: s.appCores }, isShared: s.isShared, cpuMs: cpuMs(s) }
        : machineFull(s),
      why: [{ code: 'cpu-why', isOwn, isJvm: s.runtime === 'jvm' }],
      actions: [
        record('cpu', { code: 'what-takes-time' }),
        ...(s.isShared ? [oneMoreInstance(s.instances)] : [advice({ code: 'more-cores-apart' })]),
      ],
    };
  },
};

/** Together app, database and load generator fill the machine, or what others left of it. */
function machineFull(s: Signals): VerdictPart {
  const left = taken(s) > 0 && (workloadCpuShare(s) ?? 0) < thresholds.machineCpu.limit;
  // Threads that wait can account for all that was left.
  const isUsed = (workloadOfCoresLeft(s) ?? 1) >= thresholds.machineCpu.limit;
  const wanted = { share: share(s.allWantedPercent, s.cores === null ? null : 100 * s.cores), cores: s.cores };
  const ofWanted = left && !isUsed && wanted.share !== null;
  const used = left ? { share: workloadOfCoresLeft(s), cores: coresLeft(s) } : { share: workloadCpuShare(s), cores: s.cores };
  return {
    code: 'cpu-full',
    left,
    instances: s.instances,
    cpuPercent: s.appCpuPercent ?? 0,
    postgresPercent: s.pgCpuPercent,
    proxyPercent: s.proxy?.cpuPercent ?? null,
    generatorPercent: s.generator.cpuPercent,
    used: ofWanted ? wanted : used,
    taken: ofWanted ? taken(s) : null,
  };
}

/** Threads that would be enough, by Goetz’s formula: cores × (1 + wait ÷ compute), the wait being the time for which connections are held. */
function idealThreads(s: Signals): number | null {
  const ownMs = cpuMs(s);
  if (s.appCores === null || ownMs === null || ownMs <= 0) return null;
  const waitMs = [s.pool, s.outbound].reduce((sum, pool) => sum + (pool?.holdMs ?? 0) * (pool?.perRequest ?? 0), 0);
  return s.appCores * (1 + waitMs / ownMs);
}

/** Far more threads compute than there are cores, so that they take each other’s turns. */
export const oversubscribed: Rule = {
  kind: 'oversubscribed',
  applies: (s) => s.threads !== null,
  checks: (s) => [
    partAtLeast('threads-by-enough', s.threads?.busy, idealThreads(s), thresholds.threadsPerIdeal),
    atLeast('must', { code: 'threads-for-core' }, share(s.threads?.busy, s.appCores), thresholds.runnablePerCore),
    ...anyOf(
      cpuAtLeast('must', ofApp(s), thresholds.appCpu),
      cpuAtLeast('must', ofMachine(s), thresholds.machineCpu),
      ...(taken(s) === 0 ? [] : leftIsFull(s)),
    ),
    ...anyOf(
      atLeast('must', { code: 'pressure' }, s.pressurePercent, thresholds.pressurePercent),
      atLeast('must', { code: 'switches' }, share(s.switchesPerSecond, s.cores), thresholds.switchesPerCore),
    ),
  ],
  explain: (s) => {
    const ideal = Math.max(2, Math.ceil(2 * (idealThreads(s) ?? 4)));
    return {
      said: { code: 'oversubscribed', threads: s.threads?.busy ?? 0, cores: s.appCores ?? 0, enough: idealThreads(s) ?? 0 },
      why: [{ code: 'oversubscribed-why', switchesPerS: s.switchesPerSecond }],
      actions: [...lower(s.knobs.threads, ideal, s.instances), ...tuneDown(s.knobs.threads, ideal), record('cpu', { code: 'cpu-graph' })],
    };
  },
};

/** How many bytes are copied, with what is too many of them. */
function largeAnswers(s: Signals): Check[] {
  const { payloadBytes, payloadBytesPerSecond } = thresholds;
  const each = s.throughput > 0 ? share(s.bytesPerSecond, s.throughput) : null;
  // Fewer of them, where others used the CPU that copies them.
  const ofCpuLeft = { ...payloadBytesPerSecond, limit: payloadBytesPerSecond.limit * (1 - taken(s)) };
  return [
    atLeast('must', { code: 'answer-bytes' }, each, payloadBytes),
    atLeast('must', { code: 'bytes-a-second' }, s.bytesPerSecond, ofCpuLeft),
  ];
}

/** Large answers: what is copied limits, not what is computed. */
export const payload: Rule = {
  kind: 'network-or-payload',
  applies: () => true,
  checks: (s) => [
    ...largeAnswers(s),
    { ...below('guard', { code: 'payload-queue' }, s.pool?.pending ?? 0, thresholds.notWaiting), near: false },
  ],
  explain: (s) => ({
    said: { code: 'large-answers', bytes: share(s.bytesPerSecond, s.throughput) ?? 0, bytesPerS: s.bytesPerSecond ?? 0 },
    why: [{ code: 'large-answers-why' }],
    actions: [advice({ code: 'send-less' }), record('cpu', { code: 'cpu-graph' })],
  }),
};
