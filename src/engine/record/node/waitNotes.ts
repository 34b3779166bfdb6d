import type { RecordingNote } from '../../../model/domain/recordingNoteKinds.ts';
import type { WaitReport } from './waitProbe.ts';

/** What a reader of the wait tree should know about how it was made. */
export function waitNotes({ totals }: WaitReport): RecordingNote[] {
  const { asks, waits, queries, opening, stacks, streams, cut } = totals;
  if (asks + queries === 0) return [{ code: 'no-waits' }];
  const notes: RecordingNote[] = [{ code: 'waits', asks, waits, queries }];
  if (opening > 0) notes.push({ code: 'waits-opening', ms: opening });
  if (stacks < 0.9 * (asks + queries) && stacks < asks) notes.push({ code: 'stacks-drawn', stacks });
  if (streams > 0) notes.push({ code: 'not-timed', streams });
  if (cut > 0) notes.push({ code: 'stacks-cut', stacks: cut });
  return notes;
}
