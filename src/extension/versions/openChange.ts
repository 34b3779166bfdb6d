import path from 'node:path';
import * as vscode from 'vscode';
import type { RunRecord } from '../../model/domain/run.ts';
import type { Services } from '../services/services.ts';
import { compareRecordings } from '../flame/flameCommands.ts';
import { workspaceDir } from '../kit/workspaceFiles.ts';
import { say } from '../kit/safeUi/dialogs.ts';
import { plainLine } from '../kit/safeUi/plainLine.ts';
import { changedFile } from './changedFile.ts';
import { changeMarks } from './changeMarks.ts';

/** The part of the editor’s Git extension that is used: its addresses of files as they are in a commit. */
interface GitExtension {
  getAPI(version: 1): { toGitUri(uri: vscode.Uri, ref: string): vscode.Uri };
}

/**
 * Opens what changed in a file between the two versions of a run, at a line of the newer one. `file` is its number among the changed files. Without the editor’s
 * Git extension, the file itself.
 */
export async function openChange(
  services: Services,
  { runId, file, line }: { runId: string; file: number; line: number | null },
): Promise<void> {
  const { run } = await services.engine.request('runs/get', { id: runId });
  const { result } = run;
  const folder = await workspaceDir();
  if (result.kind !== 'diff' || folder === null) return;
  const changed = changedFile(folder.fsPath, result, file);
  if (changed === null) return;
  const uri = vscode.Uri.file(changed.file);
  const name = path.basename(changed.file);
  const selection = line === null ? undefined : new vscode.Range(line - 1, 0, line - 1, 0);
  const options: vscode.TextDocumentShowOptions = { preview: true, ...(selection === undefined ? {} : { selection }) };
  const git = await gitUris();
  try {
    if (git === null || changed.base === null) await vscode.window.showTextDocument(uri, options);
    else {
      const newer = changed.head === null ? uri : git.toGitUri(uri, changed.head);
      const title = plainLine(`${name} (${result.base.label} ↔ ${result.head.label})`);
      await vscode.commands.executeCommand('vscode.diff', git.toGitUri(uri, changed.base), newer, title, options);
    }
  } catch {
    say(`${name} is not in this folder any more.`);
  }
}

async function gitUris(): Promise<ReturnType<GitExtension['getAPI']> | null> {
  const extension = vscode.extensions.getExtension<GitExtension>('vscode.git');
  if (extension === undefined) return null;
  try {
    return (extension.isActive ? extension.exports : await extension.activate()).getAPI(1);
  } catch {
    // It is switched off, or has no Git.
    return null;
  }
}

/** Marks in the source what a run of two versions found line by line, where it found anything. */
export async function showChangeMarks(services: Services, run: RunRecord): Promise<void> {
  const folder = await workspaceDir();
  const recordings = run.result.kind === 'diff' ? (run.result.why?.recordings ?? null) : null;
  const open = recordings === null ? null : () => void compareRecordings(services, recordings.head, recordings.base);
  const source = folder === null ? null : changeMarks(run, folder.fsPath, open);
  if (source !== null) services.marks.show(source);
}
