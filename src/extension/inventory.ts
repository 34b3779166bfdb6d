import * as vscode from 'vscode';
import type { Catalog } from '../model/protocol.ts';
import type { RunSummary } from '../model/run.ts';
import type { EngineHost } from './engineHost.ts';
import { contextKeys, type ContextKey } from './ids.ts';

/** What the window knows of targets and runs. Asked from the engine at first need, kept up to date by its notifications. */
export class Inventory implements vscode.Disposable {
  private suspended = false;
  private knownCatalog: Catalog | undefined;
  private knownRuns: RunSummary[] | undefined;
  private loadingCatalog: Promise<Catalog> | undefined;
  private loadingRuns: Promise<RunSummary[]> | undefined;
  private readonly catalogEmitter = new vscode.EventEmitter<Catalog | undefined>();
  private readonly runsEmitter = new vscode.EventEmitter<RunSummary[] | undefined>();
  private readonly subscriptions: vscode.Disposable[];
  readonly onCatalog = this.catalogEmitter.event;
  readonly onRuns = this.runsEmitter.event;

  constructor(
    private readonly engine: EngineHost,
    private readonly log: vscode.LogOutputChannel,
  ) {
    this.subscriptions = [
      engine.onCatalogChanged(() => this.refreshCatalog()),
      engine.onRunsChanged(() => this.refreshRuns()),
      engine.onStarted(() => this.started()),
      engine.onCrashed(() => this.crashed()),
    ];
  }

  /** The last known catalog, without asking. */
  get latestCatalog(): Catalog | undefined {
    return this.knownCatalog;
  }

  /** The catalog; the first call asks the engine. Rejects with a `FailureError`. */
  async catalog(): Promise<Catalog> {
    return this.knownCatalog ?? this.loadingCatalog ?? this.loadCatalog();
  }

  /** All runs, newest first; the first call asks the engine. Rejects with a `FailureError`. */
  async runs(): Promise<RunSummary[]> {
    return this.knownRuns ?? this.loadingRuns ?? this.loadRuns();
  }

  /** True after a crash, until the engine is started again by somebody's wish: a view alone does not start it again. */
  get isSuspended(): boolean {
    return this.suspended;
  }

  /** A person wants to see the present state: whatever happened before, everything is asked anew. */
  reload(): void {
    this.suspended = false;
    this.forget();
  }

  /** Asks again if it was ever asked. What fails is logged: the rows from before stay. */
  refreshCatalog(): void {
    if (this.knownCatalog === undefined && this.loadingCatalog === undefined) return;
    this.loadCatalog().catch((error: unknown) => this.log.warn(`Targets could not be listed: ${messageOf(error)}`));
  }

  /** Asks again if it was ever asked. What fails is logged: the rows from before stay. */
  refreshRuns(): void {
    if (this.knownRuns === undefined && this.loadingRuns === undefined) return;
    this.loadRuns().catch((error: unknown) => this.log.warn(`Runs could not be listed: ${messageOf(error)}`));
  }

  /** After the engine ended: nothing runs any more; the next need asks anew. */
  forget(): void {
    this.knownCatalog = undefined;
    this.knownRuns = undefined;
    this.loadingCatalog = undefined;
    this.loadingRuns = undefined;
    this.catalogEmitter.fire(undefined);
    this.runsEmitter.fire(undefined);
  }

  dispose(): void {
    for (const subscription of this.subscriptions) subscription.dispose();
    this.catalogEmitter.dispose();
    this.runsEmitter.dispose();
  }

  private started(): void {
    setContext(contextKeys.engineFailed, false);
    if (!this.suspended) return;
    this.suspended = false;
    this.catalogEmitter.fire(undefined);
    this.runsEmitter.fire(undefined);
  }

  private crashed(): void {
    this.suspended = true;
    setContext(contextKeys.engineFailed, true);
    setContext(contextKeys.anyTargetRunning, false);
    this.forget();
  }

  // A later request overtakes an earlier one: only the answer to the latest is kept.
  private loadCatalog(): Promise<Catalog> {
    const loading = this.engine.request('catalog/get', {}).then(
      (catalog) => {
        if (this.loadingCatalog === loading) {
          this.loadingCatalog = undefined;
          this.knownCatalog = catalog;
          this.publishCatalogKeys(catalog);
          this.catalogEmitter.fire(catalog);
        }
        return catalog;
      },
      (error: unknown) => {
        if (this.loadingCatalog === loading) this.loadingCatalog = undefined;
        throw error;
      },
    );
    this.loadingCatalog = loading;
    return loading;
  }

  private loadRuns(): Promise<RunSummary[]> {
    const loading = this.engine.request('runs/list', {}).then(
      ({ runs }) => {
        if (this.loadingRuns === loading) {
          this.loadingRuns = undefined;
          this.knownRuns = runs;
          this.publishRunKeys(runs);
          this.runsEmitter.fire(runs);
        }
        return runs;
      },
      (error: unknown) => {
        if (this.loadingRuns === loading) this.loadingRuns = undefined;
        throw error;
      },
    );
    this.loadingRuns = loading;
    return loading;
  }

  private publishRunKeys(runs: readonly RunSummary[]): void {
    setContext(contextKeys.hasRuns, runs.length > 0);
    setContext(contextKeys.hasTwoRuns, runs.filter((run) => run.kind === 'run').length > 1);
    setContext(contextKeys.loaded, true);
  }

  private publishCatalogKeys(catalog: Catalog): void {
    const everything = [...catalog.targets, ...catalog.services];
    setContext(
      contextKeys.anyTargetRunning,
      everything.some((item) => item.state === 'running' || item.state === 'starting'),
    );
    setContext(
      contextKeys.anyTargetStopped,
      everything.some((item) => item.state === 'stopped' || item.state === 'failed'),
    );
  }
}

/** Sets a key of `when` clauses. */
export function setContext(key: ContextKey, value: boolean): void {
  void vscode.commands.executeCommand('setContext', key, value);
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
