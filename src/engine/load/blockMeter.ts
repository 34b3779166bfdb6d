import { type EventLoopUtilization, performance } from 'node:perf_hooks';
import type { Histogram } from 'hdr-histogram-js';
import { type ErrorCounts, noErrors } from '../../model/domain/run.ts';
import type { AnswerError } from './answerError.ts';
import { addLatency, createLatencyHistogram, noLatencySums, recordLatency } from './latencyHistogram.ts';
import type { LatencySums, LoadTick } from './loadProtocol.ts';
import { SlowestRequests } from './slowest.ts';
import { TickCounts } from './tickCounts.ts';

/** The rest of a tick at the end of a stage is reported if it is this share of a whole one: less is too little for a figure. */
const shortestTick = 0.5;

/** What is counted one by one. */
interface Counts {
  requests: number;
  bytes: number;
  sums: LatencySums;
  errors: ErrorCounts;
  closedByServer: number;
}

export function noCounts(): Counts {
  return { requests: 0, bytes: 0, sums: { ...noLatencySums }, errors: { ...noErrors }, closedByServer: 0 };
}

/** What was counted between two edges. `histogram` and `slowest` are the meter's own: to be read before the next window begins. */
export interface WindowTotals extends Counts {
  windowMs: number;
  histogram: Histogram;
  slowest: SlowestRequests;
  cpuUs: number;
  eventLoopUtilisation: number;
  /** Requests in progress on average while requests were sent, where that was observed; else it follows from Little’s law. */
  inProgress?: number | null;
}

/** What a window counted that never opened. */
export function nothingCounted(): WindowTotals {
  return {
    ...noCounts(),
    windowMs: 0,
    histogram: createLatencyHistogram(),
    slowest: new SlowestRequests(),
    cpuUs: 0,
    eventLoopUtilisation: 0,
  };
}

export interface AnswerMeter {
  /** An answer came in, right or an error of that kind, so long after its request was sent, or after it was to be sent. */
  answered(error: AnswerError, bytes: number, latencyMs: number): void;
  lost(kind: Exclude<keyof ErrorCounts, 'total'>): void;
  closedByServer(): void;
}

/** The moment at which a window begins or ends, by this process's clock. */
interface Edge {
  atMs: number;
  cpu: NodeJS.CpuUsage;
  eventLoop: EventLoopUtilization;
}

export interface MeterOptions {
  stage: LoadTick['stage'];
  tickMs: number;
  /** Latency belongs to the window in which a request was to be sent, and {@link BlockMeter.recordIntended} records it; else to that of its answer. */
  byIntendedTime: boolean;
  /** `reached` is called once for each window, when so many requests were answered in it, in whatever way; it may close the window. */
  enough?: { requests: number; reached: () => void } | undefined;
  onTick: (tick: LoadTick) => void;
}

/**
 * Counts what happens under load: by ticks from the start to the end of a block, and in its measured windows. A window's edges are read
 * from this process's monotonic clock; what is completed between them counts, wherever it began, and nothing else does.
 */
export class BlockMeter implements AnswerMeter {
  /** Since the block began, whether a window was open or not. */
  answeredInAll = 0;
  lostInAll = 0;
  readonly #windowHistogram = createLatencyHistogram();
  readonly #tick = new TickCounts();
  /** What the present tick had recorded when a lap ended within it. */
  readonly #tickBeforeLap = createLatencyHistogram();
  readonly #slowest = new SlowestRequests();
  #counts = noCounts();
  #stage: LoadTick['stage'];
  #open = false;
  /** The window is over, and answers to its requests are waited for. */
  #draining = false;
  #began: Edge | undefined;
  #answered = 0;
  #tickStart = 0;
  #stageStart = 0;
  #tickTimer: NodeJS.Timeout | undefined;

  constructor(private readonly options: MeterOptions) {
    this.#stage = options.stage;
  }

  get open(): boolean {
    return this.#open;
  }

  /** An error that happens now counts in the window, or in the one that has just closed. */
  get countsErrors(): boolean {
    return this.#open || this.#draining;
  }

