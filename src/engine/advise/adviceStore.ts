import * as z from 'zod';
import { failure } from '../../model/domain/failure.ts';
import { type AdviceRecord, adviceIdSchema, adviceRecordSchema, adviceSchemaVersion } from '../../model/domain/adviceRecord.ts';
import { type RecordKind, RecordStore } from '../files/recordStore.ts';
import { timedId } from '../files/storeFolder.ts';

const newerSchema = z.object({ schemaVersion: z.number().gt(adviceSchemaVersion) });

const advices: RecordKind<AdviceRecord> = {
  folder: 'advice',
  fileName: 'advice.json',
  idSchema: adviceIdSchema,
  schema: adviceRecordSchema,
  notFound: (id) =>
    failure(
      'advice-not-found',
      'There is no such advice in this workspace.',
      'Choose one from the list, or look for what helps again.',
      id.slice(0, 60),
    ),
  damaged: (id, detail) =>
    failure(
      'advice-damaged',
      'This advice is damaged.',
      'Delete it and look for what helps again; its runs are not affected.',
      `${id}: ${detail}`,
    ),
  exists: (id) => failure('advice-exists', 'This advice is on the list already.', 'Nothing needs to be done.', id),
  newer: (stored, id) =>
    newerSchema.safeParse(stored).success
      ? failure('advice-newer', 'This advice was stored by a later version.', 'Update Benchside to open it; it was left as it is.', id)
      : null,
};

/** What was found to help: `advice/<id>/advice.json` below `.benchside`. The SQL of what was tried is in the same folder. */
export class AdviceStore extends RecordStore<AdviceRecord> {
  /** @param rootFolder absolute path of `.benchside`. */
  constructor(rootFolder: string, secrets: () => readonly string[]) {
    super(advices, rootFolder, secrets);
  }

  override add(found: Omit<AdviceRecord, 'id' | 'schemaVersion'>): Promise<AdviceRecord> {
    return super.add({ schemaVersion: adviceSchemaVersion, id: timedId(), ...found });
  }
}
