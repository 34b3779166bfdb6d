import { rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type FailureError, failure } from '../../model/domain/failure.ts';
import { type RunRecord, type StoredFile, runRecordSchema } from '../../model/domain/run.ts';
import { LineFile } from '../files/lineFile.ts';
import { maskBytes, redactStrings, redactText } from '../files/redact.ts';
import { redactRecord } from '../files/redactRecord.ts';
import { hashFile } from '../files/boundedFile.ts';
import { assertFileName, createFile, sha256, statOrNull, syncFolder, writeFailure, writeNewFile, syncFile } from '../files/safeFiles.ts';

export const recordFileName = 'run.json';

/**
 * Writes one run. Until `commit` everything lies in a folder of its own that no reader sees; `commit` makes it durable and
 * renames it, so that a run is whole or absent. Any failure removes that folder and leaves earlier runs as they are.
 */
export class RunWriter {
  readonly #files: StoredFile[] = [];
  readonly #lineFiles: LineFile[] = [];
  readonly #adopted: string[] = [];
  readonly #names = new Set<string>([recordFileName]);
  #state: 'open' | 'committing' | 'committed' | 'abandoned' = 'open';
  #problem: FailureError | null = null;

  /** Made by `RunStore.begin`, which has made `folder`. */
  constructor(
    readonly id: string,
    /** Absolute; another one after `commit`. */
    readonly folder: string,
    private readonly runsFolder: string,
    private readonly secrets: () => readonly string[],
  ) {}

  /** What went wrong while lines were appended, if anything did: the run can no longer be stored. */
  get problem(): FailureError | null {
    return this.#problem;
  }

  /** Writes one file of the run, as it is. Throws `disk-full`, `store-not-writable` or `store-write`; the run is abandoned then. */
  async writeFile(name: string, content: Uint8Array | string): Promise<void> {
    this.#take(name);
    const bytes = typeof content === 'string' ? Buffer.from(content) : content;
    try {
      await writeNewFile(join(this.folder, name), bytes);
    } catch (error) {
      await this.abandon();
      throw writeFailure(error, this.runsFolder);
    }
    this.#files.push({ name, bytes: bytes.byteLength, sha256: sha256(bytes) });
  }

  /** Writes a recording, with asterisks over known secrets; otherwise as {@link writeFile}. */
  async writeRecording(name: string, bytes: Uint8Array): Promise<void> {
    maskBytes(bytes, this.secrets());
    await this.writeFile(name, bytes);
  }

  /** Writes a log, without secrets; otherwise as {@link writeFile}. */
  async writeLog(name: string, text: string): Promise<void> {
    await this.writeFile(name, redactText(text, this.secrets()));
  }

  /** Opens a file for one JSON value per line (samples, ticks). The lines go out as they come. */
  append(name: string): LineFile {
    this.#take(name);
    const onProblem = (error: unknown): void => {
      this.#problem ??= writeFailure(error, this.runsFolder);
    };
    const file = new LineFile(name, createFile(join(this.folder, name)), onProblem, (value) => redactStrings(value, this.secrets()));
    this.#lineFiles.push(file);
    return file;
  }

  /**
   * The path of a file that another program writes, such as the load generator’s process. At `commit` it belongs to the run as it is then; where there is none,
   * nothing does.
   */
  adopt(name: string): string {
    this.#take(name);
    this.#adopted.push(name);
    return join(this.folder, name);
  }

  /** The path of a file that is gone again before `commit`. */
  scratch(name: string): string {
    this.#take(name);
    return join(this.folder, name);
  }

  /**
   * Stores the run: fills `files`, redacts every text in the record, writes `run.json`, makes everything durable, renames.
   * When it has returned, the run survives a crash. Throws as {@link writeFile} does, or `run-invalid` for a record that breaks the schema.
   */
  async commit(record: Omit<RunRecord, 'files'>): Promise<RunRecord> {
    this.#assertOpen();
    this.#state = 'committing';
    try {
      if (this.#problem !== null) throw this.#problem;
      for (const file of this.#lineFiles) this.#files.push(await file.close());
      for (const name of this.#adopted) await this.#takeAdopted(name);
      const files = this.#files.sort((a, b) => (a.name < b.name ? -1 : 1));
      const parsed = redactRecord(runRecordSchema, { ...record, files }, this.secrets());
      if (!parsed.success || parsed.data.id !== this.id) {
        const detail = parsed.success ? 'the id is another run’s' : parsed.error.message;
        throw failure(
          'run-invalid',
          'The run was not stored: its record does not fit the schema.',
          'This is a defect of Benchside; please report it.',
          detail,
        );
      }
      await writeNewFile(join(this.folder, recordFileName), Buffer.from(`${JSON.stringify(parsed.data)}\n`));
      await syncFolder(this.folder);
      await rename(this.folder, join(this.runsFolder, this.id));
      this.#state = 'committed';
      await syncFolder(this.runsFolder);
      return parsed.data;
    } catch (error) {
      if (this.#state !== 'committed') await this.abandon();
      throw writeFailure(error, this.runsFolder);
    }
  }

  /** Drops the run: nothing of it stays. Does nothing after `commit`; may be called again. */
  async abandon(): Promise<void> {
    if (this.#state === 'committed' || this.#state === 'abandoned') return;
    this.#state = 'abandoned';
    for (const file of this.#lineFiles) await file.discard();
    await rm(this.folder, { recursive: true, force: true }).catch(() => undefined);
  }

  async #takeAdopted(name: string): Promise<void> {
    const path = join(this.folder, name);
    const stats = await statOrNull(path);
    if (stats === null) return;
    await syncFile(path);
    this.#files.push({ name, bytes: stats.size, sha256: await hashFile(path) });
  }

  #take(name: string): void {
    this.#assertOpen();
    assertFileName(name);
    if (this.#names.has(name)) throw failure('run-file-name', `The run has a file ${name} already.`, 'Choose another name.');
    this.#names.add(name);
  }

  #assertOpen(): void {
    if (this.#state === 'open') return;
    if (this.#problem !== null) throw this.#problem;
    throw failure('run-closed', 'This run is stored or dropped already; nothing can be added to it.', 'Start a new run.');
  }
}
