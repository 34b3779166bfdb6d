import * as vscode from 'vscode';
import type { LineTable } from '../../model/domain/flame.ts';
import { configurationSection } from '../kit/ids.ts';
import { Owner } from '../kit/owner.ts';
import { setContext } from '../kit/setContext.ts';
import { isSwitchedOn } from '../kit/switches.ts';
import { statOf } from '../kit/workspaceFiles.ts';
import { sourceRoots } from './openSource.ts';
import { lineChanges } from './sourceMarkEdits.ts';
import { eventIndex, markedLines, neighbour, smallestShare, tableFileOf } from './sourceMarkLines.ts';
import { SourceMarkStyles, widestBarPx } from './sourceMarkStyles.ts';
import { functionText, markHover, markText, markWidth, share, type ComparedLines } from './sourceMarkTexts.ts';
import { TrackedDocument, type Staleness } from './trackedDocument.ts';
import { lens, mark } from '../kit/safeUi/inSource.ts';
import { say } from '../kit/safeUi/dialogs.ts';
import { StatusItem } from '../kit/safeUi/statusItem.ts';

/** The recording whose shares are shown in the source. */
export interface MarkSource {
  table: LineTable;
  /** For people: which recording it is. */
  label: string;
  /** Name of the event whose shares are shown. */
  event: string;
  /** Folders in which its sources are, absolute. */
  roots: readonly string[];
  /** When it was made; a file written later may no longer fit. */
  recordedAtMs: number | null;
  compared: ComparedLines | null;
  /** Shows a function in the flame graph. */
  focus: (name: string, file: string) => void;
  /** What marks say, where that is no share of one recording: so many characters wide, and with a hover of their own. */
  words?: {
    width: number;
    text: (place: { file: string; line: number }, stale: boolean) => string;
    hover: (place: { file: string; line: number }, stale: string | null) => string;
  };
}

interface Mark {
  step: number;
  stale: boolean;
  weight: number;
  text: string;
  options: vscode.DecorationOptions;
}

const renderMs = 60;
/** Of two clocks and a file system that rounds. */
const clockToleranceMs = 2_000;
const staleSentences: Record<Exclude<Staleness, null>, string> = {
  lineChanged: 'Stale: this line was changed after the recording.',
  fileChanged: 'Stale: this file was changed after the recording, and the line may be another one by now.',
};

/**
 * Shares of one recording in the editors that show its sources, also in those opened later: marks before hot lines, heat in the overview ruler
 * and lenses above functions. They follow edits. The recording shown last wins; {@link clear} removes everything.
 */
export class SourceMarks extends Owner implements vscode.CodeLensProvider {
  #source: MarkSource | undefined;
  readonly #tracked = new Map<string, TrackedDocument | null>();
  readonly #styles = new SourceMarkStyles();
  readonly #status = new StatusItem('benchside.sourceMarks', 'Benchside Marks in the Source', 46, 'toggleSourceMarks');
  readonly #lensesChanged = this.emitter<void>();
  #timer: ReturnType<typeof setTimeout> | undefined;
  readonly onDidChangeCodeLenses = this.#lensesChanged.event;

