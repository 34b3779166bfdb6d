import type { PendingRequest, RequestQueue } from 'autocannon';

type AnswerHead = Parameters<RequestQueue['setHeaders']>[0];

/** The largest body that is read: a longer one is skipped. */
const mostKept = 1_048_576;

/**
 * The request that a connection waits for; replaces autocannon's queue of pipelined requests. Without pipelining there is at most one. It keeps no body unless
 * it is asked to, and it counts the outcome of each request, so that none is lost unnoticed.
 */
export class OutstandingRequest implements RequestQueue {
  /** Requests handed to a connection so far. */
  sent = 0;
  /** When the last one was, in ms of `performance.now()`. */
  lastSentAt = 0;
  #sentAt: number | null = null;
  readonly #pending: PendingRequest = { req: {}, bytes: 0, body: '', headers: null, duration: 0 };
  #abandoned = false;
  /** Null: that of the present answer is not kept. */
  #parts: Buffer[] | null = null;
  #keptBytes = 0;

  /** `readsBody` is asked of each request whether the body of its answer is kept. */
  constructor(private readonly readsBody: (() => boolean) | null = null) {}

  insertRequest(request: object): void {
    this.sent += 1;
    this.#pending.req = request;
    this.#pending.bytes = 0;
    this.#pending.headers = null;
    this.lastSentAt = performance.now();
    this.#sentAt = this.lastSentAt;
    if (this.readsBody === null) return;
    this.#parts = this.readsBody() ? [] : null;
    this.#keptBytes = 0;
  }

  addByteCount(count: number): void {
    this.#pending.bytes += count;
  }

  /** A body that nobody reads is of no interest; autocannon would join each to one string. */
  addBody(data: Buffer): void {
    if (this.#parts === null) return;
    this.#keptBytes += data.length;
    if (this.#keptBytes > mostKept) this.#parts = null;
    else this.#parts.push(data);
  }

  /** The body of the answer that has just come; null where it was not kept, or is longer than is kept. */
  get body(): string | null {
    return this.#parts === null ? null : Buffer.concat(this.#parts).toString();
  }

  setHeaders(head: AnswerHead): void {
    this.#pending.headers = head;
  }

  /** The head of the answer that is being read, once it is complete. */
  get head(): AnswerHead | null {
    return this.#pending.headers;
  }

  terminateRequest(): PendingRequest | undefined {
    if (this.#sentAt === null) return undefined;
    this.#pending.duration = performance.now() - this.#sentAt;
    this.#sentAt = null;
    return this.#pending;
  }

  size(): number {
    return this.#sentAt === null ? 0 : 1;
  }

  /** How long the outstanding request has been waiting, in ms; null when none is. */
  ageMs(now: number): number | null {
    return this.#sentAt === null ? null : now - this.#sentAt;
  }

  /** Called by autocannon when it gives up on a connection, which is when a request timed out. */
  clear(): void {
    if (this.#sentAt !== null) this.#abandoned = true;
    this.#sentAt = null;
  }

  /** Whether {@link clear} dropped a request since the last call. */
  takeAbandoned(): boolean {
    const abandoned = this.#abandoned;
    this.#abandoned = false;
    return abandoned;
  }

  /** Forgets the outstanding request; says whether there was one. */
  lose(): boolean {
    const outstanding = this.#sentAt !== null;
    this.#sentAt = null;
    return outstanding;
  }
}
