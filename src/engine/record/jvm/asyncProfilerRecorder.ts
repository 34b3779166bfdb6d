import type { RecordingNote } from '../../../model/domain/recordingNoteKinds.ts';
import { failure, FailureError, toFailure } from '../../../model/domain/failure.ts';
import { isGone } from '../../supervise/identity.ts';
import { poll } from '../../supervise/pause.ts';
import type { ActiveRecording, FinishedRecording, RecordedProcess, Recorder, RecordingOptions } from '../recorder.ts';
import {
  type AsyncProfilerEvent,
  asyncProfilerEvents,
  lockThresholdMs,
  poolThresholdUs,
  startCommand,
  timeoutSeconds,
} from './asyncProfilerCommand.ts';
import { AttachSocket } from './attachSocket.ts';
import { ExchangeFolder } from './exchangeFolder.ts';
import { type JvmProcess, inspectJvm } from './jvmProcess.ts';
import { type JvmRuntime, askRuntime } from './jvmRuntime.ts';
import { foreignProfilers, libraryFor, libraryProblem } from './profilerLibrary.ts';

const recordingName = 'recording.jfr';
const logName = 'profiler.log';
/** The first start in a JVM loads the library and looks through all of its code. */
const startTimeoutMs = 30_000;
const stopTimeoutMs = 30_000;
const abandonTimeoutMs = 5_000;
const initialiseTimeoutMs = 10_000;

/** async-profiler, loaded into a running HotSpot JVM through its attach socket; no program is started. */
export function asyncProfilerRecorder(assetsDir: string): Recorder {
  return {
    id: 'async-profiler',
    label: 'async-profiler',
    description: 'CPU, wall clock, waiting for a connection of the pool, allocations and locks of a running JVM, with lines.',
    runtime: 'jvm',
    abilities: { attach: true, relaunch: false, lines: true, heap: true, waits: true },
    events: asyncProfilerEvents,
    defaultEvents: asyncProfilerEvents,
    problem: () => libraryProblem(assetsDir),
    start: (process, options) => start(assetsDir, process, options),
  };
}

async function start(assetsDir: string, { pid }: RecordedProcess, options: RecordingOptions): Promise<ActiveRecording> {
  const problem = libraryProblem(assetsDir);
  if (problem !== null) throw new FailureError(problem);
  const events = asyncProfilerEvents.filter((event) => options.events.includes(event));
  if (events.length === 0) {
    throw failure(
      'event-unsupported',
      'async-profiler records none of the events that were asked for.',
      `Ask for one of ${asyncProfilerEvents.join(', ')}.`,
    );
  }
  const jvm = inspectJvm(pid);
  const socket = await AttachSocket.open(jvm, { signal: options.signal });
  const wasLeft = await ExchangeFolder.removeAbandoned(jvm);
  const exchange = await ExchangeFolder.create(jvm);
  const session = new Session(jvm, socket, exchange, events, options);
  try {
    await session.begin(assetsDir, wasLeft);
    options.signal.throwIfAborted();
    return session;
  } catch (error) {
    await session.abandon();
    throw error;
  }
}

class Session implements ActiveRecording {
  readonly #notes: RecordingNote[] = [];
  #library = '';
  #version = 'unknown';
  #runtime: JvmRuntime = { version: null, hasExactLines: null };
  /** `performance.now()`; null while the profiler does not run for us. */
  #startedAt: number | null = null;

  constructor(
    private readonly jvm: JvmProcess,
    private readonly socket: AttachSocket,
    private readonly exchange: ExchangeFolder,
    private readonly events: readonly AsyncProfilerEvent[],
    private readonly options: RecordingOptions,
  ) {}

