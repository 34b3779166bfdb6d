import type { FromPanel } from '../../model/protocol/panel.ts';
import type { ParamsInput } from '../../model/protocol/protocol.ts';
import { isBusy, measure } from '../measuring/measure.ts';
import { sendAdvice } from '../panel/sendAdvice.ts';
import { saveReport } from '../runs/runCommands.ts';
import type { Services } from '../services/services.ts';
import { chosenTarget } from '../targets/targetCommands.ts';
import { agrees, offer, say, warn } from '../kit/safeUi/dialogs.ts';
import * as vscode from 'vscode';
import type { AdviceVariable } from '../../model/domain/advice.ts';
import type { SettingValues } from '../../model/domain/setting.ts';
import { applySettings } from '../applied/applySettings.ts';
import { workspaceFileName } from '../kit/ids.ts';
import { openText, workspaceFile } from '../kit/workspaceFiles.ts';
import { adviceLines, adviceSql, withVariables } from './adviceText.ts';

/** Looks for what helps a target as it starts now: with the values that were applied to it. */
export async function whatWouldHelp(services: Services, targetId: string | undefined): Promise<void> {
  if (await isBusy(services)) return;
  const id = await chosenTarget(services, targetId, 'What would help which target?', 'What Would Help?');
  if (id === undefined) return;
  const target = (await services.inventory.catalog.get()).targets.find((one) => one.id === id);
  await measure(services, { kind: 'advise', target: id, settings: target === undefined ? {} : services.applied.of(target) });
}

/** What the page asks for: once more what an advice asked for, after the verdict of a run, or of a target that is chosen now. */
export async function askedForHelp(
  services: Services,
  { runId, trialKey, adviceId, budgetS }: Extract<FromPanel, { type: 'whatWouldHelp' }>,
): Promise<void> {
  const { engine, inventory } = services;
  const longer = budgetS === undefined ? {} : { budgetS };
  if (adviceId !== undefined) {
    const { record } = await engine.request('advice/get', { id: adviceId });
    const { from, ...asked } = record.request;
    // A run that was deleted meanwhile cannot be followed: what limits is looked at again.
    const known = from !== undefined && (await inventory.runs.get()).some(({ id }) => id === from);
    return measure(services, { kind: 'advise', ...asked, ...(known ? { from } : {}), ...longer });
  }
  if (runId === undefined) return whatWouldHelp(services, undefined);
  const { run } = await engine.request('runs/get', { id: runId });
  const { askedAfter } = await import('../../model/presentation/nextStep.ts');
  const trial = run.trials.find(({ key }) => key === trialKey) ?? run.trials[0];
  return measure(services, { kind: 'advise', ...askedAfter(run, trial), ...longer });
}

/** Writes an advice to a file that the person names. */
export async function exportAdvice({ engine }: Services, id: string, format: ParamsInput<'advice/report'>['format']): Promise<void> {
  const { text, suggestedName } = await engine.request('advice/report', { id, format });
  await saveReport(text, suggestedName, format);
}

/** Deletes an advice after a question, and offers to bring it back. Its runs stay. */
export async function deleteAdvice(services: Services, id: string): Promise<void> {
  const { engine } = services;
  if (!(await agrees('Delete this advice?', 'The runs that it rests on stay in the list.', 'Delete', 'warning'))) return;
  await engine.request('advice/delete', { id });
  await sendAdvice(services, null);
  const undo = async (): Promise<void> => {
    await engine.request('advice/restore', { id });
    await sendAdvice(services, id);
  };
  void offer('Deleted the advice.', { Undo: undo });
}

/** Applies values of an advice, writes its variables, opens its SQL or copies it. Only what was measured and helps, or is the same for less, is taken, and no SQL is run. */
export async function haveAdvice(services: Services, { id, changes: ids, how }: Extract<FromPanel, { type: 'haveAdvice' }>): Promise<void> {
  const { record } = await services.engine.request('advice/get', { id });
  const { isAdvised } = await import('../../model/domain/advice.ts');
  const { target, tried } = record.advice;
  const changes = tried.filter((one) => ids.includes(one.id) && isAdvised(one));
  if (changes.length === 0) return warn('This advice has no such change that helps or costs less. Open it again.');
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
      say('Copied.');
  }
}

/** Writes variables into what benchside.json gives a target, after a question that shows them, as one edit that the editor can undo; then shows the file. */
async function writeVariables(target: { id: string; label: string }, variables: readonly AdviceVariable[]): Promise<void> {
  const uri = await workspaceFile();
  const document = uri === null ? null : await vscode.workspace.openTextDocument(uri);
  const written = document === null ? null : withVariables(document.getText(), target.id, variables);
  if (document === null || written === null)
    return warn(`${workspaceFileName} does not declare ${target.label}: nothing was written. Copy it as text.`);
  if (written.changed.length === 0) return say(`${workspaceFileName} has it already.`);
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
