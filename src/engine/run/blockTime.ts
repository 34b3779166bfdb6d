import type { LoadProfile } from '../../model/domain/loadProfile.ts';
import type { Runtime } from '../../model/domain/runtimes.ts';
import type { TuningMode } from '../../model/domain/tuning.ts';
import { warmUpTime } from '../../model/domain/warmUpTime.ts';
import { blockOverheadS } from './plan.ts';

/** How long the start of one process is expected to take. */
export const launchMs = 1500;
/** After a live switch the size is verified; only the queue has to settle. */
const liveSettleS = 0.4;

/** Seconds that are left out at the start of each block: a process that keeps running has nothing to settle but its queue. */
export function settleSeconds(mode: TuningMode, { settleS }: Pick<LoadProfile, 'settleS'>): number {
  return mode === 'live' ? Math.min(settleS, liveSettleS) : settleS;
}

/** What a block takes, in ms: settling, measuring, switching, and where each block has a process of its own, its start and warm-up. */
export function blockTimeMs(mode: TuningMode, load: LoadProfile, runtime: Runtime): number {
  const measuredMs = 1000 * (settleSeconds(mode, load) + load.durationS + blockOverheadS);
  return mode === 'restart-per-block' ? measuredMs + launchMs + 1000 * warmUpTime(load, runtime).expectedS : measuredMs;
}
