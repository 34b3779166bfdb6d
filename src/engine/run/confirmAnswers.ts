import { FailureError, isCancellation } from '../../model/domain/failure.ts';
import { launchMs } from './blockTime.ts';
import type { PlannedTrial } from './plan.ts';
import type { RunUnderWay } from './runLife.ts';
import type { RunTargets } from './runTargets.ts';

/** How often all sides are asked again what they answer otherwise: one of two words that a service draws shows as one of them on each side in 1 of 1,000. */
const confirmingRounds = 3;

/**
 * Where processes answered otherwise than the first of them, starts that one again and asks all the same a few times: what one process answers otherwise itself is
 * no difference. If it does not start, the first answers count.
 */
export async function confirmAnswers(
  { pool, progress }: Pick<RunUnderWay, 'pool' | 'progress'>,
  targets: Pick<RunTargets, 'of'>,
  first: PlannedTrial | undefined,
  others: readonly PlannedTrial[],
): Promise<void> {
  if (first === undefined || targets.of(first).mode === 'restart-per-block') return;
  const base = first.process;
  const open = new Set(
    others.map(({ process }) => process).filter(({ key }) => (pool.processes.comparedAnswers(base.key, key)?.differing.length ?? 0) > 0),
  );
  if (open.size === 0) return;
  progress.begin('targets', `Asking ${base.name} once more what others answer otherwise`, launchMs);
  await pool.stop(base.key);
  try {
    await pool.launch(base);
  } catch (error) {
    if (!(error instanceof FailureError) || isCancellation(error)) throw error;
  }
  for (let round = 0; round < confirmingRounds; round += 1) for (const process of [base, ...open]) await pool.processes.hearAgain(process);
}
