import { isProbed } from '../../model/domain/runtimes.ts';
import type { Finding } from '../../model/domain/findingKinds.ts';
import { isOf } from '../../model/domain/findings.ts';
import { keysOf } from '../../model/domain/keysOf.ts';
import type { Observation } from '../../model/domain/observation.ts';
import { type Block, type ErrorCounts, type Trial, noErrors, wantedByAllPercent } from '../../model/domain/run.ts';
import type { SettingSpecs, SettingValues } from '../../model/domain/setting.ts';
import type { LockedThing } from '../../model/domain/verdict/figures.ts';
import { meanOverTime, wantedCpuPercent } from '../observe/aggregate.ts';
import { workOrWait } from '../observe/statementLooks.ts';
import { type FunctionUse, mergeFunctions } from '../observe/functionTimes.ts';
import type { Slowest } from '../load/loadProtocol.ts';
import { joinCauses } from '../probe/causesWindow.ts';
import { meanUs, mergeDurations, msOf } from '../statistics/durations.ts';
import { type PoolOfSeveral, type ProbeWindow, mostWaitedIn, requestsOf } from '../probe/probeWindow.ts';
import { type CauseSignals, stallsOf, tailOf, warmingOf, workerPoolOf } from './causes.ts';
import { type Knobs, knobsOf } from './knobs.ts';
import { isLockedUpIn } from './lockUp.ts';
import { type OneOfPools, type PoolSignals, type SessionSignals, type Signals, unprobedPool } from './signals.ts';
import { thresholds } from './thresholds.ts';

/** What is known of a trial when it is to be judged. */
export interface Sighted {
  trial: Trial;
  /** The target’s settings as declared, and the value of each, defaults included. */
  specs: SettingSpecs;
  settings: SettingValues;
  /** Samples of its valid blocks; of all where none is valid. */
  observations: readonly Observation[];
  /** Probe windows of the same blocks. */
  probes: readonly ProbeWindow[];
  /** Those of all blocks, where some were left out: of a pool that locks itself up nearly all are. */
  allProbes?: readonly ProbeWindow[];
  cores: number;
  /** Cores that PostgreSQL may use; null when it runs elsewhere. */
  pgCores: number | null;
  /** Cores that each instance may use; null: no limit. */
  cpuShareCores?: number | null;
  instances?: number;
  proxy?: Signals['proxy'];
  routes?: readonly string[];
  load?: Signals['load'];
  /** The slowest requests of each block that a probe saw, in the order of `probes`. */
  slowest?: readonly (Slowest | undefined)[];
  /** What PostgreSQL’s own functions took in the blocks that count, and the time of all statements in them. */
  databaseFunctions?: { uses: readonly FunctionUse[]; ofMs: number };
  /** Answers after which the server closed the load’s connection; null where they are not counted. */
  closedByServer?: number | null;
}

