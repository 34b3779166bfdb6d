import type { Observation } from '../../model/domain/observation.ts';
import type { InstanceUse } from '../../model/domain/topologyUse.ts';
import { meanOverTime, samplesWithin } from './aggregate.ts';

/** A measured block, as far as its instances are concerned. */
export interface InstanceWindow {
  startMs: number;
  windowMs: number;
  /** Requests that each instance answered in it; null where they are not known. */
  served: readonly (number | null)[] | null;
}

/**
 * What each instance of a trial used while it was measured, in the order in which they were started: means over the samples within the windows, and
 * the requests per second that it answered. A sample that does not see all of them (one has ended) is left out.
 */
export function instanceUses(
  { key, process: { instances } }: { key: string; process: { instances: number } },
  observations: readonly Observation[],
  windows: readonly InstanceWindow[],
): InstanceUse[] {
  const own = observations.filter((observation) => observation.trialKey === key && observation.instances.length === instances);
  const samples = [...new Set(windows.flatMap(({ startMs, windowMs }) => samplesWithin(own, startMs, windowMs)))];
  return Array.from({ length: instances }, (_, index) => ({
    cpuPercent: meanOverTime(samples, (sample) => sample.instances[index]?.cpuPercent),
    rssBytes: meanOverTime(samples, (sample) => sample.instances[index]?.rssBytes),
    requestsPerSecond: servedPerSecond(windows, index),
  }));
}

function servedPerSecond(windows: readonly InstanceWindow[], index: number): number | null {
  let [requests, seconds] = [0, 0];
  for (const { served, windowMs } of windows) {
    const count = served?.[index] ?? null;
    if (count === null) return null;
    requests += count;
    seconds += windowMs / 1000;
  }
  return seconds === 0 ? null : requests / seconds;
}
