import * as vscode from 'vscode';
import type { Row } from '../row.ts';
import { markdown } from './markdown.ts';
import { plainLine } from './plainLine.ts';

/** What the editor knows a row by, and what a click on it does. */
type Known = Pick<vscode.TreeItem, 'id' | 'contextValue' | 'command' | 'collapsibleState'>;

/** A row as the editor's tree shows it. */
export function rowItem(row: Row, known: Known): vscode.TreeItem {
  const item = Object.assign(new vscode.TreeItem(plainLine(row.label)), known);
  item.description = plainLine(row.description);
  item.iconPath = new vscode.ThemeIcon(row.icon, row.colour === undefined ? undefined : new vscode.ThemeColor(row.colour));
  item.tooltip = markdown(row.tooltip);
  item.accessibilityInformation = { label: plainLine(row.spoken) };
  return item;
}

/** A row that holds others, open at first. */
export function groupItem(name: string, known: Known, description?: string): vscode.TreeItem {
  const item = new vscode.TreeItem(plainLine(name), vscode.TreeItemCollapsibleState.Expanded);
  return Object.assign(item, known, description === undefined ? {} : { description: plainLine(description) });
}

/** A view of rows, with a way to say something above them. */
export function rowsView<T>(
  id: string,
  rows: vscode.TreeDataProvider<T>,
  canSelectMany = false,
): vscode.Disposable & { say: (message: string) => void } {
  const view = vscode.window.createTreeView(id, { treeDataProvider: rows, canSelectMany });
  return {
    say: (message) => {
      view.message = plainLine(message);
    },
    dispose: () => view.dispose(),
  };
}
