import { performance } from 'node:perf_hooks';
import type { EventLoopUtilization } from 'node:perf_hooks';
import autocannon from 'autocannon';
import { noErrors } from '../../model/run.ts';
import type { ErrorCounts } from '../../model/run.ts';
import { generatorHealth, saturationReasons } from './generatorHealth.ts';
import type { GeneratorUse } from './generatorHealth.ts';
import { addLatency, createLatencyHistogram, encodeLatencyHistogram, noLatencySums, recordLatency } from './latencyHistogram.ts';
import { loopbackAddress } from './loopback.ts';
import type { BlockCommand, BlockMeasurement, LoadTick } from './loadProtocol.ts';
import { RequestSequence } from './requestSequence.ts';
import { steadyClient } from './steadyClient.ts';
import type { SteadyClient } from './steadyClient.ts';

/** autocannon notices its end at its next sample; samples cost nothing. */
const sampleIntervalMs = 50;
/** What is left of a tick at the end of a stage is told if it is this share of a whole one: less is too little for a figure. */
const shortestTick = 0.5;
/** A request is `unanswered` when it has waited for a second at least, and for ten times the p99 of the others, or for its whole time-out. */
const unansweredMs = 1000;
const unansweredTimesP99 = 10;

export interface BlockListener {
  onTick: (tick: LoadTick) => void;
  onWindow: (edge: 'open' | 'close') => void;
}

type ErrorKind = Exclude<keyof ErrorCounts, 'total'>;

/**
 * One block of closed-loop load: every connection sends its next request when its last one is answered. The load runs on without a break from
 * settling into the measured window. The window's edges are read from this process's monotonic clock; what is completed
 * between them counts, wherever it began, and nothing else does.
 */
export class LoadBlock {
  readonly #clients: SteadyClient[] = [];
  readonly #windowHistogram = createLatencyHistogram();
  readonly #tickHistogram = createLatencyHistogram();
  readonly #sums = { ...noLatencySums };
  readonly #errors: ErrorCounts = { ...noErrors };
  #stage: LoadTick['stage'];
  #open = false;
  #over = false;
  #cancelled = false;
  #bytes = 0;
  #closedByServer = 0;
  #answeredSinceStart = 0;
  #lostSinceStart = 0;
  #tickRequests = 0;
  #tickErrors = 0;
  #tickStart = 0;
  #stageStart = 0;
  #windowMs = 0;
  #cpuAtOpen = process.cpuUsage();
  #loopAtOpen: EventLoopUtilization = performance.eventLoopUtilization();
  #stageTimer: NodeJS.Timeout | undefined;
  #tickTimer: NodeJS.Timeout | undefined;
  #generator: Promise<void> = Promise.resolve();
  readonly #finished: Promise<BlockMeasurement>;
  #finish: (measurement: BlockMeasurement) => void = () => undefined;
  #fail: (error: unknown) => void = () => undefined;

