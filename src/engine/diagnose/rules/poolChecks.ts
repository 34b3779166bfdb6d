import { type Check, atLeast, holds, partAtLeast } from '../checks.ts';
import { fullestCpu } from '../cpuUse.ts';
import { isLockedUp } from '../lockUp.ts';
import type { OneOfPools, PoolSignals, Signals } from '../signals.ts';
import { connectionsNeeded } from '../sizes.ts';
import { thresholds } from '../thresholds.ts';

/** Of several pools the one that requests wait for, where it is full: nobody waits for a pool with free connections, and what the others have free is no room. */
export function fullOfSeveral({ pool }: Signals): OneOfPools | null {
  const one = pool?.mostWaited ?? null;
  if (one?.max == null || one.pending < thresholds.waiting.limit) return null;
  return one.busy >= thresholds.poolBusy.limit * one.max || one.pending >= one.max ? one : null;
}

/** The pool that may limit: of several that which is full. */
export function waitedFor(
  s: Signals,
): (Omit<OneOfPools, 'busy' | 'pending' | 'madeAt' | 'isOnlyOfSize'> & Pick<PoolSignals, 'busy' | 'pending'>) | null {
  return fullOfSeveral(s) ?? s.pool;
}

/** Nearly all connections are in use. */
export function full(s: Signals): Check {
  const pool = waitedFor(s);
  return partAtLeast('pool-in-use', pool?.busy, pool?.max, thresholds.poolBusy);
}

/** Callers wait for a connection. */
export function queued(s: Signals): Check {
  return atLeast('must', { code: 'pool-queue' }, waitedFor(s)?.pending ?? null, thresholds.waiting);
}

/** No use of the pool ends, whichever requests hold its connections: see {@link isLockedUp}. */
export function standsStill(s: Signals): Check {
  const { busy = null, max = null, pending = null, completions = null } = s.pool ?? {};
  const { limit } = thresholds.lockedUp;
  const is =
    s.pool === null ? null : isLockedUp({ ...s.pool, activeSessions: s.sessions?.active ?? null }) || (s.pool.lockedUp ?? 0) >= limit;
  const source = 'hikari-dead-lock';
  return holds('must', { code: 'pool-stands', busy, max, pending, completions }, is, { value: Number(is), source });
}

/** Connections of a pool that would do, of all processes together; null where that is not known. */
export function needed(s: Signals, pool: Pick<PoolSignals, 'waitMs' | 'holdMs' | 'perRequest'> | null): number | null {
  if (pool === null) return null;
  const { connections, throughput, meanMs, load } = s;
  const { waitMs, holdMs, perRequest } = pool;
  const paced = load === 'paced';
  return connectionsNeeded({ connections, throughput, meanMs, waitMs, holdMs, perRequest, cpuShare: fullestCpu(s), paced });
}
