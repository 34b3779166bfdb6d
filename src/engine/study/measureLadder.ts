import { allRunning } from '../experiment/measuringBench.ts';
import type { PlannedTrial } from '../experiment/plan.ts';
import { addBlock, armOf } from './studyMeasures.ts';
import type { MeasureTools } from './studyMeasures.ts';
import type { StudyArm } from './studyArm.ts';

/** Blocks that the machine disturbed are measured again, up to this share of the planned ones. */
const spareShare = 0.6;
/** What a block’s reasons say when it was the machine and not the app, the load or the generator. */
const ofMachine = /hypervisor|CPU limit stopped/;

/** All arms at all levels, in shuffled rounds of which every second one is the mirror of the one before. */
export async function measureLadder(tools: MeasureTools<'ladder'>, arms: readonly StudyArm[]): Promise<void> {
  const { progress, study, plan } = tools;
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
      await measureOnce(tools, arms, planned, index + 1);
    }
  }
  await measureAgain(tools, arms, order[0] ?? [], order.length, Math.ceil(spareShare * order.flat().length));
}

/** Further rounds of those trials that lack valid blocks because the machine was taken away meanwhile. */
async function measureAgain(
  tools: MeasureTools<'ladder'>,
  arms: readonly StudyArm[],
  trials: readonly PlannedTrial[],
  rounds: number,
  spare: number,
): Promise<void> {
  const { progress, plan } = tools;
  let left = spare;
  for (let round = rounds + 1; left > 0; round += 1) {
    const disturbed = trials.filter((planned) => lacksBlocks(tools, planned, rounds)).slice(0, left);
    if (disturbed.length === 0) return;
    await tools.beforeRound();
    for (const planned of disturbed) {
      left -= 1;
      progress.begin('measure', `Measuring ${planned.name} again: the machine was disturbed`, 1000 * (plan.blockS + plan.settleS) + 400);
      await measureOnce(tools, arms, planned, round);
    }
  }
}

function lacksBlocks(tools: MeasureTools<'ladder'>, planned: PlannedTrial, rounds: number): boolean {
  const { blocks } = tools.recorded(planned);
  const invalid = blocks.filter(({ valid }) => !valid);
  return (
    blocks.length - invalid.length < Math.min(2, rounds) && invalid.some(({ reasons }) => reasons.some((reason) => ofMachine.test(reason)))
  );
}

async function measureOnce(tools: MeasureTools<'ladder'>, arms: readonly StudyArm[], planned: PlannedTrial, round: number): Promise<void> {
  const { running } = armOf(arms, planned);
  if (allRunning(running)) {
    addBlock(tools, planned, await tools.bench.measure(planned, running, round));
    return;
  }
  const { problems } = tools.sighting(planned);
  if (problems.length === 0) problems.push(`${planned.process.name} has ended. Look at its log.`);
}
