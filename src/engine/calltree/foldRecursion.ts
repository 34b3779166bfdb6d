import type { CallTree } from '../../model/callTree.ts';
import { CallTreeBuilder } from './callTreeBuilder.ts';
import { copyFunctions, copyTicks, copyTier, copyWeights } from './copyTree.ts';

/**
 * The tree with recursion folded: a function that is on the stack already goes on where it stood first. Takes one step per node, however deep
 * the stacks are: the folded stack of the node at hand is kept as an array, and each node changes one entry of it, which is put back when the
 * walk leaves the node.
 */
export function foldRecursion(tree: CallTree): CallTree {
  const builder = new CallTreeBuilder(tree.events);
  const functions = copyFunctions(builder, tree);
  const places = new Int32Array(tree.nodeCount);
  /** Depth of each node's place in the folded tree. */
  const depths = new Int32Array(tree.nodeCount);
  /** The folded stack: place and function by depth. Of a node, the entries up to the depth of its place count. */
  const pathPlaces: number[] = [0];
  const pathFuncs: number[] = [-1];
  /** Where on the folded stack each function was put last; it stands there only if the stack says so too. */
  const depthOf = new Int32Array(tree.functions.name.length);
  const changes: { node: number; depth: number; place: number; func: number; depthOfFunc: number }[] = [];
  for (let node = 1; node < tree.nodeCount; node += 1) {
    for (let last = changes.at(-1); last !== undefined && node >= (tree.subtreeEnd[last.node] as number); last = changes.at(-1)) {
      depthOf[pathFuncs[last.depth] as number] = last.depthOfFunc;
      pathPlaces[last.depth] = last.place;
      pathFuncs[last.depth] = last.func;
      changes.pop();
    }
    const func = functions[tree.func[node] as number] as number;
    const callerDepth = depths[tree.parent[node] as number] as number;
    const known = depthOf[func] as number;
    if (known > 0 && known <= callerDepth && pathFuncs[known] === func) {
      places[node] = pathPlaces[known] as number;
      depths[node] = known;
    } else {
      const depth = callerDepth + 1;
      const place = builder.child(places[tree.parent[node] as number] as number, func, tree.line[node] as number);
      changes.push({ node, depth, place: pathPlaces[depth] ?? 0, func: pathFuncs[depth] ?? -1, depthOfFunc: known });
      [pathPlaces[depth], pathFuncs[depth], depthOf[func]] = [place, func, depth];
      places[node] = place;
      depths[node] = depth;
    }
    copyTier(builder, places[node] as number, tree, node);
  }
  copyWeights(builder, tree, places, [...tree.events.keys()]);
  copyTicks(builder, tree, places);
  return builder.build();
}
