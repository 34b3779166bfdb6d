import { randomBytes } from 'node:crypto';
import type { RecordingNote } from '../../../model/domain/recordingNoteKinds.ts';
import { failure, FailureError } from '../../../model/domain/failure.ts';
import type { RecordedEvent } from '../../../model/domain/recording.ts';
import { isGone } from '../../supervise/identity.ts';
import type { ActiveRecording, FinishedRecording, RecordedProcess, Recorder, RecordingOptions } from '../recorder.ts';
import { AttachSocket } from './attachSocket.ts';
import { ExchangeFolder } from './exchangeFolder.ts';
import { type JvmProcess, inspectJvm } from './jvmProcess.ts';
import { findJcmd, JcmdProgram, jcmdMissing } from './jcmdProgram.ts';
import { type DiagnosticChannel, type JvmRuntime, askRuntime, majorVersion } from './jvmRuntime.ts';

const recordingName = 'recording.jfr';
/** The first one in a JVM loads the recorder's classes: up to 9 s under load on few cores. */
const startTimeoutMs = 30_000;
const stopTimeoutMs = 30_000;
const abandonTimeoutMs = 5_000;

/** What Flight Recorder can measure, as our columns. */
export const flightRecorderEvents = ['cpu', 'alloc', 'lock'] as const satisfies readonly RecordedEvent[];

/** From this JDK on the settings of single events can be given with the command that starts a recording. */
const settingsSince = 17;

/** Events that hold environment, properties or command lines, of this JVM and of other processes. Where they cannot be turned off they are blanked out. */
const usefulEvents = [
  'jdk.InitialEnvironmentVariable',
  'jdk.InitialSystemProperty',
  'jdk.InitialSecurityProperty',
  'jdk.JVMInformation',
  'jdk.StringFlag',
  'jdk.StringFlagChanged',
  'jdk.SystemProcess',
  'jdk.ProcessStart',
] as const;

/** How a JVM is given commands: on its attach socket, or by the program `jcmd` where it has none. */
export type CommandWay = 'socket' | 'program';

/** JDK Flight Recorder of a running JVM, started and stopped by commands of `jcmd`. */
export function flightRecorder(way: CommandWay = process.platform === 'win32' ? 'program' : 'socket'): Recorder {
  return {
    id: 'jfr',
    label: 'JDK Flight Recorder',
    description: 'CPU, allocations and waits for locks of a running JVM, by what its JDK brings along. For where async-profiler cannot go.',
    runtime: 'jvm',
    abilities: { attach: true, relaunch: false, lines: true, heap: true, waits: false },
    events: flightRecorderEvents,
    defaultEvents: flightRecorderEvents,
    problem: () => (way === 'program' && findJcmd() === null ? jcmdMissing() : null),
    start: (recorded, options) => start(way, recorded, options),
  };
}

async function start(way: CommandWay, { pid }: RecordedProcess, options: RecordingOptions): Promise<ActiveRecording> {
  const jvm = inspectJvm(pid);
  const socket = way === 'program' ? await JcmdProgram.open(jvm) : await AttachSocket.open(jvm, { signal: options.signal });
  await ExchangeFolder.removeAbandoned(jvm);
  const exchange = await ExchangeFolder.create(jvm);
  const session = new Session(jvm, socket, exchange, options);
  try {
    await session.begin();
    options.signal.throwIfAborted();
    return session;
  } catch (error) {
    await session.abandon();
    throw error;
  }
}

class Session implements ActiveRecording {
  /** Others may record the same JVM under names of their own. */
  readonly #name = `benchside-${randomBytes(6).toString('hex')}`;
  #runtime: JvmRuntime = { version: null, hasExactLines: null };
  #isRunning = false;
  #hasSettings = false;

  constructor(
    private readonly jvm: JvmProcess,
    private readonly socket: DiagnosticChannel,
    private readonly exchange: ExchangeFolder,
    private readonly options: RecordingOptions,
  ) {}

