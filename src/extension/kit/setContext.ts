import * as vscode from 'vscode';
import type { ContextKey } from './ids.ts';

/** Sets a key of `when` clauses. */
export function setContext(key: ContextKey, value: boolean): void {
  void vscode.commands.executeCommand('setContext', key, value);
}
