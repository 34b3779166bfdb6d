import type { Diagnosis } from '../../model/domain/diagnosis.ts';
import type { PlainFinding } from '../../model/domain/findingKinds.ts';
import type { Histogram } from 'hdr-histogram-js';
import { type Interference, meanInterference } from '../../model/domain/interference.ts';
import type { Observation } from '../../model/domain/observation.ts';
import { type SettingSpecs, type SettingValues, type WatchedPart, watchedPartOf } from '../../model/domain/setting.ts';
import { type Block, type Trial, type WarmUp, noErrors, noUse } from '../../model/domain/run.ts';
import {
  createLatencyHistogram,
  decodeLatencyHistogram,
  encodeLatencyHistogram,
  latencyMetrics,
  mergeLatencySums,
} from '../load/latencyHistogram.ts';
import type { LoadMeasurement } from '../load/loadProtocol.ts';
import type { Slice } from '../load/slices/sliceProtocol.ts';
import { isAlwaysAsking } from '../load/profileBlock.ts';
import { sliceColumns } from './sliceColumns.ts';
import { stepMetrics } from '../load/scenario/stepMetrics.ts';
import { diagnose } from '../diagnose/diagnose.ts';
import { errorsOf, signalsOf } from '../diagnose/gather.ts';
import { heldIdleAtLeast } from '../diagnose/requestTime.ts';
import type { Signals } from '../diagnose/signals.ts';
import { memoryOfStarts, samplesAround, trialResources } from '../observe/aggregate.ts';
import { allowedCores } from '../observe/cpuAllowance.ts';
import { instanceUses } from '../observe/instanceUses.ts';
import type { StatementsWindow } from '../observe/statementMeter.ts';
import { sessionStatement } from '../services/bouncer/bouncerTraps.ts';
import { type ProbeWindow, poolUseOf, requestsOf, threadUseOf } from '../probe/probeWindow.ts';
import { timeBudgetOf } from '../probe/timeBudget.ts';
import { blockStatistics, countedBlocks } from '../statistics/blockStatistics.ts';
import { blockWaits } from './blockWaits.ts';
import { errorsAtRate } from '../strategies/rounds/fixedRate.ts';
import type { PlannedTrial } from './plan.ts';
import { trialFailure } from './trialFailure.ts';
import { noiseAdjustedThroughput } from './noiseAdjusted.ts';
import { judgeBlock, judgeTrial } from '../statistics/judgement.ts';
import { meanUs, msOf } from '../statistics/durations.ts';
import { mean } from '../statistics/moments.ts';
import { statementsOf } from './statementsOf.ts';
import { type AroundBlock, bouncerUse, distanceUse, proxyUse } from './topologyUses.ts';
import type { OpenLoopMetric } from '../../model/domain/tuning.ts';
import type { Unsteady } from '../../model/domain/warmUpFinding.ts';
import { grouped } from '../../model/domain/grouped.ts';

/** What was seen in one block, before it is judged. */
export interface BlockMeasurement extends AroundBlock {
  round: number;
  /** Which start of its processes, from 1; absent where they are started once. */
  start?: number;
  /** Start and end of the measured window on the run's time axis. */
  startMs: number;
  endMs: number;
  result: LoadMeasurement;
  /** CPU time that each part used between the edges of the window, in µs. */
  cpuUs: { appCpuUs: number | null; postgresCpuUs: number | null; generatorCpuUs: number | null };
  /** The slices that it was measured in, each with its pass from 1; absent where the load did not alternate between sides. */
  slices?: readonly (Slice & { pass: number })[];
  /** What the app's probes saw in it; null without. */
  probe: ProbeWindow | null;
  /**
   * PostgreSQL's statements from before its first request until after its last, or in the window where only that is known; null or absent where it does not
   * count them, or did not answer in time.
   */
  statements?: StatementsWindow | null;
  /** Requests that each of several instances answered, null where they are not seen; null or absent of one alone. */
  served?: readonly (number | null)[] | null;
  /** CPU that others used between the window’s edges; null or absent where it is not known. */
  interference?: Interference | null;
  /** How the app ended on its own in it; null when it did not. */
  ended: PlainFinding | null;
  postgresRestarted: boolean;
  /** Why it does not count, known to its generator; absent for a block of Benchside's generator, which is judged by its figures. */
  discardReasons?: readonly PlainFinding[];
}

