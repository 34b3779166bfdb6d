import { bytesPhrase, figure } from '../../../model/format.ts';
import type { NextAction } from '../../../model/diagnosis.ts';
import { advice, choose, lower, oneMoreInstance, raise, record } from '../actions.ts';
import { anyOf, atLeast, below, holds, plain, share } from '../checks.ts';
import type { Rule } from '../rule.ts';
import { appCpuShare, ownCpuShare, pgCpuShare } from '../signals.ts';
import type { Signals } from '../signals.ts';
import { thresholds } from '../thresholds.ts';
import { mean, ms, ofCores, percentOf, theApp } from '../words.ts';

/** Most of what the app allocates has to be collected at once: the heap is too small for it, or too much is allocated. */
export const gc: Rule = {
  kind: 'gc',
  applies: (s) => s.gc !== null,
  checks: (s) => [
    atLeast('must', 'time in which the collector stopped the app', s.gc?.pauseShare ?? null, thresholds.gcPause, { unit: 'share' }),
    plain('longest pause', s.gc?.maxPauseMs == null ? 'not seen' : `${figure(s.gc.maxPauseMs)} ms`),
    ...(s.heap?.usedMb == null
      ? []
      : [plain('heap in use', `${figure(s.heap.usedMb)} MiB${s.heap.maxMb === null ? '' : ` of ${figure(s.heap.maxMb)} MiB`}`)]),
  ],
  tell: (s) => {
    const heap = s.knobs.heapMb?.value;
    const used = share(s.heap?.usedMb, s.heap?.maxMb);
    const room = used === null ? '' : ` ${percentOf(used)} of the heap was in use.`;
    return {
      headline: `The garbage collector is the limit: it stopped ${theApp(s)} for ${percentOf(s.gc?.pauseShare ?? null)} of the time${s.gc?.maxPauseMs == null ? '' : `, once for ${ms(s.gc.maxPauseMs)}`}.`,
      explanation: `While it works, no request does.${room} A heap that holds what stays alive with room to spare is collected less often; allocating less helps at any size.`,
      actions: [
        ...(typeof heap === 'number' ? raise(s.knobs.heapMb, 2 * heap) : []),
        record('alloc', 'Record what allocates'),
        advice('Look for what is kept alive longer than it is needed'),
      ],
    };
  },
};

/** One event loop is full while other cores are idle. */
export const eventLoop: Rule = {
  kind: 'event-loop',
  applies: (s) => s.runtime === 'node',
  checks: (s) => [
    atLeast('must', 'time in which the event loop was busy', s.eventLoop, thresholds.eventLoop, { unit: 'share' }),
    below('guard', 'CPU of the machine used by app, database and load', ownCpuShare(s), thresholds.machineCpu, {
      unit: 'share',
      text: ofCores(ownCpuShare(s), s.cores),
    }),
    ...(s.isShared
      ? [
          below('guard', 'CPU of the app, of its share', appCpuShare(s), thresholds.appCpu, {
            unit: 'share',
            text: ofCores(appCpuShare(s), s.appCores),
          }),
        ]
      : []),
    ...(takenElsewhere(s)
      ? [
          atLeast('guard', 'CPU of the app while its event loop was busy, of one core', s.appCpuPercent, thresholds.computingLoop, {
            unit: 'percent',
          }),
        ]
      : []),
    atLeast('sign', 'delay of the event loop, mean', s.eventLoopDelayMs?.mean ?? null, thresholds.eventLoopDelayMs, { unit: 'ms' }),
  ],
  tell: (s) => {
    const cpu = s.appCpuPercent;
    const blocked = cpu !== null && cpu < thresholds.computingLoop.limit && !takenElsewhere(s);
    const each = s.throughput > 0 && cpu !== null ? ` A request takes ${ms((10 * cpu) / s.throughput)} of it.` : '';
    return {
      headline: `The event loop is the limit: it was busy ${percentOf(s.eventLoop)} of the time, while the machine used ${ofCores(ownCpuShare(s), s.cores) ?? 'only some of its cores'}.`,
      explanation: blocked
        ? `It is busy without computing (CPU ${figure(cpu)} % of a core): something blocks it, such as a synchronous read or a wait. Nothing else of this process can run meanwhile.`
        : `JavaScript of one process runs on one core, whatever the others do.${each} Another instance or worker uses another core; moving the computation off the loop keeps it free for everything else.`,
      actions: [
        record(blocked ? 'wall' : 'cpu', blocked ? 'Record what blocks the event loop' : 'Record a CPU flame graph'),
        ...moreLoops(s),
      ],
    };
  },
};

