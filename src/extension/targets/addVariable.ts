import * as vscode from 'vscode';
import { workspaceFileName } from '../kit/ids.ts';
import { placeOfVariable } from '../kit/placesInFile.ts';
import { warn } from '../kit/words/messages.ts';
import { workspaceDir } from '../kit/workspaceFiles.ts';

/** Writes a variable without a value into the environment that benchside.json gives a target, shows it there and waits for a person to fill and save it. */
export async function addVariable(targetId: string, name: string): Promise<void> {
  const folder = await workspaceDir();
  if (folder === null) return;
  const uri = vscode.Uri.joinPath(folder, workspaceFileName);
  let document: vscode.TextDocument;
  try {
    document = await vscode.workspace.openTextDocument(uri);
  } catch {
    void warn(`${targetId} is not declared in this folder.`);
    return;
  }
  const place = placeOfVariable(document.getText(), targetId);
  if (place === null) {
    await vscode.window.showTextDocument(document);
    void warn(`${name} was not added: ${workspaceFileName} does not declare ${targetId}.`);
    return;
  }
  const member = `${JSON.stringify(name)}: ""`;
  const text = place.inside === 'env' ? member : `"env": { ${member} }`;
  const before = place.empty ? ' ' : ', ';
  const edit = new vscode.WorkspaceEdit();
  edit.insert(uri, document.positionAt(place.at), `${before}${text}${place.empty ? ' ' : ''}`);
  await vscode.workspace.applyEdit(edit);
  // Between the quotes.
  const at = document.positionAt(place.at + before.length + text.indexOf(member) + member.length - 1);
  await vscode.window.showTextDocument(document, { selection: new vscode.Range(at, at) });
}
