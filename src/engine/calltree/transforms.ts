import type { CallTree } from '../../model/callTree.ts';
import { CallTreeBuilder } from './callTreeBuilder.ts';
import type { EventHead } from './callTreeBuilder.ts';
import { copyFunctions, copyNodes, copyTicks, copyTier, copyWeights } from './copyTree.ts';
import { chosenSamples, inOrderOfTime } from './sampleOrder.ts';

/*
 * Each gives a new tree, with what is known of tiers, threads, states, samples and line ticks. Roles depend on the whole stack and are not
 * carried along: `withRoles` of stackRoles.ts finds them in the new tree.
 */

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
  for (const [tree, eventOf] of [
    [a, eventsOfA],
    [b, eventsOfB],
  ] as const) {
    const places = copyNodes(builder, tree);
    copyWeights(builder, tree, places, eventOf);
    copyTicks(builder, tree, places);
  }
  const leftOut = [...(a.leftOut ?? []), ...(b.leftOut ?? [])];
  return { ...built(builder), ...(leftOut.length === 0 ? {} : { leftOut }) };
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
    kept = chosenSamples(samples, chosen);
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
  const needed = weighing(tree);
  for (let node = tree.nodeCount - 1; node > 0; node -= 1) if (needed[node] === 1) needed[tree.parent[node] as number] = 1;
  const builder = new CallTreeBuilder(tree.events);
  const places = copyNodes(builder, tree, needed);
  copyWeights(builder, tree, places, [...tree.events.keys()]);
  copyTicks(builder, tree, places, needed);
  return built(builder);
}

/**
 * The tree upside down: each stack from its leaf to its root, so that below a function stand its callers. The line ticks are those of the
 * functions that were executing, which stand right below the root.
 */
export function invertTree(tree: CallTree): CallTree {
  const builder = new CallTreeBuilder(tree.events);
  const functions = copyFunctions(builder, tree);
  const needed = weighing(tree);
  for (const node of tree.lineTicks?.node ?? []) needed[node] = 1;
  const leaves = new Int32Array(tree.nodeCount);
  const places = new Int32Array(tree.nodeCount);
  for (let node = 1; node < tree.nodeCount; node += 1) {
    if (needed[node] === 0) continue;
    let place = 0;
    for (let at = node; at > 0; at = tree.parent[at] as number) {
      place = builder.child(place, functions[tree.func[at] as number] as number, tree.line[at] as number);
      copyTier(builder, place, tree, at);
      if (at === node) leaves[node] = place;
    }
    places[node] = place;
  }
  copyWeights(builder, tree, places, [...tree.events.keys()]);
  copyTicks(builder, tree, leaves);
  return built(builder);
}

/** 1 for each node that has weight or samples of its own. */
function weighing(tree: CallTree): Uint8Array {
  const found = new Uint8Array(tree.nodeCount);
  for (const { self } of tree.events) for (let node = 0; node < tree.nodeCount; node += 1) if (self[node] !== 0) found[node] = 1;
  for (const node of tree.samples?.node ?? []) found[node] = 1;
  return found;
}

function built(builder: CallTreeBuilder): CallTree {
  const tree = builder.build();
  return { ...tree, samples: inOrderOfTime(tree.samples) };
}
