import type { GeneratorHealth } from '../../model/run.ts';
import type { OpenLoopCounts, OpenLoopPlan } from './loadProtocol.ts';

/** From this share of a core on the generator is what is measured. Locust warns at the same 90 %. */
export const cpuSaturatedPercent = 90;
/** One thread drives the load: an event loop that is busy for this share of the time has no time left to notice answers at once. */
export const eventLoopSaturated = 0.9;
/**
 * In a closed loop every connection always has one request under way or thinks, so by Little's law X·(R̄ + Z) is the number of connections C, Z being the
 * think time (the interactive response-time law);
 * a healthy autocannon reaches 0.95 to 0.997 of it. Below 0.9 requests were late because the generator was.
 */
export const littleSaturated = 0.9;

/**
 * In an open loop, more than this share of the requests late or dropped, or fewer sent than this share of the rate, means that another load was
 * measured than the one that was asked for.
 */
export const openLoopMissed = 0.005;
export const openLoopSent = 0.98;
/** A request that is sent this much after its time is late. A timer of Node is 1 ms exact, so that it takes a busy generator to be late. */
export const lateStartMs = 10;

/** What one block tells about its generator: `cpuUs` and `eventLoopUtilisation` (0 … 1) over the window, and the load's own figures. */
export interface GeneratorUse {
  windowMs: number;
  cpuUs: number;
  eventLoopUtilisation: number;
  /** null in the open loop, which has no fixed number of them. */
  connections: number | null;
  requests: number;
  /** Mean latency, or null when nothing was answered. */
  meanMs: number | null;
  errors: number;
  /** How long each request that is under way at the end has been waiting, in ms. */
  agesMs: readonly number[];
  /** Think time within the window, all connections together, as it was meant to be. */
  thoughtMs: number;
  open: (OpenLoopCounts & OpenLoopPlan) | null;
}

/**
 * The generator's figures: CPU of one core, event-loop utilisation, and X·(R̄ + Z)/C by Little's law. A connection that waits for an answer throughout (in the
 * app's backlog, say) is in use by its one request, which no latency tells of.
 */
export function generatorHealth(use: GeneratorUse): GeneratorHealth {
  const measured = use.windowMs > 0;
  const inUse =
    measured && use.meanMs !== null ? (use.requests * use.meanMs + waitingMs(use, use.meanMs) + use.thoughtMs) / use.windowMs : null;
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

/** Why the generator itself limited what was measured, one sentence each; empty when it did not. */
export function saturationReasons(health: GeneratorHealth, use: GeneratorUse): string[] {
  const reasons: string[] = [];
  if (health.cpuPercent >= cpuSaturatedPercent) {
    reasons.push(
      `The load generator used ${Math.round(health.cpuPercent)} % of a CPU core; from ${cpuSaturatedPercent} % on it is the generator that is measured.`,
    );
  }
  if (health.eventLoopUtilisation !== null && health.eventLoopUtilisation >= eventLoopSaturated) {
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
  if (use.open !== null) reasons.push(...openLoopReasons(use.open, use.windowMs));
  return reasons;
}

function openLoopReasons(
  { intended, sent, late, dropped, ratePerS, maxInFlight }: OpenLoopCounts & OpenLoopPlan,
  windowMs: number,
): string[] {
  const reasons: string[] = [];
  if (late + dropped > openLoopMissed * intended) {
    const parts = [
      ...(late > 0 ? [`${late} were sent more than ${lateStartMs} ms late`] : []),
      ...(dropped > 0 ? [`${dropped} were not sent because ${maxInFlight} were under way`] : []),
    ];
    const cure =
      dropped > 0 ? 'Lower the rate, or allow more requests under way.' : 'Lower the rate, or leave the load generator more CPU.';
    reasons.push(`Of ${intended} requests at ${rateText(ratePerS)} requests/s ${parts.join(' and ')}. ${cure}`);
  }
  const due = (ratePerS * windowMs) / 1000;
  // One request may fall on either side of the window's edge.
  if (sent + 1 < openLoopSent * due) {
    reasons.push(
      `Only ${rateText((sent * 1000) / windowMs)} of ${rateText(ratePerS)} requests/s were sent; below ${openLoopSent * 100} % it is another load than was asked for. Lower the rate.`,
    );
  }
  return reasons;
}

function rateText(perS: number): string {
  return perS < 100 ? String(Number(perS.toPrecision(3))) : String(Math.round(perS));
}