/** Brings what was seen of a trial into the form that verdicts are made from. */
export function signalsOf(sighted: Sighted): Signals {
  const { trial, observations, probes, cores, pgCores, instances = 1, cpuShareCores = null, load = 'closed' } = sighted;
  const counted = countedBlocks(trial);
  const attempts = counted.reduce((sum, block) => sum + block.requests + block.errors.total, 0);
  const served = requestsOf(probes, attempts);
  const knobs = knobsOf(sighted.specs, sighted.settings);
  // A sample of a second covers all sides together that the load switched between within it.
  const isSliced = trial.blocks.some(({ slices }) => slices !== undefined);
  const wanted = (ofTrial: number | null | undefined, of: (sample: Observation) => number | null): number | null =>
    isSliced ? (ofTrial ?? null) : meanOverTime(observations, of);
  const sessions = sessionsOf(trial.resources.sessions, observations.filter((o) => o.sessions !== null).length);
  return {
    runtime: trial.runtime,
    routes: sighted.routes ?? [],
    load,
    connections: trial.connections,
    attempts,
    throughput: trial.throughput.mean,
    meanMs: trial.latencyMs?.mean ?? null,
    bytesPerSecond: trial.bytesPerSecond,
    errors: errorsOf(counted),
    // Failed requests belong to what is judged here.
    discardReasons: trial.reasons.filter((reason) => !isOf(reason, 'errors')),
    doubts: probes.length === 0 && isProbed(trial.runtime) ? [{ code: 'probe-silent' }] : [],
    unsteady: unsteadyOf(trial),
    generator: {
      cpuPercent: trial.resources.generator.cpuPercent ?? meanOf(counted, (block) => block.generator.cpuPercent),
      loop: meanOf(counted, (block) => block.generator.eventLoopUtilisation),
      littleRatio: meanOf(counted, (block) => block.generator.littleRatio),
    },
    generatorAtWorst: {
      cpuPercent: extreme(trial.blocks, Math.max, ({ generator }) => generator.cpuPercent),
      loop: extreme(trial.blocks, Math.max, ({ generator }) => generator.eventLoopUtilisation),
      littleRatio: extreme(trial.blocks, Math.min, ({ generator }) => generator.littleRatio),
    },
    saturatedBlocks: saturatedShare(trial.blocks),
    cores,
    appCores: cpuShareCores === null ? cores : Math.min(cores, cpuShareCores * instances),
    isShared: cpuShareCores !== null && cpuShareCores * instances < cores,
    pgCores,
    instances,
    appCpuPercent: trial.resources.app.cpuPercent,
    pgCpuPercent: trial.resources.postgres.cpuPercent,
    appWantedPercent: wanted(trial.resources.app.wantedCpuPercent, (o) => wantedCpuPercent(o.app, o.windowMs)),
    firstThreadShare: firstThreadShare(observations),
    generatorWantedPercent: wanted(trial.resources.generator.wantedCpuPercent, (o) => wantedCpuPercent(o.generator, o.windowMs)),
    allWantedPercent: wanted(wantedByAllPercent(trial.resources), allWantedPercent),
    appCpuRange: cpuRange(counted),
    interferenceShare: interferenceShare(trial, observations),
    pressurePercent: meanOverTime(observations, (o) => o.host?.pressureSomePercent),
    switchesPerSecond: meanOverTime(observations, (o) => o.host?.contextSwitchesPerS) ?? trial.resources.app.contextSwitchesPerSecond,
    sessions,
    statements: trial.statements ?? [],
    functions: functionsOf(sighted.databaseFunctions),
    pool: poolOf(sighted, served, load) ?? (trial.bouncer === undefined ? poolBySessions(trial, sessions, knobs, load) : null),
    outbound: outboundOf(probes, served, trial.throughput.mean),
    threads: trial.threadPool,
    serverLoops: serverLoopsOf(probes),
    eventLoop: trial.eventLoopUtilisation,
    eventLoopDelayMs: delayOf(probes),
    gc: gcOf(probes),
    heap: probes.at(-1)?.heap ?? null,
    inFlight: meanOf(probes, ({ http }) => http?.inFlight),
    descriptors: mostDescriptors(observations),
    proxy: sighted.proxy ?? null,
    bouncer: trial.bouncer ?? null,
    blocked: null,
    executor: null,
    causes: causesOf(sighted, served),
    knobs,
  };
}

function functionsOf({ uses, ofMs }: NonNullable<Sighted['databaseFunctions']> = { uses: [], ofMs: 0 }): Signals['functions'] {
  if (ofMs <= 0) return [];
  return mergeFunctions(uses).map(({ name, trigger, calls, selfMs }) => ({
    name,
    trigger,
    meanMs: selfMs / calls,
    // A session reports its counts up to a second late.
    share: Math.min(1, selfMs / ofMs),
  }));
}

