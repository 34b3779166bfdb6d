import { homedir } from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import { noK6Params } from '../../model/domain/generator.ts';
import type { ServerMode } from '../../model/domain/userServer.ts';
import { configurationSection } from '../kit/ids.ts';
import type { SettingName } from '../kit/manifest/settings.ts';
import { workspaceDir } from '../kit/workspaceFiles.ts';
import type { StartOptions } from './windowEngine.ts';

/** How the engine is started with the settings and the trust of this moment. */
export async function engineOptions(context: vscode.ExtensionContext): Promise<StartOptions> {
  const configuration = vscode.workspace.getConfiguration(configurationSection);
  const setting = (name: SettingName): unknown => configuration.get(name);
  const text = (name: SettingName): string | null => {
    const value = setting(name);
    return typeof value === 'string' && value.trim() !== '' ? value.trim() : null;
  };
  const nodePath = text('nodePath');
  const k6Path = text('k6.path');
  return {
    nodePath: nodePath === null ? process.execPath : atHome(nodePath),
    enginePath: vscode.Uri.joinPath(context.extensionUri, 'dist', 'engine.cjs').fsPath,
    // The editor's own executable behaves as plain Node with this; a real Node ignores it.
    env: nodePath === null ? { ELECTRON_RUN_AS_NODE: '1' } : {},
    initialize: {
      client: 'extension',
      workspaceDir: (await workspaceDir())?.fsPath ?? null,
      storageDir: context.globalStorageUri.fsPath,
      assetsDir: context.extensionUri.fsPath,
      trusted: vscode.workspace.isTrusted,
      nodePath,
      javaPath: text('javaPath'),
      k6: { ...noK6Params, path: k6Path === null ? null : atHome(k6Path) },
      postgresUrl: text('postgres.url'),
      postgresMode: serverMode(text('postgres.mode')),
      postgresHosts: words(setting('postgres.allowedHosts')),
      probes: setting('probes') !== false,
    },
  };
}

/** What is not understood must not allow more than the default does. */
function serverMode(text: string | null): ServerMode {
  return text === 'named' || text === 'read-only' ? text : 'own';
}

function words(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((word) => typeof word === 'string') : [];
}

/** A path that begins with `~/` is meant from the user's home. */
function atHome(file: string): string {
  return file.startsWith('~/') ? path.join(homedir(), file.slice(2)) : file;
}
