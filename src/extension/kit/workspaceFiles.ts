import path from 'node:path';
import * as vscode from 'vscode';
import { defined } from '../../model/domain/defined.ts';
import { workspaceFileName } from './ids.ts';
import { offer } from './safeUi/dialogs.ts';

/** The folder whose benchside.json and runs this window works with: the first that has the file, else the first; null without a folder. */
export async function workspaceDir(): Promise<vscode.Uri | null> {
  const folders = (vscode.workspace.workspaceFolders ?? []).filter((folder) => folder.uri.scheme === 'file');
  for (const folder of folders) {
    if (folders.length > 1 && (await exists(vscode.Uri.joinPath(folder.uri, workspaceFileName)))) return folder.uri;
  }
  return folders[0]?.uri ?? null;
}

/** The address of a file that the engine names: its full path, or from the workspace’s folder on. Null where there is no such folder. */
export async function fileUri(file: string): Promise<vscode.Uri | null> {
  if (path.isAbsolute(file)) return vscode.Uri.file(file);
  const folder = await workspaceDir();
  return folder === null ? null : vscode.Uri.joinPath(folder, file);
}

/** Whether a file or folder is there. */
export async function exists(uri: vscode.Uri): Promise<boolean> {
  return (await statOf(uri)) !== undefined;
}

/** Kind, size and times of a file or folder; undefined where there is none. */
export async function statOf(uri: vscode.Uri): Promise<vscode.FileStat | undefined> {
  return Promise.resolve(vscode.workspace.fs.stat(uri)).catch(() => undefined);
}

/** The folder's benchside.json; null where it has none. */
export async function workspaceFile(): Promise<vscode.Uri | null> {
  const folder = await workspaceDir();
  const uri = folder === null ? null : vscode.Uri.joinPath(folder, workspaceFileName);
  return uri !== null && (await exists(uri)) ? uri : null;
}

/** Opens a text as a document that is not saved yet. */
export async function openText(language: string, content: string, column = vscode.ViewColumn.Active): Promise<void> {
  await vscode.window.showTextDocument(await vscode.workspace.openTextDocument({ language, content }), column);
}

/** Says what a folder is needed for, and offers to open one. */
export function offerFolder(message: string): Promise<void> {
  return offer(message, { 'Open Folder': () => vscode.commands.executeCommand('workbench.action.files.openFolder') });
}

/** Asks for a file to save something in: by this name in the workspace’s folder, where nothing else is chosen. */
export async function askWhereToSave(title: string, name: string, filters?: Record<string, string[]>): Promise<vscode.Uri | undefined> {
  const folder = await workspaceDir();
  const defaultUri = folder === null ? undefined : vscode.Uri.joinPath(folder, name);
  return vscode.window.showSaveDialog(defined({ title, filters, defaultUri }));
}
