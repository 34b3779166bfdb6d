import * as vscode from 'vscode';
import type { CommandId } from '../commandId.ts';
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
  { text, width, barPx, barRoomPx }: { text: string; width: number; barPx: number; barRoomPx: number },
  hover: string,
  commands: readonly CommandId[],
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
    renderOptions: { before: { contentText, textDecoration: bar, width: markColumn(width, barRoomPx) } },
  };
}

/** How wide the column before the code is. */
export function markColumn(width: number, barRoomPx: number): string {
  return `calc(${width}ch + ${barRoomPx}px)`;
}

const noBreak = '\u00a0';
