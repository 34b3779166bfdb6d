import * as vscode from 'vscode';
import type { Row } from './row.ts';

/** A row as the editor's tree shows it. */
export function rowItem(row: Row): vscode.TreeItem {
  const item = new vscode.TreeItem(row.label);
  item.description = row.description;
  item.iconPath = new vscode.ThemeIcon(row.icon, row.colour === undefined ? undefined : new vscode.ThemeColor(row.colour));
  item.tooltip = new vscode.MarkdownString(row.tooltip, true);
  item.accessibilityInformation = { label: row.spoken };
  return item;
}
