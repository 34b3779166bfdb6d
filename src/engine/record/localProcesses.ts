import type { LocalProcess } from '../../model/domain/recording.ts';
import { listJvms } from './jvm/listJvms.ts';
import { listNodes } from './node/listNodes.ts';

/**
 * The JVMs and Node processes of this machine, Benchside's first, then those that can be recorded. `targets` gives the target id by pid of those that we
 * started.
 */
export async function localProcesses(targets: ReadonlyMap<number, string>): Promise<LocalProcess[]> {
  const found = (await Promise.all([listJvms(), listNodes()])).flat().map((one) => ({ ...one, targetId: targets.get(one.pid) ?? null }));
  const rank = (one: LocalProcess): number => (one.targetId !== null ? 0 : one.problem === null ? 1 : 2);
  return found.sort((a, b) => rank(a) - rank(b) || b.pid - a.pid);
}
