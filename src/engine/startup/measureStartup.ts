import { readFile, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { failure, FailureError } from '../../model/domain/failure.ts';
import type { Archive, Start, StartupNote, StartupReport, StartupRequest, StartWay, SteadyLoad } from '../../model/domain/startup.ts';
import type { MixRequest } from '../load/loadProtocol.ts';
import { ThreadClocks, withDescendants } from '../load/slices/threadClocks.ts';
import { AttachedNode } from '../record/node/attachNode.ts';
import type { InspectorClient } from '../record/node/inspectorClient.ts';
import { hurryMs, ProcessPool } from '../run/processPool.ts';
import type { PlannedProcess } from '../run/plan.ts';
import { type PreparedTarget, type RecordingContext, loadOn, prepareTarget } from '../run/recording/recordPlan.ts';
import { startGenerator } from '../run/runContext.ts';
import { instancesOf } from '../run/runningTargets.ts';
import { compilingShare } from '../run/warmPasses.ts';
import { WarmUpCpu } from '../run/warmUpCpu.ts';
import { median } from '../statistics/moments.ts';
import { steadyAtCap, steadyState } from '../statistics/steadyState.ts';
import { makeTemporaryFolder } from '../supervise/temporaryFolder.ts';
import { type DeclaredTarget, findTarget } from '../targets/catalog.ts';
import { firstAnswer } from '../targets/firstAnswer.ts';
import { type RunningTarget, serverPid } from '../targets/launchTarget.ts';
import { javaOf } from '../targets/targetJava.ts';
import { javaFeature } from '../targets/toolchain.ts';
import { archiveKind, isJavaItself, shownOptions, withJavaOptions } from './classArchive.ts';
import { classLoadingParts } from './classLoading.ts';
import { cpuProfileParts } from './profileParts.ts';
import { variantOf, pairedRatio } from './startTimes.ts';

/** Requests after the first one, one after the other: the first half still warms, the median of the rest counts. */
const laterRequests = 20;
/** A JVM writes its archive when it ends, and may take that long. */
const archiveGraceMs = 60_000;
/** The JDK from which on a JVM takes -Xlog (JEP 158); an older one would not start. */
const loggedSince = 9;
/** Of a log of class loading; a Spring service has some 3 MB. */
const longestLogBytes = 64 * 2 ** 20;

const tickMs = 500;
/** What a request takes at first is the mean of so many ticks, the first of which is the processes’ first. */
const ticksAtFirst = 2;

/** What is started, and how often it was. */
interface Starting {
  declared: DeclaredTarget;
  process: PlannedProcess;
  /** What is asked for first; null where there is none that may be asked. */
  request: MixRequest | null;
  /** Starts the target without a probe: as it is. */
  plain: ProcessPool;
  /** With a way in for the profiler. */
  probed: ProcessPool;
  context: RecordingContext;
  folder: string;
}

/** A way to start, as it is started. */
interface Way {
  way: StartWay;
  declared: DeclaredTarget;
}

/**
 * Starts a target in turn and says how long it takes until it is ready, and until its first answer; for a JVM also with an archive of its classes, in turn with
 * what is. One more start, before those and not counted, shows where the time goes. Nothing that it started or wrote is left.
 * Fails with `runs-already`, and as the start of a target does.
 */
export async function measureStartup(request: StartupRequest, context: RecordingContext): Promise<StartupReport> {
  const startedMs = performance.now();
  const { target } = findTarget(context.declarations, request.target);
  const label = target.label ?? target.id;
  if (target.running !== undefined)
    throw failure('runs-already', `${label} runs already: its start cannot be measured.`, 'Let Benchside start it, by a command.');
  const prepared = await prepareTarget({ kind: 'target', id: target.id, settings: request.settings, load: null }, context);
  const { declared, planned, plan, address } = prepared;
  const asks = plan.mixes.get(target.id)?.asks ?? [];
  const [first] = asks;
  const plain = new ProcessPool({ ...context, probes: null }, address);
  const probed = new ProcessPool(context, address);
  const folder = makeTemporaryFolder('startup');
  try {
    const process = { ...planned.process, asks: [] };
    const starting: Starting = { declared, process, request: first ?? null, plain, probed, context, folder };
    const notes: StartupNote[] = first === undefined ? ['no-answer'] : [];
    const profiled = await partsOf(starting);
    if (profiled.partsBy === null) notes.push('no-parts');
    const made = await archiveOf(starting, notes);
    const ways: Way[] = [{ way: 'as-is', declared }, ...(made === null ? [] : [{ way: made.archive.way, declared: made.declared }])];
    const starts = await startInTurns(starting, ways, request.starts);
    const steady = first === undefined ? new Map<StartWay, SteadyLoad | null>() : await steadyOf(starting, ways, prepared, request.steadyS);
    const compared = made === null ? null : pairedRatio(starts.get('as-is') ?? [], starts.get(made.archive.way) ?? []);
    return {
      target: target.id,
      targetLabel: label,
      runtime: target.runtime,
      route: first === undefined ? null : `${first.method} ${first.path}`,
      variants: ways.map(({ way }) => variantOf(way, starts.get(way) ?? [], steady.get(way))),
      archive: made === null || compared === null ? null : { ...made.archive, ...compared },
      ...profiled,
      notes,
      spentS: (performance.now() - startedMs) / 1000,
    };
  } finally {
    const hurry = context.signal.aborted ? hurryMs : undefined;
    await Promise.all([plain.stopAll(hurry), probed.stopAll(hurry)]);
    await rm(folder, { recursive: true, force: true });
  }
}

/** Each way as often, every second turn in reverse order, so that neither always comes first. */
async function startInTurns(starting: Starting, ways: readonly Way[], count: number): Promise<Map<StartWay, Start[]>> {
  const starts = new Map<StartWay, Start[]>(ways.map(({ way }) => [way, []]));
  for (let turn = 0; turn < count; turn += 1) {
    for (const { way, declared } of turn % 2 === 0 ? ways : [...ways].reverse()) {
      starting.context.progress({ code: 'start', start: turn + 1, of: count, way }, turn / count);
      const start = await withStarted(starting.plain, starting, declared, (running) => timed(running, starting));
      starts.get(way)?.push(start);
    }
  }
  return starts;
}

/** One more start of each way, under the load of the target at once. */
async function steadyOf(
  starting: Starting,
  ways: readonly Way[],
  prepared: PreparedTarget,
  mostS: number,
): Promise<Map<StartWay, SteadyLoad | null>> {
  const found = new Map<StartWay, SteadyLoad | null>();
  if (mostS === 0) return found;
  for (const { way, declared } of ways) {
    starting.context.progress({ code: 'until-warm', way }, null);
    const underLoad = (running: RunningTarget): Promise<SteadyLoad | null> =>
      timeToSteady(running, prepared, 1000 * mostS, starting.context);
    found.set(way, await withStarted(starting.plain, starting, declared, underLoad));
  }
  return found;
}

async function timed(running: RunningTarget, { request, context: { signal } }: Starting): Promise<Start> {
  const readyMs = running.startUpMs ?? 0;
  const none = { readyMs, firstAnswerMs: null, firstTookMs: null, laterTookMs: null };
  if (request === null) return none;
  const at = { ...running.reach, port: running.port };
  const answer = await firstAnswer(at, request, signal);
  if (answer === null || answer.problem !== null) return none;
  const later: number[] = [];
  for (let asked = 0; asked < laterRequests; asked += 1) {
    const next = await firstAnswer(at, request, signal, { skip: answer.draw + 1 + asked, most: 1 });
    if (next !== null && next.problem === null && asked >= laterRequests / 2) later.push(next.tookMs);
  }
  const firstTookMs = answer.tookMs;
  return { readyMs, firstAnswerMs: readyMs + firstTookMs, firstTookMs, laterTookMs: later.length === 0 ? null : median(later) };
}

/** Does `work` with a process that is started for it and ended afterwards. */
async function withStarted<T>(
  pool: ProcessPool,
  { process, context: { signal } }: Starting,
  declared: DeclaredTarget,
  work: (running: RunningTarget) => Promise<T>,
): Promise<T> {
  const running = await pool.launch({ ...process, declared });
  try {
    return await work(running);
  } finally {
    await pool.stop(process.key, signal.aborted ? hurryMs : undefined);
  }
}

type Parts = Pick<StartupReport, 'parts' | 'partsBy'>;
const noParts: Parts = { parts: [], partsBy: null };

/** Where the time goes, of a start of its own; it also brings the files of the service into the machine’s memory, so that the first start that counts is none. */
async function partsOf(starting: Starting): Promise<Parts> {
  const { declared, context } = starting;
  const { runtime } = declared.target;
  context.progress({ code: 'watched-start' }, null);
  if (runtime === 'node') return nodeParts(starting);
  if (runtime === 'jvm' && isJavaItself(declared.target.command) && (featureOf(starting) ?? 0) >= loggedSince) return jvmParts(starting);
  await withStarted(starting.plain, starting, declared, () => Promise.resolve());
  return noParts;
}

async function nodeParts(starting: Starting): Promise<Parts> {
  const { declared, folder, context } = starting;
  const file = path.join(folder, 'profile.cjs');
  await writeFile(file, startProfileSource);
  const before = declared.target.env['NODE_OPTIONS'];
  const option = `--require ${/[\s"\\]/.test(file) ? JSON.stringify(file) : file}`;
  const env = { ...declared.target.env, NODE_OPTIONS: before === undefined || before === '' ? option : `${before} ${option}` };
  return withStarted(starting.probed, starting, { ...declared, target: { ...declared.target, env } }, async (running) => {
    try {
      const node = await AttachedNode.ofProcess({ pid: serverPid(running), probes: running.probe }, archiveGraceMs, context.signal);
      try {
        const parts = cpuProfileParts(await readStartProfile(node.client), running.startUpMs ?? 0);
        return parts === null ? noParts : { parts, partsBy: 'cpu-profile' };
      } finally {
        await node.detach();
      }
    } catch (error) {
      context.signal.throwIfAborted();
      if (error instanceof FailureError) return noParts;
      throw error;
    }
  });
}

async function jvmParts(starting: Starting): Promise<Parts> {
  const { declared, folder, plain } = starting;
  const file = path.join(folder, 'classes.log');
  const logged = withJavaOptions(declared, [`-Xlog:class+load:file=${file}:uptimenanos:filecount=0`]);
  const readyMs = await withStarted(plain, starting, logged, (running) => Promise.resolve(running.startUpMs ?? 0));
  const size = (await stat(file).catch(() => null))?.size ?? 0;
  if (size === 0 || size > longestLogBytes) return noParts;
  const parts = classLoadingParts(await readFile(file, 'utf8'), readyMs);
  return parts.length === 0 ? noParts : { parts, partsBy: 'class-loading' };
}

/** An archive of the classes of a first start and its first answer, and the target with it; null where there is none, with the reason among the notes. */
async function archiveOf(
  starting: Starting,
  notes: StartupNote[],
): Promise<{ declared: DeclaredTarget; archive: Omit<Archive, 'ratio' | 'verdict'> } | null> {
  const { declared, folder, context, plain, request } = starting;
  if (declared.target.runtime !== 'jvm') return null;
  const kind = archiveKind(declared, featureOf(starting));
  if (typeof kind === 'string') {
    notes.push(kind);
    return null;
  }
  context.progress({ code: 'archiving-start' }, null);
  const file = path.join(folder, 'classes.archive');
  const making = withJavaOptions(declared, kind.make(file));
  const patient = { ...making, target: { ...making.target, stopGraceMs: archiveGraceMs } };
  const beganMs = performance.now();
  await withStarted(plain, starting, patient, async ({ reach, port }) => {
    if (request !== null) await firstAnswer({ ...reach, port }, request, context.signal);
  });
  const bytes = (await stat(file).catch(() => null))?.size ?? 0;
  if (bytes === 0) {
    notes.push('no-archive');
    return null;
  }
  const madeS = (performance.now() - beganMs) / 1000;
  return { declared: withJavaOptions(declared, kind.use(file)), archive: { way: kind.way, bytes, madeS, options: shownOptions(kind) } };
}

/** Which Java the target runs on; null where that is not known. */
function featureOf({ declared, context }: Starting): number | null {
  const [named] = declared.target.command;
  const program = named === 'java' || named === '{java}' ? javaOf(declared, context.toolchain) : named;
  return program == null ? null : javaFeature(program);
}

const profileSymbol = 'benchside.startProfile';
const profileTimeoutMs = 30_000;

/** Loaded before the app's first file: a CPU profile of the process from then on. It never lets the app fail. */
const startProfileSource = `'use strict';
try {
  const { Session } = require('node:inspector');
  const session = new Session();
  session.connect();
  session.post('Profiler.enable');
  session.post('Profiler.setSamplingInterval', { interval: 500 });
  const bootMs = performance.now();
  session.post('Profiler.start');
  globalThis[Symbol.for('${profileSymbol}')] = () => {
    let profile = null;
    session.post('Profiler.stop', (error, result) => (profile = error === null ? result.profile : null));
    session.disconnect();
    return JSON.stringify({ profile, bootMs });
  };
} catch {}
`;

/** Ends that profile and fetches it, with how long the process had run when it began. Fails with a `FailureError` where the process has none. */
async function readStartProfile(client: InspectorClient): Promise<unknown> {
  const { value } = await client.evaluate(`globalThis[Symbol.for('${profileSymbol}')]()`, { byValue: true, timeoutMs: profileTimeoutMs });
  return typeof value === 'string' ? JSON.parse(value) : null;
}

/**
 * Loads a target that has just started until the CPU time of a request has levelled off, at most for so long. The time until then is where the cut of the
 * warm-up lies, rather than when that was sure. Null where the CPU time of the processes is not known, or nothing was answered.
 */
async function timeToSteady(
  running: RunningTarget,
  prepared: PreparedTarget,
  mostMs: number,
  context: RecordingContext,
): Promise<SteadyLoad | null> {
  const generator = await startGenerator(context);
  const clocks = new ThreadClocks(() => withDescendants(instancesOf(running).map(({ child }) => child.pid)));
  const plan = loadOn(running, prepared, mostMs);
  const cpu = new WarmUpCpu([clocks], plan.connections);
  const isCompiling = (): boolean => cpu.compilerShare > compilingShare;
  try {
    const { durationMs } = await generator.warmUp(
      { ...plan, tickMs },
      {
        minMs: 0,
        maxMs: mostMs,
        isSteady: () => steadyState(cpu.perSecond ?? [], tickMs, { series: 'cpu' }).steady && !isCompiling(),
        onTick: (tick) => cpu.tick(tick),
        signal: context.signal,
      },
    );
    const perSecond = cpu.perSecond ?? [];
    if (perSecond.length <= ticksAtFirst) return null;
    const { steady, keptFrom } = steadyAtCap(perSecond, tickMs, 'cpu');
    const us = (some: readonly number[]): number => 1e6 / median(some);
    return {
      connections: prepared.planned.connections,
      // The first tick is the one that the series begins after.
      afterMs: steady && !isCompiling() ? (keptFrom + 1) * tickMs : null,
      watchedMs: durationMs,
      firstUs: us(perSecond.slice(0, ticksAtFirst)),
      settledUs: us(perSecond.slice(keptFrom)),
    };
  } finally {
    clocks.close();
    await generator.stop();
  }
}
