import * as vscode from 'vscode';
import type { DebugConfigurationLike } from './debugged.ts';

/** Of the active debug session, and of those that it belongs to: a debugger of Node has one for each process, below the one that was started. */
export function sessionConfigurations(): DebugConfigurationLike[] {
  const found: DebugConfigurationLike[] = [];
  for (let session = vscode.debug.activeDebugSession; session !== undefined; session = session.parentSession)
    found.push(session.configuration);
  return found;
}
