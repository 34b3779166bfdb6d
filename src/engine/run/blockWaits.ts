import type { DurationHistogram } from '../../model/domain/probe.ts';
import type { Block } from '../../model/domain/run.ts';
import { type ProbeWindow, poolUseOf } from '../probe/probeWindow.ts';
import type { BouncerWindow } from '../services/bouncer/bouncerMeter.ts';
import { meanUs, msOf } from '../statistics/durations.ts';
import { waitShareOf } from '../statistics/mechanism.ts';
import type { PlannedTrial } from './plan.ts';
import type { LoadMeasurement } from '../load/loadProtocol.ts';
import { isAlwaysAsking } from '../load/profileBlock.ts';

/** Acquisitions per request, below which some requests took their connections where nobody saw it. */
const seenShare = 0.9;

/**
 * What share of a request's time was spent waiting for a connection, a request thread, a connection of an HTTP client and one of PgBouncer’s in one block: by
 * the probe where the app has one. Without, a pool as large as the number of connections of the load cannot make anybody wait, as long as a request takes one
 * connection.
 */
export function blockWaits(
  seen: {
    result: Pick<LoadMeasurement, 'requests' | 'latencySums' | 'windowMs' | 'open' | 'scenario' | 'thoughtMs'>;
    probe: ProbeWindow | null;
    bouncer?: Pick<BouncerWindow, 'waiting'> | null;
  },
  planned: PlannedTrial,
): Block['waits'] {
  const { result, probe } = seen;
  const latencyMs = msOf(meanUs(result.latencySums));
  const { process } = planned;
  // Requests that are in progress: every connection has one, unless it thinks or there is a rate; then as many as Little’s law says.
  const connections = isAlwaysAsking(result) ? planned.connections : (result.requests * (latencyMs ?? 0)) / Math.max(1, result.windowMs);
  const seenOf = (waitMs: number | null, perRequest: number | null, pending: number | null): number | null =>
    waitShareOf({ waitMs, perRequest, pending, latencyMs, connections });
  const pool = probe === null ? null : poolUseOf([probe], result.requests);
  const threads = probe?.threads ?? null;
  const client = probe?.outbound ?? null;
  const size = process.settings['pool'];
  const ample = probe === null && typeof size === 'number' && size * process.instances >= planned.connections ? 0 : null;
  const waits = {
    pool: pool === null ? ample : seenOf(pool.waitMs, pool.perRequest, pool.pending),
    threads: threads === null ? null : seenOf(null, null, threads.queue),
    ...(seen.bouncer == null ? {} : { bouncer: seenOf(null, null, seen.bouncer.waiting) }),
    ...(client === null ? {} : { client: seenOf(client.waitMs, client.taken / Math.max(1, result.requests), client.pending) }),
  };
  return waits.pool === null && waits.threads === null && waits.client == null && waits.bouncer == null ? null : waits;
}

/** How long each acquisition of a connection waited for the pool. Null where not every request was seen to take a connection. */
export function acquisitionsOf(probe: ProbeWindow | null, requests: number): DurationHistogram | null {
  const acquire = probe?.pool?.acquire;
  return acquire === undefined || requests === 0 || acquire.count < seenShare * requests ? null : acquire;
}
