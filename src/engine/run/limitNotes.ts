import type { RunNote } from '../../model/domain/runNoteKinds.ts';
import { type LadderDemand, checkLadderLimits } from '../limits/ladderLimits.ts';
import { type PlannedProcess, serverConnections } from './plan.ts';

/** The limits of this machine that would spoil so many connections, each with its cure; to be checked before any of them is opened. */
export async function limitNotes(
  processes: readonly PlannedProcess[],
  demand: Pick<LadderDemand, 'connections' | 'instances' | 'throughProxy' | 'maxConnections'>,
): Promise<RunNote[]> {
  const poolTotal = processes.reduce((sum, process) => sum + serverConnections(process), 0);
  const checks = await checkLadderLimits({ ...demand, poolTotal });
  return checks.filter(({ ok }) => !ok).map(({ id, message, cure }) => ({ code: 'machine-limit', limit: id, message, remedy: cure }));
}
