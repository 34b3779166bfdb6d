import { createHash } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';
import { writeFully } from './safeFiles.ts';
import type { StoredFile } from '../../model/domain/run.ts';

/** A file of one JSON value per line that grows while the run continues. */
export class LineFile {
  readonly #hash = createHash('sha256');
  #pending: string[] = [];
  #bytes = 0;
  #problem: unknown;
  #draining: Promise<void> | null = null;
  #closed = false;

  constructor(
    readonly name: string,
    readonly handle: Promise<FileHandle>,
    private readonly onProblem: (error: unknown) => void,
    /** What is written of a value. */
    private readonly prepare: (value: unknown) => unknown = (value) => value,
  ) {
    handle.catch((error: unknown) => this.#fail(error));
  }

  /** Adds one line. Never throws and never waits: the writer's `problem` and `commit` report failures. */
  add(value: unknown): void {
    if (this.#closed || this.#problem !== undefined) return;
    this.#pending.push(`${JSON.stringify(this.prepare(value))}\n`);
    this.#draining ??= this.#drain();
  }

  /** Waits until every line is on the disk, and closes the file. */
  async close(): Promise<StoredFile> {
    this.#closed = true;
    await this.#draining;
    const handle = await this.handle;
    try {
      if (this.#problem !== undefined) throw this.#problem;
      await handle.sync();
    } finally {
      await handle.close();
    }
    return { name: this.name, bytes: this.#bytes, sha256: this.#hash.digest('hex') };
  }

  /** Closes the file without asking whether anything was written. */
  async discard(): Promise<void> {
    this.#closed = true;
    this.#problem ??= new Error('abandoned');
    await this.#draining;
    await this.handle.then((handle) => handle.close()).catch(() => undefined);
  }

  async #drain(): Promise<void> {
    try {
      const handle = await this.handle;
      while (this.#pending.length > 0 && this.#problem === undefined) {
        const bytes = Buffer.from(this.#pending.join(''));
        this.#pending = [];
        await writeFully(handle, bytes);
        this.#hash.update(bytes);
        this.#bytes += bytes.byteLength;
      }
    } catch (error) {
      this.#fail(error);
    } finally {
      this.#draining = null;
    }
  }

  #fail(error: unknown): void {
    this.#pending = [];
    if (this.#problem !== undefined) return;
    this.#problem = error;
    this.onProblem(error);
  }
}
