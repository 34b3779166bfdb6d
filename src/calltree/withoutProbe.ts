import type { CallTree } from '../model/domain/callTree.ts';
import { CallTreeBuilder } from './callTreeBuilder.ts';
import { copyTree } from './copyTree.ts';
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
  const owner = new Uint8Array(tree.nodeCount);
  for (let node = 1; node < tree.nodeCount; node += 1) {
    const func = tree.func[node] as number;
    const above = owner[tree.parent[node] as number] as number;
    const isWork = above === ofProbe || (above === ofHook && isProbe[func] === 0 && file[func] === '');
    owner[node] = isWork ? ofProbe : isProbe[func] === 1 ? ofHook : ofApp;
  }
  const builder = new CallTreeBuilder(tree.events);
  copyTree(builder, tree, { kept: owner.map((own) => (own === ofApp ? 1 : 0)) });
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
