import * as vscode from 'vscode';
import type { AdviceVariable } from '../../model/domain/advice.ts';
import type { FromPanel } from '../../model/protocol/panel.ts';
import type { SettingValues } from '../../model/domain/setting.ts';
import { applySettings } from '../applied/applySettings.ts';
import { workspaceFileName } from '../kit/ids.ts';
import { agrees, inform, warn } from '../kit/safeUi/dialogs.ts';
import { openText, workspaceFile } from '../kit/workspaceFiles.ts';
import type { Services } from '../services/services.ts';
import { adviceLines, adviceSql, withVariables } from './adviceText.ts';

/** Applies values of an advice, writes its variables, opens its SQL or copies it. Only what was measured and helps, or is the same for less, is taken, and no SQL is run. */
export async function haveAdvice(services: Services, { id, changes: ids, how }: Extract<FromPanel, { type: 'haveAdvice' }>): Promise<void> {
  const { record } = await services.engine.request('advice/get', { id });
  const { isAdvised } = await import('../../model/domain/advice.ts');
  const { target, tried } = record.advice;
  const changes = tried.filter((one) => ids.includes(one.id) && isAdvised(one));
  if (changes.length === 0) {
    void warn('This advice has no such change that helps or costs less. Open it again.');
    return;
  }
  switch (how) {
    case 'apply': {
      const values = Object.assign({}, ...changes.map(({ settings }) => settings)) as SettingValues;
      return applySettings(services, target, values);
    }
    case 'sql':
      return openText('sql', adviceSql(changes), vscode.ViewColumn.Beside);
    case 'file': {
      const variables = changes.flatMap(({ apply }) => apply.flatMap(({ variable }) => variable ?? []));
      return writeVariables({ id: target, label: record.advice.targetLabel }, variables);
    }
    case 'copy':
      await vscode.env.clipboard.writeText(adviceLines(changes));
      void inform('Copied.');
  }
}

/** Writes variables into what benchside.json gives a target, after a question that shows them, as one edit that the editor can undo; then shows the file. */
async function writeVariables(target: { id: string; label: string }, variables: readonly AdviceVariable[]): Promise<void> {
  const uri = await workspaceFile();
  const document = uri === null ? null : await vscode.workspace.openTextDocument(uri);
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
