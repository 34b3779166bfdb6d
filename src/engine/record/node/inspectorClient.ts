import WebSocket from 'ws';
import { attempt } from '../../../model/domain/attempt.ts';
import { failure } from '../../../model/domain/failure.ts';
import { inTime } from '../../../model/domain/inTime.ts';
import { remembered } from '../../../model/domain/remembered.ts';
import type { InspectorWire } from '../../probe/inspectorChannel.ts';

/** Profiles of ten minutes are far below; a larger one is not read, as it would not fit into memory twice. */
const maxMessageBytes = 512 * 1024 * 1024;
const connectTimeoutMs = 5_000;

interface Waiting {
  resolve: (result: Record<string, unknown>) => void;
  reject: (error: Error) => void;
}

/** A value or an object in the inspected process, as the protocol has it. */
export interface RemoteObject {
  type: string;
  objectId?: string;
  value?: unknown;
  description?: string;
}

/** One session of the V8 inspector, over its WebSocket or from within the process. Every failure is a `FailureError`. */
export class InspectorClient {
  readonly #waiting = new Map<number, Waiting>();
  readonly #listeners = new Map<string, Set<(params: Record<string, unknown>) => void>>();
  #nextId = 1;
  #open = true;
  /** Resolves when the connection has ended, on either side. */
  readonly closed: Promise<void>;

  constructor(private readonly wire: InspectorWire) {
    this.closed = new Promise((resolve) => {
      const ended = (): void => {
        this.#open = false;
        for (const { reject } of this.#waiting.values()) reject(connectionLost());
        this.#waiting.clear();
        resolve();
      };
      wire.listen((message) => this.#receive(message), ended);
    });
  }

  /** Connects to an inspector on a loopback address. */
  static connect(url: string): Promise<InspectorClient> {
    return new Promise((resolve, reject) => {
      const socket = new WebSocket(url, { perMessageDeflate: false, maxPayload: maxMessageBytes, handshakeTimeout: connectTimeoutMs });
      socket.once('open', () => resolve(new InspectorClient(webSocketWire(socket))));
      socket.once('error', (error) =>
        reject(
          failure('inspector-unreachable', 'The inspector of the Node process refused the connection.', 'Record again.', error.message),
        ),
      );
    });
  }

  get isOpen(): boolean {
    return this.#open;
  }

  /** Calls a method of the protocol. Fails with `inspector-lost`, `inspector-silent` or `inspector-refused`. */
  async send(method: string, params: Record<string, unknown> = {}, timeoutMs = 10_000): Promise<Record<string, unknown>> {
    if (!this.#open) throw connectionLost();
    const id = this.#nextId++;
    const answer = new Promise<Record<string, unknown>>((resolve, reject) => this.#waiting.set(id, { resolve, reject }));
    this.wire.send(JSON.stringify({ id, method, params }));
    return inTime(timeoutMs, answer, () => {
      this.#waiting.delete(id);
      throw failure(
        'inspector-silent',
        `The Node process gave no answer to ${method} within ${Math.round(timeoutMs / 1000)} s.`,
        'It may be stopped by a debugger, or be in a call that does not end; look at it and record again.',
      );
    });
  }

  /** Evaluates an expression with Node's console functions (`require` among them) and returns what it is. */
  async evaluate(expression: string, { byValue = false, timeoutMs = 10_000 } = {}): Promise<RemoteObject> {
    return resultOf(
      await this.send('Runtime.evaluate', { expression, includeCommandLineAPI: true, returnByValue: byValue, silent: true }, timeoutMs),
    );
  }

  /** Calls a function with a remote object as its `this`. */
  async call(
    objectId: string,
    declaration: string,
    { args = [], byValue = true, timeoutMs = 10_000 }: CallOptions = {},
  ): Promise<RemoteObject> {
    const params = { objectId, functionDeclaration: declaration, arguments: args, returnByValue: byValue, silent: true };
    return resultOf(await this.send('Runtime.callFunctionOn', params, timeoutMs));
  }

  /** Listens to an event; the function given back ends that. */
  on(event: string, listener: (params: Record<string, unknown>) => void): () => void {
    const listeners = remembered(this.#listeners, event, () => new Set()).add(listener);
    return () => listeners.delete(listener);
  }

  /** Waits until the other side has ended the connection, then ends it if it has not. */
  async closeAfterwards(timeoutMs: number): Promise<void> {
    await inTime(timeoutMs, this.closed, () => undefined);
    if (this.#open) await this.close();
  }

  /** Ends the connection, politely if the other side takes part. */
  async close(): Promise<void> {
    this.wire.end();
    const timer = setTimeout(() => this.wire.destroy(), 500);
    await this.closed;
    clearTimeout(timer);
  }

  #receive(text: string): void {
    const message = parse(text);
    if (message === null) return;
    if (typeof message['id'] !== 'number') {
      const params = (message['params'] ?? {}) as Record<string, unknown>;
      for (const listener of this.#listeners.get(String(message['method'])) ?? []) listener(params);
      return;
    }
    const waiting = this.#waiting.get(message['id']);
    if (waiting === undefined) return;
    this.#waiting.delete(message['id']);
    const error = message['error'] as { message?: string } | undefined;
    if (error === undefined) waiting.resolve((message['result'] ?? {}) as Record<string, unknown>);
    else waiting.reject(refused(error.message ?? 'no reason given'));
  }
}

interface CallOptions {
  args?: ({ objectId: string } | { value: unknown })[];
  byValue?: boolean;
  timeoutMs?: number;
}

function webSocketWire(socket: WebSocket): InspectorWire {
  socket.on('error', () => undefined);
  return {
    send: (message) => socket.send(message),
    listen: (onMessage, onClose) => {
      socket.on('message', (data) => onMessage((data as Buffer).toString('utf8')));
      socket.on('close', onClose);
    },
    end: () => socket.close(),
    destroy: () => socket.terminate(),
  };
}

function parse(text: string): Record<string, unknown> | null {
  return attempt(() => JSON.parse(text) as Record<string, unknown>, null);
}

function resultOf(answer: Record<string, unknown>): RemoteObject {
  const thrown = answer['exceptionDetails'] as { text?: string; exception?: RemoteObject } | undefined;
  if (thrown !== undefined) throw refused((thrown.exception?.description ?? thrown.text ?? 'an exception').slice(0, 500));
  return answer['result'] as RemoteObject;
}

function refused(reason: string): Error {
  return failure(
    'inspector-refused',
    'The Node process refused what the recording asked of it.',
    'Record again; if it fails again, record with clinic or on another version of Node.',
    reason,
  );
}

function connectionLost(): Error {
  return failure(
    'inspector-lost',
    'The connection to the Node process was lost: it has ended, or something closed its inspector.',
    'Look at its log, then record again.',
  );
}
