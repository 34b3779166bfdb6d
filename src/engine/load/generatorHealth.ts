import type { GeneratorHealth } from '../../model/domain/run.ts';

/** A request that is sent this much after its time is late. A timer of Node is 1 ms exact, so that it takes a busy generator to be late. */
export const lateStartMs = 10;

/** What one block shows of its generator: `cpuUs` and `eventLoopUtilisation` (0 … 1) over the window, and the load's own figures. */
export interface GeneratorUse {
  windowMs: number;
  cpuUs: number;
  eventLoopUtilisation: number;
  /** null in the open loop, which has no fixed number of them. */
  connections: number | null;
  requests: number;
  /** Requests in progress on average, where that was observed. */
  inProgress: number | null;
  /** Mean latency, or null when nothing was answered. */
  meanMs: number | null;
  /** How long each request that is in progress at the end has been waiting, in ms. */
  agesMs: readonly number[];
  /** Planned think time within the window, all connections together. */
  thoughtMs: number;
}

/**
 * The generator's figures: CPU of one core, event-loop utilisation, and the share of its connections in use. That is X·(R̄ + Z)/C by Little's law, or more where
 * more was observed: a mean latency lacks those that a slice cut off. A connection that waits for an answer throughout (in the app's backlog, say) is in use
 * by its one request, which no latency covers.
 */
export function generatorHealth(use: GeneratorUse): GeneratorHealth {
  const measured = use.windowMs > 0;
  const byLittle =
    measured && use.meanMs !== null ? (use.requests * use.meanMs + waitingMs(use, use.meanMs) + use.thoughtMs) / use.windowMs : null;
  const inUse = byLittle === null ? null : Math.max(byLittle, use.inProgress ?? 0);
  return {
    cpuPercent: measured ? use.cpuUs / 10 / use.windowMs : 0,
    eventLoopUtilisation: Math.min(1, Math.max(0, use.eventLoopUtilisation)),
    littleRatio: inUse !== null && use.connections !== null ? inUse / use.connections : null,
  };
}

/** Time that requests without an answer held their connections in the window, beyond what crosses its edge in any case. */
function waitingMs({ agesMs, windowMs }: GeneratorUse, meanMs: number): number {
  return agesMs.reduce((sum, age) => sum + Math.max(0, Math.min(age, windowMs) - 2 * meanMs), 0);
}