function causesOf({ trial, probes, observations, slowest = [], closedByServer = null }: Sighted, served: number): CauseSignals {
  const causes = joinCauses(probes.flatMap((window) => window.causes ?? []));
  const each = (count: number | null | undefined): number | null => (count == null || served === 0 ? null : count / served);
  const perSecond = (count: number | null): number | null =>
    count === null || trial.throughput.mean <= 0 ? null : count / trial.throughput.mean;
  const most = causes?.opened?.most ?? null;
  return {
    stalls: stallsOf(causes),
    tail: tailOf(probes.map((window, index) => ({ causes: window.causes ?? null, slowest: slowest[index] }))),
    workerPool: workerPoolOf(causes),
    warming: warmingOf(causes),
    connects: {
      database: perSecond(meanOverTime(observations, (o) => o.sessions?.begunPerS)),
      tls: each(causes?.opened?.tls),
      most: most === null || served === 0 ? null : { to: most.to, perRequest: most.count / served },
      closed: each(closedByServer),
    },
    rolledBack: perSecond(meanOverTime(observations, (o) => o.sessions?.rolledBackPerS)),
    rowsChanged: perSecond(rowsChangedPerS(observations)),
    startedThreads: each(causes?.startedThreads),
    delayedAcks: perSecond(meanOverTime(observations, (o) => o.host?.delayedAcksPerS)),
    quantiles: trial.latencyMs === null ? null : { p50: trial.latencyMs.p50, p90: trial.latencyMs.p90 },
  };
}

/** A session reports its counts up to a second late: fewer samples may miss most of what was changed. */
const leastSamplesOfRows = 3;

/** The mean without the largest sample: autovacuum writes the statistics of a table at once, whatever the load does. */
function rowsChangedPerS(observations: readonly Observation[]): number | null {
  const perS = observations.flatMap(({ sessions }) => sessions?.rowsChangedPerS ?? []);
  if (perS.length < leastSamplesOfRows) return null;
  return (perS.reduce((sum, one) => sum + one, 0) - Math.max(...perS)) / (perS.length - 1);
}

/** Blocks that a trial’s figures come from: the valid ones, or all where none is. */
function countedBlocks(trial: Trial): Block[] {
  const valid = trial.blocks.filter((block) => block.valid);
  return valid.length > 0 ? valid : trial.blocks;
}

/** All errors of these blocks. */
export function errorsOf(blocks: readonly Pick<Block, 'errors'>[]): ErrorCounts {
  const sum = { ...noErrors };
  for (const { errors } of blocks) for (const kind of Object.keys(sum) as (keyof ErrorCounts)[]) sum[kind] += errors[kind];
  return sum;
}

function meanOf<T>(all: readonly T[], value: (one: T) => number | null | undefined): number | null {
  const known = all.flatMap((one) => value(one) ?? []);
  return known.length === 0 ? null : known.reduce((sum, one) => sum + one, 0) / known.length;
}

/** A trial’s record holds sessions by state and by wait in one list; waits have a colon in their name, and CPU is what waits for nothing. */
function sessionsOf(sessions: Readonly<Record<string, number>>, samples: number): SessionSignals | null {
  if (Object.keys(sessions).length === 0) return null;
  const waits = (part: 'lock' | 'io'): number =>
    Object.entries(sessions).reduce((sum, [name, count]) => (name.includes(':') && workOrWait(name) === part ? sum + count : sum), 0);
  return {
    active: sessions['active'] ?? 0,
    onCpu: sessions['CPU'] ?? 0,
    lock: waits('lock'),
    lockedOn: lockedOn(sessions),
    io: waits('io'),
    idleInTransaction: (sessions['idle in transaction'] ?? 0) + (sessions['idle in transaction (aborted)'] ?? 0),
    samples,
  };
}

/** PostgreSQL’s names of what is waited for: a row by the transaction that changed it, by its place in the table, or by a speculative insertion. */
const locks: Readonly<Record<LockedThing, readonly string[]>> = {
  row: ['Lock:transactionid', 'Lock:tuple', 'Lock:spectoken'],
  advisory: ['Lock:advisory'],
  table: ['Lock:relation'],
};

