import * as vscode from 'vscode';
import { configurationSection } from '../kit/ids.ts';
import { isSwitchedOn } from '../kit/switches.ts';
import type { SourceMarks } from './sourceMarks.ts';
import { inform } from '../kit/safeUi/messages.ts';

/** Goes to the next (or previous) hot line of the active editor; says so when there is none. */
export function goToHotLine({ marks }: { marks: SourceMarks }, direction: 1 | -1): void {
  const editor = vscode.window.activeTextEditor;
  if (marks.shown === undefined) {
    void inform('No recording is shown in the source. Record or open a flame graph first.');
  } else if (editor === undefined || !marks.goToNeighbour(editor, direction)) {
    void inform(`No line of this file takes 0.5 % or more in ${marks.shown.label}.`);
  }
}

/** Turns the marks on or off for the user. */
export async function toggleSourceMarks(): Promise<void> {
  const name = 'sourceMarks.enabled';
  const configuration = vscode.workspace.getConfiguration(configurationSection);
  await configuration.update(name, !isSwitchedOn(name), vscode.ConfigurationTarget.Global);
}

/** Shows a function of the marked recording in its flame graph. */
export function focusFunction({ marks }: { marks: SourceMarks }, name: unknown, file: unknown): void {
  if (typeof name === 'string' && typeof file === 'string') marks.shown?.focus(name, file);
}
