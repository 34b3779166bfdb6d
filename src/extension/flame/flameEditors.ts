import * as vscode from 'vscode';
import type { RecordingSummary } from '../../model/domain/recording.ts';
import { flameViewTypes } from '../kit/ids.ts';
import { pageBundle } from '../panel/pageBundle.ts';
import { flameHtml } from '../panel/panelHtml.ts';
import type { FlameGraphs, Services } from '../services/services.ts';
import { FlameConversation } from './flameConversation.ts';
import { recordingUri, viewTypeOf } from './flameUris.ts';

/** A flame graph in an editor of its own. */
interface FlamePage {
  panel: vscode.WebviewPanel;
  conversation: FlameConversation;
  subscriptions: vscode.Disposable;
}

/**
 * The custom editors for profile files and for Benchside's recordings, which have an address of their own and so come back after a reload of the
 * window. Each editor is a {@link FlamePage}.
 */
export class FlameEditors implements vscode.CustomReadonlyEditorProvider, FlameGraphs {
  readonly #pages = new Set<FlamePage>();
  readonly #registrations: vscode.Disposable[];

  constructor(private readonly services: () => Services) {
    this.#registrations = Object.values(flameViewTypes).map((viewType) =>
      vscode.window.registerCustomEditorProvider(viewType, this, { supportsMultipleEditorsPerDocument: true }),
    );
  }

  /** The flame graph that is active, else one that is visible. */
  get current(): FlameConversation | undefined {
    return onShow([...this.#pages])?.conversation;
  }

  /** Nothing is read here: the engine does. */
  openCustomDocument(uri: vscode.Uri): vscode.CustomDocument {
    return { uri, dispose: () => undefined };
  }

  resolveCustomEditor({ uri }: vscode.CustomDocument, panel: vscode.WebviewPanel): void {
    const services = this.services();
    const { webview } = panel;
    const place = { send: (message: unknown) => webview.postMessage(message), viewColumn: () => panel.viewColumn };
    const conversation = new FlameConversation(services, place, uri);
    const subscriptions = vscode.Disposable.from(
      conversation,
      webview.onDidReceiveMessage((message: unknown) => void conversation.receive(message)),
      panel.onDidChangeViewState(() => {
        if (!panel.visible) conversation.hidden();
        else if (panel.active) conversation.activated();
      }),
    );
    const page = { panel, conversation, subscriptions };
    this.#pages.add(page);
    panel.onDidDispose(() => {
      this.#pages.delete(page);
      subscriptions.dispose();
    });
    webview.html = flameHtml(pageBundle(webview, services.context.extensionUri, 'flame'));
  }

  /** Opens a recording of Benchside, in its editor where that is open, else in `column`. */
  openRecording(
    recording: Pick<RecordingSummary, 'id' | 'title' | 'startedAt'>,
    column = vscode.ViewColumn.Active,
  ): Promise<FlameConversation | undefined> {
    return this.open(recordingUri(recording), column);
  }

  /** Opens what an address names as a flame graph. */
  async open(uri: vscode.Uri, column = vscode.ViewColumn.Active): Promise<FlameConversation | undefined> {
    const group = vscode.window.tabGroups.all.find(({ tabs }) =>
      tabs.some(({ input }) => input instanceof vscode.TabInputCustom && input.uri.toString() === uri.toString()),
    );
    const options = { viewColumn: group?.viewColumn ?? column, preview: false };
    await vscode.commands.executeCommand('vscode.openWith', uri, viewTypeOf(uri, this.services().context.extension), options);
    return this.#pageOf(uri)?.conversation;
  }

  /** Shows a function in the flame graph of an address, which is opened when it is not. */
  focusFunction(uri: vscode.Uri, name: string, file: string): void {
    const focus = (): boolean => {
      const page = this.#pageOf(uri);
      page?.panel.reveal(undefined, false);
      page?.conversation.focusFunction(name, file);
      return page !== undefined;
    };
    if (!focus()) void this.open(uri, vscode.ViewColumn.Beside).then(focus);
  }

  dispose(): void {
    for (const registration of this.#registrations) registration.dispose();
    for (const { subscriptions } of this.#pages) subscriptions.dispose();
  }

  #pageOf(uri: vscode.Uri): FlamePage | undefined {
    const pages = [...this.#pages].filter(({ conversation }) => conversation.uri.toString() === uri.toString());
    return onShow(pages) ?? pages[0];
  }
}

function onShow(pages: readonly FlamePage[]): FlamePage | undefined {
  return pages.find(({ panel }) => panel.active) ?? pages.find(({ panel }) => panel.visible);
}
