import type { StudyFile, StudyRecord } from '../../../model/study.ts';
import { checkLadderLimits } from '../../limits/ladderLimits.ts';
import type { PlannedStudy } from './studyPlan.ts';

/** What of this machine would spoil the highest level of a study, each with its cure. Looked at before anything is started. */
export async function ladderNotes(
  study: StudyFile,
  form: StudyRecord['form'],
  planned: PlannedStudy,
  maxConnections: number | null,
): Promise<string[]> {
  const connections = Math.max(1, ...planned.run.trials.map((trial) => trial.connections));
  const { arms } = planned;
  const instances = Math.max(1, ...arms.map(({ arm }) => arm.topology.instances));
  const pools = arms.map(({ process }) =>
    typeof process.settings['pool'] === 'number' ? process.settings['pool'] * process.instances : 0,
  );
  const checks = await checkLadderLimits({
    connections: study[form].kind === 'breaking-point' ? (study[form] as { highest: number }).highest : connections,
    instances,
    throughProxy: arms.some(({ arm }) => arm.topology.proxy !== null),
    maxConnections,
    poolTotal: pools.reduce((sum, pool) => sum + pool, 0),
  });
  return checks.filter(({ ok }) => !ok).map(({ message, cure }) => `${message}${cure === null ? '' : ` ${cure}`}`);
}