  beginStage(stage: LoadTick['stage'], now: number): void {
    this.#stage = stage;
    this.#stageStart = now;
    this.#tickStart = now;
    clearInterval(this.#tickTimer);
    this.#tickTimer = setInterval(() => this.#endTick(performance.now()), this.options.tickMs);
  }

  answered(error: AnswerError, bytes: number, latencyMs: number): void {
    this.answeredInAll += 1;
    if (error === '') this.#countRight(bytes, latencyMs);
    else this.#countError(error);
    if (!this.#open) return;
    this.#answered += 1;
    const { enough } = this.options;
    if (this.#answered === enough?.requests) enough.reached();
  }

  #countRight(bytes: number, latencyMs: number): void {
    this.#tick.requests += 1;
    recordLatency(this.#tick.histogram, latencyMs * 1000);
    if (!this.#open) return;
    this.#counts.requests += 1;
    this.#counts.bytes += bytes;
    if (this.options.byIntendedTime) return;
    addLatency(this.#counts.sums, latencyMs * 1000);
    this.#slowest.add(latencyMs);
  }

  /** The latency of a request that was to be sent in the present window, or in the last one if it is over. */
  recordIntended(latencyMs: number): void {
    recordLatency(this.#windowHistogram, latencyMs * 1000);
    addLatency(this.#counts.sums, latencyMs * 1000);
    this.#slowest.add(latencyMs);
  }

  lost(kind: Exclude<keyof ErrorCounts, 'total'>): void {
    this.lostInAll += 1;
    this.#countError(kind);
  }

  closedByServer(): void {
    if (this.#open) this.#counts.closedByServer += 1;
  }

  /** Begins the stage of the measured window, and the window. */
  openWindow(stage: LoadTick['stage'], now: number): void {
    this.#endTick(now);
    this.beginStage(stage, now);
    this.#beginWindow(edge(now));
  }

  /** Ends the window, and all ticks; null when none was open. */
  closeWindow(now: number): WindowTotals | null {
    const end = edge(now);
    this.stopTicks();
    this.#endTick(end.atMs);
    const wasOpen = this.#open;
    this.#open = false;
    this.#draining = this.options.byIntendedTime;
    return wasOpen ? this.#totals(end) : null;
  }

  stopTicks(): void {
    clearInterval(this.#tickTimer);
  }

  /** Ends the window and begins the next at the same moment; `read` is given what was counted. Ticks continue as if nothing had happened. */
  lap<T>(now: number, read: (totals: WindowTotals) => T): T {
    const end = edge(now);
    if (!this.options.byIntendedTime) this.#windowHistogram.add(this.#tick.histogram);
    this.#tickBeforeLap.add(this.#tick.histogram);
    this.#tick.histogram.reset();
    const result = read(this.#totals(end));
    this.#beginWindow(end);
    return result;
  }

  #beginWindow(began: Edge): void {
    this.#began = began;
    this.#open = true;
    this.#windowHistogram.reset();
    this.#slowest.reset();
    this.#counts = noCounts();
    this.#answered = 0;
  }

  #totals(end: Edge): WindowTotals {
    const began = this.#began ?? end;
    const { user, system } = end.cpu;
    return {
      ...this.#counts,
      windowMs: end.atMs - began.atMs,
      histogram: this.#windowHistogram,
      slowest: this.#slowest,
      cpuUs: user + system - began.cpu.user - began.cpu.system,
      eventLoopUtilisation: performance.eventLoopUtilization(end.eventLoop, began.eventLoop).utilization,
    };
  }

  #countError(kind: Exclude<keyof ErrorCounts, 'total'>): void {
    this.#tick.errors += 1;
    if (!this.#open && !this.#draining) return;
    this.#counts.errors[kind] += 1;
    this.#counts.errors.total += 1;
  }

  #endTick(now: number): void {
    const windowMs = now - this.#tickStart;
    if (this.#open && !this.options.byIntendedTime && this.#tick.histogram.totalCount > 0) this.#windowHistogram.add(this.#tick.histogram);
    if (this.#tickBeforeLap.totalCount > 0) {
      this.#tick.histogram.add(this.#tickBeforeLap);
      this.#tickBeforeLap.reset();
    }
    const tick = { stage: this.#stage, elapsedMs: now - this.#stageStart, ...this.#tick.take(windowMs) };
    this.#tickStart = now;
    if (windowMs >= shortestTick * this.options.tickMs) this.options.onTick(tick);
  }
}

function edge(atMs: number): Edge {
  return { atMs, cpu: process.cpuUsage(), eventLoop: performance.eventLoopUtilization() };
}
