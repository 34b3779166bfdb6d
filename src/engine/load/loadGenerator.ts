import { parsedJson } from '../files/parsedJson.ts';
import { failure, FailureError } from '../../model/domain/failure.ts';
import { wholeLines } from '../supervise/lineSplitter.ts';
import type { Child, Supervisor } from '../supervise/supervisor.ts';
import { exitPhrase } from '../../model/domain/exitWords.ts';
import { inTime } from '../../model/domain/inTime.ts';
import { longestGraceMs } from './blockEnd.ts';
import { lapTooLate } from './lapTooLate.ts';
import { type BlockCommand, type FromWorker, type LoadTick, type MixRequest, fromWorkerSchema } from './loadProtocol.ts';
import type {
  BlockOptions,
  BlockPlan,
  BlockResult,
  SliceOptions,
  SlicePlan,
  SlicesResult,
  StartOptions,
  WarmUpOptions,
  WarmUpResult,
} from './loadPlans.ts';
import { loopbackAddress } from './loopback.ts';
import { machineMs } from './machineClock.ts';

/** Detects a hang: a worker needs a tenth of a second of processor time, for which it waited 10 s and more on a busy machine. */
const startTimeoutMs = 60_000;
/** How much longer than planned a block may take before the worker is held to be stuck. */
const lateMs = 5_000;
/** And this much for each of its connections, which open before its time begins and close after its end; an idle machine takes a fraction of it. */
const latePerConnectionMs = 3;
/** How long a cancelled block's result is waited for; the worker needs about 50 ms. */
const cancelMs = 250;

interface CurrentSlices extends Settling<SlicesResult> {
  mode: 'slices';
  id: number;
  options: SliceOptions;
  /** What turning failed with: there is no result. */
  failed?: Error;
}

/** How the promise of a result is settled. */
interface Settling<Result> {
  resolve: (result: Result) => void;
  reject: (error: Error) => void;
}

interface CurrentBlock extends Settling<BlockResult> {
  id: number;
  mode: BlockCommand['mode'];
  options: BlockOptions;
  lap: Settling<BlockResult> | undefined;
  lapAt: number;
  windowStart: number;
  windowEnd: number;
}

/** The engine's side of the load generator: one worker process for a whole run, one block at a time. */
export class LoadGenerator {
  #child: Child | undefined;
  #current: CurrentBlock | CurrentSlices | undefined;
  #nextId = 1;
  #ended: Error | undefined;
  #ready: () => void = () => undefined;

