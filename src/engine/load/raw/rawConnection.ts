import { performance } from 'node:perf_hooks';
import type { AnswerError } from '../answerError.ts';
import type { BlockMeter } from '../blockMeter.ts';
import type { LostKind } from '../lostKind.ts';
import type { OutstandingRequest } from '../outstandingRequest.ts';
import type { RequestSequence } from '../requestSequence.ts';
import type { RawBlock, RawTag } from './rawBlock.ts';
import { serverTimingOf } from './serverTiming.ts';

/** The raw samples of one connection of a closed loop: it knows which request its connection waits for. */
export class RawConnection {
  #tag: RawTag | null = null;
  /** The request that the connection gave up on before its successor was made, and whose end is reported only afterwards, as with a time-out. */
  #before: { tag: RawTag; startMs: number } | null = null;
  #outstanding: OutstandingRequest | null = null;

  constructor(
    private readonly raw: RawBlock,
    private readonly meter: BlockMeter,
  ) {}

  next(sequence: RequestSequence, to: number): string {
    if (this.#tag !== null) this.#before = { tag: this.#tag, startMs: this.#startMs };
    return sequence.next(to, (route) => {
      this.#tag = this.raw.issue(route);
      return this.raw.headerText(this.#tag);
    });
  }

  /** The request of the connection is this one from now on. */
  follow(outstanding: OutstandingRequest): void {
    this.#outstanding = outstanding;
  }

  /** Called before others count the answer, in the same turn of the event loop. */
  answered(status: number, error: AnswerError, bytes: number, latencyMs: number): void {
    const { open } = this.meter;
    const serverTiming = serverTimingOf(this.#outstanding?.head?.headers ?? []);
    const tag = this.#tag;
    this.#tag = null;
    if (tag === null) return;
    this.raw.ended(tag, {
      startMs: this.#startMs,
      latencyMs,
      status,
      bytes,
      error,
      serverTiming,
      counted: open,
      timed: open && error === '',
    });
  }

  lost(kind: LostKind): void {
    const request = this.#before ?? (this.#tag === null ? null : { tag: this.#tag, startMs: this.#startMs });
    if (this.#before === null) this.#tag = null;
    this.#before = null;
    if (request === null) return;
    const { tag, startMs } = request;
    const latencyMs = performance.now() - startMs;
    this.raw.ended(tag, {
      startMs,
      latencyMs,
      status: 0,
      bytes: 0,
      error: kind,
      serverTiming: null,
      counted: this.meter.open,
      timed: false,
    });
  }

  get #startMs(): number {
    return this.#outstanding?.lastSentAt ?? 0;
  }
}
