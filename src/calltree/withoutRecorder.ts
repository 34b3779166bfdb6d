import type { CallTree, LeftOutSamples } from '../model/domain/callTree.ts';
import { CallTreeBuilder } from './callTreeBuilder.ts';
import { isProbeFile } from './frameKind.ts';
import { builtFrom, copyTree } from './joinTrees.ts';
import { helpsRecorder, recorderPartByName } from './recorderFrames.ts';
import { eventTotal } from './totals.ts';

/** Whose a node is: what a hook has itself is the recorder's, and what it calls on for the app is the app's. */
type Owner = 'app' | 'hook' | 'recorder';

/** The tree of the app's nodes alone; `leftOutOf` counts the others. */
function withoutOthers(
  tree: CallTree,
  ownerOf: (func: number, caller: Owner) => Owner,
  leftOutOf: (isKept: (node: number) => boolean) => LeftOutSamples[],
): CallTree {
  const owners: Owner[] = ['app'];
  for (let node = 1; node < tree.nodeCount; node += 1)
    owners.push(ownerOf(tree.func[node] as number, owners[tree.parent[node] as number] as Owner));
  const isKept = (node: number): boolean => owners[node] === 'app';
  const builder = new CallTreeBuilder(tree.events);
  copyTree(builder, tree, { isKept });
  return builtFrom(builder, tree, { leftOut: leftOutOf(isKept) });
}

/**
 * A tree of counted stacks without those in which async-profiler is at work itself, which are counted in `leftOut`, and without the frames of
 * its hooks, below which the app goes on. The same tree where there are none. Goes by names alone: it is for recordings that hold no more.
 */
export function withoutRecorder(tree: CallTree): CallTree {
  const { name } = tree.functions;
  const parts = name.map(recorderPartByName);
  if (parts.every((part) => part === null)) return tree;
  return withoutOthers(
    tree,
    (func, caller) => {
      const isWork = caller === 'recorder' || parts[func] === 'work' || (caller === 'hook' && helpsRecorder(name[func] ?? ''));
      return isWork ? 'recorder' : parts[func] === 'hook' ? 'hook' : 'app';
    },
    (isKept) =>
      tree.events.flatMap((event) => {
        const ofSamples = eventTotal(event);
        const samples = ofSamples - event.self.reduce((sum, weight, node) => (isKept(node) ? sum + weight : sum), 0);
        return samples === 0 ? [] : [{ event: event.name, samples, ofSamples }];
      }),
  );
}

/**
 * A recording of Node without what Benchside's probe and its timing of waits did in it: its frames are removed, below which the app goes on, and
 * their own samples are counted in `leftOut`. Functions of V8 that it calls (without a file) are its own work. The same tree where there are none.
 */
export function withoutProbe(tree: CallTree): CallTree {
  const { file } = tree.functions;
  const isProbe = file.map(isProbeFile);
  if (!isProbe.includes(true)) return tree;
  return withoutOthers(
    tree,
    (func, caller) => {
      if (caller === 'recorder' || (caller === 'hook' && file[func] === '')) return 'recorder';
      return isProbe[func] === true ? 'hook' : 'app';
    },
    (isKept) => leftOutSamples(tree, isKept),
  );
}

function leftOutSamples({ samples, events }: CallTree, isKept: (node: number) => boolean): LeftOutSamples[] {
  if (samples === null) return [];
  return events.flatMap(({ name }, event) => {
    let [left, all, weight] = [0, 0, 0];
    for (let row = 0; row < samples.node.length; row += 1) {
      if (samples.event[row] !== event) continue;
      all += 1;
      if (isKept(samples.node[row] as number)) continue;
      left += 1;
      weight += samples.weight[row] as number;
    }
    return left === 0 ? [] : [{ event: name, samples: left, ofSamples: all, weight }];
  });
}
