import type { Connection, Submittable } from 'pg';
import { once } from 'node:events';

/** What pg's connection can do for COPY besides what its types say (pg 8, lib/connection.js). */
interface CopyConnection extends Connection {
  sendCopyFromChunk(chunk: Buffer): void;
  endCopyFrom(): void;
  sendCopyFail(reason: string): void;
}

/**
 * `COPY … FROM STDIN` as a query that pg can be given: sends what `chunks` gives as fast as the server takes it. `done` resolves when the server has all
 * of it, and rejects with its error, or with that of `chunks`, after which nothing of it was copied.
 */
export class CopyIn implements Submittable {
  readonly done: Promise<void>;
  #resolve: () => void = () => undefined;
  #reject: (error: unknown) => void = () => undefined;
  #failed: unknown;
  #over = false;

  constructor(
    private readonly sql: string,
    private readonly chunks: AsyncIterable<Buffer>,
  ) {
    this.done = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
  }

  submit(connection: Connection): void {
    connection.query(this.sql);
  }

  handleCopyInResponse(connection: CopyConnection): void {
    void this.#send(connection);
  }

  handleCommandComplete(): void {
    // The server is ready next, and then it is done.
  }

  handleReadyForQuery(): void {
    if (this.#failed === undefined) this.#resolve();
    else this.#reject(this.#failed);
  }

  /** The server’s own error, or that of a connection that has ended. */
  handleError(error: Error): void {
    this.#over = true;
    this.#failed ??= error;
    this.#reject(this.#failed);
  }

  async #send(connection: CopyConnection): Promise<void> {
    try {
      for await (const chunk of this.chunks) {
        if (this.#over) return;
        connection.sendCopyFromChunk(chunk);
        const { stream } = connection;
        if (stream.destroyed) return;
        if (stream.writableNeedDrain) await Promise.race([once(stream, 'drain'), once(stream, 'close')]);
      }
      if (!this.#over) connection.endCopyFrom();
    } catch (error) {
      this.#failed ??= error;
      if (!this.#over && !connection.stream.destroyed) connection.sendCopyFail('cancelled');
    }
  }
}