/** All that a run has seen of one trial so far. */
export interface TrialMeasurement {
  planned: PlannedTrial;
  warmUp: WarmUp | null;
  unsteady: Unsteady | null;
  /** What its process answered at the end of the warm-up, in requests/s; absent where that is not known. */
  warmedThroughput?: number | undefined;
  blocks: BlockMeasurement[];
  /** Why no block could be measured, e.g. the process ended. */
  problems: PlainFinding[];
  /** Until it was ready, in ms, for each start; where that is asked for. */
  startUpMs?: number[];
  /** Bytes in use after a collection of the whole heap, where one was asked for. */
  afterFullBytes?: number;
  /** What thread dumps and recordings led to, where they were made. */
  verdict?: Diagnosis;
  /** At a fixed rate, where it was measured at one as well. */
  openLoop?: OpenLoopMetric;
}

/** A trial as it is recorded, with the encoded histogram of its valid blocks. */
export interface RecordedTrial {
  trial: Trial;
  histogram: string;
  /** What its verdict was made from; null when nothing was measured. */
  signals: Signals | null;
}

/** A distance that lasted so many times what was asked for is another one. */
const lastsLonger = 1.1;

export function noMeasurement(planned: PlannedTrial): TrialMeasurement {
  return { planned, warmUp: null, unsteady: null, blocks: [], problems: [] };
}

/** Judges the blocks of a trial and puts its figures together. Discarded blocks do not count; when all are discarded, the figures are theirs, marked so. */
export function recordTrial(measurement: TrialMeasurement, observations: readonly Observation[]): RecordedTrial {
  const { planned } = measurement;
  const { judged, merged } = derive(measurement);
  const verdict = judgeTrial({
    blocks: judged.map(({ block, reasons: of }) => ({ ...block, reasons: of })),
    blockNotes: judged.flatMap(({ notes }) => notes),
    // The problem is reported already.
    roundsAsked: measurement.problems.length > 0 ? measurement.blocks.length : 1,
    warmUp: measurement.warmUp,
    unsteady: measurement.unsteady,
  });
  const valid = judged.filter(({ block }) => block.valid);
  const counted = valid.length > 0 ? valid : judged;
  const measured = counted.map(({ seen }) => seen);
  const histogram = merged.get(valid.length > 0) ?? createLatencyHistogram();
  const sums = mergeLatencySums(measured.map(({ result }) => result.latencySums));
  const throughput = blockStatistics([
    { key: planned.key, blocks: counted.map(({ block: { round, throughput } }) => ({ round, throughput })) },
  ]).intervals.get(planned.key);
  const requests = counted.reduce((sum, { block }) => sum + block.requests, 0);
  const windows = counted.map(({ block, seen }) => ({
    ...seen.cpuUs,
    ...(seen.slices === undefined ? {} : { slices: seen.slices, spanMs: seen.endMs - seen.startMs }),
    start: block.start ?? 1,
    startMs: block.startMs,
    windowMs: block.windowMs,
    requests: block.requests,
    generator: block.generator,
  }));
  const probes = measured.flatMap(({ probe }) => probe ?? []);
  const reasons = [...measurement.problems, ...verdict.reasons];
  const trial: Trial = {
    ...emptyTrial(planned),
    valid: reasons.length === 0,
    reasons,
    notes: verdict.notes,
    throughput: throughput ?? { mean: 0, ciLow: null, ciHigh: null, blocks: [] },
    bytesPerSecond: counted.length === 0 ? 0 : mean(counted.map(({ block }) => block.bytesPerSecond)),
    latencyMs: latencyMetrics(histogram, sums),
    requests,
    errors: errorsOf(judged.map(({ block }) => block)),
    resources: trialResources(planned.key, observations, windows),
    warmUp: measurement.warmUp,
    blocks: judged.map(({ block }) => block),
    histogram: null,
  };
  trial.interference = meanInterference(trial.blocks.filter(({ valid: good }) => good || valid.length === 0));
  trial.noiseAdjusted = noiseAdjustedThroughput(trial, allowedCores());
  const pool = poolUseOf(probes, requests, isClosed(counted) ? planned.connections : undefined);
  trial.pool = pool;
  trial.threadPool = threadUseOf(probes);
  const utilisations = probes.flatMap(({ eventLoopUtilisation }) => eventLoopUtilisation ?? []);
  trial.eventLoopUtilisation = utilisations.length === 0 ? null : mean(utilisations);
  if (planned.process.instances > 1 && counted.length > 0) {
    trial.instances = instanceUses(
      planned,
      observations,
      counted.map(({ block, seen }) => ({ ...block, served: seen.served ?? null })),
    );
  }
  const failed = trialFailure(measurement, trial);
  if (failed !== null) trial.failed = failed;
  const statements = statementsOf(measured, requests) ?? [];
  if (statements.length > 0) trial.statements = statements;
  const gcMs = probes.flatMap(({ gcPauseMs }) => gcPauseMs ?? []);
  const served = requestsOf(probes, requests);
  const gcUsPerRequest = gcMs.length === 0 || served === 0 ? null : (1000 * gcMs.reduce((sum, ms) => sum + ms, 0)) / served;
  const { afterFullBytes = null, startUpMs } = measurement;
  if (gcUsPerRequest !== null || afterFullBytes !== null) trial.memory = { gcUsPerRequest, afterFullBytes };
  if (startUpMs !== undefined) trial.startUpMs = startUpMs;
  const startRssBytes = memoryOfStarts(planned.key, observations, windows);
  if (startRssBytes.length > 1) trial.startRssBytes = startRssBytes;
  const proxy = proxyUse(counted);
  if (proxy !== null) trial.proxy = proxy;
  const distance = distanceUse(counted);
  if (distance !== null) {
    trial.distance = distance;
    const { rttMs, lastedMs } = distance;
    if (lastedMs > lastsLonger * rttMs) trial.notes = [...trial.notes, { code: 'distance-lasted', rttMs, lastedMs }];
  }
  const bouncer = bouncerUse(counted, requests);
  if (bouncer !== null) trial.bouncer = bouncer;
  const texts = statements.map(({ sql }) => sql);
  const statement = bouncer === null ? null : sessionStatement(texts, bouncer.mode);
  if (statement !== null) trial.notes = [...trial.notes, { code: 'session-statement', statement }];
  trial.steps = stepMetrics(...measured.map(({ result }) => result.scenario?.steps ?? []));
  const signals = signalsFrom(trial, planned, counted, judged, observations);
  if (measurement.openLoop !== undefined) trial.openLoop = measurement.openLoop;
  trial.diagnosis = measurement.verdict ?? (signals === null ? null : diagnose(signals));
  const cpuUs = trial.resources.app.cpuUsPerRequest;
  trial.timeBudget = timeBudgetOf({
    meanLatencyMs: trial.latencyMs?.mean ?? null,
    appCpuMsPerRequest: cpuUs === null ? null : cpuUs / 1000,
    poolWaitMs: pool?.waitMs ?? null,
    holdMs: pool?.holdMs ?? null,
    connectionsPerRequest: pool?.perRequest ?? null,
    heldIdleShare: signals === null ? null : heldIdleAtLeast(signals),
  });
  return { trial, histogram: encodeLatencyHistogram(histogram), signals };
}

