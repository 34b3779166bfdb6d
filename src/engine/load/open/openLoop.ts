import { constants, setPriority } from 'node:os';
import { performance } from 'node:perf_hooks';
import type { Pool } from 'undici';
import type { BlockMeter } from '../blockMeter.ts';
import { lateStartMs } from '../generatorHealth.ts';
import type { LoadLoop } from '../loadLoop.ts';
import type { BlockCommand, OpenLoopCounts, OpenLoopPlan } from '../loadProtocol.ts';
import { type PortAuthority, portAuthorities } from '../loopback.ts';
import { type LostKind, lostKind } from '../lostKind.ts';
import { AnswerChecks } from '../answerChecks.ts';
import { type AnswerError, answerError } from '../answerError.ts';
import type { RawBlock } from '../raw/rawBlock.ts';
import { type RequestParts, RequestSequence } from '../requestSequence.ts';
import { TargetPools } from '../targetPools.ts';
import { lookEveryMs } from '../blockEnd.ts';
import { poll } from '../../supervise/pause.ts';
import { OpenRequest } from './openRequest.ts';
import { Pacer } from './pacer.ts';

/** How long the answers to a window's last requests are waited for after it has closed. */
const longestDrainMs = 1000;

/**
 * Open-loop load: requests are sent at evenly spaced times, whether earlier ones were answered or not, as the users of a service do who do not know of each
 * other. Latency counts from the time at which a request was to be sent, so that a server, or a generator, that stops for a while is charged with
 * all who had to wait meanwhile. Several ports get the requests in turn.
 *
 * Each request in progress has a connection of its own (keep-alive, no pipelining). They are opened as they are needed, which settling does at the block's own
 * rate, and closed when nothing has needed them for 4 s.
 */