  /**
   * Starts the worker with the Node at `nodePath` and waits until it is ready. Fails with `load-generator-died` or `load-generator-stuck`
   * when it is not, and with the signal's reason.
   */
  static async start(supervisor: Supervisor, options: StartOptions): Promise<LoadGenerator> {
    const { signal, timeoutMs = startTimeoutMs } = options;
    signal?.throwIfAborted();
    const generator = new LoadGenerator();
    const ready = new Promise<void>((resolve) => (generator.#ready = resolve));
    const receive = wholeLines((line) => generator.#receive(line));
    const child = await supervisor.start({
      name: 'load generator',
      kind: 'load',
      argv: [options.nodePath, options.workerPath],
      cwd: process.cwd(),
      env: options.env,
      stdin: 'pipe',
      captureLines: (stream, piece) => {
        if (stream === 'stdout') receive(piece);
      },
    });
    generator.#child = child;
    const died = child.exited.then((exit) => {
      generator.#ended ??= failure(
        'load-generator-died',
        `The load generator ${exitPhrase(exit)}.`,
        'Run the benchmark again; if it happens again, look at its last lines in the log.',
        lastWords(child),
      );
      generator.#endCurrent(generator.#ended);
      throw generator.#ended;
    });
    died.catch(() => undefined);
    const onAbort = (): void => void generator.#giveUp(abortReason(signal));
    signal?.addEventListener('abort', onAbort, { once: true });
    if (signal?.aborted === true) onAbort();
    try {
      await inTime(timeoutMs, Promise.race([ready, died]), async () => {
        throw await generator.#giveUp(stuck(`did not start within ${Math.round(timeoutMs / 1000)} s`, child));
      });
    } finally {
      signal?.removeEventListener('abort', onAbort);
    }
    return generator;
  }

  get pid(): number {
    return this.#child?.pid ?? 0;
  }

  /**
   * Puts the load of `plan` on its target and resolves with what was measured. Server errors are in the result. Rejects with the signal's reason
   * within 300 ms of an abort, with `not-loopback`, with `scenario-invalid` for roles that make no sense, and with `load-generator-died` or
   * `load-generator-stuck`.
   */
  async runBlock(plan: BlockPlan, options: BlockOptions = {}): Promise<BlockResult> {
    return this.#run('measure', plan, options);
  }

  /**
   * Puts load on the target until `isSteady` says so, at least for `minMs` and at most for `maxMs`. `settleMs` and `windowMs` of the plan are
   * not used. Fails as {@link runBlock} does.
   */
  async warmUp(plan: BlockPlan, { isSteady, minMs, maxMs, onTick, ...options }: WarmUpOptions): Promise<WarmUpResult> {
    const ticks: LoadTick[] = [];
    let steady = false;
    const result = await this.#run(
      'warmUp',
      { ...plan, settleMs: 0, windowMs: maxMs },
      {
        ...options,
        onTick: (tick) => {
          onTick?.(tick);
          ticks.push(tick);
          if (steady || tick.elapsedMs < minMs || !isSteady(ticks)) return;
          steady = true;
          if (this.#current !== undefined) this.#send({ type: 'stop', id: this.#current.id });
        },
      },
    );
    return { durationMs: result.windowMs, steady, ticks, requests: result.requests, errors: result.errors };
  }

  /**
   * While a block runs: what was measured since its window opened, or since the last lap. A new window begins at the same moment, without a break in the load
   * and on the same connections, so that in the end {@link runBlock} gives only what came after the last lap. `windowStart` and `windowEnd` are this lap's. A
   * lap asked for before the window has opened ends at the first tick after that with an answer or an error, or at the third. In an open loop, requests in
   * progress count in this lap with the time they have waited, and in no other.
   *
   * Rejects with `load-no-block` when no measured block runs, with `load-busy` while another lap is awaited, with `load-lap-too-late` when the block
   * ends first, and as the block does when it fails or is aborted.
   */
  async lap(): Promise<BlockResult> {
    const current = this.#current;
    if (this.#ended !== undefined) throw this.#ended;
    if (current === undefined || current.mode === 'slices' || current.mode === 'warmUp') {
      throw failure('load-no-block', 'No measured load is running.', 'Start a block of load, and take laps while it runs.');
    }
    if (current.lap !== undefined) throw failure('load-busy', 'A lap is being taken already.', 'Wait for it.');
    return new Promise<BlockResult>((resolve, reject) => {
      current.lap = { resolve, reject };
      this.#send({ type: 'lap', id: current.id });
    });
  }

  /**
   * Turns the load from side to side in the order of `plan`, and resolves with what each side measured. Server errors are in the result. Fails as
   * {@link runBlock} does, and with whatever `onSlice` rejects with.
   */
  async runSlices(plan: SlicePlan, options: SliceOptions = {}): Promise<SlicesResult> {
    const slicesMs = plan.order.reduce((sum, side) => sum + (plan.sides[side]?.sliceMs ?? 0) + longestGraceMs, 0);
    const connections = plan.entrances.reduce((sum, one) => sum + one.connections, 0);
    return this.#execute<SlicesResult>(
      options.signal,
      slicesMs + lateMs + connections * latePerConnectionMs,
      (id) => {
        const entrances = plan.entrances.map((entrance) => ({
          ...entrance,
          host: loopbackAddress(entrance.host),
          mix: entrance.keepAlive ? entrance.mix : entrance.mix.map(closing),
        }));
        return { type: 'slices', id, ...plan, entrances };
      },
      (id, result) => ({ mode: 'slices', id, options, ...result }),
    );
  }

  /** Ends the worker; a running block rejects. */
  async stop(): Promise<void> {
    await this.#giveUp(failure('load-generator-stopped', 'The load generator was stopped.', 'Run the benchmark again.'));
  }

  async #run(mode: BlockCommand['mode'], plan: BlockPlan, options: BlockOptions): Promise<BlockResult> {
    const longestMs = plan.settleMs + plan.windowMs + longestGraceMs + lateMs + plan.connections * latePerConnectionMs;
    return this.#execute<BlockResult>(
      options.signal,
      longestMs,
      (id) => ({
        type: 'block',
        id,
        mode,
        ...plan,
        host: loopbackAddress(plan.host),
        mix: plan.keepAlive === false ? plan.mix.map(closing) : plan.mix,
      }),
      (id, result) => ({ id, mode, options, lap: undefined, lapAt: 0, windowStart: 0, windowEnd: 0, ...result }),
    );
  }

