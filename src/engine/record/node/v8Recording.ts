import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { RecordingNote } from '../../../model/domain/recordingNoteKinds.ts';
import * as z from 'zod';
import { failure } from '../../../model/domain/failure.ts';
import type { RecordedEvent, RecordingFile } from '../../../model/domain/recording.ts';
import { writePprof } from '../../calltree/writePprof.ts';
import { pause } from '../../supervise/pause.ts';
import type { ActiveRecording, FinishedRecording, RecordingOptions } from '../recorder.ts';
import type { AttachedNode } from './attachNode.ts';
import type { InspectorClient } from './inspectorClient.ts';
import { type RanFunctions, InlineCandidates, ranFunctions } from './inlineCandidates.ts';
import { splitInlined } from './inlinedFunctions.ts';
import { loadScripts } from './loadedScripts.ts';
import { type LoadedScript, brokenNote, mapCallFrame, mapCpuProfile, SourceMaps } from './sourceMaps.ts';
import { type CpuProfile, type HeapNode, cpuProfileSchema, heapCallFrames } from './v8Profiles.ts';
import { type WaitReport, WaitProbe } from './waitProbe.ts';
import { waitNotes } from './waitNotes.ts';
import { waitTree } from './waitTree.ts';
import { type WorkerThread, WorkerThreads } from './workerThreads.ts';

const samplingIntervalUs = 1_000;
const heapIntervalBytes = 32 * 1024;
/** A profile of ten minutes is some 100 MB, and is written by the process that serves requests. */
const stopTimeoutMs = 60_000;
/** Under load, the hot functions are compiled again by then. */
const compileMs = 1_000;
const preparingTitle = 'benchside-preparing';
/** Begins a profile in our own session, of which V8 (since Node 24) remembers more for the next one, and returns what ends it. */
const ownProfileSource = `(() => {
  console.profile('${preparingTitle}');
  return { end: () => console.profileEnd('${preparingTitle}') };
})()`;
/**
 * The same in a session of the process's own, which ends automatically when nobody ends it: every attached debugger receives “console.profile”, and that of VS
 * Code writes a file into the workspace for it.
 */
const quietProfileSource = `(() => {
  const { Session } = require('inspector');
  const { setTimeout, clearTimeout } = require('timers');
  const session = new Session();
  session.connect();
  session.post('Profiler.enable');
  session.post('Profiler.start');
  const end = () => { clearTimeout(timer); session.disconnect(); };
  const timer = setTimeout(end, ${10 * compileMs});
  timer.unref();
  return { end };
})()`;

/** The result of a thread, before its places are resolved to the sources. */
interface RawThread {
  cpu: CpuProfile;
  scripts: Map<string, LoadedScript>;
  /** Functions that may have been inlined into others. */
  ran: RanFunctions;
}

/** What the process gave; `cpu`, `scripts` and `ran` are of its main thread. */
interface Raw extends Omit<RawThread, 'cpu'> {
  cpu: CpuProfile | null;
  heap: { head: HeapNode } | null;
  waits: WaitReport | null;
  workers: (RawThread & { title: string; number: number | null })[];
}

export class V8Recording implements ActiveRecording {
  readonly #notes: RecordingNote[] = [];
  #probe: WaitProbe | null = null;
  #workers: WorkerThreads | null = null;
  /** Whether profiles have begun, so that that of a thread which comes now begins at once. */
  #profiling = false;
  #taking: Promise<Raw> | undefined;
  #abandoned = false;
  #timer: NodeJS.Timeout | undefined;
  readonly #abort = (): void => void this.abandon();

  private constructor(
    private readonly node: AttachedNode,
    private readonly options: RecordingOptions,
  ) {}

