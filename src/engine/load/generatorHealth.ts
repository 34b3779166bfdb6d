import type { GeneratorHealth } from '../../model/run.ts';

/** From this share of a core on the generator is what is measured. Locust warns at the same 90 %. */
export const cpuSaturatedPercent = 90;
/** One thread drives the load: an event loop that is busy for this share of the time has no time left to notice answers at once. */
export const eventLoopSaturated = 0.9;
/**
 * In a closed loop every connection always has one request under way, so by Little's law X·R̄ is the number of connections C;
 * a healthy autocannon reaches 0.95 to 0.997 of it. Below 0.9 requests were late because the generator was.
 */
export const littleSaturated = 0.9;

/** What one block tells about its generator: `cpuUs` and `eventLoopUtilisation` (0 … 1) over the window, and the load's own figures. */
export interface GeneratorUse {
  windowMs: number;
  cpuUs: number;
  eventLoopUtilisation: number;
  connections: number;
  requests: number;
  /** Mean latency, or null when nothing was answered. */
  meanMs: number | null;
  errors: number;
}

/** The generator's figures: CPU of one core, event-loop utilisation, and X·R̄/C by Little's law. */
export function generatorHealth(use: GeneratorUse): GeneratorHealth {
  const measured = use.windowMs > 0;
  return {
    cpuPercent: measured ? use.cpuUs / 10 / use.windowMs : 0,
    eventLoopUtilisation: Math.min(1, Math.max(0, use.eventLoopUtilisation)),
    littleRatio: measured && use.meanMs !== null ? ((use.requests / use.windowMs) * use.meanMs) / use.connections : null,
  };
}

/** Why the generator itself limited what was measured, one sentence each; empty when it did not. */
export function saturationReasons(health: GeneratorHealth, use: GeneratorUse): string[] {
  const reasons: string[] = [];
  if (health.cpuPercent >= cpuSaturatedPercent) {
    reasons.push(
      `The load generator used ${Math.round(health.cpuPercent)} % of a CPU core; from ${cpuSaturatedPercent} % on it is the generator that is measured.`,
    );
  }
  if (health.eventLoopUtilisation >= eventLoopSaturated) {
    reasons.push(
      `The load generator's event loop was busy ${Math.round(health.eventLoopUtilisation * 100)} % of the time; from ${eventLoopSaturated * 100} % on it notices answers late.`,
    );
  }
  // Requests that failed held a connection too and are not in X·R̄; and up to one request per connection crosses the window's edge.
  const edge = use.meanMs === null ? 0 : use.meanMs / use.windowMs;
  if (use.errors === 0 && health.littleRatio !== null && health.littleRatio < littleSaturated - edge) {
    reasons.push(
      `Only ${Math.round(health.littleRatio * 100)} % of the connections were in use on average (Little's law); below ${littleSaturated * 100} % the load generator sends its requests late.`,
    );
  }
  return reasons;
}
