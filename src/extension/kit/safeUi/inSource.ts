import * as vscode from 'vscode';
import { commandId, type CommandName } from '../commandId.ts';
import { markdown } from './markdown.ts';
import { plainLine } from './plainLine.ts';

/** A line above a line of source, which does something when it is clicked. */
export function lens(line: number, title: string, tooltip: string, command: CommandName, args: readonly unknown[]): vscode.CodeLens {
  return new vscode.CodeLens(new vscode.Range(line, 0, line, 0), {
    title: plainLine(title),
    tooltip: plainLine(tooltip),
    command: commandId(command),
    arguments: [...args],
  });
}

/** A text at the end of a line of source, with its hover: Markdown. */
export function hint(at: vscode.Position, text: string, hover: string): vscode.InlayHint {
  const shown = new vscode.InlayHint(at, plainLine(text));
  shown.paddingLeft = true;
  shown.tooltip = markdown(hover);
  return shown;
}

/**
 * A text before a piece of source, at the right of `width` characters, with a bar of its colour in the room at their left, and with what is said when the
 * pointer rests on it: Markdown whose links may run these commands.
 */
export function mark(
  range: vscode.Range,
  { text, width, barPx }: { text: string; width: number; barPx: number },
  hover: string,
  commands: readonly CommandName[],
): vscode.DecorationOptions {
  const bar = [
    // The editor has no word for a bar: what follows the first value is CSS.
    'none',
    'background-image: linear-gradient(currentColor, currentColor)',
    `background-size: ${Math.max(0, barPx).toFixed(1)}px 70%`,
    `text-indent: ${barRoomPx}px`,
    'background-position: 0 50%',
    'background-repeat: no-repeat',
  ].join('; ');
  const contentText = plainLine(text).replaceAll(' ', noBreak).padStart(width, noBreak);
  return {
    range,
    hoverMessage: markdown(hover, commands),
    renderOptions: { before: { contentText, textDecoration: bar, width: markColumn(width) } },
  };
}

/** How wide the column before the code is. */
export function markColumn(width: number): string {
  return `calc(${width}ch + ${barRoomPx}px)`;
}

/** The room for a bar before the text. */
const barRoomPx = 15;
const noBreak = '\u00a0';
