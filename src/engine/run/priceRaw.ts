import { FailureError, isCancellation } from '../../model/domain/failure.ts';
import type { LoadProfile } from '../../model/domain/loadProfile.ts';
import type { RawRequest } from '../../model/domain/rawSample.ts';
import { measureRawCost, rawCostFileName, rawCostPairs, rawCostWindowMs } from '../raw/rawCost.ts';
import type { PlannedTrial } from './plan.ts';
import type { RunUnderWay } from './runLife.ts';
import type { WarmTrials } from './warmTrials.ts';

/** What raw samples cost, by windows of their own after everything was measured. */
export async function priceRaw(
  run: RunUnderWay,
  targets: WarmTrials,
  planned: PlannedTrial | undefined,
  request: RawRequest | undefined,
  { durationS }: LoadProfile,
): Promise<void> {
  if (run.raw === null || request === undefined || planned === undefined) return;
  const running = await targets.warm(planned);
  if (running === null) return;
  const windowMs = Math.min(rawCostWindowMs, durationS * 1000);
  run.progress.begin('record', { code: 'pricing-raw' }, 2 * rawCostPairs * (windowMs + 500));
  try {
    run.raw.cost(
      await measureRawCost(request, run.writer.scratch(rawCostFileName), (command) =>
        run.harness.costWindow(planned, running, windowMs, command),
      ),
    );
  } catch (error) {
    if (isCancellation(error) || !(error instanceof FailureError)) throw error;
    run.note({ code: 'raw-cost-unknown', message: error.message });
  }
}
