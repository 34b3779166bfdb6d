import { failure, FailureError } from '../../../src/model/domain/failure.ts';
import type { FlameModel } from '../core/flameModel.ts';
import type { FlameAnswer, FlameRequest, FlameRequestKind, FromFlameWorker, ThrownInWorker, ToFlameWorker } from './workerMessages.ts';

/** The bundled text of `flameWorker.ts`, put in by the build: a page of VS Code cannot load a worker by its address. */
declare const FLAME_WORKER_SOURCE: string;

/** What is used of a `Worker`. */
export interface WorkerLike {
  postMessage(message: ToFlameWorker, transfer: Transferable[]): void;
  terminate(): void;
  onmessage: ((event: MessageEvent<FromFlameWorker>) => void) | null;
  onerror: ((event: ErrorEvent) => void) | null;
  onmessageerror: ((event: MessageEvent) => void) | null;
}

/** A regular expression that the worker's own guard did not notice is ended with the worker. */
const maxRegexMs = 15_000;

interface Waiting {
  request: FlameRequest;
  /** Requests of one topic supersede each other; null: all are served. */
  topic: string | null;
  resolve: (answer: unknown) => void;
  reject: (reason: Error) => void;
}

/**
 * A model with a worker of its own.
 * Opening and closing are served in the order in which they were asked for. A failure rejects with a `FailureError`; when the worker stops, what
 * was asked of it and everything after that reject with the code `flame-worker-stopped`.
 */
export function createFlameModel(): FlameModel {
  const address = URL.createObjectURL(new Blob([FLAME_WORKER_SOURCE], { type: 'text/javascript' }));
  const worker = new Worker(address, { name: 'flame graph' });
  const model = modelOver(worker);
  return {
    ...model,
    dispose: () => {
      model.dispose();
      URL.revokeObjectURL(address);
    },
  };
}

/** A model over a worker that was started already; it ends with the model. */
export function modelOver(worker: WorkerLike): FlameModel {
  const queue: Waiting[] = [];
  /** The one request that the worker has. Later ones wait here, where they can still be superseded. */
  let running: Waiting | null = null;
  let nextId = 1;
  let stopped: Error | null = null;
  let watch: ReturnType<typeof setTimeout> | undefined;

  const sendNext = (): void => {
    if (running !== null || stopped !== null) return;
    running = queue.shift() ?? null;
    if (running === null) return;
    const { request } = running;
    if (request.kind === 'search' && request.args[1])
      watch = setTimeout(() => stop(crashed('a regular expression took too long')), maxRegexMs);
    try {
      const packed: unknown = request.args.at(1);
      worker.postMessage({ ...request, id: nextId }, packed instanceof Uint8Array ? [packed.buffer as ArrayBuffer] : []);
    } catch (thrown) {
      running.reject(thrown instanceof Error ? thrown : new Error(String(thrown)));
      running = null;
      sendNext();
    }
  };

  const stop = (reason: Error): void => {
    if (stopped !== null) return;
    stopped = reason;
    clearTimeout(watch);
    worker.terminate();
    const left = running === null ? queue.splice(0) : [running, ...queue.splice(0)];
    running = null;
    for (const { reject } of left) reject(reason);
  };

  worker.onmessage = ({ data }) => {
    if (running === null || data.id !== nextId) return;
    const { resolve, reject } = running;
    clearTimeout(watch);
    running = null;
    nextId += 1;
    if (data.ok) resolve(data.answer);
    else reject(rebuilt(data.thrown));
    sendNext();
  };
  worker.onerror = (event) => {
    event.preventDefault();
    stop(crashed(event.message));
  };
  worker.onmessageerror = () => stop(crashed('a message could not be read'));

  const ask = <Kind extends FlameRequestKind>(
    kind: Kind,
    args: Parameters<FlameModel[Kind]>,
    topic: string | null = null,
  ): Promise<FlameAnswer<Kind>> =>
    new Promise((resolve, reject) => {
      if (stopped !== null) {
        reject(stopped);
        return;
      }
      const earlier = topic === null ? -1 : queue.findIndex((waiting) => waiting.topic === topic);
      if (earlier !== -1)
        for (const { reject: supersede } of queue.splice(earlier, 1)) supersede(aborted('A later request took its place.'));
      queue.push({ request: { kind, args } as FlameRequest, topic, resolve: resolve as (answer: unknown) => void, reject });
      sendNext();
    });
  /** For what gives nothing back: when the worker has stopped, the next question says so. */
  const tell = (answer: Promise<void>): void => void answer.catch(() => undefined);

  return {
    openSkeleton: (...args) => ask('openSkeleton', args),
    openTree: (...args) => ask('openTree', args),
    openSamples: (...args) => ask('openSamples', args),
    setRequests: (...args) => tell(ask('setRequests', args)),
    close: (...args) => tell(ask('close', args)),
    layout: (...args) => ask('layout', args, 'layout'),
    sandwich: (...args) => ask('sandwich', args, `sandwich ${args[1].direction}`),
    search: (...args) => ask('search', args, 'search'),
    table: (...args) => ask('table', args, 'table'),
    sentence: (...args) => ask('sentence', args, 'sentence'),
    threadStrip: (...args) => ask('threadStrip', args, 'threadStrip'),
    dispose: () => stop(aborted('The flame graph was closed.')),
  };
}

function aborted(message: string): DOMException {
  return new DOMException(message, 'AbortError');
}

function crashed(detail: string): FailureError {
  return failure(
    'flame-worker-stopped',
    'The part of this page that computes flame graphs has stopped.',
    'Close this view and open the recording again.',
    detail,
  );
}

function rebuilt({ name, message, failure: value }: ThrownInWorker): Error {
  if (value !== null) return new FailureError(value);
  return name === 'SyntaxError' ? new SyntaxError(message) : new Error(message);
}
