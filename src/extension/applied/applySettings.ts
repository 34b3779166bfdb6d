import * as vscode from 'vscode';
import type { Form } from '../../model/protocol/panel.ts';
import type { TargetState } from '../../model/protocol/protocol.ts';
import type { RunRecord } from '../../model/domain/run.ts';
import type { SettingValue, SettingValues } from '../../model/domain/setting.ts';
import { workspaceFileName } from '../kit/ids.ts';
import { showForm } from '../form/chosenForm.ts';
import type { Services } from '../services/services.ts';
import { fileUri, workspaceFile } from '../kit/workspaceFiles.ts';
import { showFailure } from '../kit/showFailure.ts';
import { restartTarget } from '../targets/targetCommands.ts';
import { applicableAnswers, assignmentText, valuesPhrase } from './answerText.ts';
import { applicableValues, prefilled } from '../form/appliedValues.ts';
import { findDefault } from '../kit/placesInFile.ts';
import { choose, offer, say, warn } from '../kit/safeUi/dialogs.ts';

/** Applies what a run recommends, each to its target. */
export async function applyAnswers(services: Services, run: RunRecord): Promise<void> {
  for (const { target, values } of applicableAnswers(run)) await applySettings(services, target, values);
}

/**
 * From now on a target starts with these values: they are remembered, and the form and the next recording begin with them. Then offers what remains to
 * be done (restart what runs, write the default into benchside.json) and Undo.
 */
export async function applySettings(services: Services, targetId: string, values: SettingValues): Promise<void> {
  const { inventory, applied } = services;
  const catalog = await inventory.catalog.get();
  const target = catalog.targets.find(({ id }) => id === targetId);
  if (target === undefined) return warn(`There is no target “${targetId}” any more, so that nothing was applied.`);
  const fit = applicableValues(values, target.settings);
  if (Object.keys(fit).length === 0) return say(`Nothing of this is a setting of ${target.label}: run it that way where it is deployed.`);
  const before = { applied: applied.of(target), form: await services.form.shown(catalog) };
  const form = prefilled(before.form, target.id, fit);
  await establish(services, target, { ...before.applied, ...fit }, form);
  await services.next.done(({ kind }) => kind === 'apply');
  // Not awaited: what was asked for is done; the rest is an offer.
  void offerMore(services, target, fit, async () => {
    const untouched = JSON.stringify(await services.form.shown(catalog)) === JSON.stringify(form);
    await establish(services, target, before.applied, untouched ? before.form : null);
  }).catch((error: unknown) => showFailure(error, services.log, target.id));
}

/** Lets a target start with its defaults again; asks which one when none is given. */
export async function forgetApplied(services: Services, id?: string): Promise<void> {
  const catalog = await services.inventory.catalog.get();
  const changed = catalog.targets.filter((target) => Object.keys(services.applied.of(target)).length > 0);
  const items = changed.map((target) => ({
    label: target.label,
    description: valuesPhrase(services.applied.of(target), target.settings),
    target,
  }));
  const known = changed.find((target) => target.id === id);
  if (known === undefined && (id !== undefined || items.length === 0)) return say('Nothing is applied: it starts with its defaults.');
  const target = known ?? (await choose(items, 'Use the defaults of which target?'))?.target;
  if (target === undefined) return;
  const before = services.applied.of(target);
  await establish(services, target, {}, null);
  const undo = (): Promise<void> => establish(services, target, before, null);
  const offered = offer(`${target.label} starts with its defaults from now on.`, { Undo: undo });
  void offered.catch((error: unknown) => showFailure(error, services.log, target.id));
}

/** Remembers values for a target and notifies everything that shows them. */
async function establish(services: Services, target: TargetState, values: SettingValues, form: Form | null): Promise<void> {
  await services.applied.set(target.id, values);
  await services.memory.forgetRecordedSettings(target.id);
  if (form !== null) await showForm(services, form);
  await services.panel.send({ type: 'applied', target: target.id, values });
}

async function offerMore(services: Services, target: TargetState, values: SettingValues, undo: () => Promise<void>): Promise<void> {
  const running = target.state === 'running';
  const defaults = target.origin === 'workspace' ? await defaultsToWrite(target, values) : null;
  const still = running ? ' It is running with the values it was started with.' : '';
  await offer(`${target.label} starts with ${valuesPhrase(values, target.settings)} from now on.${still}`, {
    'Restart It': running ? () => restartTarget(services, target.id) : undefined,
    [`Write into ${workspaceFileName}`]: defaults === null ? undefined : () => writeDefaults(defaults, target.id, values),
    Undo: undo,
  });
}

/** The file of this workspace when it declares another default for one of these settings; null when there is nothing to write. */
async function defaultsToWrite(target: TargetState, values: SettingValues): Promise<vscode.Uri | null> {
  const uri = await workspaceFile();
  if (uri === null || !Object.entries(values).some(([name, value]) => target.settings[name]?.default !== value)) return null;
  const text = (await vscode.workspace.openTextDocument(uri)).getText();
  return Object.keys(values).every((name) => findDefault(text, target.id, name) !== null) ? uri : null;
}

/** Writes the defaults as one edit, which the editor can undo, and shows the line. A file with other unsaved changes is left for the person to save. */
async function writeDefaults(uri: vscode.Uri, targetId: string, values: SettingValues): Promise<void> {
  const document = await vscode.workspace.openTextDocument(uri);
  const wasDirty = document.isDirty;
  const edit = new vscode.WorkspaceEdit();
  let shown: vscode.Range | undefined;
  for (const [name, value] of Object.entries(values)) {
    const span = findDefault(document.getText(), targetId, name);
    if (span === null) continue;
    const range = new vscode.Range(document.positionAt(span.start), document.positionAt(span.end));
    edit.replace(uri, range, JSON.stringify(value));
    shown ??= range;
  }
  await vscode.workspace.applyEdit(edit);
  await vscode.window.showTextDocument(document, shown === undefined ? {} : { selection: new vscode.Range(shown.start, shown.start) });
  if (!wasDirty) await document.save();
}

/** Says where a setting of a target is set, to copy it or to open the place. */
export async function showWhereSet(services: Services, targetId: string, setting: string, value: SettingValue): Promise<void> {
  const { how, file, line } = await services.engine.request('settings/where', { target: targetId, setting, value });
  const spec = (await services.inventory.catalog.get()).targets.find(({ id }) => id === targetId)?.settings[setting];
  const assignment = spec === undefined ? null : assignmentText(spec, value);
  const uri = file === null ? null : await fileUri(file);
  const position = new vscode.Position(Math.max(0, (line ?? 1) - 1), 0);
  const selection = new vscode.Range(position, position);
  await offer(how, {
    [`Copy ${assignment === null || assignment.length > 30 ? 'It' : assignment}`]:
      assignment === null ? undefined : () => vscode.env.clipboard.writeText(assignment),
    'Open File': uri === null ? undefined : () => vscode.window.showTextDocument(uri, { selection }),
  });
}
