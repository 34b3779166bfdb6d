import type { NamedFunctions } from './sentence/libraryName.ts';
import { foldedView } from './folding.ts';
import { mergeNodes, reshaped, viewNodes } from './viewNodes.ts';
import { type Reshaped, type TreeShape, type ViewTree, reshapedView } from './viewTree.ts';

/** What is done to the stacks before they are drawn, in the order in which the user asked for it. Functions and nodes are those of the tree on show. */
export type Transform =
  /** Only the stacks that go through this node; what is above it is left out. */
  | { kind: 'focusNode'; node: number }
  /** Only the stacks that hold this function, from its outermost frame down. */
  | { kind: 'focusFunction'; func: number }
  /** The function's frames are left out; what they call is called by their callers. */
  | { kind: 'hideFunction'; func: number }
  /** All stacks with this function are left out, and so is their weight. */
  | { kind: 'dropFunction'; func: number }
  /** The subtree of this node is left out, and so is its weight. */
  | { kind: 'dropNode'; node: number }
  /** A function that calls itself, directly or not, is one frame. */
  | { kind: 'foldRecursion' }
  /** Runs of frames that are not the user's become one frame, the first of the run, but for those that begin at the open nodes; see `folding.ts`. */
  | { kind: 'foldLibraries'; open?: readonly number[] | undefined };

/**
 * A view after one transform.
 * @param numberOf gives a function's number in the view; in a comparison functions that are the same in both have one.
 */
export function transformed(view: ViewTree, transform: Transform, functions: NamedFunctions, numberOf: (func: number) => number): ViewTree {
  if (transform.kind === 'foldLibraries') {
    const open = (transform.open ?? []).map((node) => nodeIn(view, node));
    return foldedView(view, functions, open);
  }
  const to = reshapedBy(view, transform, numberOf);
  return to === null ? view : reshapedView(view, to);
}

/** Where the nodes of a view go by a transform; null: they stay. */
function reshapedBy(
  view: ViewTree,
  transform: Exclude<Transform, { kind: 'foldLibraries' }>,
  numberOf: (func: number) => number,
): Reshaped | null {
  if (transform.kind === 'foldRecursion') return foldRecursion(view);
  if (transform.kind === 'focusNode' || transform.kind === 'dropNode') {
    const node = nodeIn(view, transform.node);
    if (transform.kind === 'focusNode') return node === 0 ? null : focusNodes(view, node < 0 ? [] : [node]);
    return node < 0 ? null : dropNodes(view, (one) => one === node);
  }
  const func = numberOf(transform.func);
  if (transform.kind === 'focusFunction') return focusFunction(view, func);
  return transform.kind === 'hideFunction' ? hideFunction(view, func) : dropNodes(view, (node) => view.func[node] === func);
}

/** The node of a view for one of the recording; -1 where it is left out. */
function nodeIn(view: ViewTree, node: number): number {
  if (view.place === null) return node >= 0 && node < view.count ? node : -1;
  return view.place[node] ?? -1;
}

/** Only the subtrees of some nodes of which none is below another, merged below the root. */
function focusNodes(tree: TreeShape, tops: readonly number[]): Reshaped {
  const table = viewNodes(Infinity);
  const place = new Int32Array(tree.count).fill(-1);
  for (const top of tops) {
    for (let node = top; node < (tree.subtreeEnd[top] as number); node += 1) {
      const above = node === top ? 0 : (place[tree.parent[node] as number] as number);
      place[node] = table.child(above, tree.func[node] as number);
    }
  }
  return reshaped(table, place);
}

/** Without the subtrees of the chosen nodes. */
function dropNodes(tree: TreeShape, chosen: (node: number) => boolean): Reshaped {
  const table = viewNodes();
  const place = new Int32Array(tree.count);
  if (chosen(0)) place[0] = -1;
  for (let node = 1; node < tree.count; node += 1) {
    const above = place[tree.parent[node] as number] as number;
    place[node] = above < 0 || chosen(node) ? -1 : table.append(above, tree.func[node] as number);
  }
  return reshaped(table, place);
}

/** Only the subtrees of the outermost frames of a function, merged. */
export function focusFunction(tree: TreeShape, func: number): Reshaped {
  return focusNodes(tree, outermostNodes(tree, func));
}

/** The nodes of a function that have no other node of it above them. */
export function outermostNodes({ count, func, subtreeEnd }: TreeShape, wanted: number): number[] {
  const nodes: number[] = [];
  for (let node = 1; node < count; node += 1) {
    if (func[node] !== wanted) continue;
    nodes.push(node);
    node = (subtreeEnd[node] as number) - 1;
  }
  return nodes;
}

function hideFunction(tree: TreeShape, func: number): Reshaped {
  const hidden = new Uint8Array(tree.count);
  for (let node = 1; node < tree.count; node += 1) if (tree.func[node] === func) hidden[node] = 1;
  return mergeNodes(tree, hidden);
}

/** A function that is on the stack already continues in its first node. */
function foldRecursion(tree: TreeShape): Reshaped {
  const table = viewNodes();
  const place = new Int32Array(tree.count);
  /** By function, where the subtree of its outermost node ends: only inside it is there anything to fold. */
  const outermostEnd = new Map<number, number>();
  for (let node = 1; node < tree.count; node += 1) {
    const func = tree.func[node] as number;
    const above = place[tree.parent[node] as number] as number;
    let at = 0;
    if (node < (outermostEnd.get(func) ?? 0)) {
      at = above;
      while (at > 0 && table.functionOf(at) !== func) at = table.callerOf(at);
    } else outermostEnd.set(func, tree.subtreeEnd[node] as number);
    place[node] = at > 0 ? at : table.child(above, func);
  }
  return reshaped(table, place);
}

/** Siblings of one function as one node; null where there are none. */
export function mergeSiblings(tree: TreeShape): Reshaped | null {
  const result = mergeNodes(tree);
  return result.shape.count === tree.count ? null : result;
}