/** Whether so much of the CPU went to others that a loop counts as busy while it waits for its turn. */
function takenElsewhere(s: Signals): boolean {
  return (s.otherPercent ?? 0) + (s.stealPercent ?? 0) >= thresholds.otherProgramsPercent.limit;
}

function moreLoops(s: Signals): NextAction[] {
  const offLoop = s.routes.some((route) => route.includes('/search'))
    ? choose(s.knobs.searchIn, 'worker', 'Move the search to a worker thread')
    : [];
  const idleCores = s.cores === null ? 1 : s.cores - (ownCpuShare(s) ?? 0) * s.cores;
  const workers = s.knobs.workers;
  if (idleCores < 0.5) return offLoop;
  return [
    ...offLoop,
    ...(workers !== null && typeof workers.value === 'number'
      ? raise(workers, Math.min(workers.value + 1, s.cores ?? workers.value + 1))
      : []),
    oneMoreInstance(s.instances),
  ];
}

/** All cores that the app may use are full. */
export const cpu: Rule = {
  kind: 'cpu',
  applies: () => true,
  checks: (s) => [
    ...anyOf(
      atLeast('must', s.isShared ? 'CPU of the app, of its share' : 'CPU of the app', appCpuShare(s), thresholds.appCpu, {
        unit: 'share',
        text: ofCores(appCpuShare(s), s.appCores),
      }),
      atLeast('must', 'CPU of the machine used by app, database and load', s.isShared ? null : ownCpuShare(s), thresholds.machineCpu, {
        unit: 'share',
        text: ofCores(ownCpuShare(s), s.cores),
      }),
    ),
    below('guard', 'CPU of PostgreSQL', pgCpuShare(s) ?? (s.pgCores === null ? 0 : null), thresholds.databaseCpu, {
      unit: 'share',
      text: ofCores(pgCpuShare(s) ?? 0, s.pgCores ?? 0),
    }),
    below(
      'sign',
      'CPU of the load generator, of one core',
      s.generator.cpuPercent,
      { limit: 50, source: 'more than that is missing to the app' },
      { unit: 'percent' },
    ),
  ],
  tell: (s) => {
    const app = s.appCpuPercent ?? 0;
    const isOwn = (appCpuShare(s) ?? 0) >= thresholds.appCpu.limit;
    const each = s.throughput > 0 ? `, ${ms((10 * app) / s.throughput)} for each request` : '';
    const others = [
      ...(s.pgCpuPercent === null ? [] : [`PostgreSQL ${figure(s.pgCpuPercent)} %`]),
      ...(s.generator.cpuPercent === null ? [] : [`the load generator ${figure(s.generator.cpuPercent)} %`]),
    ].join(', ');
    return {
      headline: isOwn
        ? `The CPU is the limit: ${theApp(s)} used ${ofCores(appCpuShare(s), s.appCores) ?? 'all of it'}${s.isShared ? ', its share,' : ''}${each.replace(', ', s.isShared ? ' ' : ', ')}.`
        : `The machine’s CPU is full: ${theApp(s)} used ${figure(app)} % of a core${others === '' ? '' : `, ${others}`}, which is ${ofCores(ownCpuShare(s), s.cores) ?? 'all there is'}.`,
      explanation: `No setting makes cores; ${isOwn ? 'a cheaper request does as much' : 'app, database and load generator compete for the same ones, and what one of them saves the others can use'}.${s.runtime === 'jvm' ? ' As many busy threads as cores are enough; more of them only take turns.' : ''}`,
      actions: [
        record('cpu', 'Record a CPU flame graph: what takes the time?'),
        ...(s.isShared ? [oneMoreInstance(s.instances)] : [advice('Give it more cores, or put database and load on another machine')]),
      ],
    };
  },
};

/** Threads that would be enough, by Goetz’s formula: cores × (1 + wait ÷ compute), the wait being the time for which connections are held. */
function idealThreads(s: Signals): number | null {
  if (s.appCores === null || s.appCpuPercent === null || s.throughput <= 0) return null;
  const cpuMs = (10 * s.appCpuPercent) / s.throughput;
  const waitMs = [s.pool, s.outbound].reduce((sum, pool) => sum + (pool?.holdMs ?? 0) * (pool?.perRequest ?? 0), 0);
  return cpuMs <= 0 ? null : s.appCores * (1 + waitMs / cpuMs);
}

