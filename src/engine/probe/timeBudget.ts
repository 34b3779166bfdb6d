import type { TimeBudget } from '../../model/domain/run.ts';

/** What is known of one trial's mean request. Times are means in ms; null where nothing was measured. */
export interface TimeBudgetInput {
  /** As the load generator saw it: everything else has to fit into this. */
  meanLatencyMs: number | null;
  appCpuMsPerRequest: number | null;
  /** Mean wait of one acquisition of a connection. */
  poolWaitMs: number | null;
  /** Mean time for which one connection is held. */
  holdMs: number | null;
  /** Connections acquired by one request, on average. */
  connectionsPerRequest: number | null;
  /** The share of the time of held connections in which no statement ran, 0 … 1; null where PostgreSQL’s sessions were not seen. */
  heldIdleShare?: number | null;
}

/**
 * Where the mean request's time goes: waiting for the pool, holding a connection with and without a statement on it, the app's own CPU, and the rest (queues,
 * network, client). Holding one is the database's time only as far as it was asked something: a lock that is held meanwhile is the app's. The parts add up
 * to the mean latency. `null` without a latency, or where the pool was not watched: "other" would be a guess then.
 *
 * Acquisitions of one request are assumed to follow each other, so that waits and holds count once per connection. What was measured need not fit into the
 * latency (parallel connections, CPU of several threads, of the collector and the compiler): each part is cut to what is left, in the order waiting, holding,
 * CPU. CPU comes last because it is the whole process' time over its requests, of which nobody knows how much was used while a connection was held: what is
 * shown is the most that can have been used outside of that.
 */
export function timeBudgetOf(input: TimeBudgetInput): TimeBudget | null {
  const { meanLatencyMs } = input;
  const unused = input.connectionsPerRequest === 0;
  const poolWaitMs = unused ? 0 : input.poolWaitMs;
  const holdMs = unused ? 0 : input.holdMs;
  if (!isTime(meanLatencyMs) || meanLatencyMs === 0 || !isTime(poolWaitMs) || !isTime(holdMs)) return null;
  const acquisitions = isTime(input.connectionsPerRequest) ? input.connectionsPerRequest : 1;
  const totalMs = meanLatencyMs;
  const waited = Math.min(poolWaitMs * acquisitions, totalMs);
  const held = Math.min(holdMs * acquisitions, totalMs - waited);
  const heldIdleMs = held * (input.heldIdleShare !== undefined && isTime(input.heldIdleShare) ? Math.min(1, input.heldIdleShare) : 0);
  const databaseMs = held - heldIdleMs;
  const left = Math.max(0, totalMs - waited - held);
  const cpuMs = Math.min(isTime(input.appCpuMsPerRequest) ? input.appCpuMsPerRequest : 0, left);
  return { totalMs, cpuMs, poolWaitMs: waited, databaseMs, heldIdleMs, otherMs: Math.max(0, left - cpuMs) };
}

function isTime(value: number | null): value is number {
  return value !== null && Number.isFinite(value) && value >= 0;
}
