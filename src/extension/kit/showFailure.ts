import * as vscode from 'vscode';
import type { Failure } from '../../model/domain/failure.ts';
import type { FailureAction } from '../../model/domain/failureCodes.ts';
import { configurationSection, storeFolders } from './ids.ts';
import type { SettingName } from './manifest/settings.ts';
import { runCommand } from './runCommand.ts';
import { workspaceDir } from './workspaceFiles.ts';
import { complain } from './safeUi/dialogs.ts';
import { type Log } from './safeUi/log.ts';

type Deed = (targetId: string | undefined) => Thenable<unknown>;

const setting =
  (name: SettingName): Deed =>
  () =>
    vscode.commands.executeCommand('workbench.action.openSettings', `@id:${configurationSection}.${name}`);

/** How this editor does what a failure's code says can be done. */
const deeds: Readonly<Record<FailureAction, Deed>> = {
  'open-workspace-file': () => runCommand('createWorkspaceFile'),
  'manage-trust': () => vscode.commands.executeCommand('workbench.trust.manage'),
  'set-java-path': setting('javaPath'),
  'set-k6-path': setting('k6.path'),
  'set-node-path': setting('nodePath'),
  'set-postgres-url': setting('postgres.url'),
  'allow-postgres-host': setting('postgres.allowedHosts'),
  'check-machine': () => runCommand('checkThisMachine'),
  'show-output': (targetId) => runCommand('showTargetLog', targetId),
  'free-space': revealStore,
  'choose-run': () => runCommand('openRun'),
  'choose-recording': () => runCommand('openFlameGraph'),
  'choose-process': () => runCommand('recordFlameGraph'),
  'restart-engine': () => runCommand('refresh'),
};

/**
 * Shows a person what failed and what to do, with a button for what its code offers and the log always. A cancellation is what the person wanted and is not
 * shown. `targetId` is the target that the failure is about; its output can then be shown.
 */
export async function showFailure(thrown: unknown, log: Log, targetId?: string): Promise<void> {
  const { toFailure } = await import('../../model/domain/failure.ts');
  const { failureButtons, offeredActions } = await import('../../model/domain/failureCodes.ts');
  const failure = toFailure(thrown);
  if (failure.code === 'cancelled') return;
  logFailure(failure, log);
  // The notification about the engine's end says it already, and offers the restart.
  if (failure.code === 'engine-ended') return;
  const actions = offeredActions(failure.code, targetId);
  const chosen = await complain(`${failure.message} ${failure.cure}`, ...actions.map((action) => failureButtons[action]), 'Show Log');
  if (chosen === undefined) return;
  const action = actions.find((one) => failureButtons[one] === chosen);
  if (action === undefined) log.show();
  else await actOnFailure(action, targetId);
}

/** Logs a failure that is shown elsewhere. */
export function logFailure({ message, cure, detail }: Pick<Failure, 'message' | 'cure' | 'detail'>, log: Log): void {
  log.error(`${message} ${cure}${detail === undefined ? '' : `\n${detail}`}`);
}

/** Does what a notification or the panel offered about a failure. */
export async function actOnFailure(action: FailureAction, targetId: string | undefined): Promise<void> {
  await deeds[action](targetId);
}

/** The folder that can be emptied where the disk is full: old runs are what takes the space. */
async function revealStore(): Promise<void> {
  const folder = await workspaceDir();
  if (folder !== null) await vscode.commands.executeCommand('revealFileInOS', vscode.Uri.joinPath(folder, storeFolders.runs));
}
