/**
 * Sizes that people set pools to: 1, 2, 3, 4, 6, 8, 12, 16, 24, 32, … (powers of two and one and a half times them).
 * The smallest that is at least `size`.
 */
export function roundedUp(size: number): number {
  let power = 1;
  for (;;) {
    if (power >= size) return power;
    if (power > 1 && power * 1.5 >= size) return power * 1.5;
    power *= 2;
  }
}

/** What is known of a pool that is too small. Times in ms. */
export interface PoolDemand {
  connections: number;
  throughput: number;
  meanMs: number | null;
  waitMs: number | null;
  holdMs: number | null;
  perRequest: number | null;
  /** Use of the fullest processor, 0 … 1: throughput cannot grow beyond what it allows. */
  cpuShare: number | null;
  /** Whether the load pauses between requests, or sends them at a rate. */
  paced: boolean;
}

/**
 * Connections that would do, by Little’s law: N = X·W, W being the time for which a request holds connections. X is the throughput without the wait,
 * connections ÷ (R − wait + pause), or what 85 % of the CPU allow at today’s cost of a request, whichever is less. An app that is nearly idle uses most of its
 * CPU for itself, so that the cost of a request is only known when at least 30 % are used. The pause is that of the interactive response time law, connections
 * ÷ X − R (Lazowska and others, Quantitative System Performance, 1984). Null where a figure is missing.
 */
export function connectionsNeeded(demand: PoolDemand): number | null {
  const { connections, throughput, meanMs, waitMs, holdMs, cpuShare } = demand;
  if (meanMs === null || waitMs === null || holdMs === null || meanMs <= 0 || holdMs <= 0) return null;
  const acquisitions = Math.max(1, demand.perRequest ?? 1);
  // A request that asks for several connections at the same time waits for them, and holds them, together.
  const together = Math.max(1, (acquisitions * (waitMs + holdMs)) / meanMs);
  const inTurn = acquisitions / together;
  const withoutWaitMs = Math.max(holdMs, holdMs * inTurn, meanMs - waitMs * inTurn);
  const pauseMs = demand.paced && throughput > 0 ? Math.max(0, (1000 * connections) / throughput - meanMs) : 0;
  const unhindered = (1000 * connections) / (withoutWaitMs + pauseMs);
  const affordable = cpuShare === null || cpuShare < 0.3 || throughput <= 0 ? Number.POSITIVE_INFINITY : (throughput * 0.85) / cpuShare;
  // A millionth is subtracted so that a product that is exactly a whole number is not rounded up for its last bit.
  return Math.max(1, Math.ceil(((Math.min(unhindered, affordable) * holdMs * acquisitions) / 1000) * (1 - 1e-6)));
}

/**
 * Connections with which requests that take several at once cannot block each other for good: Tn·(Cm − 1) + 1, Tn being the requests at
 * work at the same time and Cm the connections that one of them takes (HikariCP’s advice on pool sizes).
 */
export function deadlockFloor(requestsAtOnce: number, connectionsPerRequest: number): number {
  return requestsAtOnce * (Math.max(2, connectionsPerRequest) - 1) + 1;
}
