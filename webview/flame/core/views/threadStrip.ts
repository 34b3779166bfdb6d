import type { SampleTable } from '../../../../src/model/domain/callTree.ts';
import { categories, categoryOf } from '../colours.ts';
import type { ThreadStrip } from '../layout.ts';
import { type SampleFilter, counted } from '../tree/selection.ts';
import type { SourceTree } from '../tree/sourceTree.ts';

const nothingSampled = 255;
const stateCount = 256;

/**
 * What each thread did most in each of `buckets` equal spans of time, by the leaves of its stacks.
 * @param shows Whether samples of a node are on show.
 */
export function threadStrip(
  tree: SourceTree,
  samples: SampleTable,
  filter: SampleFilter,
  buckets: number,
  shows: (node: number) => boolean,
): ThreadStrip {
  const startUs = samples.timeUs[0] ?? 0;
  const lengthUs = (samples.timeUs.at(-1) ?? 0) - startUs;
  const fromUs = Math.max(0, filter.fromUs);
  const toUs = Math.max(fromUs, filter.toUs === Infinity ? lengthUs : filter.toUs);
  const { threads, rows } = rowsByThread(samples, filter, shows);
  const cells = threads.length * buckets;
  const strip: ThreadStrip = {
    threads,
    buckets,
    fromUs,
    toUs,
    category: new Uint8Array(cells).fill(nothingSampled),
    state: new Uint8Array(cells),
    weight: new Float64Array(cells),
  };
  const byCategory = new Float64Array(buckets * categories.length);
  const byState = new Float64Array(buckets * stateCount);
  const perUs = toUs > fromUs ? buckets / (toUs - fromUs) : 0;
  for (const [row, chosen] of rows.entries()) {
    byCategory.fill(0);
    byState.fill(0);
    for (const index of chosen) {
      const node = samples.node[index] as number;
      const weight = samples.weight[index] as number;
      const bucket = Math.min(buckets - 1, Math.floor(((samples.timeUs[index] as number) - startUs - fromUs) * perUs));
      const func = tree.func[node] as number;
      const category = categoryOf(func < 0 ? categories.indexOf('other') : (tree.functions.kind[func] as number), tree.role?.[node] ?? 0);
      add(byCategory, bucket * categories.length + category, weight);
      add(byState, bucket * stateCount + (samples.state?.[index] ?? 0), weight);
      add(strip.weight, row * buckets + bucket, weight);
    }
    for (let bucket = 0; bucket < buckets; bucket += 1) {
      const cell = row * buckets + bucket;
      if (!((strip.weight[cell] as number) > 0)) continue;
      strip.category[cell] = heaviest(byCategory, bucket * categories.length, categories.length);
      strip.state[cell] = heaviest(byState, bucket * stateCount, stateCount);
    }
  }
  return strip;
}

/** Samples on show by thread, the thread with most weight first. */
function rowsByThread(
  samples: SampleTable,
  filter: SampleFilter,
  shows: (node: number) => boolean,
): { threads: Int32Array; rows: Int32Array[] } {
  const chosen = counted(samples, filter).filter((index) => shows(samples.node[index] as number));
  const count = new Map<number, number>();
  const weight = new Map<number, number>();
  for (const index of chosen) {
    const thread = samples.thread[index] as number;
    count.set(thread, (count.get(thread) ?? 0) + 1);
    weight.set(thread, (weight.get(thread) ?? 0) + (samples.weight[index] as number));
  }
  const threads = Int32Array.from(weight.keys()).sort(
    (one, other) => (weight.get(other) as number) - (weight.get(one) as number) || one - other,
  );
  const rowOf = new Map(Array.from(threads, (thread, row) => [thread, row]));
  const rows = Array.from(threads, (thread) => new Int32Array(count.get(thread) as number));
  const next = new Int32Array(threads.length);
  for (const index of chosen) {
    const row = rowOf.get(samples.thread[index] as number) as number;
    (rows[row] as Int32Array)[next[row] as number] = index;
    next[row] = (next[row] as number) + 1;
  }
  return { threads, rows };
}

function add(sums: Float64Array, at: number, weight: number): void {
  sums[at] = (sums[at] as number) + weight;
}

function heaviest(sums: Float64Array, from: number, length: number): number {
  let most = 0;
  for (let index = 1; index < length; index += 1) if ((sums[from + index] as number) > (sums[from + most] as number)) most = index;
  return most;
}
