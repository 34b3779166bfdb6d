import type { CallTree, TreeRemark } from '../model/domain/callTree.ts';
import { displayName, shortName } from './shownNames.ts';
import { eventTotal } from './totals.ts';

const counted = (count: number): string => count.toLocaleString('en');

function remarkNote(remark: TreeRemark): string {
  switch (remark.code) {
    case 'lines-skipped': {
      const were = remark.lines === 1 ? 'is no stack with a count and was' : 'are no stacks with a count and were';
      return `${counted(remark.lines)} of ${counted(remark.ofLines)} lines ${were} skipped; the first is line ${counted(remark.first)}.`;
    }
    case 'callers-missing':
      return `Pieces are missing in the file: ${counted(remark.samples)} ${remark.samples === 1 ? 'sample lacks its' : 'samples lack their'} first callers, or all of the stack.`;
    case 'profiles-overlap':
      return `${counted(remark.leftOut)} ${remark.leftOut === 1 ? 'profile' : 'profiles'} of the same threads and the same time ${remark.leftOut === 1 ? 'was' : 'were'} left out: of each thread the one with most samples is shown.`;
    case 'threads-stand': {
      const name = `“${displayName(remark.first, 60)}”`;
      const who = remark.threads === 1 ? `The thread ${name}` : `${counted(remark.threads)} threads, such as ${name},`;
      return `${who} waited in ${shortName(remark.caller)} from the begin to the end of the recording, so that nothing that was answered meanwhile waited for that: told as idle.`;
    }
    case 'cut-short':
      return 'The file ends in the middle: what stands before that was read, and what is missing is not known.';
  }
}

/** What must be known of how a recording was read, as sentences. */
export function remarkNotes({ remarks }: CallTree): string[] {
  return (remarks ?? []).map(remarkNote);
}

/** Fewer samples say little about the time that they cover. */
const fewSamples = 50;
/** The clock of a sampler may be late. */
const tolerance = 1.1;

/**
 * A sentence where CPU time cannot have been: more than the machine's threads can give between the first and the last sample, or, where their number is not
 * known, more than one for each thread that was seen.
 */
export function tooMuchCpuNotes(tree: CallTree): string[] {
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
  if (!(total > cores * ns * tolerance)) return [];
  const what = `“${event.name}” comes to ${(total / 1e9).toPrecision(3)} s within ${(ns / 1e9).toPrecision(3)} s`;
  return [
    `${what}, where at most ${counted(cores)} ${cores === 1 ? 'thread' : 'threads'} could compute at once: not all of it is CPU time. Threads that wait may be counted in it.`,
  ];
}
