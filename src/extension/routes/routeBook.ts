import * as vscode from 'vscode';
import type { RunSummary } from '../../model/domain/run.ts';
import { LatestAnswer } from '../connection/latestAnswer.ts';
import { configurationSection } from '../kit/ids.ts';
import { Owner } from '../kit/owner.ts';
import { isSwitchedOn } from '../kit/switches.ts';
import { workspaceFile } from '../kit/workspaceFiles.ts';
import type { Services } from '../services/services.ts';
import { metricsOfRun, type RouteMetrics } from './routeMetrics.ts';
import { routePlaces, type RoutePlace } from '../../model/protocol/routePlaces.ts';

/** The number of newest runs that are read: an older one is hardly of today's code. */
const mostRuns = 20;
/** Of the id that the newer of two versions of a target has in the record of their comparison. */
const versionEnd = /-head$/;
const quietMs = 800;
const switchedBy = 'routes.enabled';
const sources = /\.(?:[cm]?[jt]s|java|kts?|json|ya?ml)$/;

/**
 * The routes of the workspace's own targets: where they are handled, and what the newest runs say of each. The engine is asked at first need, again when targets, runs or
 * sources change, and never while something is measured.
 */
export class RouteBook extends Owner {
  readonly #places: LatestAnswer<RoutePlace[]>;
  /** By the id of the run; a run without figures of a single route has none. */
  readonly #ofRuns = new Map<string, readonly RouteMetrics[]>();
  #runs: readonly string[] = [];
  #timer: ReturnType<typeof setTimeout> | undefined;
  readonly #changedEmitter = this.emitter<void>();
  /** Other places, or other figures. */
  readonly onChanged = this.#changedEmitter.event;

  constructor(private readonly services: Services) {
    super();
    const { engine, inventory, runs } = services;
    this.#places = new LatestAnswer(
      async () => {
        // No engine is started for a folder of which nothing is declared.
        if (inventory.catalog.latest === undefined && (await workspaceFile()) === null) return [];
        const { targets } = await inventory.catalog.get();
        if (!targets.some(({ origin }) => origin === 'workspace')) return [];
        const { services: found, candidates } = await engine.request('workspace/discover', {});
        return routePlaces([...found, ...candidates.map(({ service }) => service)], targets);
      },
      () => this.#changedEmitter.fire(),
    );
    this.owns(
      { dispose: () => clearTimeout(this.#timer) },
      inventory.catalog.onChanged(() => this.#askAgain()),
      inventory.runs.onChanged((known) => void this.#look(known ?? [])),
      vscode.workspace.onDidSaveTextDocument(({ uri }) => {
        if (declaresRoutes(uri)) this.#askAgain();
      }),
      runs.onChanged(() => {
        if (!runs.isRunning) this.#askAgain();
      }),
      vscode.workspace.onDidGrantWorkspaceTrust(() => this.#changedEmitter.fire()),
      vscode.workspace.onDidChangeConfiguration((event) => {
        if (event.affectsConfiguration(`${configurationSection}.${switchedBy}`)) this.#changedEmitter.fire();
      }),
    );
  }

  /** Whether routes are shown: one setting turns all of it off, and nothing is started of a workspace that is not trusted. */
  get isOn(): boolean {
    return vscode.workspace.isTrusted && isSwitchedOn(switchedBy);
  }

  /** Where routes are handled, as far as it is known; the first call asks, and {@link onChanged} fires when the answer is there. */
  places(): readonly RoutePlace[] {
    if (!this.isOn) return [];
    if (!this.#places.wasAsked) this.#ask();
    return this.#places.latest ?? [];
  }

  /** What the newest run that asked for this route alone says of it. */
  figuresOf({ targetId, route }: Pick<RoutePlace, 'targetId' | 'route'>): RouteMetrics | undefined {
    for (const id of this.#runs) {
      const found = this.#ofRuns.get(id)?.find((one) => one.targetId === targetId && one.route === route);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  #ask(): void {
    if (this.services.runs.isRunning || this.services.inventory.isSuspended) return;
    const { inventory, log } = this.services;
    this.#places
      .load()
      .then(async (places) => {
        if (places.length > 0) await this.#look(await inventory.runs.get());
      })
      .catch((error: unknown) => log.warn(`The routes of this folder were not looked for: ${String(error)}`));
  }

  #askAgain(): void {
    clearTimeout(this.#timer);
    if (this.#places.wasAsked) this.#timer = setTimeout(() => this.#ask(), quietMs);
  }

  /** Reads the runs that are not known yet, the newest first. */
  async #look(known: readonly RunSummary[]): Promise<void> {
    if (this.services.runs.isRunning || (this.#places.latest ?? []).length === 0) return;
    const targets = new Set(this.#places.latest?.map(({ targetId }) => targetId));
    const wanted = known
      .filter(
        (run) =>
          run.kind === 'run' && run.state === 'complete' && run.targets.some((target) => targets.has(target.replace(versionEnd, ''))),
      )
      .slice(0, mostRuns)
      .map(({ id }) => id);
    for (const id of wanted) {
      if (this.#ofRuns.has(id)) continue;
      try {
        const { run } = await this.services.engine.request('runs/get', { id });
        this.#ofRuns.set(id, metricsOfRun(run));
      } catch {
        // It cannot be read, or is gone: the list of runs says so.
        this.#ofRuns.set(id, []);
      }
    }
    for (const id of this.#ofRuns.keys()) if (!wanted.includes(id)) this.#ofRuns.delete(id);
    this.#runs = wanted;
    this.#changedEmitter.fire();
  }
}

/** Whether routes may be declared in it: sources of Node and the JVM, and descriptions of an API. */
export function declaresRoutes({ scheme, path }: vscode.Uri): boolean {
  return scheme === 'file' && sources.test(path);
}
