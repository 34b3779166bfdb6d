import type { Comparison, ComparisonRow } from '../../src/model/domain/comparison.ts';
import type { RecordingSummary } from '../../src/model/domain/recording.ts';

/** Two recordings of the same kind: what a differential flame graph is drawn from. */
export interface RecordingPair {
  a: string;
  b: string;
  /** What both recorded, e.g. `cpu`. */
  event: string;
}

/** For each event that both sides of a row recorded, the newest recording of each side. */
export function recordingPairs(comparison: Comparison, row: ComparisonRow): RecordingPair[] {
  const [keyA, keyB] = [row.a?.key, row.b?.key];
  if (keyA === undefined || keyB === undefined) return [];
  const inA = comparison.a.recordings.filter((recording) => recording.trialKey === keyA);
  const inB = comparison.b.recordings.filter((recording) => recording.trialKey === keyB);
  const events = [...new Set(inA.flatMap((recording) => recording.events))];
  return events.flatMap((event) => {
    const [a, b] = [newestWith(inA, event), newestWith(inB, event)];
    return a === undefined || b === undefined || a.id === b.id || a.runtime !== b.runtime ? [] : [{ a: a.id, b: b.id, event }];
  });
}

function newestWith(recordings: readonly RecordingSummary[], event: RecordingSummary['events'][number]): RecordingSummary | undefined {
  return recordings.filter((recording) => recording.events.includes(event)).sort((x, y) => (x.startedAt < y.startedAt ? 1 : -1))[0];
}
