import * as vscode from 'vscode';
import { commandIds, configurationSection, settingNames } from './ids.ts';

/** The code of a failure that comes from the engine's end, about which its crash tells a person once. */
export const engineEndedCode = 'engine-ended';

/** A button that may cure a failure, by the failure's code. The first match is offered. */
const cures: { code: RegExp; button: string; run: () => Thenable<unknown> }[] = [
  { code: /trust/, button: 'Manage Trust', run: () => vscode.commands.executeCommand('workbench.trust.manage') },
  { code: /java|jdk/, button: 'Set Java Path', run: () => openSetting(settingNames.javaPath) },
  { code: /^engine-not-started$/, button: 'Set Node Path', run: () => openSetting(settingNames.nodePath) },
  { code: /^postgres-(url|unreachable|login)$/, button: 'Open Setting', run: () => openSetting(settingNames.postgresUrl) },
  { code: /^(workspace-file|target-|setting-|cwd-|program-not-found)/, button: 'Open benchside.json', run: openWorkspaceFile },
  { code: /^(port-|store-write)/, button: 'Check This Machine', run: () => vscode.commands.executeCommand(commandIds.checkThisMachine) },
];

/**
 * Tells a person what failed and what to do, with a button for the cure where there is one and the log always.
 * A cancellation is what the person wanted and says nothing. `targetId` adds that target's own log.
 */
export async function showFailure(thrown: unknown, log: vscode.LogOutputChannel, targetId?: string): Promise<void> {
  const { toFailure } = await import('../../model/failure.ts');
  const failure = toFailure(thrown);
  if (failure.code === 'cancelled') return;
  log.error(`${failure.message} ${failure.cure}${failure.detail === undefined ? '' : `\n${failure.detail}`}`);
  // The notification about the engine's end says it already, and offers the restart.
  if (failure.code === engineEndedCode) return;
  const cure = cures.find(({ code }) => code.test(failure.code));
  const targetLog = targetId === undefined ? undefined : 'Show Its Output';
  const restart = failure.code === 'engine-crashing' ? 'Restart' : undefined;
  const buttons = [restart, cure?.button, targetLog, 'Show Log'].filter((button) => button !== undefined);
  const chosen = await vscode.window.showErrorMessage(`${failure.message} ${failure.cure}`, ...buttons);
  if (chosen === undefined) return;
  if (chosen === cure?.button) await cure.run();
  else if (chosen === targetLog) await vscode.commands.executeCommand(commandIds.showTargetLog, targetId);
  else if (chosen === restart) await vscode.commands.executeCommand(commandIds.refresh);
  else log.show(true);
}

function openWorkspaceFile(): Thenable<unknown> {
  return vscode.commands.executeCommand(commandIds.createWorkspaceFile);
}

function openSetting(name: string): Thenable<unknown> {
  return vscode.commands.executeCommand('workbench.action.openSettings', `@id:${configurationSection}.${name}`);
}
