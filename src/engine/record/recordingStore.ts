import { mkdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { failure } from '../../model/domain/failure.ts';
import { recordingIdSchema, recordingRecordSchema } from '../../model/domain/recording.ts';
import type { RecordingRecord } from '../../model/domain/recording.ts';
import { maskBytes } from '../files/redact.ts';
import { redactRecord } from '../files/redactRecord.ts';
import { readRegular } from '../files/boundedFile.ts';
import { assertFileName, folderMode, statOrNull, syncFolder, writeFailure, writeNewFile } from '../files/safeFiles.ts';
import { isOldTrash, StoreFolder } from '../files/storeFolder.ts';

const recordName = 'recording.json';
const largestRecordBytes = 4 * 1024 * 1024;

/** Recordings made on demand: `recordings/<id>/` below `.benchside`, each with its `recording.json`. One is whole or absent. */
export class RecordingStore {
  readonly folder: string;
  readonly #folder: StoreFolder;

  /** @param rootFolder absolute path of `.benchside`. */
  constructor(
    rootFolder: string,
    private readonly secrets: () => readonly string[],
  ) {
    this.#folder = new StoreFolder(rootFolder, 'recordings');
    this.folder = this.#folder.path;
  }

  /** Stores a recording with its files; it appears by one rename. Throws `disk-full`, `store-not-writable`, `store-link` or `store-write`. */
  async add(record: RecordingRecord, files: readonly { name: string; bytes: Uint8Array }[]): Promise<RecordingRecord> {
    const redacted = redactRecord(recordingRecordSchema, record, this.secrets());
    if (!redacted.success) throw redacted.error;
    const parsed = redacted.data;
    const temporary = this.#folder.temporary(parsed.id);
    try {
      await this.#folder.make();
      await mkdir(temporary, { mode: folderMode });
      for (const { name, bytes } of files) {
        assertFileName(name);
        maskBytes(bytes, this.secrets());
        await writeNewFile(join(temporary, name), bytes);
      }
      await writeNewFile(join(temporary, recordName), Buffer.from(`${JSON.stringify(parsed)}\n`));
      await syncFolder(temporary);
      await rename(temporary, join(this.folder, parsed.id));
      await syncFolder(this.folder);
      return parsed;
    } catch (error) {
      await rm(temporary, { recursive: true, force: true }).catch(() => undefined);
      throw writeFailure(error, this.folder);
    }
  }

  /** All that can be read, newest first. */
  async list(): Promise<RecordingRecord[]> {
    const ids = (await this.#folder.names()).filter((name) => recordingIdSchema.safeParse(name).success);
    const records = await Promise.all(ids.map((id) => this.read(id).catch(() => null)));
    return records.filter((record) => record !== null).sort((a, b) => (a.startedAt < b.startedAt ? 1 : -1));
  }

  /** Throws `recording-not-found` or `recording-damaged`. */
  async read(id: string): Promise<RecordingRecord> {
    assertRecordingId(id);
    await this.#folder.assertReal();
    if ((await statOrNull(join(this.folder, id))) === null) throw notFound(id);
    try {
      const bytes = await readRegular(join(this.folder, id, recordName), largestRecordBytes);
      const record = recordingRecordSchema.parse(JSON.parse(bytes.toString()));
      if (record.id !== id) throw new Error('the id is another recording’s');
      return record;
    } catch (error) {
      throw damaged(id, error instanceof Error ? error.message : String(error));
    }
  }

  folderOf(id: string): string {
    assertRecordingId(id);
    return join(this.folder, id);
  }

  /** Takes it off the list; it can be brought back for a day. */
  async remove(id: string): Promise<void> {
    assertRecordingId(id);
    if ((await this.#folder.discard(id)) === 'missing') throw notFound(id);
  }

  async restore(id: string): Promise<void> {
    assertRecordingId(id);
    const outcome = await this.#folder.restore(id);
    if (outcome === 'missing') throw notFound(id);
    if (outcome === 'exists') throw failure('recording-exists', 'This recording is on the list already.', 'Nothing needs to be done.', id);
  }

  /** Clears away what nobody will need: what nobody will finish writing, and trash older than a day. */
  async sweep(nowMs: number = Date.now()): Promise<void> {
    for (const name of await this.#folder.names()) {
      if (isOldTrash(name, nowMs) || (await this.#folder.isAbandoned(name, nowMs)))
        await rm(join(this.folder, name), { recursive: true, force: true });
    }
  }
}

function assertRecordingId(id: string): void {
  if (!recordingIdSchema.safeParse(id).success) throw notFound(id);
}

function notFound(id: string): Error {
  return failure(
    'recording-not-found',
    'There is no such recording in this workspace.',
    'Choose one from the list, or record again.',
    id.slice(0, 60),
  );
}

function damaged(id: string, detail: string): Error {
  return failure(
    'recording-damaged',
    'This recording is damaged.',
    'Delete it and record again; others are not affected.',
    `${id}: ${detail}`,
  );
}
