import * as vscode from 'vscode';
import type { ContextName } from './ids.ts';

/** Sets keys of `when` clauses. */
export function setContext(values: Partial<Record<ContextName, boolean>>): void {
  for (const [name, value] of Object.entries(values)) void vscode.commands.executeCommand('setContext', `benchside.${name}`, value);
}
