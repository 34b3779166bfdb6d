import { homedir } from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import { configurationSection, settingNames, workspaceFileName } from './ids.ts';
import type { EngineOptions } from '../connection/windowEngine.ts';

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
  try {
    await vscode.workspace.fs.stat(uri);
    return true;
  } catch {
    return false;
  }
}

/** How the engine is started with the settings and the trust of this moment. */
export async function engineOptions(context: vscode.ExtensionContext): Promise<EngineOptions> {
  const configuration = vscode.workspace.getConfiguration(configurationSection);
  const text = (name: string): string | null => {
    const value = configuration.get<unknown>(name);
    return typeof value === 'string' && value.trim() !== '' ? value.trim() : null;
  };
  const nodePath = text(settingNames.nodePath);
  return {
    nodePath: nodePath === null ? process.execPath : atHome(nodePath),
    enginePath: vscode.Uri.joinPath(context.extensionUri, 'dist', 'engine.cjs').fsPath,
    // The editor's own executable behaves as plain Node with this; a real Node ignores it.
    env: nodePath === null ? { ELECTRON_RUN_AS_NODE: '1' } : {},
    initialize: {
      client: 'extension',
      workspaceDir: (await workspaceDir())?.fsPath ?? null,
      storageDir: context.globalStorageUri.fsPath,
      assetsDir: context.extensionUri.fsPath,
      trusted: vscode.workspace.isTrusted,
      nodePath,
      javaPath: text(settingNames.javaPath),
      postgresUrl: text(settingNames.postgresUrl),
      probes: configuration.get<unknown>(settingNames.probes) !== false,
    },
  };
}

/** A path that begins with `~/` is meant from the user's home. */
function atHome(file: string): string {
  return file.startsWith('~/') ? path.join(homedir(), file.slice(2)) : file;
}
