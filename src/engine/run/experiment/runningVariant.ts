import type { RunningTarget } from '../../targets/launchTarget.ts';
import type { ProcessPool } from '../processPool.ts';
import { allRunning } from '../runningTargets.ts';
import type { WarmTrials } from '../warmTrials.ts';
import type { PlannedVariant } from './experimentPlan.ts';

export class RunningVariant {
  constructor(
    readonly planned: PlannedVariant,
    readonly pool: ProcessPool,
  ) {}

  get running(): RunningTarget {
    return this.pool.of(this.planned.process.key);
  }
}

/** Variants that run on after they were measured, for another look at their trials. */
export function warmVariants(variants: readonly RunningVariant[]): WarmTrials {
  return {
    startsAnew: false,
    warm: ({ process }) => {
      const running = variants.find(({ planned }) => planned.process === process)?.running ?? null;
      return Promise.resolve(running !== null && allRunning(running) ? running : null);
    },
    release: () => Promise.resolve(),
  };
}