/** What more than half of the sessions that wait for a lock wait for. */
function lockedOn(sessions: Readonly<Record<string, number>>): LockedThing | null {
  const all = Object.entries(sessions).reduce((sum, [name, count]) => (name.startsWith('Lock:') ? sum + count : sum), 0);
  const isMost = (names: readonly string[]): boolean => names.reduce((sum, name) => sum + (sessions[name] ?? 0), 0) > all / 2;
  return keysOf(locks).find((thing) => isMost(locks[thing])) ?? null;
}

/** The finding of the trial's own judgement. */
function unsteadyOf({ warmUp, notes }: Trial): Finding | null {
  if (warmUp === null || warmUp.steady) return null;
  return notes.find(({ code }) => code === 'unsteady') ?? { code: 'unsteady', durationMs: warmUp.durationMs, why: null };
}

function firstThreadShare(observations: readonly Observation[]): number | null {
  const known = observations.flatMap(({ app }) =>
    app?.cpuUs == null || app.firstThreadUs === null ? [] : [{ all: app.cpuUs, first: app.firstThreadUs }],
  );
  const allUs = known.reduce((sum, { all }) => sum + all, 0);
  return allUs === 0 ? null : Math.min(1, known.reduce((sum, { first }) => sum + first, 0) / allUs);
}

function allWantedPercent({ app, postgres, generator, windowMs }: Observation): number | null {
  const wanted = [app, generator, ...(postgres === null ? [] : [postgres])].map((use) => wantedCpuPercent(use, windowMs));
  return wanted.reduce((sum, one) => (sum === null || one === null ? null : sum + one), 0);
}

/** CPU that others took, of all cores. */
function interferenceShare(trial: Trial, observations: readonly Observation[]): number | null {
  if (trial.interference !== null) return trial.interference.takenPercent / 100;
  const { host } = trial.resources;
  const steal = meanOverTime(observations, (o) => o.host?.stealPercent) ?? host.stealPercent;
  const other = meanOverTime(observations, (o) => o.host?.otherPercent) ?? host.otherPercent;
  return steal === null && other === null ? null : ((steal ?? 0) + (other ?? 0)) / 100;
}

function cpuRange(blocks: readonly Block[]): Signals['appCpuRange'] {
  const known = blocks.flatMap(({ appCpuUsPerRequest, requests, windowMs }) =>
    appCpuUsPerRequest === null || windowMs <= 0 ? [] : [(appCpuUsPerRequest * requests) / windowMs / 10],
  );
  return known.length === 0 ? null : { low: Math.min(...known), high: Math.max(...known) };
}

function saturatedShare(blocks: readonly Block[]): number {
  const saturated = blocks.filter(({ valid, reasons }) => !valid && reasons.some((reason) => isOf(reason, 'generator-full')));
  return blocks.length === 0 ? 0 : saturated.length / blocks.length;
}

function extreme(blocks: readonly Block[], most: (...values: number[]) => number, value: (block: Block) => number | null): number | null {
  const known = blocks.flatMap((block) => value(block) ?? []);
  return known.length === 0 ? null : most(...known);
}

/**
 * The pool of an app without a probe, by what PostgreSQL shows: its sessions, when nearly all that are open are at work or in a transaction. Requests of a closed
 * loop that are neither there nor on the CPU wait for one, as far as anybody can see. Of a pool with sessions to spare that says nothing.
 */
function poolBySessions(trial: Trial, sessions: SessionSignals | null, { pool }: Knobs, load: Signals['load']): PoolSignals | null {
  const { mean: throughput } = trial.throughput;
  const meanMs = trial.latencyMs?.mean ?? null;
  const appCpu = trial.resources.app.cpuPercent;
  if (isProbed(trial.runtime) || load !== 'closed' || pool === null || sessions === null || meanMs === null) return null;
  // All that are open, whatever their state: what the app’s pools keep.
  const states = Object.entries(trial.resources.sessions).filter(([name]) => name !== 'CPU' && !name.includes(':'));
  const max = Math.round(states.reduce((sum, [, count]) => sum + count, 0));
  const busy = sessions.active + sessions.idleInTransaction;
  if (throughput <= 0 || appCpu === null || max < 1 || busy < thresholds.poolBusy.limit * max) return null;
  // As many pools as make up the sum, where their size is a divisor of it.
  const processes = typeof pool.value === 'number' && max % pool.value === 0 ? max / pool.value : null;
  const holdMs = (1000 * busy) / throughput;
  const waitMs = Math.max(0, meanMs - holdMs - (10 * appCpu) / throughput);
  return {
    ...unprobedPool,
    name: 'PostgreSQL’s sessions',
    processes,
    max,
    busy: Math.min(busy, max),
    pending: (throughput * waitMs) / 1000,
    waitMs,
    holdMs,
    perRequest: 1,
  };
}

