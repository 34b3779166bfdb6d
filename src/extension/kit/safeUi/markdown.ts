import * as vscode from 'vscode';
import { commandId, type CommandName } from '../commandId.ts';

/**
 * Markdown for a hover or a tooltip. What others wrote must have been through `escapeMarkdown`; where something was not, it still runs no command but
 * those named here, and makes no element.
 */
export function markdown(source: string, commands: readonly CommandName[] = []): vscode.MarkdownString {
  const text = new vscode.MarkdownString(source, true);
  text.supportHtml = false;
  text.isTrusted = commands.length === 0 ? false : { enabledCommands: commands.map(commandId) };
  return text;
}
