import { saidIn } from '../domain/findingTable.ts';
import { type RunNote, runNoteKinds } from '../domain/runNoteKinds.ts';

/** A note of a run as a sentence, with the name of what it is of. */
export function noteText(note: RunNote): string {
  return `${note.about === undefined ? '' : `${note.about}: `}${saidIn(runNoteKinds, note)}`;
}

export function noteTexts(notes: readonly RunNote[]): string[] {
  return notes.map(noteText);
}
