import * as vscode from 'vscode';
import type { Services } from '../services/services.ts';
import { debuggedProcess, type DebugConfigurationLike, type DebuggedService } from './debugged.ts';

/** The process of the active debug session, where it is known and listens on a port; else null. */
export async function debuggedService({ engine }: Services): Promise<DebuggedService | null> {
  const configurations = sessionConfigurations();
  if (configurations.length === 0) return null;
  const { processes } = await engine.request('processes/list', {});
  const process = debuggedProcess(configurations, processes);
  const [port] = process === null ? [] : (await engine.request('processes/ports', { pid: process.pid })).ports;
  return process === null || port === undefined ? null : { process, port };
}

/** Of the active debug session, and of those that it belongs to: a debugger of Node has one for each process, below the one that was started. */
export function sessionConfigurations(): DebugConfigurationLike[] {
  const found: DebugConfigurationLike[] = [];
  for (let session = vscode.debug.activeDebugSession; session !== undefined; session = session.parentSession)
    found.push(session.configuration);
  return found;
}
