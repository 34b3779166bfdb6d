import type * as vscode from 'vscode';
import type { EngineClient, EngineOptions } from '../../engine/rpc/engineClient.ts';
import type { Failure } from '../../model/domain/failure.ts';
import { agrees, warn } from '../kit/safeUi/dialogs.ts';
import type { NotificationName, NotificationOf, ParamsInput, RequestName, ResultOf } from '../../model/protocol/protocol.ts';
import { Owner } from '../kit/owner.ts';
import { CrashGuard } from './crashGuard.ts';
import { type Log } from '../kit/safeUi/log.ts';

/** How an engine is started; asked again at each start, since settings and trust change. */
export type StartOptions = Required<Pick<EngineOptions, 'nodePath' | 'enginePath' | 'env' | 'initialize'>>;

/**
 * The window's one engine process. It starts at the first request and not before, and again at the next request after it ended,
 * unless it crashed several times in a short while. Ending its pipe makes it stop everything it started.
 */
export class WindowEngine extends Owner {
  #starting: Promise<EngineClient> | undefined;
  /** The started client until its process has ended. */
  #live: EngineClient | undefined;
  readonly #crashes = new CrashGuard();
  #disposed = false;

  readonly #notified = this.emitter<{ name: NotificationName; value: unknown }>();
  readonly #startedEmitter = this.emitter<void>();
  readonly #crashedEmitter = this.emitter<void>();
  readonly onStarted = this.#startedEmitter.event;
  /** The engine ended unasked. Requests under way have failed. */
  readonly onCrashed = this.#crashedEmitter.event;

  constructor(
    private readonly options: () => Promise<StartOptions>,
    private readonly log: Log,
  ) {
    super();
  }

  /** This window is closing, or is reloading. */
  get isDisposed(): boolean {
    return this.#disposed;
  }

  get isStarted(): boolean {
    return this.#starting !== undefined;
  }

  /** Listens to one kind of notification, of every engine that this window starts. */
  on<N extends NotificationName>(name: N, listener: (value: NotificationOf<N>) => void): vscode.Disposable {
    return this.#notified.event((one) => {
      if (one.name === name) listener(one.value as NotificationOf<N>);
    });
  }

  /**
   * Asks the engine, starting it when needed. Rejects with a `FailureError`. What is refused until a person agrees to it is put to them, and tried again when
   * they do; when they do not, it ends as cancelled.
   */
  async request<N extends RequestName>(name: N, params: ParamsInput<N>, signal?: AbortSignal): Promise<ResultOf<N>> {
    for (;;) {
      try {
        return await this.#send(name, params, signal);
      } catch (error) {
        const question = (error as { failure?: Failure }).failure?.question;
        if (question === undefined) throw error;
        if (!(await agrees(question.ask, question.detail, question.yes, 'warning'))) {
          const { failure } = await import('../../model/domain/failure.ts');
          throw failure('cancelled', 'Cancelled: it was not agreed to.');
        }
        await this.#send('consent/give', { id: question.id, remember: true });
      }
    }
  }

  async #send<N extends RequestName>(name: N, params: ParamsInput<N>, signal?: AbortSignal): Promise<ResultOf<N>> {
    const client = await this.#client();
    try {
      return await client.request(name, params, signal);
    } catch (error) {
      // What a request fails with when the process ends depends on which of its ends is noticed first; wait until all are.
      await new Promise(setImmediate);
      if (this.#live === client) throw error;
      const { failure } = await import('../../model/domain/failure.ts');
      throw failure(
        'engine-ended',
        'The Benchside engine ended unexpectedly. Everything it had started is stopped; completed runs are intact.',
      );
    }
  }

  /** A person wants it to be tried again, whatever happened before. */
  forgiveCrashes(): void {
    this.#crashes.forgive();
  }

  /** Sends changed settings or trust to a started engine; one that starts later gets them at its start. */
  async reconfigure(): Promise<void> {
    if (this.#starting === undefined) return;
    const { initialize } = await this.options();
    const { trusted, nodePath, javaPath, k6, postgresUrl, postgresMode, postgresHosts, probes } = initialize;
    await this.request('engine/configure', { trusted, nodePath, javaPath, k6, postgresUrl, postgresMode, postgresHosts, probes });
  }

  /** Ends the engine in good order, for instance because it must serve another folder. */
  async stop(): Promise<void> {
    const starting = this.#starting;
    this.#starting = undefined;
    this.#live = undefined;
    const client = await starting?.catch(() => undefined);
    await client?.dispose();
  }

  /** Ends the pipe and does not wait: the engine then stops everything. */
  override dispose(): void {
    this.#disposed = true;
    void this.stop();
    super.dispose();
  }

  #client(): Promise<EngineClient> {
    if (this.#starting !== undefined) return this.#starting;
    const starting = this.#start();
    this.#starting = starting;
    starting.catch(() => {
      if (this.#starting === starting) this.#starting = undefined;
    });
    return starting;
  }

  async #start(): Promise<EngineClient> {
    const { failure } = await import('../../model/domain/failure.ts');
    if (this.#disposed) throw failure('cancelled', 'This window is closing.', 'Open it again.');
    if (!this.#crashes.mayStart) {
      throw failure(
        'engine-crashing',
        'The Benchside engine stopped several times in a few minutes.',
        'Look into the log, then choose Restart.',
      );
    }
    // Loaded at first need: it brings the schemas and the JSON-RPC library, which activation must not wait for.
    const { startEngine } = await import('../../engine/rpc/engineClient.ts');
    const { notifications } = await import('../../model/protocol/protocol.ts');
    const { stepText } = await import('../../model/domain/progress/stepKinds.ts');
    const startedAt = performance.now();
    const options = await this.options();
    const client = await startEngine(options);
    this.log.info(`Engine started in ${Math.round(performance.now() - startedAt)} ms (${options.nodePath}).`);
    for (const warning of client.warnings) {
      this.log.warn(warning);
      warn(warning);
    }
    client.on('engine/log', ({ level, source, message }) => this.log[level === 'warning' ? 'warn' : level](`[${source}] ${message}`));
    client.on('progress', ({ of, doing, fraction }) => fraction === null && this.log.info(`[${of}] ${stepText(doing)}`));
    for (const name of Object.keys(notifications) as NotificationName[]) client.on(name, (value) => this.#notified.fire({ name, value }));
    this.#live = client;
    void client.closed.then((end) => this.#ended(client, end));
    this.#startedEmitter.fire();
    return client;
  }

  #ended(client: EngineClient, end: Awaited<EngineClient['closed']>): void {
    if (this.#live !== client) return;
    this.#live = undefined;
    this.#starting = undefined;
    this.#crashes.record();
    this.log.error(`The engine ended unexpectedly (${end.signal ?? `code ${end.code ?? 'unknown'}`}).`);
    if (end.stderrTail !== '') this.log.error(end.stderrTail);
    this.#crashedEmitter.fire();
  }
}
