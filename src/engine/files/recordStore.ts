import { mkdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type * as z from 'zod';
import { FailureError } from '../../model/domain/failure.ts';
import { readRegular } from './boundedFile.ts';
import { maskBytes } from './redact.ts';
import { redactRecord } from './redactRecord.ts';
import { assertFileName, folderMode, statOrNull, syncFolder, writeFailure, writeNewFile } from './safeFiles.ts';
import { StoreFolder } from './storeFolder.ts';

const largestRecordBytes = 4 * 1024 * 1024;

/** What a store keeps, and how it fails. */
export interface RecordKind<Stored> {
  folder: string;
  /** The name of the file of a record, in a folder of its own. */
  fileName: string;
  idSchema: z.ZodType<string>;
  schema: z.ZodType<Stored>;
  notFound(id: string): Error;
  damaged(id: string, detail: string): Error;
  /** To be brought back, while it is on the list. */
  exists(id: string): Error;
  /** Of a later version, where that differs from a damaged one; null for what is not. */
  newer?(stored: unknown, id: string): Error | null;
}

/** Records by their ids below `.benchside`, each in a folder with the files that belong to it. One is whole or absent. */
export class RecordStore<Stored extends { id: string; startedAt: string }> {
  readonly folder: string;
  readonly #folder: StoreFolder;

  /** @param rootFolder absolute path of `.benchside`. */
  constructor(
    private readonly kind: RecordKind<Stored>,
    rootFolder: string,
    private readonly secrets: () => readonly string[],
  ) {
    this.#folder = new StoreFolder(rootFolder, kind.folder);
    this.folder = this.#folder.path;
  }

  /** Stores a record with its files; it appears by one rename. Throws `disk-full`, `store-not-writable`, `store-link` or `store-write`. */
  async add(record: Stored, files: readonly { name: string; bytes: Uint8Array }[] = []): Promise<Stored> {
    const redacted = redactRecord(this.kind.schema, record, this.secrets());
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
      await writeNewFile(join(temporary, this.kind.fileName), Buffer.from(`${JSON.stringify(parsed)}\n`));
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
  async list(): Promise<Stored[]> {
    const ids = (await this.#folder.names()).filter((name) => this.#isId(name));
    const records = await Promise.all(ids.map((id) => this.read(id).catch(() => null)));
    return records.filter((record) => record !== null).sort((a, b) => (a.startedAt < b.startedAt ? 1 : -1));
  }

  /** Throws the kind's `notFound`, `newer` or `damaged`. */
  async read(id: string): Promise<Stored> {
    const folder = this.folderOf(id);
    await this.#folder.assertReal();
    if ((await statOrNull(folder)) === null) throw this.kind.notFound(id);
    try {
      const stored: unknown = JSON.parse((await readRegular(join(folder, this.kind.fileName), largestRecordBytes)).toString());
      const newer = this.kind.newer?.(stored, id) ?? null;
      if (newer !== null) throw newer;
      const record = this.kind.schema.parse(stored);
      if (record.id !== id) throw new Error('the id is that of another one');
      return record;
    } catch (error) {
      if (error instanceof FailureError) throw error;
      throw this.kind.damaged(id, error instanceof Error ? error.message : String(error));
    }
  }

  /** Throws the kind's `notFound` unless `id` has the form of an id; so no id can ever be a path. */
  folderOf(id: string): string {
    if (!this.#isId(id)) throw this.kind.notFound(id);
    return join(this.folder, id);
  }

  /** Removes it from the list; it can be brought back for a day. What it refers to stays. */
  async remove(id: string): Promise<void> {
    this.folderOf(id);
    if ((await this.#folder.discard(id)) === 'missing') throw this.kind.notFound(id);
  }

  async restore(id: string): Promise<void> {
    this.folderOf(id);
    const outcome = await this.#folder.restore(id);
    if (outcome === 'missing') throw this.kind.notFound(id);
    if (outcome === 'exists') throw this.kind.exists(id);
  }

  async sweep(nowMs?: number): Promise<void> {
    await this.#folder.sweep(nowMs);
  }

  #isId(name: string): boolean {
    return this.kind.idSchema.safeParse(name).success;
  }
}
