import * as vscode from 'vscode';
import type { EngineClient } from '../../engine/rpc/engineClient.ts';
import type { Failure } from '../../model/domain/failure.ts';
import { agrees } from '../kit/safeUi/messages.ts';
import type { InitializeParams, NotificationOf, ParamsInput, RequestName, ResultOf } from '../../model/protocol/protocol.ts';
import { CrashGuard } from './crashGuard.ts';
import { type Log } from '../kit/safeUi/log.ts';
import { warn } from '../kit/safeUi/messages.ts';

/** How an engine is started; asked again at each start, since settings and trust change. */
export interface EngineOptions {
  nodePath: string;
  enginePath: string;
  env: Record<string, string>;
  initialize: InitializeParams;
}

/**
 * The window's one engine process. It starts at the first request and not before, and again at the next request after it ended,
 * unless it crashed several times in a short while. Ending its pipe makes it stop everything it started.
 */
export class WindowEngine implements vscode.Disposable {
  #starting: Promise<EngineClient> | undefined;
  /** The started client until its process has ended. */
  #live: EngineClient | undefined;
  readonly #crashes = new CrashGuard();
  #disposed = false;

  readonly #runEventEmitter = new vscode.EventEmitter<NotificationOf<'run/event'>>();
  readonly #liveEventEmitter = new vscode.EventEmitter<NotificationOf<'live/event'>>();
  readonly #adviceEmitter = new vscode.EventEmitter<NotificationOf<'advise/progress'>>();
  readonly #catalogChangedEmitter = new vscode.EventEmitter<void>();
  readonly #runsChangedEmitter = new vscode.EventEmitter<void>();
  readonly #recordingsChangedEmitter = new vscode.EventEmitter<void>();
  readonly #recordingProgressEmitter = new vscode.EventEmitter<NotificationOf<'recording/progress'>>();
  readonly #rawProgressEmitter = new vscode.EventEmitter<NotificationOf<'raw/progress'>>();
  readonly #checkProgressEmitter = new vscode.EventEmitter<NotificationOf<'check/progress'>>();
  readonly #logEmitter = new vscode.EventEmitter<NotificationOf<'engine/log'>>();
  readonly #startedEmitter = new vscode.EventEmitter<void>();
  readonly #crashedEmitter = new vscode.EventEmitter<void>();
  readonly onRunEvent = this.#runEventEmitter.event;
  readonly onLiveEvent = this.#liveEventEmitter.event;
  readonly onAdviceProgress = this.#adviceEmitter.event;
  readonly onLog = this.#logEmitter.event;
  readonly onCatalogChanged = this.#catalogChangedEmitter.event;
  readonly onRunsChanged = this.#runsChangedEmitter.event;
  readonly onRecordingsChanged = this.#recordingsChangedEmitter.event;
  readonly onRecordingProgress = this.#recordingProgressEmitter.event;
  readonly onRawProgress = this.#rawProgressEmitter.event;
  readonly onCheckProgress = this.#checkProgressEmitter.event;
  readonly onStarted = this.#startedEmitter.event;
  /** The engine ended unasked. Requests under way have failed. */
  readonly onCrashed = this.#crashedEmitter.event;

  constructor(
    private readonly options: () => Promise<EngineOptions>,
    private readonly log: Log,
  ) {}

  /** This window is closing, or is reloading. */
  get isDisposed(): boolean {
    return this.#disposed;
  }

  get isStarted(): boolean {
    return this.#starting !== undefined;
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
  dispose(): void {
    this.#disposed = true;
    void this.stop();
    for (const emitter of [
      this.#runEventEmitter,
      this.#liveEventEmitter,
      this.#adviceEmitter,
      this.#catalogChangedEmitter,
      this.#runsChangedEmitter,
      this.#recordingsChangedEmitter,
      this.#recordingProgressEmitter,
      this.#rawProgressEmitter,
      this.#checkProgressEmitter,
      this.#logEmitter,
      this.#startedEmitter,
      this.#crashedEmitter,
    ]) {
      emitter.dispose();
    }
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
    const startedAt = performance.now();
    const options = await this.options();
    const client = await startEngine(options);
    this.log.info(`Engine started in ${Math.round(performance.now() - startedAt)} ms (${options.nodePath}).`);
    for (const warning of client.warnings) {
      this.log.warn(warning);
      void warn(warning);
    }
    client.on('run/event', (event) => this.#runEventEmitter.fire(event));
    client.on('live/event', (event) => this.#liveEventEmitter.fire(event));
    client.on('advise/progress', (progress) => this.#adviceEmitter.fire(progress));
    client.on('catalog/changed', () => this.#catalogChangedEmitter.fire());
    client.on('runs/changed', () => this.#runsChangedEmitter.fire());
    client.on('recordings/changed', () => this.#recordingsChangedEmitter.fire());
    client.on('recording/progress', (progress) => this.#recordingProgressEmitter.fire(progress));
    client.on('raw/progress', (progress) => this.#rawProgressEmitter.fire(progress));
    client.on('check/progress', (progress) => this.#checkProgressEmitter.fire(progress));
    client.on('engine/log', (said) => {
      writeLog(this.log, said.level, `[${said.source}] ${said.message}`);
      this.#logEmitter.fire(said);
    });
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

function writeLog(log: Log, level: NotificationOf<'engine/log'>['level'], text: string): void {
  if (level === 'error') log.error(text);
  else if (level === 'warning') log.warn(text);
  else if (level === 'info') log.info(text);
  else log.trace(text);
}
