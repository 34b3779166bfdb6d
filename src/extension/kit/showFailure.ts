import * as vscode from 'vscode';
import type { FailureAction } from '../../model/failureCodes.ts';
import { commandIds, configurationSection, settingNames } from './ids.ts';
import { workspaceDir } from './workspaceFiles.ts';
import { complain } from './words/messages.ts';
import { type Log } from './words/log.ts';

interface Offer {
  button: string;
  run: (targetId: string | undefined) => Thenable<unknown>;
}

const command =
  (id: string): Offer['run'] =>
  () =>
    vscode.commands.executeCommand(id);

const setting =
  (name: string): Offer['run'] =>
  () =>
    vscode.commands.executeCommand('workbench.action.openSettings', `@id:${configurationSection}.${name}`);

/** How this editor does what a failure's code says can be done. */
const offers: Readonly<Record<FailureAction, Offer>> = {
  'open-workspace-file': { button: 'Open benchside.json', run: command(commandIds.createWorkspaceFile) },
  'manage-trust': { button: 'Manage Trust', run: command('workbench.trust.manage') },
  'set-java-path': { button: 'Set Java Path', run: setting(settingNames.javaPath) },
  'set-node-path': { button: 'Set Node Path', run: setting(settingNames.nodePath) },
  'set-postgres-url': { button: 'Open Setting', run: setting(settingNames.postgresUrl) },
  'allow-postgres-host': { button: 'Allowed Hosts', run: setting(settingNames.postgresHosts) },
  'check-machine': { button: 'Check This Machine', run: command(commandIds.checkThisMachine) },
  'show-output': { button: 'Show Its Output', run: (targetId) => vscode.commands.executeCommand(commandIds.showTargetLog, targetId) },
  'free-space': { button: 'Show Stored Runs', run: revealStore },
  'choose-run': { button: 'Choose Another Run', run: command(commandIds.openRun) },
  'choose-recording': { button: 'Choose Another Recording', run: command(commandIds.openFlameGraph) },
  'choose-process': { button: 'Choose Another Process', run: command(commandIds.recordFlameGraph) },
  'restart-engine': { button: 'Restart', run: command(commandIds.refresh) },
};

/**
 * Tells a person what failed and what to do, with a button for what its code offers and the log always. A cancellation is what the person wanted and says
 * nothing. `targetId` is the target it is about, whose output can then be shown.
 */
export async function showFailure(thrown: unknown, log: Log, targetId?: string): Promise<void> {
  const { toFailure } = await import('../../model/failure.ts');
  const { failureActions } = await import('../../model/failureCodes.ts');
  const failure = toFailure(thrown);
  if (failure.code === 'cancelled') return;
  log.error(`${failure.message} ${failure.cure}${failure.detail === undefined ? '' : `\n${failure.detail}`}`);
  // The notification about the engine's end says it already, and offers the restart.
  if (failure.code === 'engine-ended') return;
  const fitting = failureActions(failure.code)
    .filter((action) => action !== 'show-output' || targetId !== undefined)
    .map((action) => offers[action]);
  const chosen = await complain(`${failure.message} ${failure.cure}`, ...fitting.map(({ button }) => button), 'Show Log');
  if (chosen === undefined) return;
  const offer = fitting.find(({ button }) => button === chosen);
  if (offer === undefined) log.show();
  else await offer.run(targetId);
}

/** The folder that can be emptied where the disk is full: old runs are what takes the space. */
async function revealStore(): Promise<void> {
  const folder = await workspaceDir();
  if (folder !== null) await vscode.commands.executeCommand('revealFileInOS', vscode.Uri.joinPath(folder, '.benchside', 'runs'));
}