  async begin(): Promise<void> {
    this.#runtime = await askRuntime(this.socket);
    this.#hasSettings = (majorVersion(this.#runtime.version) ?? 0) >= settingsSince;
    const seconds = Math.max(1, Math.ceil(this.options.maxMs / 1000));
    const words = ['JFR.start', `name=${this.#name}`, 'settings=profile', `duration=${seconds}s`, 'dumponexit=true'];
    if (this.#hasSettings) {
      words.push('jdk.ThreadPark#threshold=1ms', 'jdk.JavaMonitorEnter#threshold=1ms');
      words.push(...usefulEvents.map((event) => `${event}#enabled=false`));
    }
    words.push(`filename=${quoted(this.exchange.jvmFile(recordingName))}`);
    // Whatever happens to the answer, it may run.
    this.#isRunning = true;
    const text = await this.socket.jcmd(words.join(' '), { timeoutMs: startTimeoutMs }).catch((error: unknown) => {
      if (!isUnknownCommand(error)) throw error;
      throw failure(
        'jfr-missing',
        `The JVM ${this.jvm.pid} has no Flight Recorder.`,
        'Start the application with a JDK that has the module jdk.jfr, version 11 or later.',
      );
    });
    if (!/^Started recording \d+/m.test(text))
      throw failure(
        'jfr-refused',
        `The JVM ${this.jvm.pid} did not start Flight Recorder.`,
        'Look at what it says; it may have been forbidden by an option.',
        text.trim().slice(0, 2000),
      );
  }

  async stop(): Promise<FinishedRecording> {
    try {
      this.#isRunning = false;
      const file = quoted(this.exchange.jvmFile(recordingName));
      const stopping = this.socket.jcmd(`JFR.stop name=${this.#name} filename=${file}`, { timeoutMs: stopTimeoutMs });
      const failed = await stopping.then(() => null).catch((error: unknown) => error);
      const hasEnded = isGone(this.jvm.identity);
      if (failed !== null && !hasEnded) throw failed;
      // A recording whose time was up has been written by then, and the JVM no longer knows it.
      await this.exchange.takeRecording(recordingName, this.options.outputDir, 'Flight Recorder', hasEnded);
      return this.#finished(hasEnded);
    } finally {
      await this.exchange.remove();
    }
  }

  async abandon(): Promise<void> {
    if (this.#isRunning) {
      this.#isRunning = false;
      await this.socket.jcmd(`JFR.stop name=${this.#name} discard=true`, { timeoutMs: abandonTimeoutMs }).catch(() => undefined);
    }
    await this.exchange.remove();
  }

  #finished(hasEnded: boolean): FinishedRecording {
    const recorder = 'jfr';
    const notes: RecordingNote[] = [
      { code: 'flight-recorder' },
      { code: 'flight-recorder-waits', leastMs: this.#hasSettings ? 1 : 10 },
      { code: 'flight-recorder-cpu' },
    ];
    const left = this.options.events.filter((event) => !(flightRecorderEvents as readonly string[]).includes(event));
    if (left.length > 0) notes.push({ code: 'events-not-recorded', recorder, events: left });
    if (this.#runtime.hasExactLines === false) notes.push({ code: 'lines-inexact', recorder });
    if (hasEnded) notes.push({ code: 'process-ended', recorder });
    return {
      files: [{ name: recordingName, format: 'jfr' }],
      // The settings of a profile come together, so that events are included that were not asked for.
      events: [...flightRecorderEvents],
      recorderVersion: this.#runtime.version === null ? 'of an unknown JDK' : `JDK ${this.#runtime.version}`,
      runtimeVersion: this.#runtime.version,
      notes,
    };
  }
}

/** A path with a blank in it, as that of a user of Windows may have, would be two words. */
function quoted(file: string): string {
  return file.includes(' ') ? `"${file}"` : file;
}

function isUnknownCommand(error: unknown): boolean {
  return error instanceof FailureError && /Unknown diagnostic command/i.test(error.failure.detail ?? '');
}