  async begin(assetsDir: string, wasLeft: boolean): Promise<void> {
    this.#runtime = await askRuntime(this.socket);
    this.#library = await libraryFor(this.jvm, this.exchange, assetsDir);
    for (const library of foreignProfilers(this.jvm, this.#library)) {
      const { text } = await this.#ask('status', library);
      if (isRunning(text)) throw this.#busy(text);
    }
    this.#version = (await this.#ask('version')).text || this.#version;
    // A JVM answers before it has initialised the interface that profilers need.
    const tried = await poll(
      async () => {
        const one = await this.#ask(this.#startCommand('ctimer'), this.#library, startTimeoutMs);
        return one.code !== 0 && /Tool Interface/i.test(one.text) ? null : one;
      },
      { timeoutMs: initialiseTimeoutMs, everyMs: 200, signal: this.options.signal },
    );
    if (tried === null) throw refused(this.jvm.pid, 'the JVM has not finished starting');
    let answer = tried;
    if (answer.code !== 0 && /already started/i.test(answer.text)) {
      const status = await this.#ask('status');
      if (!wasLeft) throw this.#busy(status.text);
      await this.#ask('stop');
      this.#notes.push({ code: 'left-recording-ended' });
      answer = await this.#ask(this.#startCommand('ctimer'), this.#library, startTimeoutMs);
    }
    if (answer.code !== 0 && /CPU timer/i.test(answer.text)) {
      answer = await this.#ask(this.#startCommand('itimer'), this.#library, startTimeoutMs);
      if (answer.code === 0) this.#notes.push({ code: 'one-cpu-timer' });
    }
    if (answer.code !== 0) throw refused(this.jvm.pid, answer.text);
    this.#startedAt = performance.now();
  }

  #startCommand(linuxEngine: 'ctimer' | 'itimer'): string {
    return startCommand(this.events, {
      maxMs: this.options.maxMs,
      file: this.exchange.jvmFile(recordingName),
      log: this.exchange.jvmFile(logName),
      cpuEngine: process.platform === 'linux' ? linuxEngine : 'itimer',
    });
  }

  async stop(): Promise<FinishedRecording> {
    try {
      const elapsedMs = performance.now() - (this.#startedAt ?? performance.now());
      // After its time it has ended on its own, and a session that runs by now belongs to another program.
      const isOver = elapsedMs > timeoutSeconds(this.options.maxMs) * 1000 || this.#startedAt === null;
      const problem = isOver ? null : await this.#end(stopTimeoutMs);
      const hasEnded = isGone(this.jvm.identity);
      if (problem !== null && !hasEnded) throw problem;
      await this.exchange.takeRecording(recordingName, this.options.outputDir, 'The profiler', hasEnded);
      return this.#finished(hasEnded);
    } finally {
      await this.exchange.remove();
    }
  }

  async abandon(): Promise<void> {
    if (this.#startedAt !== null) await this.#end(abandonTimeoutMs);
    await this.exchange.remove();
  }

  /** Ends the profiler; what went wrong is given back. */
  async #end(timeoutMs: number): Promise<FailureError | null> {
    this.#startedAt = null;
    try {
      const { code, text } = await this.#ask(`stop,file=${this.exchange.jvmFile(recordingName)}`, this.#library, timeoutMs);
      return code === 0 || /not active/i.test(text) ? null : refused(this.jvm.pid, text);
    } catch (error) {
      return new FailureError(toFailure(error));
    }
  }

  /** Calls the profiler's entry; what it prints goes to a file, and not to the output of the application. */
  async #ask(command: string, library = this.#library, timeoutMs?: number): Promise<{ code: number; text: string }> {
    const withLog = command.includes(',log=') ? command : `${command},log=${this.exchange.jvmFile(logName)}`;
    const code = await this.socket.loadAgent(library, withLog, timeoutMs === undefined ? {} : { timeoutMs });
    return { code, text: (await this.exchange.text(logName)).trim() };
  }

  #finished(hasEnded: boolean): FinishedRecording {
    const notes = [...this.#notes];
    const recorder = 'async-profiler';
    if (hasEnded) notes.push({ code: 'process-ended', recorder });
    const left = this.options.events.filter((event) => !(asyncProfilerEvents as readonly string[]).includes(event));
    if (left.length > 0) notes.push({ code: 'events-not-recorded', recorder, events: left });
    if (this.#runtime.hasExactLines === false) notes.push({ code: 'lines-inexact', recorder });
    if (this.events.includes('poolWait')) notes.push({ code: 'pool-calls', leastMs: poolThresholdUs / 1000 });
    if (this.events.includes('lock')) notes.push({ code: 'lock-waits', leastMs: lockThresholdMs });
    return {
      files: [{ name: recordingName, format: 'jfr' }],
      events: [...this.events],
      recorderVersion: this.#version,
      runtimeVersion: this.#runtime.version,
      notes,
    };
  }

  #busy(status: string): FailureError {
    return failure(
      'profiler-busy',
      `Another recording with async-profiler runs in process ${this.jvm.pid}, and it is not one of Benchside’s that was left behind; it was not touched.`,
      'End it there (asprof stop, or the tool that started it) or wait for its end, and record again; JDK Flight Recorder can record beside it.',
      status,
    );
  }
}

function isRunning(status: string): boolean {
  return /running for/i.test(status);
}

function refused(pid: number, text: string): FailureError {
  const reason = text.replace(/^\[ERROR\] /, '').slice(0, 500);
  return failure(
    'profiler-refused',
    `async-profiler cannot record process ${pid}${reason === '' ? '' : `: ${reason}`}.`,
    'Record fewer events, or use JDK Flight Recorder.',
  );
}
