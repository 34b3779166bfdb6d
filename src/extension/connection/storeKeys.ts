import * as vscode from 'vscode';
import { storeFolders } from '../kit/ids.ts';
import { setContext } from '../kit/setContext.ts';
import { workspaceDir } from '../kit/workspaceFiles.ts';

/** Says to the palette whether there are runs and recordings, by their folders alone, since that does not start the engine, which knows it exactly. */
export async function publishStoreKeys(): Promise<void> {
  const folder = await workspaceDir();
  if (folder === null) return;
  // The engine's answer replaces this one; until it is there, a key is only set and never cleared.
  if (await hasEntries(vscode.Uri.joinPath(folder, storeFolders.runs))) setContext({ hasRuns: true });
  if (await hasEntries(vscode.Uri.joinPath(folder, storeFolders.recordings))) setContext({ hasRecordings: true });
}

async function hasEntries(store: vscode.Uri): Promise<boolean> {
  try {
    return (await vscode.workspace.fs.readDirectory(store)).some(([name]) => !name.startsWith('.'));
  } catch {
    // There is no store yet.
    return false;
  }
}