  constructor() {
    super();
    this.owns(
      { dispose: () => clearTimeout(this.#timer) },
      this.#styles,
      this.#status,
      vscode.languages.registerCodeLensProvider({ scheme: 'file' }, this),
      vscode.window.onDidChangeVisibleTextEditors(() => this.#render()),
      vscode.window.onDidChangeActiveTextEditor(() => this.#showStatus()),
      vscode.workspace.onDidChangeTextDocument((event) => this.#edited(event)),
      vscode.workspace.onDidOpenTextDocument((document) => this.#reopened(document)),
      vscode.workspace.onDidChangeWorkspaceFolders(() => this.#track()),
      vscode.workspace.onDidChangeConfiguration((event) => {
        if (event.affectsConfiguration(`${configurationSection}.sourceMarks`)) this.#refresh();
      }),
    );
  }

  /** Shows a recording's shares instead of those before. The same table with another event keeps the places that edits have moved. */
  show(source: MarkSource): void {
    const sameTable = this.#source?.table === source.table;
    this.#source = source;
    setContext({ hasSourceMarks: true });
    if (sameTable) this.#refresh();
    else this.#track();
  }

  clear(): void {
    this.#source = undefined;
    setContext({ hasSourceMarks: false });
    this.#track();
  }

  /** Goes to the next (or previous) hot line of the active editor; says so when there is none. */
  goToHotLine(direction: 1 | -1): void {
    if (this.#source === undefined) return say('No recording is shown in the source. Record or open a flame graph first.');
    const editor = vscode.window.activeTextEditor;
    const lines = editor === undefined ? [] : this.#marksOf(editor.document).map(({ options }) => options.range.start.line);
    const line = neighbour(lines, editor?.selection.active.line ?? 0, direction);
    if (editor === undefined || line === undefined) return say(`No line of this file takes 0.5 % or more in ${this.#source.label}.`);
    const start = new vscode.Position(line, editor.document.lineAt(line).firstNonWhitespaceCharacterIndex);
    editor.selection = new vscode.Selection(start, start);
    editor.revealRange(new vscode.Range(start, start), vscode.TextEditorRevealType.InCenterIfOutsideViewport);
  }

  /** Turns the marks on or off for the user. */
  async toggle(): Promise<void> {
    const name = 'sourceMarks.enabled';
    const configuration = vscode.workspace.getConfiguration(configurationSection);
    await configuration.update(name, !isSwitchedOn(name), vscode.ConfigurationTarget.Global);
  }

  /** Shows a function of the marked recording in its flame graph. */
  focusFunction(name: unknown, file: unknown): void {
    if (typeof name === 'string' && typeof file === 'string') this.#source?.focus(name, file);
  }

  provideCodeLenses(document: vscode.TextDocument): vscode.CodeLens[] {
    const source = this.#source;
    const tracked = source === undefined || !isSwitchedOn('sourceMarks.codeLens') ? null : this.#trackedOf(document);
    if (source === undefined || tracked === null || !isSwitchedOn('sourceMarks.enabled')) return [];
    const event = eventIndex(source.table, source.event);
    const total = source.table.events[event]?.total ?? 0;
    return tracked.file.functions.flatMap((func, index) => {
      const line = tracked.functionLineOf(index);
      if (line === null || share(func.total[event] ?? 0, total) < smallestShare) return [];
      const title = functionText(func, tracked.file, source.table, event, source.compared);
      return lens(line, title, 'Show this function in the flame graph', 'focusFunction', [func.name, tracked.file.file]);
    });
  }

  #track(): void {
    this.#tracked.clear();
    this.#refresh();
  }

  #refresh(): void {
    this.#render();
    this.#lensesChanged.fire();
  }

  #render(): void {
    clearTimeout(this.#timer);
    for (const editor of vscode.window.visibleTextEditors) {
      if (editor.document.uri.scheme === 'file')
        this.#styles.apply(editor, this.#marksOf(editor.document), this.#source?.words?.width ?? markWidth);
    }
    this.#showStatus();
  }

  /**
   * Says which line is the hot one of the file in which the cursor is, else of the first on show that the recording knows; a click turns the marks off
   * and on.
   */
  #showStatus(): void {
    const source = this.#source;
    const editors = [vscode.window.activeTextEditor, ...vscode.window.visibleTextEditors];
    const document = editors.find((editor) => editor !== undefined && this.#trackedOf(editor.document) !== null)?.document;
    if (source === undefined || document === undefined) return this.#status.hide();
    const enabled = isSwitchedOn('sourceMarks.enabled');
    const [hottest] = this.#marksOf(document).sort((a, b) => b.weight - a.weight);
    const about = hottest === undefined ? 'no hot line' : `${hottest.text} at line ${hottest.options.range.start.line + 1}`;
    const name = document.uri.path.slice(document.uri.path.lastIndexOf('/') + 1);
    const text = `${name}: ${enabled ? about : 'marks off'}`;
    const click = `A click turns the marks in the source ${enabled ? 'off' : 'on'}.`;
    this.#status.show({
      icon: enabled ? 'flame' : 'eye-closed',
      text,
      tooltip: `From ${source.label}. ${click}`,
      spoken: `${text}. ${click}`,
    });
  }

  #marksOf(document: vscode.TextDocument): Mark[] {
    const source = this.#source;
    const tracked = source === undefined || !isSwitchedOn('sourceMarks.enabled') ? null : this.#trackedOf(document);
    if (source === undefined || tracked === null) return [];
    const event = eventIndex(source.table, source.event);
    return markedLines(tracked.file, source.table, event).flatMap(({ index, step }) => {
      const line = tracked.lineOf(index);
      const tableLine = tracked.file.lines[index];
      if (line === null || tableLine === undefined || line >= document.lineCount) return [];
      const staleness = tracked.staleness(index);
      const stale = staleness !== null;
      const weight = tableLine.total[event] ?? 0;
      const place = { file: tracked.file.file, line: tableLine.line };
      const text = source.words?.text(place, stale) ?? markText(weight, source.table, event, stale);
      const barPx = stale ? 0 : Math.max(1, share(weight, source.table.events[event]?.total ?? 0) * widestBarPx);
      const why = staleness === null ? null : staleSentences[staleness];
      const hover = source.words?.hover(place, why) ?? markHover({ ...source, file: tracked.file, line: tableLine, event, stale: why });
      const width = source.words?.width ?? markWidth;
      const range = document.lineAt(line).range;
      const options = mark(range, { text, width, barPx }, hover, ['focusFunction']);
      return { step, stale, weight, text, options };
    });
  }

  #trackedOf(document: vscode.TextDocument): TrackedDocument | null {
    const source = this.#source;
    if (source === undefined || document.uri.scheme !== 'file') return null;
    const key = document.uri.toString();
    const known = this.#tracked.get(key);
    if (known !== undefined) return known;
    const file = tableFileOf(document.uri.fsPath, sourceRoots(source.roots), source.table.files);
    const tracked = file === undefined ? null : new TrackedDocument(file, document.lineCount, textOf(document));
    this.#tracked.set(key, tracked);
    if (tracked !== null) void this.#compareTimes(document.uri, tracked, source);
    return tracked;
  }

  async #compareTimes(uri: vscode.Uri, tracked: TrackedDocument, source: MarkSource): Promise<void> {
    if (source.recordedAtMs === null) return;
    const stat = await statOf(uri);
    if (stat === undefined) return;
    tracked.fileChanged = stat.mtime > source.recordedAtMs + clockToleranceMs;
    if (tracked.fileChanged && this.#tracked.get(uri.toString()) === tracked) this.#refresh();
  }

  #edited(event: vscode.TextDocumentChangeEvent): void {
    const tracked = this.#tracked.get(event.document.uri.toString());
    if (tracked === undefined || tracked === null || event.contentChanges.length === 0) return;
    tracked.change(lineChanges(event), event.document.lineCount, textOf(event.document));
    clearTimeout(this.#timer);
    // The editor itself moves what is shown; the texts follow when the typing pauses.
    this.#timer = setTimeout(() => this.#refresh(), renderMs);
  }

  // While it was closed, another program may have changed the file.
  #reopened(document: vscode.TextDocument): void {
    this.#tracked.get(document.uri.toString())?.look(document.lineCount, textOf(document));
  }
}

function textOf(document: vscode.TextDocument): (line: number) => string {
  return (line) => document.lineAt(line).text;
}
