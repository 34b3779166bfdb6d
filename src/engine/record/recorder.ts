import type { Failure } from '../../model/domain/failure.ts';
import type { RecordedEvent, RecorderState, RecordingRecord } from '../../model/domain/recording.ts';
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

/**
 * What a finished recording is. `files` are in the output folder; `notes` tell people what was not recorded and why, and what was used instead; `cpu` recorders
 * leave out, which know one process only.
 */
export type FinishedRecording = Pick<
  RecordingRecord,
  'files' | 'events' | 'recorderVersion' | 'runtimeVersion' | 'cpu' | 'classPath' | 'notes'
>;

/** A recording in progress. */
export interface ActiveRecording {
  /** Ends it and returns its files. Fails with a `FailureError` when the process has ended or its profiler gives no answer. */
  stop(): Promise<FinishedRecording>;
  /** Ends it without a result and leaves the process unchanged; never fails. */
  abandon(): Promise<void>;
}

/** One profiler. Attaches to a process that runs; starts none. */
export interface Recorder extends Pick<RecorderState, 'id' | 'label' | 'description' | 'runtime' | 'abilities'> {
  /** All that it can record, the cheap ones first. */
  events: readonly RecordedEvent[];
  /** Recorded when nothing is asked for. */
  defaultEvents: readonly RecordedEvent[];
  /** Why it cannot be used on this machine at all, or null. */
  problem(): Failure | null;
  /** Attaches and begins; resolves when it records. Fails with a `FailureError` whose sentence names the cure. */
  start(process: RecordedProcess, options: RecordingOptions): Promise<ActiveRecording>;
}
