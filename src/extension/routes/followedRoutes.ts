import path from 'node:path';
import * as vscode from 'vscode';
import type { RoutePlace } from '../../model/protocol/routePlaces.ts';
import { Owner } from '../kit/owner.ts';
import { workspaceDir } from '../kit/workspaceFiles.ts';
import { lineChanges, trackLines, type TrackedLine } from '../source/sourceMarkEdits.ts';
import { declaresRoutes, type RouteBook } from './routeBook.ts';

/** A route in a document that is open; `line` from 0, null while it is cut away. */
export interface FollowedRoute extends TrackedLine {
  place: RoutePlace;
}

/** Where the routes of open documents are: they follow edits until the file is saved and the folder is looked through again. */
export class FollowedRoutes extends Owner {
  /** Routes of documents in which one is handled, by the document's address. */
  readonly #followed = new Map<string, readonly FollowedRoute[]>();
  readonly #changed = this.emitter<void>();
  /** Other places, or other figures. */
  readonly onChanged = this.#changed.event;

  constructor(private readonly book: RouteBook) {
    super();
    this.owns(
      book.onChanged(() => this.#renew()),
      vscode.workspace.onDidChangeTextDocument((event) => this.#edited(event)),
      vscode.workspace.onDidCloseTextDocument(({ uri }) => this.#followed.delete(uri.toString())),
    );
  }

  /** Those that are handled in a document; none where routes are not shown. */
  async of(document: vscode.TextDocument): Promise<readonly FollowedRoute[]> {
    if (!this.book.isOn || !declaresRoutes(document.uri)) return [];
    const file = await fileInWorkspace(document.uri);
    return file === null ? [] : this.#follow(document, file);
  }

  #follow(document: vscode.TextDocument, file: string): readonly FollowedRoute[] {
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

/** Relative to the workspace's folder, with slashes; null for a file outside of it. */
export async function fileInWorkspace({ fsPath }: vscode.Uri): Promise<string | null> {
  const folder = await workspaceDir();
  if (folder === null) return null;
  const file = path.relative(folder.fsPath, fsPath).split(path.sep).join('/');
  return file.startsWith('..') || path.isAbsolute(file) ? null : file;
}
