import * as vscode from 'vscode';
import type { Failure } from '../../model/domain/failure.ts';
import type { ProfileSource } from '../../model/domain/flame.ts';
import type { RecordingSummary } from '../../model/domain/recording.ts';
import { flameViewTypes } from '../kit/ids.ts';
import type { Services } from '../services/services.ts';
import type { FlameGraphs } from '../services/flameGraphs.ts';
import { FlamePage } from './flamePage.ts';
import { recordingUri, sourceOf, titleOf, viewTypeOf } from './flameUris.ts';

/** What an editor was opened for. Nothing is read here: the engine does. */
interface FlameDocument extends vscode.CustomDocument {
  source: ProfileSource | null;
}

/**
 * The custom editors for profile files and for Benchside's recordings, which have an address of their own and so come back after a reload of the
 * window. Each editor is a {@link FlamePage}.
 */
export class FlameEditors implements vscode.CustomReadonlyEditorProvider<FlameDocument>, FlameGraphs {
  readonly #pages = new Set<FlamePage>();
  readonly #registrations: vscode.Disposable[];

  constructor(private readonly services: () => Services) {
    this.#registrations = Object.values(flameViewTypes).map((viewType) =>
      vscode.window.registerCustomEditorProvider(viewType, this, { supportsMultipleEditorsPerDocument: true }),
    );
  }

  /** The flame graph that is active, else one that is visible. */
  get current(): FlamePage | undefined {
    const pages = [...this.#pages];
    return pages.find(({ panel }) => panel.active) ?? pages.find(({ panel }) => panel.visible);
  }

  openCustomDocument(uri: vscode.Uri): FlameDocument {
    return { uri, source: sourceOf(uri), dispose: () => undefined };
  }

  resolveCustomEditor({ uri, source }: FlameDocument, panel: vscode.WebviewPanel): void {
    const page = new FlamePage(this.services(), panel, uri, source, titleOf(uri), source === null ? unreachable(uri) : null);
    this.#pages.add(page);
    panel.onDidDispose(() => {
      this.#pages.delete(page);
      page.dispose();
    });
  }

  /** Opens a recording of Benchside, in its editor where that is open, else in `column`. */
  openRecording(
    recording: Pick<RecordingSummary, 'id' | 'title' | 'startedAt'>,
    column = vscode.ViewColumn.Active,
  ): Promise<FlamePage | undefined> {
    return this.open(recordingUri(recording), column);
  }

  /** Opens what an address names as a flame graph. */
  async open(uri: vscode.Uri, column = vscode.ViewColumn.Active): Promise<FlamePage | undefined> {
    const group = vscode.window.tabGroups.all.find(({ tabs }) =>
      tabs.some(({ input }) => input instanceof vscode.TabInputCustom && input.uri.toString() === uri.toString()),
    );
    const options = { viewColumn: group?.viewColumn ?? column, preview: false };
    await vscode.commands.executeCommand('vscode.openWith', uri, viewTypeOf(uri, this.services().context.extension), options);
    return this.#pageOf(uri);
  }

  /** Shows a function in the flame graph of an address, which is opened when it is not. */
  focusFunction(uri: vscode.Uri, name: string, file: string): void {
    const page = this.#pageOf(uri);
    if (page !== undefined) page.focusFunction(name, file);
    else void this.open(uri, vscode.ViewColumn.Beside).then((opened) => opened?.focusFunction(name, file));
  }

  dispose(): void {
    for (const registration of this.#registrations) registration.dispose();
    for (const page of this.#pages) page.dispose();
  }

  #pageOf(uri: vscode.Uri): FlamePage | undefined {
    const pages = [...this.#pages].filter((page) => page.uri.toString() === uri.toString());
    return pages.find(({ panel }) => panel.active) ?? pages.find(({ panel }) => panel.visible) ?? pages[0];
  }
}

function unreachable(uri: vscode.Uri): Failure {
  const where = uri.scheme === 'untitled' ? 'has not been saved yet' : `is not a file on this machine’s disk (${uri.scheme.slice(0, 40)})`;
  return { code: 'profile-not-a-file', message: `This profile ${where}.`, cure: 'Save it as a file and open that.' };
}