/** Its own figures and what was seen around them; null when nothing was measured. */
function signalsFrom(
  trial: Trial,
  { process }: PlannedTrial,
  counted: readonly Judged[],
  judged: readonly Judged[],
  observations: readonly Observation[],
): Signals | null {
  if (counted.length === 0) return null;
  const cores = allowedCores();
  return signalsOf({
    trial,
    cores,
    pgCores: cores,
    instances: process.instances,
    settings: process.settings,
    specs: process.declared.target.settings,
    observations: counted.flatMap(({ seen, block }) =>
      samplesAround(observations, block.startMs, seen.slices === undefined ? block.windowMs : seen.endMs - seen.startMs),
    ),
    probes: counted.flatMap(({ seen }) => seen.probe ?? []),
    allProbes: judged.flatMap(({ seen }) => seen.probe ?? []),
    slowest: counted.flatMap(({ seen }) => (seen.probe === null ? [] : [seen.result.slowest])),
    databaseFunctions: {
      uses: counted.flatMap(({ seen }) => seen.statements?.functions ?? []),
      ofMs: counted.reduce((sum, { seen }) => sum + (seen.statements?.totalMs ?? 0), 0),
    },
    closedByServer: counted.reduce((sum, { seen }) => sum + seen.result.closedByServer, 0),
    cpuShareCores: process.cpuShare ?? null,
    routes: process.routes ?? [],
    proxy: proxyUse(counted),
    load: isClosed(counted) ? 'closed' : 'paced',
  });
}

function isClosed(counted: readonly Judged[]): boolean {
  return counted.every(({ seen }) => isAlwaysAsking(seen.result));
}

/** Settings that are the size of what requests can be seen to wait for. */
function sizesOf(asked: SettingValues, specs: SettingSpecs): [string, WatchedPart][] {
  return Object.keys(asked).flatMap((name): [string, WatchedPart][] => {
    const part = watchedPartOf(name, specs[name]);
    return part === null ? [] : [[name, part]];
  });
}

