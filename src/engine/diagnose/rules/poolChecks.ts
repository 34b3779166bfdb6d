import { wholeNumber } from '../../../model/domain/format.ts';
import { mean, ofMax } from '../../../model/domain/verdict/phrases.ts';
import { atLeast, holds, share } from '../checks.ts';
import type { Check } from '../checks.ts';
import { isLockedUp } from '../lockUp.ts';
import type { Signals } from '../signals.ts';
import { thresholds } from '../thresholds.ts';

/** Nearly all connections are in use. */
export function full(s: Signals): Check {
  return atLeast('must', 'connections of the pool in use', share(s.pool?.busy, s.pool?.max), thresholds.poolBusy, {
    unit: 'share',
    text: ofMax(s.pool?.busy ?? null, s.pool?.max ?? null),
  });
}

/** Callers wait for a connection. */
export function queued(s: Signals): Check {
  return atLeast('must', 'requests that wait for a connection', s.pool?.pending ?? null, thresholds.waiting, { unit: 'count' });
}

/** No use of the pool ends, whichever requests hold its connections: see {@link isLockedUp}. */
export function standsStill(s: Signals): Check {
  const { busy = null, max = null, pending = null, completions = null } = s.pool ?? {};
  return holds(
    'must',
    'the pool is full, requests wait, and no connection is given back',
    s.pool === null ? null : isLockedUp({ ...s.pool, activeSessions: s.sessions?.active ?? null }),
    `${ofMax(busy, max) ?? '–'} in use, ${mean(pending ?? 0)} waiting, ${wholeNumber(completions ?? 0)} given back`,
    null,
    'HikariCP: pools and dead-lock',
  );
}
