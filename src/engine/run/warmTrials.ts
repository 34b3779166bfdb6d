import type { RunningTarget } from '../targets/launchTarget.ts';
import type { PlannedTrial } from './plan.ts';

/** The processes of what was measured, for a later look at a trial: waits, recordings, what raw samples cost. */
export interface WarmTrials {
  /** Whether a process is restarted and warmed for every look. */
  readonly startsAnew: boolean;
  /** The warm process of a trial with its settings in force; null when they can no longer be activated. */
  warm(planned: PlannedTrial): Promise<RunningTarget | null>;
  /** After a look. */
  release(planned: PlannedTrial): Promise<void>;
}
