import type * as vscode from 'vscode';
import { commandId } from '../kit/commandId.ts';
import { StatusItem } from '../kit/safeUi/statusItem.ts';

/** What the item of the status bar is about: a file on show that the marked recording knows. */
export interface MarkedFile {
  /** Of the file, without its folder. */
  name: string;
  /** The line that takes most, from 0, and its share in words; null where none is marked, or the marks are off. */
  hottest: { line: number; text: string } | null;
  /** Which recording the marks are of. */
  label: string;
  enabled: boolean;
}

/** The item of the status bar that says which line of a file is the hot one; a click turns the marks off and on. */
export class SourceMarkStatus implements vscode.Disposable {
  readonly #item = new StatusItem('benchside.sourceMarks', 'Benchside Marks in the Source', 46, commandId('toggleSourceMarks'));

  show(file: MarkedFile | undefined): void {
    if (file === undefined) return this.#item.hide();
    const { name, hottest, label, enabled } = file;
    const about = hottest === null ? 'no hot line' : `${hottest.text} at line ${hottest.line + 1}`;
    const text = `${name}: ${enabled ? about : 'marks off'}`;
    const click = `A click turns the marks in the source ${enabled ? 'off' : 'on'}.`;
    this.#item.show({ icon: enabled ? 'flame' : 'eye-closed', text, tooltip: `From ${label}. ${click}`, spoken: `${text}. ${click}` });
  }

  dispose(): void {
    this.#item.dispose();
  }
}
