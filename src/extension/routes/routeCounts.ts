import * as vscode from 'vscode';
import type { RouteCount } from '../../model/domain/routeCount.ts';
import { Owner } from '../kit/owner.ts';
import { hint } from '../kit/safeUi/inSource.ts';
import { isSwitchedOn } from '../kit/switches.ts';
import type { Services } from '../services/services.ts';
import type { FollowedRoutes } from './followedRoutes.ts';
import { nearestFirst } from './nearestFirst.ts';

/** Of a file with many routes those nearest to the cursor. */
const mostRoutes = 12;
const isOn = (): boolean => isSwitchedOn('routes.countOnSave');

/**
 * What one request of each route takes, at the end of its handler's line: counted on every save of its file, of the target that was started by hand. Nothing
 * is started by a save where the target does not run. The route at the cursor is asked first. One setting turns it off.
 */
export class RouteCounts extends Owner implements vscode.InlayHintsProvider {
  /** By target and route, and when. Not `asSaved`: the process that was asked may have older code. */
  readonly #counted = new Map<string, { count: RouteCount; at: Date; asSaved: boolean }>();
  readonly #changed = this.emitter<void>();
  #asking: AbortController | null = null;
  readonly onDidChangeInlayHints = this.#changed.event;

  constructor(
    private readonly services: Services,
    private readonly routes: FollowedRoutes,
  ) {
    super();
    this.owns(
      { dispose: () => this.#asking?.abort() },
      vscode.languages.registerInlayHintsProvider({ scheme: 'file' }, this),
      routes.onChanged(() => this.#changed.fire()),
      services.engine.on('routes/counted', ({ target, count, asSaved }) => {
        this.#counted.set(keyOf(target, count.route), { count, at: new Date(), asSaved });
        this.#changed.fire();
      }),
      vscode.workspace.onDidSaveTextDocument((document) => void this.#count(document)),
    );
  }

  async provideInlayHints(document: vscode.TextDocument, range: vscode.Range): Promise<vscode.InlayHint[]> {
    if (!isOn() || this.#counted.size === 0) return [];
    const { countHover, countLabel } = await import('./countWords.ts');
    return (await this.routes.of(document)).flatMap(({ line, place }) => {
      const counted = this.#counted.get(keyOf(place.targetId, place.route));
      if (line === null || counted === undefined || line < range.start.line || line > range.end.line) return [];
      const text = countLabel(counted.count, place.budget);
      return text === '' ? [] : [hint(document.lineAt(line).range.end, text, countHover(counted.count, counted.at, counted.asSaved))];
    });
  }

  /** Counts the routes of a file that was just saved, that at the cursor first. A failure is only logged, since the user did not ask. */
  async #count(document: vscode.TextDocument): Promise<void> {
    const { engine, inventory, runs, log } = this.services;
    if (!isOn() || !engine.isStarted || runs.isRunning) return;
    this.#asking?.abort();
    const asking = new AbortController();
    this.#asking = asking;
    const running = new Set(inventory.catalog.latest?.targets.flatMap(({ id, state }) => (state === 'running' ? [id] : [])));
    const found = (await this.routes.of(document)).filter(({ place }) => running.has(place.targetId));
    const cursor = vscode.window.visibleTextEditors.find((editor) => editor.document === document)?.selection.active;
    const nearest = nearestFirst(found, cursor?.line ?? 0).slice(0, mostRoutes);
    try {
      // One process counts all routes of a target; each is shown as soon as it is known.
      for (const target of new Set(nearest.map(({ place }) => place.targetId))) {
        const routes = nearest.flatMap(({ place }) => (place.targetId === target ? [place.route] : []));
        await engine.request('routes/count', { target, routes, of: 'running' }, asking.signal);
      }
    } catch (error) {
      if (!asking.signal.aborted) log.warn(`Nothing was counted of ${document.uri.fsPath}: ${String(error)}`);
    }
  }
}

function keyOf(targetId: string, route: string): string {
  return `${targetId} ${route}`;
}
