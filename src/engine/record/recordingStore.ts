import { randomBytes } from 'node:crypto';
import { mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { failure } from '../../model/failure.ts';
import { recordingIdSchema, recordingRecordSchema } from '../../model/recording.ts';
import type { RecordingRecord } from '../../model/recording.ts';
import { redactStrings } from '../runs/redact.ts';
import {
  assertFileName,
  assertRealFolder,
  ensureFolder,
  folderMode,
  readRegular,
  statOrNull,
  syncFolder,
  systemCode,
  writeFailure,
  writeNewFile,
} from '../runs/runFiles.ts';

const recordName = 'recording.json';
const largestRecordBytes = 4 * 1024 * 1024;
const dayMs = 24 * 60 * 60 * 1000;
const temporaryName = /^\.tmp-/;
const trashName = /^\.trash-([a-z0-9]{1,12})-(.+)$/;

/** A new id: the time in base 36 and 96 random bits. */
export function newRecordingId(): string {
  return `${Date.now().toString(36)}-${randomBytes(12).toString('hex')}`;
}

/** Recordings made on demand: `recordings/<id>/` below `.benchside`, each with its `recording.json`. One is whole or absent. */
export class RecordingStore {
  readonly folder: string;

  /** @param rootFolder absolute path of `.benchside`. */
  constructor(
    private readonly rootFolder: string,
    private readonly secrets: () => readonly string[],
  ) {
    this.folder = join(rootFolder, 'recordings');
  }

  /** Stores a recording with its files; it appears by one rename. Throws `disk-full`, `store-not-writable`, `store-link` or `store-write`. */
  async add(record: RecordingRecord, files: readonly { name: string; bytes: Uint8Array }[]): Promise<RecordingRecord> {
    const parsed = recordingRecordSchema.parse(redactStrings(record, this.secrets()));
    const temporary = join(this.folder, `.tmp-${process.pid}-${parsed.id}`);
    try {
      await this.#makeRoot();
      await mkdir(temporary, { mode: folderMode });
      for (const { name, bytes } of files) {
        assertFileName(name);
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
    const ids = (await this.#entries()).filter((name) => recordingIdSchema.safeParse(name).success);
    const records = await Promise.all(ids.map((id) => this.read(id).catch(() => null)));
    return records.filter((record) => record !== null).sort((a, b) => (a.startedAt < b.startedAt ? 1 : -1));
  }

  /** Throws `recording-not-found` or `recording-damaged`. */
  async read(id: string): Promise<RecordingRecord> {
    assertRecordingId(id);
    await this.#assertRealFolders();
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
    await this.#assertRealFolders();
    try {
      await rename(join(this.folder, id), join(this.folder, `.trash-${Date.now().toString(36)}-${id}`));
    } catch (error) {
      throw systemCode(error) === 'ENOENT' ? notFound(id) : writeFailure(error, this.folder);
    }
  }

  async restore(id: string): Promise<void> {
    assertRecordingId(id);
    const name = (await this.#entries())
      .filter((entry) => trashName.exec(entry)?.[2] === id)
      .sort()
      .at(-1);
    if (name === undefined) throw notFound(id);
    try {
      await rename(join(this.folder, name), join(this.folder, id));
    } catch (error) {
      throw writeFailure(error, this.folder);
    }
  }

  /** Clears away what nobody will need: half-written folders older than a day, and trash of that age. */
  async sweep(nowMs: number = Date.now()): Promise<void> {
    for (const name of await this.#entries()) {
      const trashedAt = trashName.exec(name)?.[1];
      const stats = temporaryName.test(name) ? await statOrNull(join(this.folder, name)) : null;
      const old =
        (trashedAt !== undefined && nowMs - Number.parseInt(trashedAt, 36) > dayMs) || (stats !== null && nowMs - stats.mtimeMs > dayMs);
      if (old) await rm(join(this.folder, name), { recursive: true, force: true });
    }
  }

  async #entries(): Promise<string[]> {
    await this.#assertRealFolders();
    try {
      return await readdir(this.folder);
    } catch (error) {
      if (systemCode(error) === 'ENOENT') return [];
      throw failure('store-unreadable', `${this.folder} cannot be read.`, undefined, String(error));
    }
  }

  async #assertRealFolders(): Promise<void> {
    await assertRealFolder(this.rootFolder);
    await assertRealFolder(this.folder);
  }

  async #makeRoot(): Promise<void> {
    await mkdir(this.rootFolder, { recursive: true, mode: folderMode });
    await assertRealFolder(this.rootFolder);
    await ensureFolder(this.folder);
    await writeFile(join(this.rootFolder, '.gitignore'), '*\n', { flag: 'wx', mode: 0o644 }).catch((error: unknown) => {
      if (systemCode(error) !== 'EEXIST') throw error;
    });
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
