import type { Histogram } from 'hdr-histogram-js';
import type { ErrorCounts } from '../../../model/domain/run.ts';
import type { AnswerError } from '../answerError.ts';
import { type AnswerMeter, type WindowTotals, noCounts } from '../blockMeter.ts';
import { addLatency, createLatencyHistogram, recordLatency } from '../latencyHistogram.ts';
import type { LoadTick } from '../loadProtocol.ts';
import { SlowestRequests } from '../slowest.ts';
import { TickCounts } from '../tickCounts.ts';

export interface SliceCounts {
  /** Answers by the share of their time that lies in the window. */
  requests: number;
  answered: number;
}

interface Window {
  /** In ms of `performance.now()`; until it is closed it has no end. */
  from: number;
  to: number;
  /** When the last request was sent. */
  askedTo: number;
}

/**
 * Counts what one side answers in its slices. A request belongs to a window by the share of its time that lies in it: a window of few latencies counted by its
 * answers alone would be off by one of each connection.
 */
export class SideMeter implements AnswerMeter {
  readonly #histogram: Histogram = createLatencyHistogram();
  readonly #tick = new TickCounts();
  readonly #slowest = new SlowestRequests();
  readonly #counts = noCounts();
  #window: Window | null = null;
  #slice: SliceCounts = { requests: 0, answered: 0 };
  #windowMs = 0;
  /** For how long requests were sent, and for how long in it connections waited for answers, all together. */
  #askedMs = 0;
  #busyMs = 0;
  #tickMs = 0;

  /** `from`: when the edge of the slice is over. */
  open(from: number): void {
    this.#window = { from, to: Number.POSITIVE_INFINITY, askedTo: Number.POSITIVE_INFINITY };
    this.#slice = { requests: 0, answered: 0 };
  }

  /** No more is sent from now on. */
  rest(at: number): void {
    if (this.#window !== null) this.#window.askedTo = at;
  }

  /** No more is counted from now on. */
  shut(to: number): void {
    if (this.#window !== null) this.#window = { ...this.#window, from: Math.min(this.#window.from, to), to };
  }

  close(): SliceCounts & { windowMs: number } {
    const windowMs = this.#window === null ? 0 : this.#window.to - this.#window.from;
    if (this.#window !== null) this.#askedMs += Math.max(0, this.#window.askedTo - this.#window.from);
    const { requests } = this.#slice;
    this.#window = null;
    this.#windowMs += windowMs;
    this.#tickMs += windowMs;
    this.#counts.requests += requests;
    this.#tick.requests += requests;
    return { ...this.#slice, windowMs };
  }

  answered(error: AnswerError, bytes: number, latencyMs: number): void {
    if (error !== '') {
      this.lost(error);
      return;
    }
    if (this.#window === null) return;
    const { from, to, askedTo } = this.#window;
    const now = performance.now();
    this.#busyMs += Math.max(0, Math.min(now, askedTo) - Math.max(now - latencyMs, from));
    this.#slice.answered += 1;
    const inside = Math.min(now, to) - Math.max(now - latencyMs, from);
    if (inside > 0) {
      const share = latencyMs > 0 ? Math.min(1, inside / latencyMs) : 1;
      this.#slice.requests += share;
      this.#counts.bytes += share * bytes;
    }
    if (now < from || now > to) return;
    recordLatency(this.#histogram, latencyMs * 1000);
    recordLatency(this.#tick.histogram, latencyMs * 1000);
    addLatency(this.#counts.sums, latencyMs * 1000);
    this.#slowest.add(latencyMs);
  }

  lost(kind: Exclude<keyof ErrorCounts, 'total'>): void {
    this.#tick.errors += 1;
    this.#counts.errors[kind] += 1;
    this.#counts.errors.total += 1;
  }

  closedByServer(): void {
    if (this.#window !== null) this.#counts.closedByServer += 1;
  }

  /** What came since the last tick, if that was `leastMs` of windows; null otherwise. */
  tick(leastMs: number): Omit<LoadTick, 'stage' | 'elapsedMs'> | null {
    const windowMs = this.#tickMs;
    if (!(windowMs > 0) || windowMs < leastMs) return null;
    this.#tickMs = 0;
    return this.#tick.take(windowMs);
  }

  totals(cpuUs: number, eventLoopUtilisation: number): WindowTotals {
    return {
      ...this.#counts,
      windowMs: this.#windowMs,
      histogram: this.#histogram,
      slowest: this.#slowest,
      cpuUs,
      eventLoopUtilisation,
      // A mean of latencies lacks those that were cut off by the end of a slice, which are the longest.
      inProgress: this.#askedMs > 0 ? this.#busyMs / this.#askedMs : null,
    };
  }
}
