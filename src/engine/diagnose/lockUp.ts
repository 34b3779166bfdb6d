import type { ProbeWindow } from '../probe/probeWindow.ts';
import type { PoolSignals } from './signals.ts';
import { thresholds } from './thresholds.ts';

/** A pool over a window of a second or more. `activeSessions`: on which a statement runs; null where we may not look into PostgreSQL. */
type PoolMetrics = Pick<PoolSignals, 'max' | 'busy' | 'pending' | 'completions' | 'timeouts'> & { activeSessions: number | null };

/** A statement on so many of the connections in use means that they are at work, if slowly. */
const atWork = 0.3;

/**
 * Whether a pool has locked itself up: every connection is held by a request that waits for another one, so that none is given back, or only when a wait runs
 * out. The sign is a full pool before which requests wait, while no use of it ends (or no more of them than callers give up) and no statement runs. Slow
 * statements look alike except for their sessions: where those are not seen, only a window without a single use that ended counts.
 */
export function isLockedUp({ max, busy, pending, completions, timeouts, activeSessions }: PoolMetrics): boolean {
  if (max === null || max <= 0 || busy === null || pending === null || completions === null) return false;
  if (busy < thresholds.poolBusy.limit * max || pending < thresholds.waiting.limit) return false;
  if (activeSessions !== null && activeSessions >= atWork * busy) return false;
  return completions === 0 || (activeSessions !== null && timeouts !== null && timeouts > 0 && timeouts >= completions);
}

/** The same of what the probes saw between two readings; for a loop that waits until the pool is free again before it measures something else. */
export function isLockedUpIn({ pool }: Pick<ProbeWindow, 'pool'>, activeSessions: number | null = null): boolean {
  if (pool === null) return false;
  const { max, busySampled, pendingSampled, hold, timeouts } = pool;
  return isLockedUp({ max, busy: busySampled, pending: pendingSampled, completions: hold.count, timeouts, activeSessions });
}
