import type { SampleTable } from '../model/domain/callTree.ts';

/** The samples in the order of time; of those at the same time the earlier row comes first. The same table where they are in it already. */
export function inOrderOfTime<T extends SampleTable | null>(samples: T): T | SampleTable {
  if (samples === null || isSorted(samples.timeUs)) return samples;
  const { timeUs } = samples;
  const order = Uint32Array.from(timeUs.keys()).sort((a, b) => (timeUs[a] as number) - (timeUs[b] as number) || a - b);
  return chosenSamples(samples, order);
}

/** Some of the samples, by their rows. */
function chosenSamples(samples: SampleTable, rows: ArrayLike<number>): SampleTable {
  const chosen = <T extends Float64Array | Int32Array | Uint8Array>(column: T, copy: T): T => {
    for (let index = 0; index < rows.length; index += 1) copy[index] = column[rows[index] as number] as number;
    return copy;
  };
  const { length } = rows;
  return {
    timeUs: chosen(samples.timeUs, new Float64Array(length)),
    node: chosen(samples.node, new Int32Array(length)),
    thread: chosen(samples.thread, new Int32Array(length)),
    event: chosen(samples.event, new Uint8Array(length)),
    weight: chosen(samples.weight, new Float64Array(length)),
    ...(samples.state === undefined ? {} : { state: chosen(samples.state, new Uint8Array(length)) }),
  };
}

function isSorted(timeUs: Float64Array): boolean {
  for (let row = 1; row < timeUs.length; row += 1) if ((timeUs[row] as number) < (timeUs[row - 1] as number)) return false;
  return true;
}
