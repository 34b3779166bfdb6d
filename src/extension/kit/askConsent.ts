import * as vscode from 'vscode';
import type { Question } from '../../model/failure.ts';

/** Puts a question to the person that must be answered before anything goes on. */
export async function askConsent({ ask, detail, yes }: Question): Promise<boolean> {
  return (await vscode.window.showWarningMessage(ask, { modal: true, detail }, yes)) === yes;
}
