import type { Failure } from '../../model/domain/failure.ts';
import type { RecordedCpu, RecordedEvent, RecorderAbilities, RecorderId, RecordingFile } from '../../model/domain/recording.ts';
import type { Runtime } from '../../model/domain/runtimes.ts';
import type { ProbeGroup } from '../probe/probeServer.ts';

export interface RecordedProcess {
  pid: number;
  /** The pg pool and database of a Node process are found in the process itself; nothing more is needed here. */
  runtime: Runtime;
  /** The process from which it and all that belong to it descend; left out: it is that itself. */
  root?: number;
  /** The probes of the app it belongs to, where we have started it with some: Node is recorded through them, without a port. */
  probes?: ProbeGroup | null;
}

/** What is recorded, and where the files go. The folder exists, is empty and belongs to us. */
export interface RecordingOptions {
  events: readonly RecordedEvent[];
  /** The profiler ends on its own after this time, even if we are gone. */
  maxMs: number;
  outputDir: string;
  signal: AbortSignal;
}

/** What a finished recording is. `files` are in the output folder. */
export interface FinishedRecording {
  files: RecordingFile[];
  events: RecordedEvent[];
  recorderVersion: string;
  runtimeVersion: string | null;
  /** What the kernel counted meanwhile; left out by recorders, which know one process only. */
  cpu?: RecordedCpu | null;
  /** For JVMs: where their classes were loaded from, as absolute paths. */
  classPath?: string[];
  /** For people: what was not recorded and why, what was used instead. */
  notes: string[];
}

/** A recording in progress. */
export interface ActiveRecording {
  /** Ends it and returns its files. Fails with a `FailureError` when the process has ended or its profiler gives no answer. */
  stop(): Promise<FinishedRecording>;
  /** Ends it without a result and leaves the process unchanged; never fails. */
  abandon(): Promise<void>;
}

/** One profiler. Attaches to a process that runs; starts none. */
export interface Recorder {
  id: RecorderId;
  label: string;
  description: string;
  runtime: Runtime;
  abilities: RecorderAbilities;
  /** All that it can record, the cheap ones first. */
  events: readonly RecordedEvent[];
  /** Recorded when nothing is asked for. */
  defaultEvents: readonly RecordedEvent[];
  /** Why it cannot be used on this machine at all, or null. */
  problem(): Failure | null;
  /** Attaches and begins; resolves when it records. Fails with a `FailureError` whose sentence names the cure. */
  start(process: RecordedProcess, options: RecordingOptions): Promise<ActiveRecording>;
}
