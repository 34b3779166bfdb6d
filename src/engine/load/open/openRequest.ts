import type { Dispatcher } from 'undici';
import { announcesClose, headBytes } from '../answerHead.ts';
import type { RawTag } from '../raw/rawBlock.ts';
import { serverTimingOf } from '../raw/serverTiming.ts';

/** Receives the outcome of each request once. */
export interface OpenRequestListener {
  onAnswered: (request: OpenRequest) => void;
  onFailed: (request: OpenRequest, error: NodeJS.ErrnoException) => void;
}

/** An answer that is longer is not read. */
const mostKeptBytes = 1_048_576;

/** One request of an open loop, as undici's handler of it. Its body is counted and not kept. */
export class OpenRequest implements Dispatcher.DispatchHandlers {
  statusCode = 0;
  /** Bytes of the answer, headers included. */
  bytes = 0;
  /** The server announced to close the connection after this answer. */
  closes = false;
  /** Its row among the raw samples; null where none are kept. */
  tag: RawTag | null = null;
  serverTiming: string | null = null;
  entry = 0;
  /** Null: that of its answer is not kept. */
  #parts: Buffer[] | null = null;
  #over = false;
  #abort: ((error?: Error) => void) | undefined;

  /**
   * `index` is its place in the sequence of starts. `sinceMs` is the time from which its latency counts: when it was to be sent, or when it was sent
   * if that was earlier.
   */
  constructor(
    readonly index: number,
    readonly sinceMs: number,
    private readonly listener: OpenRequestListener,
  ) {}

  /** Gives up on it: its connection is closed, and the listener receives nothing more. */
  abandon(): void {
    this.#over = true;
    this.#abort?.();
  }

  /** The body of its answer is wanted, as far as it is no longer than is kept. */
  keepBody(): void {
    this.#parts = [];
  }

  /** The body of its answer; null where it was not kept. */
  get body(): string | null {
    return this.#parts === null ? null : Buffer.concat(this.#parts).toString();
  }

  onConnect(abort: (error?: Error) => void): void {
    this.#abort = abort;
    // It was given up before it had a connection.
    if (this.#over) abort();
  }

  onHeaders(statusCode: number, headers: Buffer[], _resume: () => void, statusText: string): boolean {
    // 103 comes before the answer.
    if (statusCode < 200) return true;
    this.statusCode = statusCode;
    this.bytes = headBytes(statusText, headers);
    this.closes = announcesClose(headers);
    if (this.tag?.kept === true) this.serverTiming = serverTimingOf(headers.map((one) => one.toString('latin1')));
    return true;
  }

  onData(chunk: Buffer): boolean {
    this.bytes += chunk.length;
    if (this.bytes > mostKeptBytes) this.#parts = null;
    else this.#parts?.push(chunk);
    return true;
  }

  onComplete(): void {
    if (this.#over) return;
    this.#over = true;
    this.listener.onAnswered(this);
  }

  onError(error: NodeJS.ErrnoException): void {
    if (this.#over) return;
    this.#over = true;
    this.listener.onFailed(this, error);
  }
}
