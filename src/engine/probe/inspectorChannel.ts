import type { Socket } from 'node:net';

/** How a session of V8's inspector is spoken to, wherever it is: one JSON document each way at a time. */
export interface InspectorWire {
  send(message: string): void;
  /** To be called once; what comes before is kept. */
  listen(onMessage: (message: string) => void, onClose: () => void): void;
  /** Ends the connection, politely if the other side takes part. */
  end(): void;
  destroy(): void;
}

/** The inspector session that a probe has opened within its process, over a connection of its own to the engine's socket: one message a line. */
export class InspectorChannel implements InspectorWire {
  #parts: string[] = [];
  #length = 0;
  #early: string[] = [];
  #onMessage: ((message: string) => void) | null = null;

  constructor(
    private readonly socket: Socket,
    /** A longer message is not waited for: the connection is ended. */
    private readonly longestMessage = 512 * 1024 * 1024,
  ) {}

  send(message: string): void {
    this.socket.write(`${message}\n`);
  }

  listen(onMessage: (message: string) => void, onClose: () => void): void {
    this.#onMessage = onMessage;
    for (const message of this.#early.splice(0)) onMessage(message);
    if (this.socket.destroyed) onClose();
    else this.socket.once('close', onClose);
  }

  end(): void {
    this.socket.end();
  }

  destroy(): void {
    this.socket.destroy();
  }

  /** Takes what came over the socket. A profile comes in thousands of pieces, which are put together once. */
  receive(text: string): void {
    let start = 0;
    for (let end = text.indexOf('\n'); end !== -1; end = text.indexOf('\n', start)) {
      const message = this.#parts.join('') + text.slice(start, end);
      this.#parts = [];
      this.#length = 0;
      start = end + 1;
      if (this.#onMessage === null) this.#early.push(message);
      else this.#onMessage(message);
    }
    if (start === text.length) return;
    this.#length += text.length - start;
    if (this.#length > this.longestMessage) this.destroy();
    else this.#parts.push(text.slice(start));
  }
}
