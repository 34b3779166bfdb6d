import path from 'node:path';
import * as vscode from 'vscode';
import { commandId } from '../kit/commandId.ts';
import { workspaceFileName } from '../kit/ids.ts';
import { targetPlaces } from '../kit/placesInFile.ts';
import { lens } from '../kit/words/inSource.ts';
import { workspaceDir } from '../kit/workspaceFiles.ts';
import { lineChanges } from '../source/lineChanges.ts';
import { trackLines, type TrackedLine } from '../source/sourceMarkEdits.ts';
import { declaresRoutes, type RouteBook } from './routeBook.ts';
import { figuresOrigin, figuresPhrase, missedBy, type RouteFigures } from './routeFigures.ts';
import type { RoutePlace } from './routePlaces.ts';

interface Followed extends TrackedLine {
  place: RoutePlace;
}

/**
 * Lenses above the handler of each route of the workspace's own targets, with what the newest run says of it, and above each target of benchside.json. They follow edits until
 * the file is saved and the folder is looked through again. One setting turns all of them off.
 */
export class RouteLenses implements vscode.Disposable, vscode.CodeLensProvider {
  /** Routes of documents in which one is handled, by the document's address. */
  readonly #followed = new Map<string, readonly Followed[]>();
  readonly #changed = new vscode.EventEmitter<void>();
  readonly #subscriptions: vscode.Disposable[];
  readonly onDidChangeCodeLenses = this.#changed.event;

  constructor(private readonly book: RouteBook) {
    this.#subscriptions = [
      this.#changed,
      vscode.languages.registerCodeLensProvider({ scheme: 'file' }, this),
      this.book.onChanged(() => this.#renew()),
      vscode.workspace.onDidChangeTextDocument((event) => this.#edited(event)),
      vscode.workspace.onDidCloseTextDocument(({ uri }) => this.#followed.delete(uri.toString())),
    ];
  }

  async provideCodeLenses(document: vscode.TextDocument): Promise<vscode.CodeLens[]> {
    if (!this.book.isOn || !declaresRoutes(document.uri)) return [];
    const folder = await workspaceDir();
    if (folder === null) return [];
    const file = path.relative(folder.fsPath, document.uri.fsPath).split(path.sep).join('/');
    if (file === workspaceFileName) return targetLenses(document);
    if (file.startsWith('..') || path.isAbsolute(file)) return [];
    return this.#follow(document, file).flatMap(({ line, place }) =>
      line === null ? [] : routeLenses(line, place, this.book.figuresOf(place)),
    );
  }

  dispose(): void {
    for (const subscription of this.#subscriptions) subscription.dispose();
  }

  #follow(document: vscode.TextDocument, file: string): readonly Followed[] {
    const key = document.uri.toString();
    const known = this.#followed.get(key);
    if (known !== undefined) return known;
    const followed = this.book
      .places()
      .filter((place) => place.file === file && place.line <= document.lineCount)
      .map((place) => ({ place, line: place.line - 1, text: document.lineAt(place.line - 1).text }));
    if (followed.length > 0) this.#followed.set(key, followed);
    return followed;
  }

  #edited(event: vscode.TextDocumentChangeEvent): void {
    const { document } = event;
    const key = document.uri.toString();
    const followed = this.#followed.get(key);
    if (followed === undefined || event.contentChanges.length === 0) return;
    const moved = trackLines(followed, lineChanges(event)).map((one) =>
      one.line === null || one.line >= document.lineCount ? { ...one, line: null } : { ...one, text: document.lineAt(one.line).text },
    );
    this.#followed.set(key, moved);
  }

  /** Places are asked of the files as they are saved: in a document that is being edited they go on from where they are. */
  #renew(): void {
    const edited = new Set(vscode.workspace.textDocuments.filter(({ isDirty }) => isDirty).map(({ uri }) => uri.toString()));
    for (const key of this.#followed.keys()) if (!edited.has(key)) this.#followed.delete(key);
    this.#changed.fire();
  }
}

function routeLenses(line: number, place: RoutePlace, figures: RouteFigures | undefined): vscode.CodeLens[] {
  const { targetId, targetLabel, route } = place;
  const of = `${route} of ${targetLabel}`;
  return [
    lens(line, 'Measure', `Measure ${of} for some seconds`, commandId('measureRoute'), [targetId, route]),
    lens(line, 'Flame graph', `Record ${of} under load and show its flame graph`, commandId('flameRoute'), [targetId, route]),
    lens(line, 'Against HEAD', `Compare ${of} as it is in the working tree with HEAD`, commandId('compareRoute'), [targetId, route]),
    ...(figures === undefined ? [] : [figuresLens(line, place, figures)]),
  ];
}

function figuresLens(line: number, { budget }: RoutePlace, figures: RouteFigures): vscode.CodeLens {
  const missed = missedBy(figures, budget);
  const title = missed.length === 0 ? figuresPhrase(figures) : `⚠ ${missed.join(' · ')}`;
  return lens(line, title, figuresOrigin(figures, missed, new Date()), commandId('openRun'), [figures.runId]);
}

function targetLenses(document: vscode.TextDocument): vscode.CodeLens[] {
  return targetPlaces(document.getText()).flatMap(({ id, at }) => {
    const { line } = document.positionAt(at);
    return [
      lens(line, 'Run', `Run a benchmark of ${id}`, commandId('runBenchmark'), [id]),
      lens(line, 'Tune', `Find out which value of a setting of ${id} to use`, commandId('tune'), [id]),
      lens(line, 'Record', `Record a flame graph of ${id}`, commandId('recordFlameGraph'), [id]),
    ];
  });
}
