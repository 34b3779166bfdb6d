import type { RunNote } from '../../model/domain/runNoteKinds.ts';
import { type LadderDemand, checkLadderLimits } from '../limits/ladderLimits.ts';
import { type PlannedProcess, serverConnections } from './plan.ts';

/** The limits of this machine that would spoil so many connections, each with its cure; to be checked before any of them is opened. */
export function limitNotes(
  processes: readonly PlannedProcess[],
  demand: Pick<LadderDemand, 'connections' | 'instances' | 'throughProxy' | 'maxConnections'>,
): Promise<RunNote[]> {
  const poolTotal = processes.reduce((sum, process) => sum + serverConnections(process), 0);
  return checkLadderLimits({ ...demand, poolTotal });
}