  constructor(
    private readonly command: BlockCommand,
    private readonly listener: BlockListener,
  ) {
    this.#stage = command.mode === 'warmUp' ? 'warmUp' : 'settle';
    this.#finished = new Promise((resolve, reject) => {
      this.#finish = resolve;
      this.#fail = reject;
    });
  }

  /** Runs the block. Fails when the host is not loopback; whatever the server does is in the measurement, not a failure. */
  run(): Promise<BlockMeasurement> {
    const { command } = this;
    const host = loopbackAddress(command.host);
    const authority = `${host.includes(':') ? `[${host}]` : host}:${command.port}`;
    const sequence = new RequestSequence(command.mix, command.seed, authority);
    this.#beginStage(this.#stage);
    this.#generator = new Promise((resolve, reject) => {
      const tracker = autocannon(
        {
          url: `http://${authority}`,
          connections: command.connections,
          // The block ends by our own clock; autocannon's is only a net below it.
          duration: Math.ceil((command.settleMs + command.windowMs) / 1000) + 60,
          sampleInt: sampleIntervalMs,
          skipAggregateResult: true,
          setupClient: (client) => {
            this.#clients.push(
              steadyClient(client, {
                host,
                port: command.port,
                timeoutMs: command.timeoutMs,
                sequence,
                onLost: (kind) => this.#lost(kind),
                onClosedByServer: () => {
                  if (this.#open) this.#closedByServer += 1;
                },
              }),
            );
          },
        },
        (error) => (error === null ? resolve() : reject(error)),
      );
      tracker.on('response', (_client, statusCode, bytes, durationMs) => this.#answered(statusCode, bytes, durationMs));
    });
    this.#generator.catch((error: unknown) => {
      clearTimeout(this.#stageTimer);
      clearInterval(this.#tickTimer);
      this.#fail(error);
    });
    if (this.#stage === 'warmUp' || command.settleMs === 0) this.#openWindow();
    else this.#stageTimer = setTimeout(() => this.#openWindow(), command.settleMs);
    return this.#finished;
  }

  /** Ends the block now; what was measured so far is its measurement, marked as cancelled. */
  stop(): void {
    if (this.#over) return;
    this.#cancelled = true;
    this.#closeWindow();
  }

  #answered(statusCode: number, bytes: number, durationMs: number): void {
    this.#answeredSinceStart += 1;
    if (statusCode < 200 || statusCode >= 400) {
      this.#countError(statusCode >= 500 && statusCode < 600 ? 'status5xx' : statusCode >= 400 && statusCode < 500 ? 'status4xx' : 'other');
      return;
    }
    this.#tickRequests += 1;
    recordLatency(this.#tickHistogram, durationMs * 1000);
    if (!this.#open) return;
    addLatency(this.#sums, durationMs * 1000);
    this.#bytes += bytes;
  }

  #lost(kind: ErrorKind): void {
    this.#lostSinceStart += 1;
    this.#countError(kind);
  }

  #countError(kind: ErrorKind): void {
    this.#tickErrors += 1;
    if (!this.#open) return;
    this.#errors[kind] += 1;
    this.#errors.total += 1;
  }

  #beginStage(stage: LoadTick['stage']): void {
    this.#stage = stage;
    this.#stageStart = performance.now();
    this.#tickStart = this.#stageStart;
    clearInterval(this.#tickTimer);
    this.#tickTimer = setInterval(() => this.#endTick(performance.now()), this.command.tickMs);
  }

  #endTick(now: number): void {
    const windowMs = now - this.#tickStart;
    const answered = this.#tickHistogram.totalCount > 0;
    const tick: LoadTick = {
      stage: this.#stage,
      elapsedMs: now - this.#stageStart,
      windowMs,
      throughput: windowMs > 0 ? (this.#tickRequests * 1000) / windowMs : 0,
      p50Ms: answered ? this.#tickHistogram.getValueAtPercentile(50) / 1000 : null,
      p99Ms: answered ? this.#tickHistogram.getValueAtPercentile(99) / 1000 : null,
      errors: this.#tickErrors,
    };
    if (this.#open && answered) this.#windowHistogram.add(this.#tickHistogram);
    if (answered) this.#tickHistogram.reset();
    this.#tickRequests = 0;
    this.#tickErrors = 0;
    this.#tickStart = now;
    if (windowMs >= shortestTick * this.command.tickMs) this.listener.onTick(tick);
  }

  #openWindow(): void {
    this.#endTick(performance.now());
    this.#cpuAtOpen = process.cpuUsage();
    this.#loopAtOpen = performance.eventLoopUtilization();
    this.#beginStage(this.command.mode === 'warmUp' ? 'warmUp' : 'measure');
    this.#open = true;
    this.#stageTimer = setTimeout(() => this.#closeWindow(), this.command.windowMs);
    this.listener.onWindow('open');
  }

  #closeWindow(): void {
    const now = performance.now();
    const cpu = process.cpuUsage(this.#cpuAtOpen);
    const eventLoop = performance.eventLoopUtilization(this.#loopAtOpen).utilization;
    clearTimeout(this.#stageTimer);
    clearInterval(this.#tickTimer);
    this.#endTick(now);
    const wasOpen = this.#open;
    if (wasOpen) this.#windowMs = now - this.#stageStart;
    this.#open = false;
    this.#over = true;
    if (wasOpen) this.listener.onWindow('close');
    const ages = this.#clients.map((client) => client.outstanding.ageMs(now)).filter((age) => age !== null);
    const sent = this.#clients.reduce((sum, client) => sum + client.outstanding.sent, 0);
    const unaccounted = sent - this.#answeredSinceStart - this.#lostSinceStart - ages.length;
    const measurement = this.#measurement(ages, unaccounted, wasOpen ? cpu.user + cpu.system : 0, wasOpen ? eventLoop : 0);
    // The next block must not start beside connections of this one.
    Promise.all([this.#generator, ...this.#clients.map((client) => client.close())]).then(
      () => this.#finish(measurement),
      (error: unknown) => this.#fail(error),
    );
  }

  #measurement(ages: readonly number[], unaccounted: number, cpuUs: number, eventLoopUtilisation: number): BlockMeasurement {
    const windowMs = this.#windowMs;
    const sums = this.#sums;
    const errors = this.#errors;
    if (windowMs > 0 && !this.#cancelled) {
      const p99Ms = sums.count > 0 ? this.#windowHistogram.getValueAtPercentile(99) / 1000 : 0;
      const boundMs = Math.min(this.command.timeoutMs, Math.max(unansweredMs, unansweredTimesP99 * p99Ms));
      errors.unanswered = ages.filter((age) => age >= boundMs).length;
      errors.total += errors.unanswered;
    }
    const perSecond = windowMs > 0 ? 1000 / windowMs : 0;
    const use: GeneratorUse = {
      windowMs,
      cpuUs,
      eventLoopUtilisation,
      connections: this.command.connections,
      requests: sums.count,
      meanMs: sums.count > 0 ? sums.sumUs / sums.count / 1000 : null,
      errors: errors.total,
    };
    const generator = generatorHealth(use);
    const latencyReasons = distrust(errors, unaccounted);
    return {
      cancelled: this.#cancelled,
      windowMs,
      requests: sums.count,
      bytes: this.#bytes,
      throughput: sums.count * perSecond,
      bytesPerSecond: this.#bytes * perSecond,
      latencySums: sums,
      histogram: encodeLatencyHistogram(this.#windowHistogram),
      latencyTrusted: latencyReasons.length === 0,
      latencyReasons,
      errors,
      inFlightAtEnd: ages.length,
      closedByServer: this.#closedByServer,
      generator,
      generatorSaturated: windowMs > 0 ? saturationReasons(generator, use) : [],
    };
  }
}

/**
 * Why latency is not to be trusted. Requests that were never answered are the slowest and are missing from it; and when requests do not add up to
 * answers, errors and those under way, an answer may have been timed from another request.
 */
function distrust(errors: ErrorCounts, unaccounted: number): string[] {
  const reasons: string[] = [];
  const silent = errors.timeout + errors.unanswered;
  if (silent > 0)
    reasons.push(
      `${silent === 1 ? 'One request' : `${silent} requests`} got no answer in time, so the slowest are missing from the latency.`,
    );
  if (unaccounted !== 0)
    reasons.push(
      `${Math.abs(unaccounted)} requests are neither answered nor failed nor under way, so latency may belong to other requests.`,
    );
  return reasons;
}
