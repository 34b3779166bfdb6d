import { mkdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { failure, FailureError } from '../../model/domain/failure.ts';
import { adviceIdSchema, adviceRecordSchema, adviceSchemaVersion } from '../../model/domain/adviceRecord.ts';
import type { AdviceRecord } from '../../model/domain/adviceRecord.ts';
import { readRegular } from '../files/boundedFile.ts';
import { redactRecord } from '../files/redactRecord.ts';
import { folderMode, statOrNull, syncFolder, writeFailure, writeNewFile } from '../files/safeFiles.ts';
import { isOldTrash, StoreFolder, timedId } from '../files/storeFolder.ts';

const recordName = 'advice.json';
const largestRecordBytes = 4 * 1024 * 1024;

/** What was found to help: `advice/<id>/advice.json` below `.benchside`. The SQL of what was tried is in the same folder. One is whole or absent. */
export class AdviceStore {
  readonly folder: string;
  readonly #folder: StoreFolder;

  /** @param rootFolder absolute path of `.benchside`. */
  constructor(
    rootFolder: string,
    private readonly secrets: () => readonly string[],
  ) {
    this.#folder = new StoreFolder(rootFolder, 'advice');
    this.folder = this.#folder.path;
  }

  /** Stores an advice under a new id; it appears by one rename. Throws `disk-full`, `store-not-writable`, `store-link` or `store-write`. */
  async add(found: Omit<AdviceRecord, 'id' | 'schemaVersion'>): Promise<AdviceRecord> {
    const redacted = redactRecord(adviceRecordSchema, { schemaVersion: adviceSchemaVersion, id: timedId(), ...found }, this.secrets());
    if (!redacted.success) throw redacted.error;
    const record = redacted.data;
    const temporary = this.#folder.temporary(record.id);
    try {
      await this.#folder.make();
      await mkdir(temporary, { mode: folderMode });
      await writeNewFile(join(temporary, recordName), Buffer.from(`${JSON.stringify(record)}\n`));
      await syncFolder(temporary);
      await rename(temporary, join(this.folder, record.id));
      await syncFolder(this.folder);
      return record;
    } catch (error) {
      await rm(temporary, { recursive: true, force: true }).catch(() => undefined);
      throw writeFailure(error, this.folder);
    }
  }

  /** All that can be read, newest first. */
  async list(): Promise<AdviceRecord[]> {
    const ids = (await this.#folder.names()).filter((name) => adviceIdSchema.safeParse(name).success);
    const records = await Promise.all(ids.map((id) => this.read(id).catch(() => null)));
    return records.filter((record) => record !== null).sort((a, b) => (a.startedAt < b.startedAt ? 1 : -1));
  }

  /** Throws `advice-not-found`, `advice-newer` or `advice-damaged`. */
  async read(id: string): Promise<AdviceRecord> {
    assertAdviceId(id);
    await this.#folder.assertReal();
    if ((await statOrNull(join(this.folder, id))) === null) throw notFound(id);
    try {
      const bytes = await readRegular(join(this.folder, id, recordName), largestRecordBytes);
      const stored: unknown = JSON.parse(bytes.toString());
      if (isNewer(stored))
        throw failure(
          'advice-newer',
          'This advice was stored by a later version.',
          'Update Benchside to open it; it was left as it is.',
          id,
        );
      const record = adviceRecordSchema.parse(stored);
      if (record.id !== id) throw new Error('the id is that of another advice');
      return record;
    } catch (error) {
      if (error instanceof FailureError) throw error;
      throw damaged(id, error instanceof Error ? error.message : String(error));
    }
  }

  /** Takes it off the list; it can be brought back for a day. The runs that are its evidence stay. */
  async remove(id: string): Promise<void> {
    assertAdviceId(id);
    if ((await this.#folder.discard(id)) === 'missing') throw notFound(id);
  }

  async restore(id: string): Promise<void> {
    assertAdviceId(id);
    const outcome = await this.#folder.restore(id);
    if (outcome === 'missing') throw notFound(id);
    if (outcome === 'exists') throw failure('advice-exists', 'This advice is on the list already.', 'Nothing needs to be done.', id);
  }

  /** Clears away what nobody will need: what nobody will finish writing, and trash older than a day. */
  async sweep(nowMs: number = Date.now()): Promise<void> {
    for (const name of await this.#folder.names()) {
      if (isOldTrash(name, nowMs) || (await this.#folder.isAbandoned(name, nowMs)))
        await rm(join(this.folder, name), { recursive: true, force: true });
    }
  }
}

function isNewer(stored: unknown): boolean {
  return (
    typeof stored === 'object' &&
    stored !== null &&
    'schemaVersion' in stored &&
    typeof stored.schemaVersion === 'number' &&
    stored.schemaVersion > adviceSchemaVersion
  );
}

function assertAdviceId(id: string): void {
  if (!adviceIdSchema.safeParse(id).success) throw notFound(id);
}

function notFound(id: string): Error {
  return failure(
    'advice-not-found',
    'There is no such advice in this workspace.',
    'Choose one from the list, or look for what helps again.',
    id.slice(0, 60),
  );
}

function damaged(id: string, detail: string): Error {
  return failure(
    'advice-damaged',
    'This advice is damaged.',
    'Delete it and look for what helps again; its runs are not affected.',
    `${id}: ${detail}`,
  );
}
