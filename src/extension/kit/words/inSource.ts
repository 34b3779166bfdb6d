import * as vscode from 'vscode';
import type { CommandId } from '../ids.ts';
import { markdown } from './markdown.ts';
import { plainLine } from './plainLine.ts';

/** A line above a line of source, which does something when it is clicked. */
export function lens(line: number, title: string, tooltip: string, command: CommandId, args: readonly unknown[]): vscode.CodeLens {
  return new vscode.CodeLens(new vscode.Range(line, 0, line, 0), {
    title: plainLine(title),
    tooltip: plainLine(tooltip),
    command,
    arguments: [...args],
  });
}

/** A text after a piece of source, with what is said when the pointer rests on it, as Markdown. */
export function mark(range: vscode.Range, text: string, hover: string): vscode.DecorationOptions {
  return { range, hoverMessage: markdown(hover), renderOptions: { after: { contentText: plainLine(text) } } };
}
