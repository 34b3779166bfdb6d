import * as vscode from 'vscode';
import { configurationSection, settingNames } from '../kit/ids.ts';
import type { Services } from '../services.ts';

/** Goes to the next (or previous) hot line of the active editor; says so when there is none. */
export function goToHotLine(services: Services, direction: 1 | -1): void {
  const editor = vscode.window.activeTextEditor;
  if (services.marks.shown === undefined) {
    void vscode.window.showInformationMessage('No recording is shown in the source. Record or open a flame graph first.');
  } else if (editor === undefined || !services.marks.goToNeighbour(editor, direction)) {
    void vscode.window.showInformationMessage(`No line of this file takes 0.5 % or more in ${services.marks.shown.label}.`);
  }
}

/** Turns the marks on or off for the user. */
export async function toggleSourceMarks(): Promise<void> {
  const configuration = vscode.workspace.getConfiguration(configurationSection);
  const enabled = configuration.get<boolean>(settingNames.sourceMarks) === true;
  await configuration.update(settingNames.sourceMarks, !enabled, vscode.ConfigurationTarget.Global);
}

/** Shows a function of the marked recording in its flame graph. */
export function focusFunction(services: Services, name: unknown, file: unknown): void {
  if (typeof name === 'string' && typeof file === 'string') services.marks.shown?.focus(name, file);
}
