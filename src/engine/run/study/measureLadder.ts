import { allRunning } from '../runningTargets.ts';
import type { PlannedTrial } from '../plan.ts';
import { measureRounds } from './measureRounds.ts';
import { addBlock, armOf } from './studyMeasures.ts';
import type { MeasureTools } from './studyMeasures.ts';
import type { StudyArm } from './studyArm.ts';

/** All arms at all levels in mirrored rounds, then those that a rule needs more of. */
export function measureLadder(tools: MeasureTools<'ladder'>, arms: readonly StudyArm[]): Promise<void> {
  return measureRounds(tools, arms, {
    what: ({ name }) => `Measuring ${name}`,
    measure: (planned, round) => measureOnce(tools, arms, planned, round),
  });
}

async function measureOnce(tools: MeasureTools<'ladder'>, arms: readonly StudyArm[], planned: PlannedTrial, round: number): Promise<void> {
  const { running } = armOf(arms, planned);
  if (allRunning(running)) {
    addBlock(tools, planned, await tools.bench.measure(planned, running, round));
    return;
  }
  const { problems } = tools.sighting(planned);
  if (problems.length === 0) problems.push({ code: 'has-ended', name: planned.process.name });
}
