import type { CallTree } from '../model/domain/callTree.ts';

/** Samples of threads that share a number, and what the kernel counted of them; ns. */
interface ThreadGroup {
  sampledNs: number;
  kernelNs: number;
}

/**
 * A recording in which the CPU time of each thread is what the kernel counted of it, shared out among its samples as they were. A sampler by the clock also counts the
 * time in which a thread waits for its turn, and one by the thread's CPU time loses samples: the kernel checks such timers only at each of its own
 * ticks (every 4 ms, at 250 a second), and what ran out more than once until then counts once. Threads of which nothing is known keep their
 * weights. Returns the same tree where nothing is known.
 *
 * @param kernelNs CPU time by the thread's number in the system while it was recorded
 * @param only number of the one thread that all samples are of; null: the recording contains the threads
 */
export function weighedByKernel(tree: CallTree, kernelNs: ReadonlyMap<number, number>, only: number | null = null): CallTree {
  const { samples, events, systemThreads } = tree;
  const cpu = events.findIndex(({ name, unit }) => name === 'cpu' && unit === 'ns');
  const event = events[cpu];
  if (samples === null || event === undefined || (only === null && systemThreads === undefined)) return tree;
  const idsOf = (thread: number): readonly number[] => (only === null ? (systemThreads?.ids[thread] ?? []) : [only]);
  const groups = groupsOf(tree.threads.length, idsOf, kernelNs);
  const groupOf = (thread: number): ThreadGroup | undefined => groups.get(idsOf(thread)[0] ?? -1);
  for (let row = 0; row < samples.node.length; row += 1) {
    const group = samples.event[row] === cpu ? groupOf(samples.thread[row] as number) : undefined;
    if (group !== undefined) group.sampledNs += samples.weight[row] as number;
  }
  const ofRecorder = only === null ? [...(systemThreads?.recorder ?? [])] : [];
  for (const [id, ns] of ofRecorder) {
    const group = groups.get(id);
    if (group !== undefined) group.sampledNs += ns;
  }
  const factorOf = (group: ThreadGroup | undefined): number =>
    group === undefined || group.kernelNs === 0 || group.sampledNs === 0 ? 1 : group.kernelNs / group.sampledNs;
  const weight = samples.weight.slice();
  const self = event.self.slice();
  for (let row = 0; row < weight.length; row += 1) {
    if (samples.event[row] !== cpu) continue;
    const [node, before] = [samples.node[row] as number, weight[row] as number];
    const after = before * factorOf(groupOf(samples.thread[row] as number));
    weight[row] = after;
    self[node] = Math.max(0, (self[node] as number) + after - before);
  }
  const recorderNs = ofRecorder.reduce((sum, [id, ns]) => sum + ns * factorOf(groups.get(id)), 0);
  const leftOut = tree.leftOut?.map((one) => (one.event === 'cpu' && only === null ? { ...one, weight: recorderNs } : one));
  return {
    ...tree,
    events: events.map((one) => (one === event ? { ...one, self } : one)),
    samples: { ...samples, weight },
    ...(leftOut === undefined ? {} : { leftOut }),
  };
}

/** By the system's number of a thread: those that it is counted together with, since a thread of the recording may have had several, and the other way round. */
function groupsOf(
  threads: number,
  idsOf: (thread: number) => readonly number[],
  kernelNs: ReadonlyMap<number, number>,
): Map<number, ThreadGroup> {
  const first = new Map<number, number>();
  const rootOf = (id: number): number => {
    let root = id;
    for (let next = first.get(root); next !== undefined && next !== root; next = first.get(root)) root = next;
    return root;
  };
  // All samples may be of one thread without a name.
  for (let thread = -1; thread < threads; thread += 1) {
    const [head, ...others] = idsOf(thread);
    if (head !== undefined) for (const id of others) first.set(rootOf(id), rootOf(head));
  }
  const groups = new Map<number, ThreadGroup>();
  for (const [id, ns] of kernelNs) {
    const root = rootOf(id);
    const group = groups.get(root) ?? { sampledNs: 0, kernelNs: 0 };
    group.kernelNs += ns;
    groups.set(root, group);
    groups.set(id, group);
  }
  return groups;
}
