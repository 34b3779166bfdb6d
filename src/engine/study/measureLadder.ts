import { allRunning } from '../experiment/measuringBench.ts';
import { addBlock, armOf } from './studyMeasures.ts';
import type { MeasureTools } from './studyMeasures.ts';
import type { StudyArm } from './studyArm.ts';

/** All arms at all levels, in shuffled rounds of which every second one is the mirror of the one before. */
export async function measureLadder(tools: MeasureTools<'ladder'>, arms: readonly StudyArm[]): Promise<void> {
  const { bench, progress, study, plan } = tools;
  const blockMs = 1000 * (plan.blockS + plan.settleS) + 400;
  const own = new Set(arms.map(({ planned }) => planned.process));
  const order = study.run.order.map((round) => round.filter(({ process }) => own.has(process)));
  let leftMs = order.flat().length * blockMs;
  for (const [index, round] of order.entries()) {
    await tools.beforeRound();
    for (const planned of round) {
      progress.setRemaining(leftMs + 1500);
      progress.begin('measure', `Measuring ${planned.name}, round ${index + 1} of ${order.length}`, blockMs);
      leftMs -= blockMs;
      const { running } = armOf(arms, planned);
      if (!allRunning(running)) {
        const { problems } = tools.sighting(planned);
        if (problems.length === 0) problems.push(`${planned.process.name} has ended. Look at its log.`);
        continue;
      }
      addBlock(tools, planned, await bench.measure(planned, running, index + 1));
    }
  }
}
