import * as vscode from 'vscode';
import { commandId, type CommandName } from './commandId.ts';

/** Runs a command of Benchside. */
export function runCommand(name: CommandName, ...parameters: readonly unknown[]): Thenable<unknown> {
  return vscode.commands.executeCommand(commandId(name), ...parameters);
}
