import * as vscode from 'vscode';
import type { AdviceVariable } from '../../model/domain/advice.ts';
import { workspaceFileName } from '../kit/ids.ts';
import { agrees, inform, warn } from '../kit/safeUi/messages.ts';
import { exists, workspaceDir } from '../kit/workspaceFiles.ts';
import { withVariables } from './withVariables.ts';

/** Writes variables into what benchside.json gives a target, after a question that shows them, as one edit that the editor can undo; then shows the file. */
export async function writeVariables(target: { id: string; label: string }, variables: readonly AdviceVariable[]): Promise<void> {
  const folder = await workspaceDir();
  const uri = folder === null ? null : vscode.Uri.joinPath(folder, workspaceFileName);
  const document = uri !== null && (await exists(uri)) ? await vscode.workspace.openTextDocument(uri) : null;
  const written = document === null ? null : withVariables(document.getText(), target.id, variables);
  if (document === null || written === null) {
    void warn(`${workspaceFileName} does not declare ${target.label}: nothing was written. Copy it as text.`);
    return;
  }
  if (written.changed.length === 0) {
    void inform(`${workspaceFileName} has it already.`);
    return;
  }
  const lines = written.changed.map(({ name, value }) => `${name}=${value}`).join('; ');
  const question = `Write this into ${workspaceFileName}? ${target.label} starts with it from then on.`;
  if (!(await agrees(question, lines, 'Write', 'question'))) return;
  const wasDirty = document.isDirty;
  const end = document.positionAt(document.getText().length);
  const edit = new vscode.WorkspaceEdit();
  edit.replace(document.uri, new vscode.Range(new vscode.Position(0, 0), end), written.text);
  await vscode.workspace.applyEdit(edit);
  const at = document.positionAt(Math.max(0, written.text.indexOf(JSON.stringify(written.changed[0]?.name))));
  await vscode.window.showTextDocument(document, { selection: new vscode.Range(at, at) });
  if (!wasDirty) await document.save();
}