export class OpenLoop implements LoadLoop {
  readonly #ports: readonly PortAuthority[];
  readonly #pools: readonly Pool[];
  readonly #opened: TargetPools;
  readonly #sequence: RequestSequence;
  readonly #pacer: Pacer;
  readonly #checks: AnswerChecks | null;
  /** Ordered by their intended times. */
  readonly #underWay = new Set<OpenRequest>();
  readonly #listener = {
    onAnswered: (request: OpenRequest) => this.#answered(request),
    onFailed: (request: OpenRequest, error: NodeJS.ErrnoException) => this.#failed(request, error),
  };
  readonly thoughtMs = null;
  #sent = 0;
  /** Requests from this index on belong to the window; none do before it opens. */
  #windowFrom = Infinity;
  #windowTo = Infinity;
  #windowSent = 0;
  #windowLate = 0;
  #windowDropped = 0;

  /** Fails when the host is not loopback. */
  constructor(
    private readonly command: BlockCommand,
    private readonly plan: OpenLoopPlan,
    private readonly meter: BlockMeter,
    private readonly raw: RawBlock | null = null,
  ) {
    this.#ports = portAuthorities(command.host, [command.port, ...command.morePorts], command.socketPath);
    this.#checks = AnswerChecks.of(command.mix);
    this.#opened = new TargetPools(command.tls);
    this.#pools = this.#ports.map((port) => this.#opened.poolOf(port));
    this.#sequence = new RequestSequence(command.mix, command.seed, ...this.#ports.map(({ authority }) => authority));
    this.#pacer = new Pacer({
      ratePerS: plan.ratePerS,
      onDue: (index, intendedMs) => this.#send(index, intendedMs),
      onWake: (now) => this.#timeOut(now),
    });
  }

  get sent(): number {
    return this.#sent;
  }

  start(): void {
    preferOwnThread(true);
    this.#pacer.start();
  }

  beginWindow(now: number): void {
    // What was due before belongs to what was before; at a lap, endWindow has just seen to it.
    if (this.#windowTo === Infinity) this.#pacer.catchUp(now);
    this.#windowFrom = this.#pacer.next;
    this.#windowTo = Infinity;
    this.#windowSent = 0;
    this.#windowLate = 0;
    this.#windowDropped = 0;
  }

  endWindow(now: number): OpenLoopCounts {
    if (this.#windowFrom === Infinity) return { intended: 0, sent: 0, late: 0, dropped: 0 };
    this.#pacer.catchUp(now);
    this.#windowTo = this.#pacer.next;
    return {
      intended: this.#windowTo - this.#windowFrom,
      sent: this.#windowSent,
      late: this.#windowLate,
      dropped: this.#windowDropped,
    };
  }

  agesMs(now: number): number[] {
    return Array.from(this.#underWay, (request) => now - request.sinceMs);
  }

  drain(): Promise<void> {
    this.#pacer.stop();
    const deadline = performance.now() + longestDrainMs;
    return this.#untilAnswered(() => performance.now() < deadline);
  }

  settle(now: number): void {
    for (const request of this.#underWay) if (this.#isOfWindow(request)) this.meter.recordIntended(now - request.sinceMs);
  }

  async close(mayWait: () => boolean): Promise<void> {
    this.#pacer.stop();
    preferOwnThread(false);
    await this.#untilAnswered(mayWait);
    for (const request of this.#underWay) request.abandon();
    this.#underWay.clear();
    await Promise.all(this.#pools.map((pool) => pool.destroy()));
    await this.#opened.close();
  }

  async #untilAnswered(mayWait: () => boolean): Promise<void> {
    const isAnswered = (): boolean => {
      this.#timeOut(performance.now());
      return this.#underWay.size === 0;
    };
    await poll(isAnswered, { everyMs: lookEveryMs, isOver: () => !mayWait() });
  }

  #send(index: number, intendedMs: number): void {
    const to = index % this.#pools.length;
    const pool = this.#pools[to];
    if (pool === undefined || this.#underWay.size >= this.plan.maxInFlight) {
      this.#windowDropped += 1;
      // The next request is the same whether this one was sent or not.
      this.#sequence.skip();
      return;
    }
    const now = performance.now();
    if (now - intendedMs > lateStartMs) this.#windowLate += 1;
    this.#windowSent += 1;
    this.#sent += 1;
    const request = new OpenRequest(index, Math.min(intendedMs, now), this.#listener);
    this.#underWay.add(request);
    pool.dispatch(this.#parts(to, request), request);
  }

  #parts(to: number, request: OpenRequest): RequestParts {
    const { raw } = this;
    const parts =
      raw === null
        ? this.#sequence.nextParts(to)
        : this.#sequence.nextParts(to, (route) => {
            request.tag = raw.issue(route);
            return raw.headerList(request.tag);
          });
    request.entry = this.#sequence.entry;
    if (this.#checks?.readsBody(request.entry) === true) request.keepBody();
    return parts;
  }

  #keep(request: OpenRequest, latencyMs: number, error: AnswerError | LostKind): void {
    const { tag, sinceMs: startMs, bytes, serverTiming, statusCode } = request;
    if (this.raw === null || tag === null) return;
    const status = error === 'refused' || error === 'reset' || error === 'timeout' ? 0 : statusCode;
    const counted = error === '' ? this.meter.open : this.meter.countsErrors;
    this.raw.ended(tag, {
      startMs,
      latencyMs,
      status,
      bytes,
      error,
      serverTiming,
      counted,
      timed: error === '' && this.#isOfWindow(request),
    });
  }

  #answered(request: OpenRequest): void {
    const latencyMs = performance.now() - request.sinceMs;
    const error = this.#checks?.judge(request.entry, request.statusCode, request.body) ?? answerError(request.statusCode);
    this.#keep(request, latencyMs, error);
    this.#underWay.delete(request);
    this.meter.answered(error, request.bytes, latencyMs);
    if (request.closes) this.meter.closedByServer();
    if (error === '' && this.#isOfWindow(request)) this.meter.recordIntended(latencyMs);
  }

  #failed(request: OpenRequest, error: NodeJS.ErrnoException): void {
    this.#underWay.delete(request);
    const kind = lostKind(error);
    this.meter.lost(kind);
    this.#keep(request, performance.now() - request.sinceMs, kind);
  }

  #timeOut(now: number): void {
    for (const request of this.#underWay) {
      if (now - request.sinceMs < this.command.timeoutMs) return;
      this.#underWay.delete(request);
      this.meter.lost('timeout');
      this.#keep(request, now - request.sinceMs, 'timeout');
      request.abandon();
    }
  }

  #isOfWindow({ index }: OpenRequest): boolean {
    return index >= this.#windowFrom && index < this.#windowTo;
  }
}

/**
 * On a full machine a sender that waits for its turn starts late, and what was measured is the machine's scheduler. Where it is allowed (as root, or
 * on Windows) it goes first; the little that it takes is the same for every setting.
 */
function preferOwnThread(preferred: boolean): void {
  try {
    setPriority(0, preferred ? constants.priority.PRIORITY_HIGH : constants.priority.PRIORITY_NORMAL);
  } catch {
    // An ordinary user may not; late starts are counted either way.
  }
}
