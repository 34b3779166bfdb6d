import { randomBytes } from 'node:crypto';
import * as vscode from 'vscode';
import type { Failure } from '../../model/domain/failure.ts';
import type { ProfileSource } from '../../model/domain/flame.ts';
import type { Services } from '../services/services.ts';
import type { FlameGraph } from '../services/flameGraphs.ts';
import { flameHtml } from '../panel/panelHtml.ts';
import { FlameConversation } from './flameConversation.ts';

/** A flame graph in an editor of its own. */
export class FlamePage implements FlameGraph, vscode.Disposable {
  readonly #conversation: FlameConversation;
  readonly #subscriptions: vscode.Disposable[];

  /** @param problem why it cannot be opened at all; then `source` is null. */
  constructor(
    services: Services,
    readonly panel: vscode.WebviewPanel,
    readonly uri: vscode.Uri,
    readonly source: ProfileSource | null,
    title: string,
    problem: Failure | null,
  ) {
    const place = { send: (message: unknown) => panel.webview.postMessage(message), viewColumn: () => panel.viewColumn };
    this.#conversation = new FlameConversation(services, place, uri, source, title, problem);
    this.#subscriptions = [
      this.#conversation,
      panel.webview.onDidReceiveMessage((message: unknown) => void this.#conversation.receive(message)),
      panel.onDidChangeViewState(() => {
        if (!panel.visible) this.#conversation.hidden();
        else if (panel.active) this.#conversation.activated();
      }),
    ];
    this.#load(services.context.extensionUri);
  }

  reload(): void {
    this.#conversation.reload();
  }

  compareWith(source: ProfileSource, title: string): Promise<void> {
    return this.#conversation.compareWith(source, title);
  }

  /** Shows one function, once the page is there. */
  focusFunction(name: string, file: string): void {
    this.panel.reveal(undefined, false);
    this.#conversation.focusFunction(name, file);
  }

  dispose(): void {
    for (const subscription of this.#subscriptions) subscription.dispose();
  }

  #load(extensionUri: vscode.Uri): void {
    const { webview } = this.panel;
    const folder = vscode.Uri.joinPath(extensionUri, 'dist', 'webview');
    const part = (name: string): string => webview.asWebviewUri(vscode.Uri.joinPath(folder, name)).toString();
    webview.options = { enableScripts: true, localResourceRoots: [folder] };
    webview.html = flameHtml({
      cspSource: webview.cspSource,
      nonce: randomBytes(16).toString('hex'),
      scriptUri: part('flame.js'),
      styleUri: part('flame.css'),
    });
  }
}
