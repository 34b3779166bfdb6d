import type { SampleTable } from '../../../../src/model/domain/callTree.ts';

/** When each of some samples of one thread began and ended, in µs on the recording's clock, in the order of time and without overlap. */
export interface SampleSpans {
  startUs: Float64Array;
  endUs: Float64Array;
}

/**
 * The time that each sample covers. Where weights are durations, a sample holds for its weight: after its time or before it, whichever leaves
 * smaller gaps (V8 writes a sample when its time is over, tracers write the beginning). Else it holds until the next one, but no longer than twice
 * the median distance. Where most weights are equal, a sampler with a period made them, and gaps no longer than a sample are its jitter: they are
 * closed. Durations that were measured are left as they are.
 *
 * @param chosen Indexes of the samples, in the order of time.
 */
export function sampleSpans({ timeUs, weight }: SampleTable, chosen: Int32Array, unit: 'ns' | 'bytes' | 'count'): SampleSpans {
  const count = chosen.length;
  const startUs = new Float64Array(count);
  const endUs = new Float64Array(count);
  const at = (index: number): number => timeUs[chosen[index] as number] as number;
  const usual = unit === 'ns' ? 0 : medianDistance(timeUs, chosen) * 2;
  const duration = (index: number): number => (unit === 'ns' ? (weight[chosen[index] as number] as number) / 1000 : usual);
  const backward = unit === 'ns' && endsAtItsTime(at, duration, count);
  const closesGaps = unit === 'ns' && isPeriodic(weight, chosen);
  let before = -Infinity;
  for (let index = 0; index < count; index += 1) {
    const long = duration(index);
    let start = backward ? at(index) - long : at(index);
    let end = start + long;
    if (index + 1 < count) {
      const following = backward ? Math.max(at(index + 1) - duration(index + 1), at(index)) : at(index + 1);
      if (end > following || (closesGaps && following - end <= long)) end = following;
    }
    if (start < before) start = before;
    if (end < start) end = start;
    startUs[index] = start;
    endUs[index] = end;
    before = end;
  }
  return { startUs, endUs };
}

function endsAtItsTime(at: (index: number) => number, duration: (index: number) => number, count: number): boolean {
  let [forward, backward] = [0, 0];
  for (let index = 0; index + 1 < count; index += 1) {
    const distance = at(index + 1) - at(index);
    forward += Math.abs(distance - duration(index));
    backward += Math.abs(distance - duration(index + 1));
  }
  // Rounding makes a difference in the last digits of equal sums.
  return backward < forward * (1 - 1e-9);
}

/** Whether at least half of the weights are the same. */
function isPeriodic(weight: Float64Array, chosen: Int32Array): boolean {
  const sorted = Float64Array.from(chosen, (index) => weight[index] as number).sort();
  // A value that makes up half of a sorted list is in its middle.
  const middle = sorted[sorted.length >> 1];
  return sorted.filter((one) => one === middle).length * 2 >= sorted.length;
}

function medianDistance(timeUs: Float64Array, chosen: Int32Array): number {
  if (chosen.length < 2) return 1;
  const distances = new Float64Array(chosen.length - 1);
  for (let index = 0; index < distances.length; index += 1) {
    distances[index] = (timeUs[chosen[index + 1] as number] as number) - (timeUs[chosen[index] as number] as number);
  }
  distances.sort();
  return Math.max(1, distances[distances.length >> 1] as number);
}
