import type { ProfileNote } from '../model/domain/profileNoteKinds.ts';
import type { CallTree } from '../model/domain/callTree.ts';
import { displayName, shortName } from './shownNames.ts';
import { eventTotal } from './totals.ts';

/** What must be known of how a recording was read, with names as people read them. */
export function remarkNotes({ remarks }: CallTree): ProfileNote[] {
  return (remarks ?? []).map((remark) =>
    remark.code === 'threads-stand' ? { ...remark, first: displayName(remark.first, 60), caller: shortName(remark.caller) } : remark,
  );
}

/** Fewer samples say little about the time that they cover. */
const fewSamples = 50;
/** The clock of a sampler may be late. */
const tolerance = 1.1;

/**
 * A note where CPU time cannot have been: more than the machine's threads can give between the first and the last sample, or, where their number is not
 * known, more than one for each thread that was seen.
 */
export function tooMuchCpuNotes(tree: CallTree): ProfileNote[] {
  const { samples, events } = tree;
  const index = events.findIndex(({ name, unit }) => name === 'cpu' && unit === 'ns');
  const event = events[index];
  if (samples === null || event === undefined) return [];
  const threads = new Set<number>();
  let [first, last, largest, count] = [Infinity, -Infinity, 0, 0];
  for (let row = 0; row < samples.event.length; row += 1) {
    const time = samples.timeUs[row] as number;
    first = Math.min(first, time);
    last = Math.max(last, time);
    if (samples.event[row] !== index) continue;
    threads.add(samples.thread[row] as number);
    largest = Math.max(largest, samples.weight[row] as number);
    count += 1;
  }
  const known = tree.cores !== undefined;
  if (count < fewSamples || (!known && threads.has(-1))) return [];
  const cores = Math.min(tree.cores ?? Infinity, threads.has(-1) ? Infinity : threads.size);
  // A sample covers the time before it.
  const ns = (last - first) * 1000 + 2 * largest;
  const total = eventTotal(event);
  return total > cores * ns * tolerance ? [{ code: 'too-much-cpu', event: event.name, cpuNs: total, withinNs: ns, threads: cores }] : [];
}