function poolOf({ trial, probes, allProbes = probes }: Sighted, served: number, load: Signals['load']): PoolSignals | null {
  const { pool } = trial;
  if (pool === null) return null;
  const seen = probes.flatMap((window) => (window.pool === null ? [] : [window.pool]));
  const holds = seen.reduce((sum, { hold }) => sum + hold.count, 0);
  const acquire = mergeDurations(seen.map((one) => one.acquire));
  const waitUs = meanUs(acquire);
  return {
    name: pool.name,
    max: pool.max,
    processes: pool.processes ?? null,
    // A connection that is held across the whole window is never given back in it: what samples saw of it counts then.
    busy: Math.max(pool.busy, meanOf(seen, ({ busySampled }) => busySampled) ?? 0),
    // Waits that began before the window count whole by Little’s law; no more requests can wait than a closed loop sends.
    pending: Math.min(
      Math.max(pool.pending, meanOf(seen, ({ pendingSampled }) => pendingSampled) ?? 0),
      load === 'closed' ? trial.connections : Number.POSITIVE_INFINITY,
    ),
    always: alwaysInUse(
      seen.flatMap(({ busyReadings }) => busyReadings ?? []),
      pool.busy,
      pool.max,
    ),
    waitMs: waitUs === null ? pool.waitMs : waitUs / 1000,
    holdMs: pool.holdMs,
    perRequest: served === 0 || seen.length === 0 ? pool.perRequest : holds / served,
    timeouts: seen.length === 0 ? null : seen.reduce((sum, { timeouts }) => sum + timeouts, 0),
    completions: seen.length === 0 ? null : holds,
    mostWaited: mostWaited(
      seen.flatMap((one) => one.mostWaited ?? []),
      served,
      load === 'closed' ? trial.connections : Number.POSITIVE_INFINITY,
    ),
    lockedUp: lockedUpShare(allProbes, trial.resources.sessions),
    outlived: outlivedOf(seen),
  };
}

/** `mostAtOnce`: requests that can wait. */
function mostWaited(windows: readonly PoolOfSeveral[], served: number, mostAtOnce: number): OneOfPools | null {
  const most = mostWaitedIn(windows);
  if (most === null) return null;
  const { acquire, hold, pending, id: _, ...one } = most;
  return {
    ...one,
    pending: Math.min(pending, mostAtOnce),
    waitMs: msOf(meanUs(acquire)),
    holdMs: msOf(meanUs(hold)),
    perRequest: served === 0 ? null : hold.count / served,
  };
}

/** Without a look at PostgreSQL’s sessions, statements that take longer than a block look the same. */
function lockedUpShare(probes: readonly ProbeWindow[], sessions: Readonly<Record<string, number>>): number {
  const seen = probes.filter(({ pool }) => pool !== null);
  if (seen.length === 0 || Object.keys(sessions).length === 0) return 0;
  return seen.filter((one) => isLockedUpIn(one, sessions['active'] ?? 0)).length / seen.length;
}

const fewestReadings = 5;

/** The number that nearly all readings had in use, and none had more, where the mean over time says so, too. Requests that come as they like make it vary. */
function alwaysInUse(readings: readonly number[], busy: number | null, max: number | null): number | null {
  const most = Math.max(0, ...readings);
  if (readings.length < fewestReadings || busy === null || most === 0 || (max !== null && most >= max)) return null;
  const there = readings.filter((one) => one === most).length / readings.length;
  const { limit } = thresholds.alwaysInUse;
  return there >= limit && busy >= limit * most && busy <= 1.1 * most ? most : null;
}

