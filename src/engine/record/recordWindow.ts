import { readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { failure } from '../../model/domain/failure.ts';
import type { RecordedEvent, RecordingLoad } from '../../model/domain/recording.ts';
import { pause } from '../supervise/pause.ts';
import { makeTemporaryFolder } from '../supervise/temporaryFolder.ts';
import type { ActiveRecording, FinishedRecording, RecordedProcess, Recorder } from './recorder.ts';
import { type MeasuredWindow, type UnderLoad, measureWindow, recordingLoad } from './underLoad.ts';

/** How much longer than planned a profiler runs if nobody ends it. */
const graceMs = 15_000;

export interface WindowPlan {
  recorder: Recorder;
  process: RecordedProcess;
  /** Empty: everything that the recorder measures at little cost. */
  events: readonly RecordedEvent[];
  windowMs: number;
  /** Null: the process is recorded as it is, under whatever load it has. */
  load: UnderLoad | null;
  signal: AbortSignal;
}

/** A recording in memory, with the load under which it was made. */
export interface RecordedWindow extends Omit<FinishedRecording, 'files'> {
  files: (FinishedRecording['files'][number] & { bytes: Uint8Array })[];
  startedAt: Date;
  durationMs: number;
  load: RecordingLoad | null;
}

/**
 * Records one window. The profiler is attached under load and ended as the window closes. The requests that belong to the recording are those
 * of the window, stretched to the time that the profiler was on, which is longer by the moments of attaching and settling.
 */
export async function recordWindow(plan: WindowPlan): Promise<RecordedWindow> {
  const { recorder, process, windowMs, load, signal } = plan;
  const events = plan.events.length === 0 ? recorder.defaultEvents : plan.events;
  const unknown = events.filter((event) => !recorder.events.includes(event));
  if (unknown.length > 0) {
    throw failure('recorder-event', `${recorder.label} cannot record ${unknown.join(', ')}.`, `It records: ${recorder.events.join(', ')}.`);
  }
  const outputDir = makeTemporaryFolder('recording');
  try {
    let startedAt = new Date();
    let begin = 0;
    const start = async (): Promise<ActiveRecording> => {
      const started = await recorder.start(process, { events, maxMs: windowMs + graceMs, outputDir, signal });
      startedAt = new Date();
      begin = performance.now();
      return started;
    };
    const active = load === null ? await start() : await load.during(start);
    let end = 0;
    let measured: MeasuredWindow | null = null;
    let finished: FinishedRecording;
    try {
      if (load === null) {
        await pause(windowMs, signal);
        end = performance.now();
      } else {
        measured = await measureWindow(load, windowMs, (edge) => {
          if (edge === 'close') end = performance.now();
        });
      }
      finished = await active.stop();
    } catch (error) {
      await active.abandon();
      throw error;
    }
    const durationMs = Math.max(1, end - begin);
    const files = await Promise.all(
      finished.files.map(async (file) => ({ ...file, bytes: await readFile(path.join(outputDir, file.name)) })),
    );
    return {
      ...finished,
      files,
      startedAt,
      durationMs,
      load: measured === null || load === null ? null : recordingLoad(measured.result, load.connections, measured.cpuUsPerRequest),
    };
  } finally {
    await rm(outputDir, { recursive: true, force: true, maxRetries: 5 });
  }
}
