import { frameKinds } from '../../model/callTree.ts';
import type { CallTree } from '../../model/callTree.ts';
import { CallTreeBuilder } from './callTreeBuilder.ts';
import type { EventHead } from './callTreeBuilder.ts';

/** The functions of a tree, by their number there, as numbers of a builder. */
function copyFunctions(builder: CallTreeBuilder, { functions }: CallTree): Int32Array {
  const { name, file, line, kind } = functions;
  return Int32Array.from(name, (text, func) =>
    builder.func(text, file[func] ?? '', line[func] ?? 0, frameKinds[kind[func] ?? 0] ?? 'other'),
  );
}

/** For each node of a tree its counterpart in a builder, where every node hangs below its caller's counterpart. */
function copyNodes(builder: CallTreeBuilder, tree: CallTree): Int32Array {
  const functions = copyFunctions(builder, tree);
  const places = new Int32Array(tree.nodeCount);
  for (let node = 1; node < tree.nodeCount; node += 1) {
    places[node] = builder.child(
      places[tree.parent[node] as number] as number,
      functions[tree.func[node] as number] as number,
      tree.line[node] as number,
    );
  }
  return places;
}

/** Adds all weights of a tree at the given places; samples and line ticks go along. */
function copyWeights(builder: CallTreeBuilder, tree: CallTree, places: Int32Array, eventOf: readonly number[]): void {
  // A sample counts for its node as it is added, so that of a node's weight only what no sample holds is left.
  const rest = tree.events.map((event) => event.self.slice());
  const { samples, lineTicks } = tree;
  if (samples !== null) {
    const threads = tree.threads.map((name) => builder.thread(name));
    for (let index = 0; index < samples.node.length; index += 1) {
      const [node, event, weight] = [samples.node[index] as number, samples.event[index] as number, samples.weight[index] as number];
      const thread = threads[samples.thread[index] as number] ?? -1;
      builder.sample(samples.timeUs[index] as number, places[node] as number, thread, eventOf[event] ?? 0, weight);
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
  if (lineTicks === undefined) return;
  for (let index = 0; index < lineTicks.node.length; index += 1) {
    builder.lineTicks(places[lineTicks.node[index] as number] as number, lineTicks.line[index] as number, lineTicks.ticks[index] as number);
  }
}

/** Two recordings as one: events of the same name and unit are added, all others stand side by side. */
export function mergeTrees(a: CallTree, b: CallTree): CallTree {
  const events: EventHead[] = a.events.map(({ name, unit }) => ({ name, unit }));
  const numbers = (tree: CallTree): number[] =>
    tree.events.map(({ name, unit }) => {
      const known = events.findIndex((event) => event.name === name && event.unit === unit);
      return known === -1 ? events.push({ name, unit }) - 1 : known;
    });
  const [eventsOfA, eventsOfB] = [numbers(a), numbers(b)];
  const builder = new CallTreeBuilder(events);
  copyWeights(builder, a, copyNodes(builder, a), eventsOfA);
  copyWeights(builder, b, copyNodes(builder, b), eventsOfB);
  return builder.build();
}

/** What a filter keeps. A part that is left out keeps everything. */
export interface TreeFilter {
  /** By the number of a thread; -1 stands for weight whose thread is not known. */
  thread?: (thread: number) => boolean;
  /** By the number of a function: a stack is kept if any of its frames is. */
  func?: (func: number) => boolean;
}

/** Two trees of the same recording: the stacks that a filter keeps, and all others. Together they weigh what the recording weighs. */
export function splitTree(tree: CallTree, filter: TreeFilter): { kept: CallTree; dropped: CallTree } {
  const functionKept = Uint8Array.from(tree.functions.name, (_, func) => Number(filter.func?.(func) ?? true));
  const nodeKept = new Uint8Array(tree.nodeCount).fill(filter.func === undefined ? 1 : 0);
  for (let node = 1; node < tree.nodeCount; node += 1)
    nodeKept[node] = nodeKept[tree.parent[node] as number] === 1 ? 1 : (functionKept[tree.func[node] as number] as number);
  const threadKept = tree.threads.map((_, thread) => filter.thread?.(thread) ?? true);
  const unknownThreadKept = filter.thread?.(-1) ?? true;
  const keeps = (node: number, thread: number): boolean => nodeKept[node] === 1 && (threadKept[thread] ?? unknownThreadKept);
  return { kept: part(tree, keeps), dropped: part(tree, (node, thread) => !keeps(node, thread)) };
}

function part(tree: CallTree, keeps: (node: number, thread: number) => boolean): CallTree {
  const { samples } = tree;
  const events = tree.events.map((event) => ({ ...event, self: event.self.slice() }));
  let kept: CallTree['samples'] = null;
  const inSamples = events.map(() => new Float64Array(tree.nodeCount));
  if (samples !== null) {
    const chosen = Array.from(samples.node.keys()).filter((index) => keeps(samples.node[index] as number, samples.thread[index] as number));
    for (let index = 0; index < samples.node.length; index += 1) {
      const [node, event, weight] = [samples.node[index] as number, samples.event[index] as number, samples.weight[index] as number];
      const sum = inSamples[event];
      if (sum !== undefined) sum[node] = (sum[node] as number) + weight;
    }
    kept = {
      timeUs: Float64Array.from(chosen, (index) => samples.timeUs[index] as number),
      node: Int32Array.from(chosen, (index) => samples.node[index] as number),
      thread: Int32Array.from(chosen, (index) => samples.thread[index] as number),
      event: Uint8Array.from(chosen, (index) => samples.event[index] as number),
      weight: Float64Array.from(chosen, (index) => samples.weight[index] as number),
    };
  }
  for (const [event, { self }] of events.entries()) {
    for (let node = 0; node < tree.nodeCount; node += 1) {
      const unsampled = Math.max(0, (self[node] as number) - (inSamples[event]?.[node] ?? 0));
      self[node] = keeps(node, -1) ? unsampled : 0;
    }
  }
  for (let index = 0; kept !== null && index < kept.node.length; index += 1) {
    const self = events[kept.event[index] as number]?.self;
    const node = kept.node[index] as number;
    if (self !== undefined) self[node] = (self[node] as number) + (kept.weight[index] as number);
  }
  return pruned({ ...tree, events, samples: kept });
}

/** The tree without the nodes that weigh nothing and call nothing that does. */
function pruned(tree: CallTree): CallTree {
  const needed = new Uint8Array(tree.nodeCount);
  for (const { self } of tree.events) for (let node = 0; node < tree.nodeCount; node += 1) if (self[node] !== 0) needed[node] = 1;
  for (const node of tree.samples?.node ?? []) needed[node] = 1;
  for (let node = tree.nodeCount - 1; node > 0; node -= 1) if (needed[node] === 1) needed[tree.parent[node] as number] = 1;
  const builder = new CallTreeBuilder(tree.events);
  const functions = copyFunctions(builder, tree);
  const places = new Int32Array(tree.nodeCount);
  for (let node = 1; node < tree.nodeCount; node += 1) {
    if (needed[node] === 0) continue;
    places[node] = builder.child(
      places[tree.parent[node] as number] as number,
      functions[tree.func[node] as number] as number,
      tree.line[node] as number,
    );
  }
  copyWeights(builder, withoutTicksOf(tree, needed), places, [...tree.events.keys()]);
  return builder.build();
}

function withoutTicksOf(tree: CallTree, needed: Uint8Array): CallTree {
  const { lineTicks, ...rest } = tree;
  if (lineTicks === undefined) return rest;
  const chosen = Array.from(lineTicks.node.keys()).filter((index) => needed[lineTicks.node[index] as number] === 1);
  return {
    ...rest,
    lineTicks: {
      node: Int32Array.from(chosen, (index) => lineTicks.node[index] as number),
      line: Int32Array.from(chosen, (index) => lineTicks.line[index] as number),
      ticks: Float64Array.from(chosen, (index) => lineTicks.ticks[index] as number),
    },
  };
}

/** The tree upside down: each stack from its leaf to its root, so that below a function stand its callers. Order of time is not kept. */
export function invertTree(tree: CallTree): CallTree {
  const builder = new CallTreeBuilder(tree.events);
  const functions = copyFunctions(builder, tree);
  for (let node = 0; node < tree.nodeCount; node += 1) {
    if (!tree.events.some((event) => event.self[node] !== 0)) continue;
    let place = 0;
    for (let at = node; at > 0; at = tree.parent[at] as number)
      place = builder.child(place, functions[tree.func[at] as number] as number, tree.line[at] as number);
    for (const [event, { self }] of tree.events.entries()) builder.add(place, event, self[node] as number);
  }
  return builder.build();
}

/** The tree with recursion folded: a function that is on the stack already goes on where it stood first. */
export function foldRecursion(tree: CallTree): CallTree {
  const builder = new CallTreeBuilder(tree.events);
  const functions = copyFunctions(builder, tree);
  const places = new Int32Array(tree.nodeCount);
  /** The folded stack of the node at hand is found by walking up these; the root's is -1. */
  const above: number[] = [-1];
  const funcAt: number[] = [-1];
  for (let node = 1; node < tree.nodeCount; node += 1) {
    const func = functions[tree.func[node] as number] as number;
    const caller = places[tree.parent[node] as number] as number;
    let place = caller;
    while (place > 0 && funcAt[place] !== func) place = above[place] as number;
    if (place <= 0) {
      place = builder.child(caller, func, tree.line[node] as number);
      above[place] = caller;
      funcAt[place] = func;
    }
    places[node] = place;
  }
  copyWeights(builder, tree, places, [...tree.events.keys()]);
  return builder.build();
}
