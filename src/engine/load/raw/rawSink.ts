import { type FileHandle, open } from 'node:fs/promises';
import { writeFully } from '../../files/safeFiles.ts';
import { inTime } from '../../../model/domain/inTime.ts';

/** What may wait for the disk, in bytes. */
export const mostWaitingBytes = 8 * 1024 * 1024;
/** How long the end of a block waits for the rest to be written. */
const longestCloseMs = 2_000;

/**
 * A file that frames are added to without waiting. What would exceed the buffer is refused; after a failed write everything is, and what was written of
 * the last frame is cut off. Nothing here throws: a full disk must not end a measurement.
 */
export class RawSink {
  problem: string | null = null;
  /** Rows of the frames that are on the disk. */
  writtenRows = 0;
  #waiting: { frame: Uint8Array; rows: number }[] = [];
  #waitingBytes = 0;
  #draining: Promise<void> | null = null;
  #goodBytes = 0;
  readonly #handle: Promise<FileHandle | null>;

  constructor(
    readonly file: string,
    private readonly mostBytes = mostWaitingBytes,
  ) {
    this.#handle = open(file, 'a', 0o600).then(
      async (handle) => {
        this.#goodBytes = (await handle.stat()).size;
        return handle;
      },
      (error: unknown) => {
        this.#fail(error);
        return null;
      },
    );
  }

  /** Adds a frame with so many rows, or says that it cannot. The frame is the sink's from then on. */
  add(frame: Uint8Array, rows = 0): boolean {
    if (this.problem !== null || this.#waitingBytes + frame.byteLength > this.mostBytes) return false;
    this.#waiting.push({ frame, rows });
    this.#waitingBytes += frame.byteLength;
    this.#draining ??= this.#drain();
    return true;
  }

  /** Waits until everything is written, but not for long, and closes the file. */
  async close(withinMs = longestCloseMs): Promise<void> {
    const closed = this.#close().catch((error: unknown) => this.#fail(error));
    await inTime(withinMs, closed, () => this.#fail(new Error('the disk is too slow')));
  }

  async #close(): Promise<void> {
    await this.#draining;
    const handle = await this.#handle;
    if (handle === null) return;
    if (this.problem !== null) await handle.truncate(this.#goodBytes).catch(() => undefined);
    await handle.close();
  }

  async #drain(): Promise<void> {
    const handle = await this.#handle;
    if (handle === null) return;
    try {
      for (let next = this.#waiting.shift(); next !== undefined; next = this.#waiting.shift()) {
        const { frame, rows } = next;
        await writeFully(handle, frame);
        this.#goodBytes += frame.byteLength;
        this.writtenRows += rows;
        this.#waitingBytes -= frame.byteLength;
      }
    } catch (error) {
      this.#fail(error);
    } finally {
      this.#draining = null;
    }
  }

  #fail(error: unknown): void {
    this.#waiting = [];
    const { code, message = String(error) } = error as NodeJS.ErrnoException;
    this.problem ??=
      code === 'ENOSPC' || code === 'EDQUOT' ? 'The disk is full.' : `The file of raw samples could not be written: ${message}.`;
  }
}
