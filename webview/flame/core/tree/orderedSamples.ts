import type { SampleTable } from '../../../../src/model/callTree.ts';

/** The samples in the order of time; the same table where they are already. */
export function orderedSamples(samples: SampleTable): SampleTable {
  const { timeUs } = samples;
  let sorted = true;
  for (let index = 1; sorted && index < timeUs.length; index += 1) sorted = (timeUs[index] as number) >= (timeUs[index - 1] as number);
  if (sorted) return samples;
  const order = Uint32Array.from(timeUs.keys()).sort((one, other) => (timeUs[one] as number) - (timeUs[other] as number) || one - other);
  const { state } = samples;
  return {
    timeUs: Float64Array.from(order, (index) => timeUs[index] as number),
    node: Int32Array.from(order, (index) => samples.node[index] as number),
    thread: Int32Array.from(order, (index) => samples.thread[index] as number),
    event: Uint8Array.from(order, (index) => samples.event[index] as number),
    weight: Float64Array.from(order, (index) => samples.weight[index] as number),
    ...(state === undefined ? {} : { state: Uint8Array.from(order, (index) => state[index] as number) }),
  };
}
