import * as vscode from 'vscode';
import type { Catalog } from '../../model/protocol/protocol.ts';
import type { RecordingSummary } from '../../model/domain/recording.ts';
import type { RunSummary } from '../../model/domain/run.ts';
import type { WindowEngine } from './windowEngine.ts';
import { setContext } from '../kit/setContext.ts';
import { LatestAnswer } from './latestAnswer.ts';
import { type Log } from '../kit/safeUi/log.ts';

/** What the window knows of targets, runs and recordings. Asked from the engine at first need, kept up to date by its notifications. */
export class Inventory implements vscode.Disposable {
  #suspended = false;
  readonly #knownCatalog: LatestAnswer<Catalog>;
  readonly #knownRuns: LatestAnswer<RunSummary[]>;
  readonly #knownRecordings: LatestAnswer<RecordingSummary[]>;
  readonly #catalogEmitter = new vscode.EventEmitter<Catalog | undefined>();
  readonly #runsEmitter = new vscode.EventEmitter<RunSummary[] | undefined>();
  readonly #recordingsEmitter = new vscode.EventEmitter<RecordingSummary[] | undefined>();
  readonly #subscriptions: vscode.Disposable[];
  readonly onCatalog = this.#catalogEmitter.event;
  readonly onRuns = this.#runsEmitter.event;
  readonly onRecordings = this.#recordingsEmitter.event;

  constructor(
    engine: WindowEngine,
    private readonly log: Log,
  ) {
    this.#knownCatalog = new LatestAnswer(
      () => engine.request('catalog/get', {}),
      (catalog) => {
        publishCatalogKeys(catalog);
        this.#catalogEmitter.fire(catalog);
      },
    );
    this.#knownRuns = new LatestAnswer(
      async () => (await engine.request('runs/list', {})).runs,
      (runs) => {
        publishRunKeys(runs);
        this.#runsEmitter.fire(runs);
      },
    );
    this.#knownRecordings = new LatestAnswer(
      async () => (await engine.request('recordings/list', {})).recordings,
      (recordings) => {
        publishRecordingKeys(recordings);
        this.#recordingsEmitter.fire(recordings);
      },
    );
    this.#subscriptions = [
      engine.on('catalog/changed', () => this.refreshCatalog()),
      engine.on('runs/changed', () => {
        this.refreshRuns();
        // A run may bring recordings, and takes them along when it is deleted.
        this.refreshRecordings();
      }),
      engine.on('recordings/changed', () => this.refreshRecordings()),
      engine.onStarted(() => this.#started()),
      engine.onCrashed(() => this.#crashed()),
    ];
  }

  /** The last known catalog, without asking. */
  get latestCatalog(): Catalog | undefined {
    return this.#knownCatalog.latest;
  }

  /** The catalog; the first call asks the engine. Rejects with a `FailureError`. */
  async catalog(): Promise<Catalog> {
    return this.#knownCatalog.get();
  }

  /** The same with these targets in it, if they are declared: one that was just written is there before its file was seen to change. */
  async catalogWith(ids: readonly string[]): Promise<Catalog> {
    return this.#knownCatalog.getWith(({ targets }) => ids.every((id) => targets.some((one) => one.id === id)));
  }

  /** All runs, newest first; the first call asks the engine. Rejects with a `FailureError`. */
  async runs(): Promise<RunSummary[]> {
    return this.#knownRuns.get();
  }

  /** The same with these among them, if they are stored: a run that has just ended is shown before the list has it. */
  async runsWith(ids: readonly string[]): Promise<RunSummary[]> {
    return this.#knownRuns.getWith((runs) => ids.every((id) => runs.some((run) => run.id === id)));
  }

  /** All recordings, of runs and on demand, newest first; the first call asks the engine. Rejects with a `FailureError`. */
  async recordings(): Promise<RecordingSummary[]> {
    return this.#knownRecordings.get();
  }

  /** True after a crash, until a person asks for the engine again: a view alone does not start it again. */
  get isSuspended(): boolean {
    return this.#suspended;
  }

  /** A person wants to see the present state: everything is requested again, whatever happened before. */
  reload(): void {
    this.#suspended = false;
    this.forget();
  }

  /** Asks again if it was ever asked. What fails is logged: the rows from before stay. */
  refreshCatalog(): void {
    this.#refresh(this.#knownCatalog, 'Targets');
  }

  /** Asks again if it was ever asked. What fails is logged: the rows from before stay. */
  refreshRuns(): void {
    this.#refresh(this.#knownRuns, 'Runs');
  }

  /** Asks again if it was ever asked. What fails is logged: the rows from before stay. */
  refreshRecordings(): void {
    this.#refresh(this.#knownRecordings, 'Recordings');
  }

  /** After the engine ended: nothing runs now; the next access asks again. */
  forget(): void {
    this.#knownCatalog.forget();
    this.#knownRuns.forget();
    this.#knownRecordings.forget();
    this.#tellNothingIsKnown();
  }

  dispose(): void {
    for (const subscription of this.#subscriptions) subscription.dispose();
    this.#catalogEmitter.dispose();
    this.#runsEmitter.dispose();
    this.#recordingsEmitter.dispose();
  }

  #refresh<T>(answer: LatestAnswer<T>, what: string): void {
    if (!answer.wasAsked) return;
    answer.load().catch((error: unknown) => this.log.warn(`${what} could not be listed: ${messageOf(error)}`));
  }

  #started(): void {
    setContext({ engineFailed: false });
    if (!this.#suspended) return;
    this.#suspended = false;
    this.#tellNothingIsKnown();
  }

  #crashed(): void {
    this.#suspended = true;
    setContext({ engineFailed: true, anyTargetRunning: false });
    this.forget();
  }

  #tellNothingIsKnown(): void {
    this.#catalogEmitter.fire(undefined);
    this.#runsEmitter.fire(undefined);
    this.#recordingsEmitter.fire(undefined);
  }
}

function publishRunKeys(runs: readonly RunSummary[]): void {
  setContext({
    hasRuns: runs.length > 0,
    hasTwoRuns: runs.filter((run) => run.kind === 'run').length > 1,
    hasBaseline: runs.some((run) => run.kind === 'run' && run.marks.baseline),
    hasTunedRuns: runs.some((run) => run.kind === 'run' && run.tuned),
    loaded: true,
  });
}

function publishRecordingKeys(recordings: readonly RecordingSummary[]): void {
  setContext({ hasRecordings: recordings.length > 0, hasTwoRecordings: recordings.length > 1 });
}

function publishCatalogKeys(catalog: Catalog): void {
  const everything = [...catalog.targets, ...catalog.services];
  setContext({
    anyTargetRunning: everything.some((item) => item.state === 'running' || item.state === 'starting'),
    anyTargetStopped: everything.some((item) => item.state === 'stopped' || item.state === 'failed'),
  });
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
