import * as vscode from 'vscode';
import { withoutControls } from '../../model/domain/plainText.ts';
import { Owner } from './owner.ts';

const scheme = 'benchside';

/** Read-only pages that exist only in the editor: a target's output, the result of Check This Machine. Shown again, they are updated. */
export class VirtualDocuments extends Owner implements vscode.TextDocumentContentProvider {
  readonly #texts = new Map<string, string>();
  readonly #changed = this.emitter<vscode.Uri>();
  readonly onDidChange = this.#changed.event;

  constructor() {
    super();
    this.owns(vscode.workspace.registerTextDocumentContentProvider(scheme, this));
  }

  provideTextDocumentContent(uri: vscode.Uri): string {
    return this.#texts.get(uri.path) ?? 'This page is no longer there. Run the command again to fill it.\n';
  }

  /** Stores `text` under a name such as `java.log` and notifies editors that show it. */
  put(name: string, text: string): vscode.Uri {
    const uri = vscode.Uri.from({ scheme, path: `/${name}` });
    this.#texts.set(uri.path, withoutControls(text));
    this.#changed.fire(uri);
    return uri;
  }

  /** Opens the page at its end, as one reads a log. */
  async showAtEnd(uri: vscode.Uri): Promise<void> {
    const document = await vscode.workspace.openTextDocument(uri);
    await vscode.languages.setTextDocumentLanguage(document, 'log');
    const editor = await vscode.window.showTextDocument(document, { preview: true });
    const end = document.lineAt(document.lineCount - 1).range.end;
    editor.revealRange(new vscode.Range(end, end));
  }
}
