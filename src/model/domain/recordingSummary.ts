import type { RecordingLoad, RecordingRecord, RecordingSummary } from './recording.ts';

export function summarizeRecording(record: RecordingRecord, runId: string | null): RecordingSummary {
  const { id, title, startedAt, recorder, runtime, target, trialKey, events, durationMs } = record;
  return { id, runId, title, startedAt, recorder, runtime, target, trialKey, events, durationMs };
}

/** Requests that were served while the profiler was on: what weights are divided by; null where the load was not ours. */
export function recordedRequests(load: RecordingLoad | null, durationMs: number): number | null {
  return load === null || load.requests === 0 ? null : (load.throughput * durationMs) / 1000;
}
