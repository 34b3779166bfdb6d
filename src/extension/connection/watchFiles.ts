import * as vscode from 'vscode';
import { storeFolders, workspaceFileName } from '../kit/ids.ts';
import { setContext } from '../kit/setContext.ts';
import { workspaceDir } from '../kit/workspaceFiles.ts';
import type { Inventory } from './inventory.ts';

const quietMs = 300;

/** Watches the workspace's benchside.json, its runs and its recordings, also for what other windows and terminals do, and asks again once no more changes come. */
export function watchFiles(inventory: Inventory): vscode.Disposable {
  const targets = watch(workspaceFileName, () => inventory.catalog.refresh());
  const runs = watch(`${storeFolders.runs}/*`, () => inventory.runs.refresh());
  const recordings = watch(`${storeFolders.recordings}/*`, () => inventory.recordings.refresh());
  return vscode.Disposable.from(targets, runs, recordings);
}

function watch(pattern: string, changed: () => void): vscode.Disposable {
  const watchers: vscode.Disposable[] = [];
  let timer: ReturnType<typeof setTimeout> | undefined;
  const soon = (): void => {
    clearTimeout(timer);
    timer = setTimeout(changed, quietMs);
  };
  const rebuild = (): void => {
    for (const watcher of watchers.splice(0)) watcher.dispose();
    for (const folder of vscode.workspace.workspaceFolders ?? []) {
      const watcher = vscode.workspace.createFileSystemWatcher(new vscode.RelativePattern(folder, pattern));
      watchers.push(watcher, watcher.onDidCreate(soon), watcher.onDidChange(soon), watcher.onDidDelete(soon));
    }
  };
  rebuild();
  const folders = vscode.workspace.onDidChangeWorkspaceFolders(rebuild);
  return {
    dispose: () => {
      clearTimeout(timer);
      folders.dispose();
      for (const watcher of watchers) watcher.dispose();
    },
  };
}

/** Says to the palette whether there are runs and recordings, by their folders alone, since that does not start the engine, which knows it exactly. */
export async function publishStoreKeys(): Promise<void> {
  const folder = await workspaceDir();
  if (folder === null) return;
  // The engine's answer replaces this one; until it is there, a key is only set and never cleared.
  if (await hasEntries(vscode.Uri.joinPath(folder, storeFolders.runs))) setContext({ hasRuns: true });
  if (await hasEntries(vscode.Uri.joinPath(folder, storeFolders.recordings))) setContext({ hasRecordings: true });
}

async function hasEntries(store: vscode.Uri): Promise<boolean> {
  // There may be no store yet.
  const entries = await Promise.resolve(vscode.workspace.fs.readDirectory(store)).catch(() => []);
  return entries.some(([name]) => !name.startsWith('.'));
}
