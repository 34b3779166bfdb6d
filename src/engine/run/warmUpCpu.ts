import type { Observation } from '../../model/observation.ts';
import { median } from '../statistics/steadyState.ts';

/** What was answered until a time of the run's clock, within so long. */
export interface AnsweredTick {
  endMs: number;
  windowMs: number;
  requests: number;
}

/** So many seconds are compared with as many before. */
const compared = 6;
/** A fall of less is not worth telling from noise. */
const leastFall = 0.03;
/** A sample counts where the ticks cover at least so much of it. */
const leastCovered = 0.9;

/**
 * CPU time of a request in µs, by sample of about a second: of all processes under load together. A sample of which too little is known is left out; empty where the platform tells no
 * CPU time.
 */
export function cpuPerRequest(observations: readonly Observation[], ticks: readonly AnsweredTick[]): number[] {
  return observations.flatMap(({ timeMs, windowMs, app }) => {
    let [requests, covered] = [0, 0];
    for (const tick of ticks) {
      const overlap = Math.min(timeMs, tick.endMs) - Math.max(timeMs - windowMs, tick.endMs - tick.windowMs);
      if (overlap <= 0) continue;
      covered += overlap;
      requests += (tick.requests * overlap) / tick.windowMs;
    }
    return app?.cpuUs == null || requests <= 0 || covered < leastCovered * windowMs ? [] : [app.cpuUs / requests];
  });
}

/**
 * Whether a compiler is done, as far as CPU time tells: the last six seconds took no less of it per request than the six before (medians, 3 %). Others that take the CPU make throughput
 * scatter by more than what a compiler that they keep waiting has still to gain; the CPU time of a request they hardly touch. True where it is not known.
 */
export function hasSettled(cpuUsPerRequest: readonly number[], isKnown: boolean): boolean {
  if (!isKnown) return true;
  if (cpuUsPerRequest.length < 2 * compared) return false;
  const last = median(cpuUsPerRequest.slice(-compared));
  return last >= (1 - leastFall) * median(cpuUsPerRequest.slice(-2 * compared, -compared));
}
