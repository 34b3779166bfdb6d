import * as vscode from 'vscode';
import type { CommandId } from '../commandId.ts';

/**
 * Markdown for a hover or a tooltip. What others wrote must have been through `escapeMarkdown`; where something was not, it still runs no command but
 * those named here, and makes no element.
 */
export function markdown(source: string, commands: readonly CommandId[] = []): vscode.MarkdownString {
  const text = new vscode.MarkdownString(source, true);
  text.supportHtml = false;
  text.isTrusted = commands.length === 0 ? false : { enabledCommands: commands };
  return text;
}