  /** Gives the worker a command and waits for its result: after an abort not for long, and at most for `longestMs`. */
  async #execute<Result>(
    signal: AbortSignal | undefined,
    longestMs: number,
    command: (id: number) => object,
    current: (id: number, result: Settling<Result>) => CurrentBlock | CurrentSlices,
  ): Promise<Result> {
    const child = this.#idle();
    signal?.throwIfAborted();
    const id = this.#nextId++;
    const message = command(id);
    const result = new Promise<Result>((resolve, reject) => (this.#current = current(id, { resolve, reject })));
    const cancel = (): void => {
      this.#send({ type: 'stop', id });
      setTimeout(() => this.#endCurrent(abortReason(signal), id), cancelMs).unref();
    };
    signal?.addEventListener('abort', cancel, { once: true });
    try {
      this.#send(message);
      const measured = await inTime(longestMs, result, async () => {
        throw await this.#giveUp(stuck('did not end its block in time', child));
      });
      if (signal?.aborted === true) throw abortReason(signal);
      return measured;
    } finally {
      signal?.removeEventListener('abort', cancel);
      if (this.#current?.id === id) this.#current = undefined;
    }
  }

  #send(message: object): void {
    void this.#child?.write(`${JSON.stringify(message)}\n`);
  }

  /** The worker, which has nothing to do. */
  #idle(): Child {
    if (this.#ended !== undefined) throw this.#ended;
    if (this.#child === undefined || this.#current !== undefined)
      throw failure('load-busy', 'The load generator is already running a block.', 'Wait until it has ended.');
    return this.#child;
  }

  /** Ends the worker. The reason is set before its process ends, so that this does not count as a crash. */
  async #giveUp(reason: Error): Promise<Error> {
    this.#ended ??= reason;
    await this.#child?.stop();
    return this.#ended;
  }

  async #turn(slices: CurrentSlices, side: number): Promise<void> {
    const { id, options } = slices;
    try {
      await options.onSlice?.(side);
      this.#send({ type: 'turned', id });
    } catch (error) {
      // The worker says when it has closed its connections, and only then can it be asked again.
      slices.failed = error instanceof Error ? error : new Error(String(error));
      this.#send({ type: 'stop', id });
    }
  }

  #endCurrent(error: Error, id = this.#current?.id): void {
    const current = this.#current;
    if (current === undefined || current.id !== id) return;
    this.#current = undefined;
    if (current.mode !== 'slices') current.lap?.reject(error);
    current.reject(error);
  }

  #receive(line: string): void {
    const message = parse(line);
    // Anything else that the process printed is in its log.
    if (message === null) return;
    if (message instanceof Error) {
      this.#endCurrent(message);
      return;
    }
    if (message.type === 'ready') {
      this.#ready();
      return;
    }
    const current = this.#current;
    if (current === undefined || (message.id !== null && message.id !== current.id)) return;
    if (message.type === 'failed') this.#endCurrent(new FailureError(message.failure));
    else if (current.mode === 'slices') this.#receiveOfSlices(message, current);
    else this.#receiveOfBlock(message, current);
  }

  #receiveOfBlock(message: FromWorker, current: CurrentBlock): void {
    switch (message.type) {
      case 'tick':
        current.options.onTick?.(message.tick);
        break;
      case 'window':
        if (message.edge === 'lap') {
          current.lapAt = performance.now();
          break;
        }
        if (message.edge === 'open') current.windowStart = performance.now();
        else current.windowEnd = performance.now();
        current.options.onWindow?.(message.edge, Math.max(0, machineMs() - message.atMs));
        break;
      case 'lap': {
        const { lap, lapAt, windowStart } = current;
        current.lap = undefined;
        current.windowStart = lapAt;
        lap?.resolve({ ...message.result, windowStart, windowEnd: lapAt });
        break;
      }
      case 'result':
        this.#current = undefined;
        current.lap?.reject(current.options.signal?.aborted === true ? abortReason(current.options.signal) : lapTooLate());
        current.resolve({ ...message.result, windowStart: current.windowStart, windowEnd: current.windowEnd });
        break;
    }
  }

  #receiveOfSlices(message: FromWorker, slices: CurrentSlices): void {
    switch (message.type) {
      case 'slice':
        void this.#turn(slices, message.side);
        break;
      case 'sideTick':
        slices.options.onTick?.(message.side, message.tick);
        break;
      case 'slices':
        this.#current = undefined;
        if (slices.failed === undefined) slices.resolve({ sides: message.sides, slices: message.slices });
        else slices.reject(slices.failed);
        break;
    }
  }
}

/** The request, with the wish that the connection be closed after its answer. */
function closing(request: MixRequest): MixRequest {
  const others = Object.entries(request.headers).filter(([name]) => name.toLowerCase() !== 'connection');
  return { ...request, headers: { ...Object.fromEntries(others), Connection: 'close' } };
}

function parse(line: string): FromWorker | Error | null {
  const document = parsedJson(line);
  if (document === undefined) return null;
  const message = fromWorkerSchema.safeParse(document);
  if (message.success) return message.data;
  return failure(
    'load-protocol',
    'The load generator sent a message that is not understood.',
    'Build Benchside again, so that the engine and the load generator are of one version.',
    message.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`).join('\n'),
  );
}

/** What the worker printed last, without its messages: a stack, or Node's complaint. */
function lastWords(child: Child): string {
  const lines = child.log.tail(200).split('\n');
  const words = lines.filter((line) => !line.startsWith('{"type":'));
  return words.slice(-20).join('\n');
}

function stuck(what: string, child: Child): Error {
  return failure(
    'load-generator-stuck',
    `The load generator ${what}.`,
    'Run the benchmark again when the machine is less busy.',
    lastWords(child),
  );
}

function abortReason(signal: AbortSignal | undefined): Error {
  const reason: unknown = signal?.reason;
  return reason instanceof Error ? reason : new DOMException('Cancelled.', 'AbortError');
}
