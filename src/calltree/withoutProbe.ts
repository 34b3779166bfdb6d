import type { CallTree } from '../model/domain/callTree.ts';
import { CallTreeBuilder } from './callTreeBuilder.ts';
import { copyFunctions, copyTicks, copyTier, copyWeights } from './copyTree.ts';
import { isProbeFile } from './frameKind.ts';

/** Whose a node is: what a frame of the probe has itself is the probe's, and what it calls on for the app is the app's. */
const [ofApp, ofHook, ofProbe] = [0, 1, 2];

/**
 * A recording of Node without what Benchside's probe and its timing of waits did in it: its frames are removed, below which the app goes on, and
 * their own samples are counted in `leftOut`. Functions of V8 that it calls (without a file) are its own work. The same tree where there are none.
 */
export function withoutProbe(tree: CallTree): CallTree {
  const { file } = tree.functions;
  const isProbe = Uint8Array.from(file, (one) => (isProbeFile(one) ? 1 : 0));
  if (!isProbe.includes(1)) return tree;
  const builder = new CallTreeBuilder(tree.events.map(({ name, unit }) => ({ name, unit })));
  const functions = copyFunctions(builder, tree);
  const places = new Int32Array(tree.nodeCount);
  const owner = new Uint8Array(tree.nodeCount);
  for (let node = 1; node < tree.nodeCount; node += 1) {
    const [func, caller] = [tree.func[node] as number, tree.parent[node] as number];
    const above = owner[caller] as number;
    const isWork = above === ofProbe || (above === ofHook && isProbe[func] === 0 && file[func] === '');
    const own = isWork ? ofProbe : isProbe[func] === 1 ? ofHook : ofApp;
    owner[node] = own;
    const place = places[caller] as number;
    places[node] = own === ofApp ? builder.child(place, functions[func] as number, tree.line[node] as number) : place;
    if (own === ofApp) copyTier(builder, places[node] as number, tree, node);
  }
  const { samples, lineTicks } = tree;
  const rows = samples === null ? [] : [...samples.node.keys()].filter((row) => owner[samples.node[row] as number] === ofApp);
  const kept: CallTree = {
    ...tree,
    events: tree.events.map((event) => ({ ...event, self: event.self.map((weight, node) => (owner[node] === ofApp ? weight : 0)) })),
    samples:
      samples === null
        ? null
        : {
            timeUs: Float64Array.from(rows, (row) => samples.timeUs[row] as number),
            node: Int32Array.from(rows, (row) => samples.node[row] as number),
            thread: Int32Array.from(rows, (row) => samples.thread[row] as number),
            event: Uint8Array.from(rows, (row) => samples.event[row] as number),
            weight: Float64Array.from(rows, (row) => samples.weight[row] as number),
            ...(samples.state === undefined ? {} : { state: Uint8Array.from(rows, (row) => samples.state?.[row] as number) }),
          },
  };
  copyWeights(builder, kept, places, [...tree.events.keys()]);
  if (lineTicks !== undefined) {
    const ticks = [...lineTicks.node.keys()].filter((row) => owner[lineTicks.node[row] as number] === ofApp);
    const column = (from: Int32Array): Int32Array => Int32Array.from(ticks, (row) => from[row] as number);
    const own = {
      node: column(lineTicks.node),
      line: column(lineTicks.line),
      ticks: Float64Array.from(ticks, (row) => lineTicks.ticks[row] as number),
    };
    copyTicks(builder, { ...tree, lineTicks: own }, places);
  }
  const leftOut = [...(tree.leftOut ?? []), ...leftOutOf(tree, owner)];
  return {
    ...builder.build(),
    ...(tree.cores === undefined ? {} : { cores: tree.cores }),
    ...(tree.remarks === undefined ? {} : { remarks: tree.remarks }),
    ...(leftOut.length === 0 ? {} : { leftOut }),
  };
}

function leftOutOf({ samples, events }: CallTree, owner: Uint8Array): NonNullable<CallTree['leftOut']> {
  if (samples === null) return [];
  return events.flatMap(({ name }, event) => {
    let [left, all, weight] = [0, 0, 0];
    for (let row = 0; row < samples.node.length; row += 1) {
      if (samples.event[row] !== event) continue;
      all += 1;
      if (owner[samples.node[row] as number] === ofApp) continue;
      left += 1;
      weight += samples.weight[row] as number;
    }
    return left === 0 ? [] : [{ event: name, samples: left, ofSamples: all, weight }];
  });
}
