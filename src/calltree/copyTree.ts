import { codeTiers, frameKinds } from '../model/domain/callTree.ts';
import type { CallTree } from '../model/domain/callTree.ts';
import type { CallTreeBuilder } from './callTreeBuilder.ts';

/** The functions of a tree, by their number there, as numbers of a builder. */
export function copyFunctions(builder: CallTreeBuilder, { functions }: CallTree): Int32Array {
  const { name, file, line, kind } = functions;
  return Int32Array.from(name, (text, func) =>
    builder.func(text, file[func] ?? '', line[func] ?? 0, frameKinds[kind[func] ?? 0] ?? 'other'),
  );
}

/** For each node of a tree its counterpart in a builder, where every node hangs below its caller's counterpart, and those of the root below `top`. */
export function copyNodes(builder: CallTreeBuilder, tree: CallTree, top = 0): Int32Array {
  const functions = copyFunctions(builder, tree);
  const places = new Int32Array(tree.nodeCount);
  places[0] = top;
  for (let node = 1; node < tree.nodeCount; node += 1) {
    const place = builder.child(
      places[tree.parent[node] as number] as number,
      functions[tree.func[node] as number] as number,
      tree.line[node] as number,
    );
    places[node] = place;
    copyTier(builder, place, tree, node);
  }
  return places;
}

/** Notes for a place in a builder how a node's code was compiled. */
export function copyTier(builder: CallTreeBuilder, place: number, { tier }: CallTree, node: number): void {
  if (tier !== undefined) builder.tier(place, codeTiers[tier[node] as number] ?? 'unknown');
}

/** Adds all weights of a tree at the given places; samples with their threads and states go along. */
export function copyWeights(builder: CallTreeBuilder, tree: CallTree, places: Int32Array, eventOf: readonly number[]): void {
  // A sample counts for its node as it is added, so that of a node's weight only what no sample holds is left.
  const rest = tree.events.map((event) => event.self.slice());
  const { samples } = tree;
  if (samples !== null) {
    const threads = tree.threads.map((name) => builder.thread(name));
    const states = (tree.states ?? []).map((name) => builder.state(name));
    for (let index = 0; index < samples.node.length; index += 1) {
      const [node, event, weight] = [samples.node[index] as number, samples.event[index] as number, samples.weight[index] as number];
      const thread = threads[samples.thread[index] as number] ?? -1;
      const state = states[samples.state?.[index] ?? 0] ?? 0;
      builder.sample(samples.timeUs[index] as number, places[node] as number, thread, eventOf[event] ?? 0, weight, state);
      const left = rest[event];
      if (left !== undefined) left[node] = (left[node] as number) - weight;
    }
  }
  for (const [event, left] of rest.entries()) {
    const rounding = (tree.events[event]?.self.reduce((sum, weight) => sum + weight, 0) ?? 0) * 1e-12;
    for (let node = 0; node < tree.nodeCount; node += 1) {
      const weight = left[node] as number;
      if (weight > rounding) builder.add(places[node] as number, eventOf[event] ?? 0, weight);
    }
  }
}

/** Adds the line ticks of a tree at the given places. */
export function copyTicks(builder: CallTreeBuilder, { lineTicks }: CallTree, places: Int32Array): void {
  if (lineTicks === undefined) return;
  for (let index = 0; index < lineTicks.node.length; index += 1) {
    const node = lineTicks.node[index] as number;
    builder.lineTicks(places[node] as number, lineTicks.line[index] as number, lineTicks.ticks[index] as number);
  }
}
