import * as vscode from 'vscode';
import { contextKeys, storeFolders, type ContextKey } from '../kit/ids.ts';
import { setContext } from '../kit/setContext.ts';
import { workspaceDir } from '../kit/workspaceFiles.ts';

/** Says to the palette whether there are runs and recordings, by their folders alone, since that does not start the engine, which knows it exactly. */
export async function publishStoreKeys(): Promise<void> {
  const folder = await workspaceDir();
  if (folder === null) return;
  await Promise.all([
    publish(contextKeys.hasRuns, vscode.Uri.joinPath(folder, storeFolders.runs)),
    publish(contextKeys.hasRecordings, vscode.Uri.joinPath(folder, storeFolders.recordings)),
  ]);
}

async function publish(key: ContextKey, store: vscode.Uri): Promise<void> {
  try {
    const entries = await vscode.workspace.fs.readDirectory(store);
    // The engine's answer replaces this one; until it is there, the key is only set and never cleared.
    if (entries.some(([name]) => !name.startsWith('.'))) setContext(key, true);
  } catch {
    // There is no store yet.
  }
}