  /** Begins on a process that we are attached to; it is let go when that fails. */
  static async begin(node: AttachedNode, options: RecordingOptions): Promise<V8Recording> {
    const recording = new V8Recording(node, options);
    if (node.openedByUs) recording.#notes.push({ code: 'inspector-listened' });
    try {
      await recording.#begin();
      options.signal.throwIfAborted();
    } catch (error) {
      await node.detach();
      throw error;
    }
    options.signal.addEventListener('abort', recording.#abort, { once: true });
    recording.#timer = setTimeout(() => void recording.#take().catch(() => undefined), options.maxMs);
    recording.#timer.unref();
    return recording;
  }

  async stop(): Promise<FinishedRecording> {
    const raw = await this.#take();
    const maps = new SourceMaps(raw.scripts, this.node.facts.cwd);
    const files: RecordingFile[] = [];
    const events: RecordedEvent[] = [];
    const write = async (file: RecordingFile, content: string | Uint8Array): Promise<void> => {
      await writeFile(path.join(this.options.outputDir, file.name), content);
      files.push(file);
    };
    const broken = new Set<string>();
    if (raw.cpu !== null) {
      const file = { name: 'cpu.cpuprofile', format: 'cpuprofile', threadNumber: this.node.facts.pid } as const;
      await write(file, cpuText({ ...raw, cpu: raw.cpu }, maps));
      events.push('cpu');
    }
    for (const [index, worker] of raw.workers.entries()) {
      const own = new SourceMaps(worker.scripts, this.node.facts.cwd);
      const thread = { thread: worker.title, ...(worker.number === null ? {} : { threadNumber: worker.number }) };
      await write({ name: `cpu-worker-${index + 1}.cpuprofile`, format: 'cpuprofile', ...thread }, cpuText(worker, own));
      for (const url of own.broken) broken.add(url);
    }
    if (raw.heap !== null) {
      for (const frame of heapCallFrames(raw.heap.head)) mapCallFrame(frame, maps);
      await write({ name: 'heap.heapprofile', format: 'heapprofile' }, JSON.stringify(raw.heap));
      events.push('heap');
    }
    if (raw.waits !== null && raw.waits.totals.asks + raw.waits.totals.queries > 0) {
      const tree = waitTree(raw.waits, (script, line, column) => {
        const place = maps.original(urlOf(script), line - 1, column - 1);
        return place === null ? null : { file: place.file, line: place.line + 1 };
      });
      await write({ name: 'waits.pb.gz', format: 'pprof' }, writePprof(tree, tree.events));
      events.push('poolWait', 'database');
    }
    if (raw.waits !== null) this.#notes.push(...waitNotes(raw.waits));
    for (const url of maps.broken) broken.add(url);
    if (broken.size > 0) this.#notes.push(brokenNote([...broken]));
    const { version } = this.node.about;
    return { files, events, recorderVersion: `V8 inspector of Node ${version}`, runtimeVersion: version, notes: this.#notes };
  }

  async abandon(): Promise<void> {
    this.#abandoned = true;
    this.#end();
    await this.node.detach();
  }

  async #begin(): Promise<void> {
    const { client } = this.node;
    const wants = (...events: RecordedEvent[]): boolean => events.some((event) => this.options.events.includes(event));
    // First, as it may take a garbage collection, which is no part of what is measured.
    if (wants('poolWait', 'database')) {
      this.#probe = await WaitProbe.install(this.node);
      if (this.#probe === null) this.#notes.push({ code: 'no-pg-pool' });
    }
    if (wants('heap')) {
      await client.send('HeapProfiler.enable');
      await client.send('HeapProfiler.startSampling', { samplingInterval: heapIntervalBytes });
    }
    if (wants('cpu')) {
      await prepareProfile(client);
      this.#workers = await WorkerThreads.watch(client, async (thread) => {
        await prepareProfile(thread.client);
        await dropOptimised(thread.client);
        if (this.#profiling) await thread.client.send('Profiler.start');
      }).catch(() => null);
      const { objectId } = await client.evaluate(this.node.isShared ? quietProfileSource : ownProfileSource);
      try {
        await this.#compileAnew();
        await client.send('Profiler.start');
        const workers = (await this.#workers?.current()) ?? [];
        this.#profiling = true;
        await Promise.all(workers.map((thread) => thread.client.send('Profiler.start').catch(() => undefined)));
      } finally {
        if (objectId !== undefined) await client.call(objectId, 'function () { this.end(); }').catch(() => undefined);
      }
    }
    await this.#probe?.begin();
  }

  /**
   * Code that was optimised before a profiler was there does not show which functions were inlined into it, and their time would be that of their callers (Node
   * 22 and later). So V8 is made to drop it, as it does when coverage is asked for, and given time to compile it again, while a first profile ({@link
   * ownProfileSource}) lasts that is thrown away; it must not end before the next one has begun, or V8 forgets what it learned.
   */
  async #compileAnew(): Promise<void> {
    await dropOptimised(this.node.client);
    await pause(compileMs, this.options.signal);
  }

  /** Ends the recording in the process, once, and lets go of it. */
  #take(): Promise<Raw> {
    if (this.#abandoned) return Promise.reject(abandoned());
    this.#taking ??= this.#takeOnce();
    return this.#taking;
  }

  async #takeOnce(): Promise<Raw> {
    this.#end();
    const { client } = this.node;
    try {
      const wants = (event: RecordedEvent): boolean => this.options.events.includes(event);
      const waits = (await this.#probe?.end()) ?? null;
      const ending = this.#workers === null ? [] : (await this.#workers.current()).map((thread) => takeWorker(thread));
      const cpu = wants('cpu') ? await takeProfile(client) : null;
      const heap = wants('heap') ? heapSchema.parse(await client.send('HeapProfiler.stopSampling', {}, stopTimeoutMs)).profile : null;
      const ran = cpu === null ? [] : await ranFunctions(client);
      const scripts = await loadScripts(client, scriptsOf(cpu, heap, waits, ran)).catch(() => {
        this.#notes.push({ code: 'no-sources' });
        return new Map<string, LoadedScript>();
      });
      const workers = (await Promise.all(ending)).filter((worker) => worker !== null);
      return { cpu, heap, waits, scripts, ran, workers };
    } catch (error) {
      if (!(error instanceof z.ZodError)) throw error;
      throw failure(
        'recorder-version',
        `Node ${this.node.about.version} gave a profile in a form that is not known here.`,
        'Record it with Node 20, 22 or 24.',
        error.message.slice(0, 1000),
      );
    } finally {
      await this.#workers?.end();
      await this.node.detach();
    }
  }

  #end(): void {
    clearTimeout(this.#timer);
    this.options.signal.removeEventListener('abort', this.#abort);
  }
}

async function prepareProfile(client: InspectorClient): Promise<void> {
  await client.send('Profiler.enable');
  await client.send('Profiler.setSamplingInterval', { interval: samplingIntervalUs });
}

/** Has V8 drop optimised code; see `#compileAnew`. */
async function dropOptimised(client: InspectorClient): Promise<void> {
  await client.send('Profiler.startPreciseCoverage', { callCount: false, detailed: false });
  await client.send('Profiler.stopPreciseCoverage');
}

async function takeProfile(client: InspectorClient): Promise<CpuProfile> {
  return cpuProfileSchema.parse((await client.send('Profiler.stop', {}, stopTimeoutMs))['profile']);
}

/** The profile of a worker thread; null where it has ended meanwhile. */
async function takeWorker({ client, title }: WorkerThread): Promise<(RawThread & { title: string; number: number | null }) | null> {
  try {
    const cpu = await takeProfile(client);
    const number = await threadNumber(client);
    const ran = await ranFunctions(client);
    const scripts = await loadScripts(client, scriptsOf(cpu, null, null, ran)).catch(() => new Map<string, LoadedScript>());
    return { title, number, cpu, ran, scripts };
  } catch {
    return null;
  }
}

/** The number that a worker's thread has in the system; null where the platform does not report it. */
async function threadNumber(client: InspectorClient): Promise<number | null> {
  const told = await client.evaluate(`require('fs').readlinkSync('/proc/thread-self')`, { byValue: true }).catch(() => null);
  const number = /\/task\/(\d+)$/.exec(typeof told?.value === 'string' ? told.value : '')?.[1];
  return number === undefined ? null : Number(number);
}

/** A thread's profile with the places of the sources, as the text of a file. */
function cpuText({ cpu, scripts, ran }: RawThread, maps: SourceMaps): string {
  splitInlined(cpu, (frame) => maps.lines(frame), new InlineCandidates(ran, scripts, cpu));
  mapCpuProfile(cpu, maps);
  return JSON.stringify(cpu);
}

const heapSchema = z.object({ profile: z.looseObject({ head: z.custom<HeapNode>((head) => typeof head === 'object' && head !== null) }) });

/** The scripts that show in the recording, with how often; the app's own that do not may have been inlined into those that do. */
function scriptsOf(cpu: Raw['cpu'], heap: Raw['heap'], waits: Raw['waits'], ran: RanFunctions): Map<string, number> {
  const wanted = new Map<string, number>();
  const want = (url: string, weight: number): void => {
    if (url.startsWith('file://')) wanted.set(url, (wanted.get(url) ?? 0) + weight);
  };
  for (const { callFrame, positionTicks } of cpu?.nodes ?? []) {
    const ticks = (positionTicks ?? []).reduce((sum, tick) => sum + tick.ticks, 0);
    want(callFrame.url, 1 + ticks);
    // Code of the app is inlined into Node's own, too.
    if (callFrame.url.startsWith('node:') && ticks > 0) wanted.set(callFrame.url, (wanted.get(callFrame.url) ?? 0) + ticks);
  }
  if (heap !== null) for (const { url } of heapCallFrames(heap.head)) want(url, 1);
  for (const [, script] of waits?.frames ?? []) want(urlOf(script), 1);
  for (const { url } of ran) if (!url.includes('/node_modules/')) want(url, 0);
  return wanted;
}

/** Stack traces name CommonJS modules by path, profiles name all files by URL. */
function urlOf(script: string): string {
  return path.isAbsolute(script) ? pathToFileURL(script).href : script;
}

function abandoned(): Error {
  return failure('cancelled', 'The recording was cancelled.', 'Record again when you are ready.');
}
