import type { CallTree, LeftOutSamples } from '../model/domain/callTree.ts';
import type { RecordedThread } from '../model/domain/recording.ts';
import { type EventHead, CallTreeBuilder } from './callTreeBuilder.ts';
import { samplingThread } from './cpuCoverage.ts';
import { inOrderOfTime } from './sampleOrder.ts';
import { functionAt } from './totals.ts';

/** Which part of a tree is copied, and where it goes. */
interface CopyOptions {
  /** For each event of the tree its number in the builder; left out: the same. */
  eventOf?: readonly number[];
  /** The node in the builder below which its stacks are. */
  top?: number;
  /** Others are left out with what they have themselves, and what they call is called by their callers. */
  isKept?: (node: number) => boolean;
}

/** Adds a tree to a builder, with its weights, samples, threads, states and line ticks. */
export function copyTree(
  builder: CallTreeBuilder,
  tree: CallTree,
  { eventOf = [...tree.events.keys()], top = 0, isKept = () => true }: CopyOptions = {},
): void {
  const functions = Int32Array.from(tree.functions.name, (_name, func) => {
    const { name, file, line, kind } = functionAt(tree.functions, func);
    return builder.func(name, file, line, kind);
  });
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

/** The tree of what was copied, with what is known of the trees that it is from as a whole. */
export function builtFrom(builder: CallTreeBuilder, ...sources: readonly Pick<CallTree, 'cores' | 'remarks' | 'leftOut'>[]): CallTree {
  const cores = sources.find((source) => source.cores !== undefined)?.cores;
  const remarks = sources.flatMap((source) => source.remarks ?? []);
  const leftOut = new Map<string, LeftOutSamples>();
  for (const { event, samples, ofSamples, weight } of sources.flatMap((source) => source.leftOut ?? [])) {
    const sum = leftOut.get(event) ?? { event, samples: 0, ofSamples: 0 };
    const both = weight === undefined && sum.weight === undefined ? {} : { weight: (weight ?? 0) + (sum.weight ?? 0) };
    leftOut.set(event, { event, samples: sum.samples + samples, ofSamples: sum.ofSamples + ofSamples, ...both });
  }
  return {
    ...builder.build(),
    ...(cores === undefined ? {} : { cores }),
    ...(remarks.length === 0 ? {} : { remarks }),
    ...(leftOut.size === 0 ? {} : { leftOut: [...leftOut.values()] }),
  };
}

/**
 * Two recordings as one: events of the same name and unit are added, all others are kept side by side, with what is known of tiers, threads, states,
 * samples and line ticks. Roles depend on the whole stack and are not carried along: `withRoles` finds them in the new tree.
 */
export function joinTrees(a: CallTree, b: CallTree): CallTree {
  const events: EventHead[] = a.events.map(({ name, unit }) => ({ name, unit }));
  const numbers = (tree: CallTree): number[] =>
    tree.events.map(({ name, unit }) => {
      const known = events.findIndex((event) => event.name === name && event.unit === unit);
      return known === -1 ? events.push({ name, unit }) - 1 : known;
    });
  const [eventsOfA, eventsOfB] = [numbers(a), numbers(b)];
  const builder = new CallTreeBuilder(events);
  copyTree(builder, a, { eventOf: eventsOfA });
  copyTree(builder, b, { eventOf: eventsOfB });
  const tree = builtFrom(builder, a, b);
  return { ...tree, samples: inOrderOfTime(tree.samples) };
}

/** A tree with all of its stacks under one frame. Samples without a thread are of a thread of that name; the names of threads begin with it. */
export function underRootFrame(tree: CallTree, name: string): CallTree {
  const builder = new CallTreeBuilder(tree.events);
  const label = name.slice(1, -1);
  const { samples, threads } = tree;
  const hasOthers = samples?.thread.includes(-1) === true;
  const named: CallTree = {
    ...tree,
    threads: [...threads.map((thread) => `${label} · ${thread}`), ...(hasOthers ? [label] : [])],
    samples: samples === null ? null : { ...samples, thread: samples.thread.map((thread) => (thread < 0 ? threads.length : thread)) },
  };
  copyTree(builder, named, { top: builder.child(0, builder.func(name, '', 0, 'other')) });
  return builtFrom(builder, tree);
}

/** Node gives these threads no names before version 24. */
const unnamedThreads = '(threads of V8 and libuv)';

/**
 * The profile of a thread of Node with what the kernel counted of threads that no profile is of: V8’s collector and compilers, and libuv’s pool. They have
 * a frame for each name, without samples; V8’s sampling thread is the recorder’s own and is left out.
 *
 * @param threads all threads of the process; kernelNs in ns
 * @param profiled numbers of the threads that have a profile of their own; one of them is the main thread, which unnamed threads share their name with
 */
export function withRuntimeThreads(tree: CallTree, threads: readonly RecordedThread[], profiled: ReadonlySet<number>): CallTree {
  const others = threads.filter(({ number, name, kernelNs }) => !profiled.has(number) && name !== samplingThread && kernelNs > 0);
  const event = tree.events.find(({ name, unit }) => name === 'cpu' && unit === 'ns');
  if (others.length === 0 || event === undefined) return tree;
  const shared = new Set(threads.filter(({ number }) => profiled.has(number)).map(({ name }) => name));
  const builder = new CallTreeBuilder([{ name: event.name, unit: event.unit }]);
  for (const { name, kernelNs } of others) {
    const frame = shared.has(name) ? unnamedThreads : `(threads “${name}”)`;
    builder.add(builder.child(0, builder.func(frame, '', 0, 'runtime')), 0, kernelNs);
  }
  return joinTrees(tree, builder.build());
}
