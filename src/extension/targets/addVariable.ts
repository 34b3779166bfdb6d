import * as vscode from 'vscode';
import { workspaceFileName } from '../kit/ids.ts';
import { variableInsertion } from '../kit/placesInFile.ts';
import { warn } from '../kit/safeUi/dialogs.ts';
import { workspaceDir } from '../kit/workspaceFiles.ts';

/** Writes a variable without a value into the environment that benchside.json gives a target, shows it there and waits for a person to fill and save it. */
export async function addVariable(targetId: string, name: string): Promise<void> {
  const folder = await workspaceDir();
  if (folder === null) return;
  const uri = vscode.Uri.joinPath(folder, workspaceFileName);
  const document = await Promise.resolve(vscode.workspace.openTextDocument(uri)).catch(() => undefined);
  if (document === undefined) return warn(`${targetId} is not declared in this folder.`);
  const insertion = variableInsertion(document.getText(), targetId, name);
  if (insertion === null) {
    await vscode.window.showTextDocument(document);
    return warn(`${name} was not added: ${workspaceFileName} does not declare ${targetId}.`);
  }
  const edit = new vscode.WorkspaceEdit();
  edit.insert(uri, document.positionAt(insertion.at), insertion.text);
  await vscode.workspace.applyEdit(edit);
  const caret = document.positionAt(insertion.caret);
  await vscode.window.showTextDocument(document, { selection: new vscode.Range(caret, caret) });
}
