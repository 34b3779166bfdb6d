import { type CallTree, frameKinds } from '../model/domain/callTree.ts';
import type { CallTreeBuilder } from './callTreeBuilder.ts';

/** Which part of a tree is copied, and where it goes. */
interface CopyOptions {
  /** For each event of the tree its number in the builder; left out: the same. */
  eventOf?: readonly number[];
  /** The node in the builder below which its stacks are. */
  top?: number;
  /** By node, 1 for those that are copied. Others are left out with what they have themselves, and what they call is called by their callers. */
  kept?: Uint8Array;
}

/** Adds a tree to a builder, with its weights, samples, threads, states and line ticks. */
export function copyTree(
  builder: CallTreeBuilder,
  tree: CallTree,
  { eventOf = [...tree.events.keys()], top = 0, kept }: CopyOptions = {},
): void {
  const { name, file, line, kind } = tree.functions;
  const functions = Int32Array.from(name, (text, func) =>
    builder.func(text, file[func] ?? '', line[func] ?? 0, frameKinds[kind[func] ?? 0] ?? 'other'),
  );
  const isKept = (node: number): boolean => kept === undefined || kept[node] === 1;
  const places = new Int32Array(tree.nodeCount);
  places[0] = top;
  for (let node = 1; node < tree.nodeCount; node += 1) {
    const above = places[tree.parent[node] as number] as number;
    places[node] = isKept(node) ? builder.child(above, functions[tree.func[node] as number] as number, tree.line[node] as number) : above;
    if (tree.tier !== undefined && isKept(node)) builder.tierCode(places[node] as number, tree.tier[node] as number);
  }
  copyWeights(builder, tree, places, eventOf, isKept);
  const { lineTicks } = tree;
  for (let index = 0; lineTicks !== undefined && index < lineTicks.node.length; index += 1) {
    const node = lineTicks.node[index] as number;
    if (isKept(node)) builder.lineTicks(places[node] as number, lineTicks.line[index] as number, lineTicks.ticks[index] as number);
  }
}

function copyWeights(
  builder: CallTreeBuilder,
  tree: CallTree,
  places: Int32Array,
  eventOf: readonly number[],
  isKept: (node: number) => boolean,
): void {
  // A sample counts for its node as it is added, so that of a node's weight only what no sample holds is left.
  const rest = tree.events.map((event) => event.self.map((weight, node) => (isKept(node) ? weight : 0)));
  const roundings = rest.map((weights) => weights.reduce((sum, weight) => sum + weight, 0) * 1e-12);
  const { samples } = tree;
  if (samples !== null) {
    const threads = tree.threads.map((name) => builder.thread(name));
    const states = (tree.states ?? []).map((name) => builder.state(name));
    for (let index = 0; index < samples.node.length; index += 1) {
      const [node, event, weight] = [samples.node[index] as number, samples.event[index] as number, samples.weight[index] as number];
      if (!isKept(node)) continue;
      const thread = threads[samples.thread[index] as number] ?? -1;
      const state = states[samples.state?.[index] ?? 0] ?? 0;
      builder.sample(samples.timeUs[index] as number, places[node] as number, thread, eventOf[event] ?? 0, weight, state);
      const left = rest[event];
      if (left !== undefined) left[node] = (left[node] as number) - weight;
    }
  }
  for (const [event, left] of rest.entries()) {
    for (let node = 0; node < tree.nodeCount; node += 1) {
      const weight = left[node] as number;
      if (weight > (roundings[event] as number)) builder.add(places[node] as number, eventOf[event] ?? 0, weight);
    }
  }
}
