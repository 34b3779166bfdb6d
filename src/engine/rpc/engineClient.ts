import { setTimeout as pause } from 'node:timers/promises';
import {
  type Message,
  CancellationTokenSource,
  ResponseError,
  StreamMessageReader,
  StreamMessageWriter,
  createMessageConnection,
} from 'vscode-jsonrpc/node';
import { FailureError, failure, failureSchema } from '../../model/domain/failure.ts';
import { inTime } from '../../model/domain/inTime.ts';
import {
  type NotificationName,
  type NotificationOf,
  type ParamsInput,
  type RequestName,
  type ResultOf,
  failureErrorCode,
  notifications,
  requests,
} from '../../model/protocol/protocol.ts';
import { engineGraceMs } from '../supervise/engineGrace.ts';
import { launchEngine } from '../supervise/launchEngine.ts';
import { lifeSign } from './engineServer.ts';

/** The engine, as its one client sees it. */
export interface EngineClient {
  readonly pid: number;
  /** What a person should know of its start, one sentence each. */
  readonly warnings: readonly string[];
  /** Rejects with a {@link FailureError}; an aborted signal cancels the request in the engine too. */
  request<N extends RequestName>(name: N, params: ParamsInput<N>, signal?: AbortSignal): Promise<ResultOf<N>>;
  on<N extends NotificationName>(name: N, listener: (value: NotificationOf<N>) => void): { dispose(): void };
  readonly closed: Promise<{ code: number | null; signal: string | null; stderrTail: string }>;
  /** Closes the pipe, on which the engine stops everything, and waits for its end. One that does not hear of it is killed. */
  dispose(): Promise<void>;
}

export interface EngineOptions {
  nodePath: string;
  enginePath: string;
  env?: Record<string, string>;
  initialize: ParamsInput<'engine/initialize'>;
  /** How long its first answer is waited for. */
  answerWithinMs?: number;
  /** Aborted when a person wants all of it to end: from then on an engine that does not answer is ended by force, whatever was asked of it. */
  signal?: AbortSignal;
}

/** It ends what earlier engines left, which may take a while. */
const firstAnswerMs = 60_000;

/** How long an engine may be busy before it answers a sign of life, once something was cancelled. */
const lifeSignWithinMs = 5_000;
/** Between two questions of that kind. */
const lifeSignEveryMs = 1_000;

/** A message that cannot be written was meant for an engine that has ended. Its end is reported separately. */
class EngineWriter extends StreamMessageWriter {
  override async write(message: Message): Promise<void> {
    await super.write(message).catch(() => undefined);
  }
}

/** Starts an engine process and greets it. */
export async function startEngine(options: EngineOptions): Promise<EngineClient> {
  const engine = await launchEngine(options.nodePath, options.enginePath, options.env ?? {}).catch((error: unknown) => {
    throw failure(
      'engine-not-started',
      `The Benchside engine could not be started: ${String(error)}.`,
      'Check the setting “benchside.nodePath”.',
    );
  });
  const connection = createMessageConnection(new StreamMessageReader(engine.stdout), new EngineWriter(engine.stdin));
  let open = true;
  let silent = false;
  const closed = engine.exited.then((exit) => {
    open = false;
    // Requests that still wait must learn that the engine has ended, not that a connection was disposed.
    setImmediate(() => connection.dispose());
    return { ...exit, stderrTail: engine.log.tail(30) };
  });
  const ended = closed.then((exit): never => {
    if (silent)
      throw failure(
        'engine-silent',
        `The Benchside engine did not answer within ${lifeSignWithinMs / 1000} s of being told to stop, and was ended with everything that it had started.`,
        'What was measured until then is not stored. Run the command again: the engine is started again.',
      );
    throw failure(
      'engine-ended',
      `The Benchside engine ended unexpectedly (${exit.signal ?? `code ${exit.code ?? 'unknown'}`}).`,
      undefined,
      exit.stderrTail,
    );
  });
  // Waiting calls are notified one by one: a race of each answer against this promise would keep every answer for as long as the engine lives.
  const waiting = new Set<(reason: unknown) => void>();
  ended.catch((reason: unknown) => {
    for (const reject of waiting) reject(reason);
  });
  connection.onError(() => undefined);
  connection.listen();
  let isWatched = false;
  /** Checks, after a cancellation, whether the engine reacts at all: a blocked one would keep the caller waiting for ever. */
  const watchLife = async (stillWaits: () => boolean): Promise<void> => {
    if (isWatched) return;
    isWatched = true;
    while (open && stillWaits()) {
      const answer = connection.sendRequest(lifeSign, {}).then(
        () => true,
        () => true,
      );
      if (!(await Promise.race([answer, pause(lifeSignWithinMs, false, { ref: false })])) && open) {
        silent = true;
        engine.kill();
        return;
      }
      await pause(lifeSignEveryMs, undefined, { ref: false });
    }
    isWatched = false;
  };
  const leaving = (): void => void watchLife(() => true);
  options.signal?.addEventListener('abort', leaving, { once: true });
  if (options.signal?.aborted === true) leaving();

  let warnings: readonly string[] = [];
  const client: EngineClient = {
    pid: engine.pid,
    get warnings() {
      return warnings;
    },
    closed,
    async request(name, params, signal) {
      if (!open) return ended;
      signal?.throwIfAborted();
      const source = new CancellationTokenSource();
      let waits = true;
      const cancel = (): void => {
        source.cancel();
        void watchLife(() => waits);
      };
      signal?.addEventListener('abort', cancel, { once: true });
      let forget = (): void => undefined;
      try {
        const answer = await new Promise<unknown>((resolve, reject) => {
          waiting.add(reject);
          forget = () => void waiting.delete(reject);
          connection.sendRequest(name, params, source.token).then(resolve, reject);
        });
        return requests[name].result.parse(answer) as never;
      } catch (error) {
        throw fromWire(error);
      } finally {
        waits = false;
        forget();
        signal?.removeEventListener('abort', cancel);
        source.dispose();
      }
    },
    on(name, listener) {
      return connection.onNotification(name, (value: unknown) => {
        const parsed = notifications[name].safeParse(value);
        if (parsed.success) listener(parsed.data as never);
      });
    },
    async dispose() {
      open = false;
      options.signal?.removeEventListener('abort', leaving);
      engine.stdin.end();
      const late = setTimeout(() => engine.kill(), engineGraceMs);
      await closed;
      clearTimeout(late);
    },
  };
  try {
    const answer = client.request('engine/initialize', options.initialize);
    ({ warnings } = await firstAnswer(answer, options.answerWithinMs ?? firstAnswerMs));
  } catch (error) {
    // An engine that could not be set up must not stay, or its pipes would keep us alive; one that is silent does not hear that it should end.
    if (error instanceof FailureError && error.failure.code === 'engine-silent') engine.kill();
    await client.dispose();
    throw error;
  }
  return client;
}

function firstAnswer<T>(answer: Promise<T>, withinMs: number): Promise<T> {
  return inTime(withinMs, answer, () => {
    const cure = 'Try again; if it stays so, check the setting “benchside.nodePath” and whether the machine is very busy.';
    throw failure('engine-silent', `The Benchside engine did not answer within ${withinMs / 1000} s, and was ended.`, cure);
  });
}

function fromWire(error: unknown): unknown {
  if (error instanceof ResponseError && error.code === failureErrorCode) {
    const parsed = failureSchema.safeParse(error.data);
    if (parsed.success) return new FailureError(parsed.data);
  }
  return error;
}
