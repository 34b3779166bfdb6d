import type { RecordingRecord, RecordingSummary } from './recording.ts';

/** The row of a recording in a list. */
export function summarizeRecording(record: RecordingRecord, runId: string | null): RecordingSummary {
  const { id, title, startedAt, recorder, runtime, target, trialKey, events, durationMs } = record;
  return { id, runId, title, startedAt, recorder, runtime, target, trialKey, events, durationMs };
}