export function emptyTrial(planned: PlannedTrial): Trial {
  const { target } = planned.process.declared;
  const sizes = sizesOf(planned.process.asked, target.settings);
  return {
    key: planned.key,
    target: target.id,
    targetLabel: target.label ?? target.id,
    runtime: target.runtime,
    settings: planned.process.asked,
    ...(sizes.length === 0 ? {} : { sizes: Object.fromEntries(sizes) }),
    connections: planned.connections,
    valid: true,
    reasons: [],
    notes: [],
    throughput: { mean: 0, ciLow: null, ciHigh: null, blocks: [] },
    bytesPerSecond: 0,
    latencyMs: null,
    requests: 0,
    errors: noErrors,
    resources: {
      app: noUse,
      postgres: noUse,
      generator: { ...noUse, eventLoopUtilisation: null, littleRatio: null },
      host: { stealPercent: null, otherPercent: null },
      sessions: {},
    },
    warmUp: null,
    blocks: [],
    histogram: null,
    pool: null,
    threadPool: null,
    eventLoopUtilisation: null,
    timeBudget: null,
    openLoop: null,
    slo: null,
    diagnosis: null,
    steps: [],
    interference: null,
    noiseAdjusted: null,
  };
}

interface Judged {
  seen: BlockMeasurement;
  block: Block;
  reasons: PlainFinding[];
  notes: PlainFinding[];
}

/** What follows from the blocks of a measurement alone, each examined once; histograms of those that are valid (true) and of those that are not. */
interface Derived {
  judged: Judged[];
  merged: Map<boolean, Histogram>;
}

const derivedOf = new WeakMap<TrialMeasurement, Derived>();

function derive(measurement: TrialMeasurement): Derived {
  const derived = derivedOf.get(measurement) ?? { judged: [], merged: new Map<boolean, Histogram>() };
  derivedOf.set(measurement, derived);
  const { judged, merged } = derived;
  for (const seen of measurement.blocks.slice(judged.length)) {
    const histogram = decodeLatencyHistogram(seen.result.histogram);
    const one = judge(seen, measurement.planned, histogram);
    judged.push(one);
    const sum = merged.get(one.block.valid);
    if (sum === undefined) merged.set(one.block.valid, histogram);
    else sum.add(histogram);
  }
  return derived;
}

function judge(seen: BlockMeasurement, planned: PlannedTrial, histogram: Histogram): Judged {
  const { result } = seen;
  const atRate = result.open !== null;
  const verdict = judgeBlock({
    ...result,
    ...(atRate ? { errors: errorsAtRate(result.errors), latencyReasons: [] } : {}),
    meanLatencyMs: msOf(meanUs(result.latencySums)),
    ended: seen.ended,
    postgresRestarted: seen.postgresRestarted,
  });
  const reasons = [...verdict.reasons, ...(seen.discardReasons ?? [])];
  return {
    seen,
    reasons,
    notes: verdict.notes,
    block: {
      round: seen.round,
      ...(seen.start === undefined ? {} : { start: seen.start }),
      startMs: seen.startMs,
      windowMs: result.windowMs,
      requests: result.requests,
      throughput: result.throughput,
      bytesPerSecond: result.bytesPerSecond,
      latencyMs: latencyMetrics(histogram, result.latencySums),
      errors: result.errors,
      generator: result.generator,
      appCpuUsPerRequest: seen.cpuUs.appCpuUs === null || result.requests === 0 ? null : seen.cpuUs.appCpuUs / result.requests,
      ...(seen.probe?.allocatedBytes == null || result.requests === 0
        ? {}
        : { allocatedBytesPerRequest: seen.probe.allocatedBytes / requestsOf([seen.probe], result.requests) }),
      ...(seen.slices === undefined ? {} : { slices: sliceColumns(seen.slices, allowedCores()) }),
      valid: reasons.length === 0,
      reasons,
      interference: seen.interference ?? null,
      waits: blockWaits(seen, planned),
      ...(result.open === null ? {} : { open: result.open }),
    },
  };
}

/**
 * Puts the intervals of a finished run in: within a target and a number of connections the settings were measured in the same rounds, so that their blocks can
 * be judged together. Returns the largest noise floor of these groups, in percent.
 */
export function withIntervals(trials: readonly Trial[]): { trials: Trial[]; noiseFloorPercent: number | null } {
  const valid = trials.filter((trial) => trial.valid);
  const groups = grouped(valid, ({ target, connections }) => `${target}|${connections}`);
  const intervals = new Map<string, Trial['throughput']>();
  const floors: number[] = [];
  for (const group of groups.values()) {
    const statistics = blockStatistics(group.map((trial) => ({ key: trial.key, blocks: countedBlocks(trial.blocks) })));
    for (const [key, interval] of statistics.intervals) intervals.set(key, interval);
    if (statistics.noiseFloorPercent !== null) floors.push(statistics.noiseFloorPercent);
  }
  return {
    trials: trials.map((trial) => ({ ...trial, throughput: intervals.get(trial.key) ?? trial.throughput })),
    noiseFloorPercent: floors.length === 0 ? null : Math.max(...floors),
  };
}
