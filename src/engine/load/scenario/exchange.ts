import { performance } from 'node:perf_hooks';
import type { Dispatcher, FormData, Pool } from 'undici';
import { announcesClose, headBytes } from '../answerHead.ts';
import { type LostKind, lostKind } from '../lostKind.ts';

/** More of a body than this is counted and not kept. */
const mostKept = 8_388_608;

export interface ExchangeRequest {
  method: Dispatcher.HttpMethod;
  path: string;
  headers: Record<string, string>;
  body: string | FormData | null;
  keepsBody: boolean;
  /** The connection is closed after the answer. */
  reset: boolean;
  timeoutMs: number;
}

export interface Answer {
  status: number;
  /** Headers included. */
  bytes: number;
  latencyMs: number;
  /** By lower-case name; of a header that came several times, the first. */
  headers: ReadonlyMap<string, string>;
  setCookies: readonly string[];
  /** null when it was longer than is kept, or not asked for. */
  body: Buffer | null;
  /** The server announced to close the connection. */
  closes: boolean;
}

export interface Lost {
  lost: LostKind;
  /** The error's code, such as ECONNRESET. */
  code: string;
}

/** One request and its outcome. It is given up after `timeoutMs` in all, and on request. */
export class Exchange implements Dispatcher.DispatchHandlers {
  readonly sentAtMs = performance.now();
  #abort: ((error?: Error) => void) | undefined;
  #over = false;
  #status = 0;
  #bytes = 0;
  #closes = false;
  #chunks: Buffer[] | null;
  #kept = 0;
  readonly #headers = new Map<string, string>();
  readonly #setCookies: string[] = [];
  readonly #timer: NodeJS.Timeout;
  #resolve: (outcome: Answer | Lost | null) => void = () => undefined;
  /** null: {@link abandon} gave it up. */
  readonly outcome: Promise<Answer | Lost | null>;

  constructor(pool: Pool, request: ExchangeRequest) {
    this.#chunks = request.keepsBody ? [] : null;
    this.outcome = new Promise((resolve) => (this.#resolve = resolve));
    this.#timer = setTimeout(() => this.#giveUp({ lost: 'timeout', code: 'timeout' }), request.timeoutMs);
    const { method, path, headers, body, reset } = request;
    pool.dispatch({ method, path, headers, body, reset }, this);
  }

  abandon(): void {
    this.#giveUp(null);
  }

  onConnect(abort: (error?: Error) => void): void {
    this.#abort = abort;
    // It was given up before it had a connection.
    if (this.#over) abort();
  }

  onHeaders(status: number, headers: Buffer[], _resume: () => void, statusText: string): boolean {
    // 103 comes before the answer.
    if (status < 200) return true;
    this.#status = status;
    this.#bytes = headBytes(statusText, headers);
    this.#closes = announcesClose(headers);
    for (let i = 0; i + 1 < headers.length; i += 2) this.#takeHeader(headers[i], headers[i + 1]);
    return true;
  }

  onData(chunk: Buffer): boolean {
    this.#bytes += chunk.length;
    if (this.#chunks === null) return true;
    this.#kept += chunk.length;
    if (this.#kept > mostKept) this.#chunks = null;
    else this.#chunks.push(chunk);
    return true;
  }

  onComplete(): void {
    this.#end({
      status: this.#status,
      bytes: this.#bytes,
      latencyMs: performance.now() - this.sentAtMs,
      headers: this.#headers,
      setCookies: this.#setCookies,
      body: this.#chunks === null ? null : Buffer.concat(this.#chunks),
      closes: this.#closes,
    });
  }

  onError(error: NodeJS.ErrnoException): void {
    this.#end({ lost: lostKind(error), code: String(error.code ?? error.name).slice(0, 60) });
  }

  #takeHeader(name: Buffer | undefined, value: Buffer | undefined): void {
    if (name === undefined || value === undefined) return;
    const key = name.toString('latin1').toLowerCase();
    const text = value.toString('latin1');
    if (key === 'set-cookie') this.#setCookies.push(text);
    if (!this.#headers.has(key)) this.#headers.set(key, text);
  }

  #giveUp(outcome: Lost | null): void {
    this.#end(outcome);
    this.#abort?.();
  }

  #end(outcome: Answer | Lost | null): void {
    if (this.#over) return;
    this.#over = true;
    clearTimeout(this.#timer);
    this.#resolve(outcome);
  }
}
