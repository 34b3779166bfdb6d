import { failure } from '../../model/domain/failure.ts';
import { type RecordingRecord, recordingIdSchema, recordingRecordSchema } from '../../model/domain/recording.ts';
import { type RecordKind, RecordStore } from '../files/recordStore.ts';

const recordings: RecordKind<RecordingRecord> = {
  folder: 'recordings',
  fileName: 'recording.json',
  idSchema: recordingIdSchema,
  schema: recordingRecordSchema,
  notFound: recordingNotFound,
  damaged: (id, detail) =>
    failure('recording-damaged', 'This recording is damaged.', 'Delete it and record again; others are not affected.', `${id}: ${detail}`),
  exists: (id) => failure('recording-exists', 'This recording is on the list already.', 'Nothing needs to be done.', id),
};

/** Recordings made on demand: `recordings/<id>/` below `.benchside`, each with its `recording.json`. */
export class RecordingStore extends RecordStore<RecordingRecord> {
  /** @param rootFolder absolute path of `.benchside`. */
  constructor(rootFolder: string, secrets: () => readonly string[]) {
    super(recordings, rootFolder, secrets);
  }
}

export function recordingNotFound(id: string): Error {
  const cure = 'Choose one from the list, or record again.';
  return failure('recording-not-found', 'There is no such recording in this workspace.', cure, id.slice(0, 60));
}
