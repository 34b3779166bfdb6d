import * as vscode from 'vscode';
import { isBusy } from '../measuring/measure.ts';
import { Owner } from '../kit/owner.ts';
import { workspaceDir } from '../kit/workspaceFiles.ts';
import { plainLine } from '../kit/safeUi/plainLine.ts';
import type { Services } from '../services/services.ts';
import type { RouteBook } from './routeBook.ts';
import type { RoutePlace } from '../../model/protocol/routePlaces.ts';
import { metricsOfRun, metricsPhrase, missedBy } from './routeMetrics.ts';
import { routeRequest } from './routeRequest.ts';

/**
 * The routes of the workspace's own targets as tests of the editor: each is measured alone and passes where it is answered well, keeps its budget, and its
 * load profile's objective holds. What is missed is shown at the handler.
 */
export class RouteTests extends Owner {
  /** Made with the first route: the editor has a view for tests where there is one, and no folder without targets shall get it. */
  #controller: vscode.TestController | undefined;
  readonly #places = new Map<string, RoutePlace>();

  constructor(
    private readonly services: Services,
    private readonly book: RouteBook,
  ) {
    super();
    this.owns(book.onChanged(() => void this.#list()));
  }

  async #list(): Promise<void> {
    const folder = await workspaceDir();
    const places = folder === null ? [] : this.book.places();
    this.#places.clear();
    if (folder === null || places.length === 0) return this.#controller?.items.replace([]);
    const controller = (this.#controller ??= this.#made());
    const targets = new Map<string, vscode.TestItem>();
    for (const place of places) {
      const parent = targets.get(place.targetId) ?? controller.createTestItem(place.targetId, plainLine(place.targetLabel));
      targets.set(place.targetId, parent);
      const id = `${place.targetId} ${place.route}`;
      const item = controller.createTestItem(id, plainLine(place.route), vscode.Uri.joinPath(folder, place.file));
      item.range = new vscode.Range(place.line - 1, 0, place.line - 1, 0);
      parent.children.add(item);
      this.#places.set(id, place);
    }
    controller.items.replace([...targets.values()]);
  }

  #made(): vscode.TestController {
    const controller = vscode.tests.createTestController('benchside.routes', 'Benchside: routes');
    controller.createRunProfile('Measure', vscode.TestRunProfileKind.Run, (request, token) => this.#run(controller, request, token), true);
    this.owns(controller);
    return controller;
  }

  async #run(controller: vscode.TestController, request: vscode.TestRunRequest, token: vscode.CancellationToken): Promise<void> {
    const run = controller.createTestRun(request);
    const stopping = token.onCancellationRequested(() => void this.services.runs.cancel());
    try {
      const chosen = request.include ?? [...controller.items].map(([, item]) => item);
      const items = chosen.flatMap(leaves).filter((item) => request.exclude?.includes(item) !== true);
      for (const item of items) run.enqueued(item);
      for (const item of items) {
        const place = this.#places.get(item.id);
        if (place === undefined || token.isCancellationRequested || (await isBusy(this.services))) run.skipped(item);
        else await this.#measure(run, item, place);
      }
    } finally {
      stopping.dispose();
      run.end();
      this.services.inventory.runs.refresh();
    }
  }

  async #measure(run: vscode.TestRun, item: vscode.TestItem, place: RoutePlace): Promise<void> {
    const { services } = this;
    run.started(item);
    try {
      const target = (await services.inventory.catalog.get()).targets.find(({ id }) => id === place.targetId);
      if (target === undefined) return run.skipped(item);
      const end = await services.runs.run({ kind: 'run', ...routeRequest(target, place.route, services.applied) });
      const { findingTexts } = await import('../../model/domain/findings.ts');
      const figures = end.run === null ? undefined : metricsOfRun(end.run).find(({ targetId }) => targetId === place.targetId);
      if (end.outcome === 'cancelled') return run.skipped(item);
      if (figures === undefined) {
        const reasons = (end.run?.trials ?? []).flatMap(({ reasons }) => findingTexts(reasons));
        return run.errored(item, this.#said(item, reasons.length === 0 ? ['Nothing that counts was measured.'] : reasons));
      }
      const missed = missedBy(figures, place.budget);
      run.appendOutput(`${plainLine(`${place.route}: ${[metricsPhrase(figures), ...missed].join('; ')}`)}\r\n`, undefined, item);
      if (missed.length === 0) run.passed(item, figures.meanMs);
      else run.failed(item, this.#said(item, missed), figures.meanMs);
    } catch (error) {
      const { toFailure } = await import('../../model/domain/failure.ts');
      const { message, cure, detail } = toFailure(error);
      run.errored(item, this.#said(item, [`${message} ${cure}`, ...(detail === undefined ? [] : [detail])]));
    }
  }

  /** Messages at the handler of the route. */
  #said({ uri, range }: vscode.TestItem, texts: readonly string[]): vscode.TestMessage[] {
    return texts.map((text) => {
      const message = new vscode.TestMessage(plainLine(text));
      if (uri !== undefined && range !== undefined) message.location = new vscode.Location(uri, range);
      return message;
    });
  }
}

function leaves(item: vscode.TestItem): vscode.TestItem[] {
  return item.children.size === 0 ? [item] : [...item.children].flatMap(([, child]) => leaves(child));
}