function outlivedOf(seen: readonly NonNullable<ProbeWindow['pool']>[]): PoolSignals['outlived'] {
  const known = seen.flatMap(({ outlived }) => outlived ?? []);
  const last = known.at(-1);
  return last === undefined ? null : { ...last, grew: known.reduce((sum, { grew }) => sum + Math.max(0, grew), 0) };
}

/**
 * A pool that is not timed shows how many connections were busy and how many requests waited: by Little’s law the time per request is this number over
 * throughput.
 */
function outboundOf(probes: readonly ProbeWindow[], served: number, throughput: number): PoolSignals | null {
  const seen = probes.flatMap(({ outbound }) => outbound ?? []);
  const last = seen.at(-1);
  if (last === undefined) return null;
  const sum = (of: 'taken' | 'timeouts'): number => seen.reduce((total, one) => total + one[of], 0);
  const timed = seen.some(({ holdMs }) => holdMs !== null);
  const perRequestMs = (of: 'busy' | 'pending'): number | null =>
    throughput > 0 ? (1000 * (meanOf(seen, (one) => one[of]) ?? 0)) / throughput : null;
  return {
    ...unprobedPool,
    name: last.name,
    max: last.max,
    busy: meanOf(seen, ({ busy }) => busy),
    always: alwaysInUse(
      seen.flatMap(({ busyReadings }) => busyReadings ?? []),
      meanOf(seen, ({ busy }) => busy),
      last.max,
    ),
    pending: meanOf(seen, ({ pending }) => pending),
    ...(timed
      ? {
          waitMs: meanOf(seen, ({ waitMs }) => waitMs),
          holdMs: meanOf(seen, ({ holdMs }) => holdMs),
          perRequest: served === 0 ? null : sum('taken') / served,
        }
      : { waitMs: perRequestMs('pending'), holdMs: perRequestMs('busy'), perRequest: 1 }),
    timeouts: sum('timeouts'),
  };
}

/** The group that is busiest in the last window, in the mean of the windows that have it. */
function serverLoopsOf(probes: readonly ProbeWindow[]): Signals['serverLoops'] {
  const last = probes.flatMap(({ serverLoops }) => serverLoops ?? []).at(-1);
  if (last === undefined) return null;
  const ofGroup = probes.flatMap(({ serverLoops }) => (serverLoops?.name === last.name ? [serverLoops] : []));
  return { ...last, busy: meanOf(ofGroup, ({ busy }) => busy) ?? 0, busiest: meanOf(ofGroup, ({ busiest }) => busiest) ?? 0 };
}

function gcOf(probes: readonly ProbeWindow[]): Signals['gc'] {
  const seen = probes.flatMap(({ gc }) => gc ?? []);
  if (seen.length === 0) return null;
  return { pauseShare: meanOf(seen, ({ pauseShare }) => pauseShare), maxPauseMs: Math.max(...seen.map(({ maxPauseMs }) => maxPauseMs)) };
}

function delayOf(probes: readonly ProbeWindow[]): Signals['eventLoopDelayMs'] {
  const seen = probes.flatMap(({ eventLoopDelayMs }) => eventLoopDelayMs ?? []);
  return seen.length === 0 ? null : { mean: meanOf(seen, ({ mean }) => mean), max: Math.max(...seen.map(({ max }) => max)) };
}

/** The descriptors at the moment at which a process came closest to its limit. */
function mostDescriptors(observations: readonly Observation[]): Signals['descriptors'] {
  let most: Signals['descriptors'] = null;
  for (const { app } of observations) {
    const { descriptors: open, descriptorLimit: limit } = app ?? {};
    if (open == null || limit == null || limit <= 0) continue;
    if (most === null || open / limit > most.open / most.limit) most = { open, limit };
  }
  return most;
}
