import { parsedJson } from '../files/parsedJson.ts';
import { failure } from '../../model/domain/failure.ts';
import { wholeLines } from '../supervise/lineSplitter.ts';
import type { Child, Supervisor } from '../supervise/supervisor.ts';
import { exitPhrase } from '../../model/domain/exitWords.ts';
import { longestGraceMs } from './blockEnd.ts';
import { lapTooLate } from './lapTooLate.ts';
import { fromWorkerSchema } from './loadProtocol.ts';
import type { BlockCommand, FromWorker, LoadTick, MixRequest } from './loadProtocol.ts';
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

interface CurrentSlices {
  id: number;
  options: SliceOptions;
  /** What turning failed with: there is no result. */
  failed?: Error;
  resolve: (result: SlicesResult) => void;
  reject: (error: Error) => void;
}

interface CurrentBlock {
  id: number;
  mode: BlockCommand['mode'];
  options: BlockOptions;
  lap: { resolve: (result: BlockResult) => void; reject: (error: Error) => void } | undefined;
  lapAt: number;
  windowStart: number;
  windowEnd: number;
  resolve: (result: BlockResult) => void;
  reject: (error: Error) => void;
}

/** The engine's side of the load generator: one worker process for a whole run, one block at a time. */
export class LoadGenerator {
  #child: Child | undefined;
  #current: CurrentBlock | undefined;
  #slices: CurrentSlices | undefined;
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
      cwd: options.cwd ?? process.cwd(),
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
      generator.#endSlices(generator.#ended);
      throw generator.#ended;
    });
    died.catch(() => undefined);
    // The reason is set before the process ends, so that its end does not count as a crash.
    const giveUp = async (reason: Error): Promise<Error> => {
      generator.#ended ??= reason;
      await child.stop();
      return generator.#ended;
    };
    const onAbort = (): void => void giveUp(abortReason(signal));
    signal?.addEventListener('abort', onAbort, { once: true });
    if (signal?.aborted === true) onAbort();
    try {
      await within(timeoutMs, Promise.race([ready, died]), () =>
        giveUp(stuck(`did not start within ${Math.round(timeoutMs / 1000)} s`, child)),
      );
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
          this.#stopCurrent();
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
    const child = this.#child;
    if (this.#ended !== undefined) throw this.#ended;
    if (child === undefined || current === undefined || current.mode === 'warmUp') {
      throw failure('load-no-block', 'No measured load is running.', 'Start a block of load, and take laps while it runs.');
    }
    if (current.lap !== undefined) throw failure('load-busy', 'A lap is being taken already.', 'Wait for it.');
    return new Promise<BlockResult>((resolve, reject) => {
      current.lap = { resolve, reject };
      void child.write(`${JSON.stringify({ type: 'lap', id: current.id })}\n`);
    });
  }

  /**
   * Turns the load from side to side in the order of `plan`, and resolves with what each side measured. Server errors are in the result. Fails as
   * {@link runBlock} does, and with whatever `onSlice` rejects with.
   */
  async runSlices(plan: SlicePlan, options: SliceOptions = {}): Promise<SlicesResult> {
    const child = this.#idle();
    options.signal?.throwIfAborted();
    const id = this.#nextId++;
    const entrances = plan.entrances.map((entrance) => ({
      ...entrance,
      host: loopbackAddress(entrance.host),
      mix: entrance.keepAlive ? entrance.mix : entrance.mix.map(closing),
    }));
    const result = new Promise<SlicesResult>((resolve, reject) => (this.#slices = { id, options, resolve, reject }));
    const cancel = (): void => {
      this.#sendStop(id);
      setTimeout(() => this.#endSlices(abortReason(options.signal), id), cancelMs).unref();
    };
    options.signal?.addEventListener('abort', cancel, { once: true });
    try {
      void child.write(`${JSON.stringify({ type: 'slices', id, ...plan, entrances })}\n`);
      const connections = entrances.reduce((sum, one) => sum + one.connections, 0);
      const longestMs =
        plan.order.reduce((sum, side) => sum + (plan.sides[side]?.sliceMs ?? 0) + longestGraceMs, 0) +
        lateMs +
        connections * latePerConnectionMs;
      const measured = await within(longestMs, result, () => this.#endStuck(child));
      if (options.signal?.aborted === true) throw abortReason(options.signal);
      return measured;
    } finally {
      options.signal?.removeEventListener('abort', cancel);
      if (this.#slices?.id === id) this.#slices = undefined;
    }
  }

  /** Ends the worker; a running block rejects. */
  async stop(): Promise<void> {
    this.#ended ??= failure('load-generator-stopped', 'The load generator was stopped.', 'Run the benchmark again.');
    await this.#child?.stop();
  }

  async #run(mode: BlockCommand['mode'], plan: BlockPlan, options: BlockOptions): Promise<BlockResult> {
    const child = this.#idle();
    options.signal?.throwIfAborted();
    const id = this.#nextId++;
    const command = {
      type: 'block',
      id,
      mode,
      ...plan,
      host: loopbackAddress(plan.host),
      mix: plan.keepAlive === false ? plan.mix.map(closing) : plan.mix,
    };
    const result = new Promise<BlockResult>((resolve, reject) => {
      this.#current = { id, mode, options, lap: undefined, lapAt: 0, windowStart: 0, windowEnd: 0, resolve, reject };
    });
    const cancel = (): void => {
      this.#sendStop(id);
      setTimeout(() => this.#endCurrent(abortReason(options.signal), id), cancelMs).unref();
    };
    options.signal?.addEventListener('abort', cancel, { once: true });
    try {
      void child.write(`${JSON.stringify(command)}\n`);
      const longestMs = plan.settleMs + plan.windowMs + longestGraceMs + lateMs + plan.connections * latePerConnectionMs;
      const measured = await within(longestMs, result, () => this.#endStuck(child));
      if (options.signal?.aborted === true) throw abortReason(options.signal);
      return measured;
    } finally {
      options.signal?.removeEventListener('abort', cancel);
      this.#forget(id);
    }
  }

  /** The worker, which has nothing to do. */
  #idle(): Child {
    if (this.#ended !== undefined) throw this.#ended;
    if (this.#child === undefined || this.#current !== undefined || this.#slices !== undefined)
      throw failure('load-busy', 'The load generator is already running a block.', 'Wait until it has ended.');
    return this.#child;
  }

  async #endStuck(child: Child): Promise<Error> {
    this.#ended ??= stuck('did not end its block in time', child);
    await child.stop();
    return this.#ended;
  }

  #endSlices(error: Error, id = this.#slices?.id): void {
    const slices = this.#slices;
    if (slices === undefined || slices.id !== id) return;
    this.#slices = undefined;
    slices.reject(error);
  }

  async #turn(slices: CurrentSlices, side: number): Promise<void> {
    const { id, options } = slices;
    try {
      await options.onSlice?.(side);
      void this.#child?.write(`${JSON.stringify({ type: 'turned', id })}\n`);
    } catch (error) {
      // The worker says when it has closed its connections, and only then can it be asked again.
      slices.failed = error instanceof Error ? error : new Error(String(error));
      this.#sendStop(id);
    }
  }

  #stopCurrent(): void {
    if (this.#current !== undefined) this.#sendStop(this.#current.id);
  }

  #sendStop(id: number): void {
    void this.#child?.write(`${JSON.stringify({ type: 'stop', id })}\n`);
  }

  #forget(id: number): void {
    if (this.#current?.id === id) this.#current = undefined;
  }

  #endCurrent(error: Error, id = this.#current?.id): void {
    const current = this.#current;
    if (current === undefined || current.id !== id) return;
    this.#current = undefined;
    current.lap?.reject(error);
    current.reject(error);
  }

  #receive(line: string): void {
    const message = parse(line);
    // Anything else that the process printed is in its log.
    if (message === null) return;
    if (message instanceof Error) {
      this.#endCurrent(message);
      this.#endSlices(message);
      return;
    }
    if (message.type === 'ready') {
      this.#ready();
      return;
    }
    if (this.#slices !== undefined && message.id === this.#slices.id) {
      this.#receiveOfSlices(message, this.#slices);
      return;
    }
    const current = this.#current;
    if (current === undefined || (message.id !== null && message.id !== current.id)) return;
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
      case 'failed': {
        this.#endCurrent(asError(message.failure));
        break;
      }
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
        this.#slices = undefined;
        if (slices.failed === undefined) slices.resolve({ sides: message.sides, slices: message.slices });
        else slices.reject(slices.failed);
        break;
      case 'failed':
        this.#endSlices(asError(message.failure));
        break;
    }
  }
}

function asError({ code, message, cure, detail }: Extract<FromWorker, { type: 'failed' }>['failure']): Error {
  return failure(code, message, cure, detail);
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
  return lines
    .filter((line) => !line.startsWith('{"type":'))
    .slice(-20)
    .join('\n');
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

/** What `promise` gives, or the failure that `late` makes when it has not within `ms`. */
async function within<T>(ms: number, promise: Promise<T>, late: () => Promise<Error>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const tooLate = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => void late().then(reject, reject), ms);
  });
  try {
    return await Promise.race([promise, tooLate]);
  } finally {
    clearTimeout(timer);
  }
}
