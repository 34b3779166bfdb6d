import type { Outage } from '../../../model/domain/topology.ts';
import type { RunningTarget } from '../../targets/launchTarget.ts';
import type { InstanceGroup } from '../instanceGroup.ts';
import { allRunning } from '../runningTargets.ts';
import type { WarmTrials } from '../warmTrials.ts';
import type { PlannedVariant } from './experimentPlan.ts';

/** A variant that runs: its group of instances, and what is done to it while it is measured. */
export class RunningVariant {
  constructor(
    readonly planned: PlannedVariant,
    private readonly group: InstanceGroup,
  ) {}

  /** As the load generator and the meters see it. */
  get running(): RunningTarget {
    return this.group.running;
  }

  get instances(): readonly RunningTarget[] {
    return this.group.instances;
  }

  /** Cores that all instances together may use; null without a limit that is in force. */
  get coresAvailable(): number | null {
    return this.group.coresAvailable;
  }

  /** See `InstanceGroup.unlimited`. */
  unlimited<T>(work: () => Promise<T>): Promise<T> {
    return this.group.unlimited(work);
  }

  /** Ends an instance as a crash would, or adds one; returns what was done, as a phrase. */
  async happen({ action }: Outage): Promise<string> {
    if (action === 'kill') {
      await this.group.killOne();
      return 'an instance was killed';
    }
    await this.group.addOne();
    return 'an instance was added';
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
