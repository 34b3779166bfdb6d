import type { RunningTarget } from '../targets/launchTarget.ts';
import type { PlannedTrial } from './plan.ts';

/** The processes of what was measured, for whoever looks further into a trial afterwards: waits, recordings, what raw samples cost. */
export interface WarmTrials {
  /** Whether a process is started and warmed anew for every look. */
  readonly startsAnew: boolean;
  /** The warm process of a trial with its settings in force; null when that cannot be brought about any more. */
  warm(planned: PlannedTrial): Promise<RunningTarget | null>;
  /** After a look. */
  release(planned: PlannedTrial): Promise<void>;
}
