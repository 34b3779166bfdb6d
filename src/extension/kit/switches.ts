import * as vscode from 'vscode';
import { configurationSection } from './ids.ts';
import type { SettingName } from './manifest/settings.ts';

/** Whether a setting of Benchside that is a switch is on. */
export function isSwitchedOn(name: SettingName): boolean {
  return vscode.workspace.getConfiguration(configurationSection).get<boolean>(name) === true;
}