/** Far more threads compute than there are cores, so that they take each other’s turns. */
export const oversubscribed: Rule = {
  kind: 'oversubscribed',
  applies: (s) => s.threads !== null,
  checks: (s) => [
    atLeast('must', 'threads at work, by how many would do', share(s.threads?.busy, idealThreads(s)), thresholds.threadsPerIdeal, {
      unit: 'count',
      text: s.threads?.busy == null ? null : `${mean(s.threads.busy)} for ${mean(idealThreads(s) ?? 0)}`,
    }),
    atLeast('must', 'threads at work for each core', share(s.threads?.busy, s.appCores), thresholds.runnablePerCore, { unit: 'count' }),
    ...anyOf(
      atLeast('must', 'CPU of the app', appCpuShare(s), thresholds.appCpu, { unit: 'share', text: ofCores(appCpuShare(s), s.appCores) }),
      atLeast('must', 'CPU of the machine used by app, database and load', ownCpuShare(s), thresholds.machineCpu, {
        unit: 'share',
        text: ofCores(ownCpuShare(s), s.cores),
      }),
    ),
    ...anyOf(
      atLeast('must', 'time in which something waited for a CPU', s.pressurePercent, thresholds.pressurePercent, { unit: 'percent' }),
      atLeast('must', 'context switches a second for each core', share(s.switchesPerSecond, s.cores), thresholds.switchesPerCore, {
        unit: 'count',
      }),
    ),
  ],
  tell: (s) => {
    const ideal = Math.max(2, Math.ceil(2 * (idealThreads(s) ?? 4)));
    return {
      headline: `Too many threads take turns: ${mean(s.threads?.busy ?? 0)} were at work on ${mean(s.appCores ?? 0)} cores, where about ${mean(idealThreads(s) ?? 0)} would keep them busy.`,
      explanation: `The CPU is full, and every further thread only makes all others wait longer: their stacks and turns cost memory, caches and switches (${s.switchesPerSecond === null ? 'not seen' : `${figure(s.switchesPerSecond)} a second`}) and bring no throughput.`,
      actions: [...lower(s.knobs.threads, ideal), ...tuneDown(s, ideal), record('cpu', 'Record a CPU flame graph')],
    };
  },
};

function tuneDown(s: Signals, ideal: number): NextAction[] {
  const knob = s.knobs.threads;
  if (knob === null || typeof knob.value !== 'number') return [];
  const values = [...new Set([ideal, 4 * ideal, knob.value].map((size) => Math.min(Math.max(size, knob.min ?? 1), knob.max ?? size)))].sort(
    (a, b) => a - b,
  );
  return values.length < 2 ? [] : [{ kind: 'tune', label: `Compare “${knob.label}” ${values.join(', ')}`, setting: knob.name, values }];
}

/** Large answers: what is copied limits, not what is computed. */
export const payload: Rule = {
  kind: 'network-or-payload',
  applies: () => true,
  checks: (s) => [
    atLeast('must', 'bytes of an answer', s.throughput > 0 ? share(s.bytesPerSecond, s.throughput) : null, thresholds.payloadBytes, {
      unit: 'bytes',
    }),
    atLeast('must', 'bytes a second', s.bytesPerSecond, thresholds.payloadBytesPerSecond, { unit: 'bytes' }),
    holds(
      'guard',
      'requests wait for the pool',
      (s.pool?.pending ?? 0) < thresholds.notWaiting.limit,
      figure(s.pool?.pending ?? 0),
      '< 0.5',
      thresholds.notWaiting.source,
    ),
  ],
  tell: (s) => ({
    headline: `The size of the answers is the limit: ${bytesPhrase(s.throughput > 0 ? (s.bytesPerSecond ?? 0) / s.throughput : 0)} each, ${bytesPhrase(s.bytesPerSecond ?? 0)} a second.`,
    explanation:
      'Time goes into copying and sending. A line of 1 Gbit/s would be full at about 119 MiB a second; on one machine the copying itself takes the CPU of the app and of the load generator.',
    actions: [
      advice('Send less: compress, cache in the client, or let the proxy or a content network send files'),
      record('cpu', 'Record a CPU flame graph'),
    ],
  }),
};
