import type { Services } from '../services/services.ts';
import { debuggedProcess } from './debugged.ts';
import type { DebuggedService } from './acceptedAsRunning.ts';
import { sessionConfigurations } from './sessionConfigurations.ts';

/** The process of the debug session that is looked at, where it is known and listens on a port; null else. */
export async function debuggedService({ engine }: Services): Promise<DebuggedService | null> {
  const configurations = sessionConfigurations();
  if (configurations.length === 0) return null;
  const { processes } = await engine.request('processes/list', {});
  const process = debuggedProcess(configurations, processes);
  const [port] = process === null ? [] : (await engine.request('processes/ports', { pid: process.pid })).ports;
  return process === null || port === undefined ? null : { process, port };
}
