import type { NamedFunctions } from './sentence/libraryName.ts';
import { foldedView } from './folding.ts';
import { mergeTrees } from './mergeTrees.ts';
import { Trie } from './trie.ts';
import type { Reshaped, TreeShape, ViewTree } from './viewTree.ts';
import { reshapedView } from './viewTree.ts';

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
  switch (transform.kind) {
    case 'focusNode': {
      const node = nodeIn(view, transform.node);
      return node === 0 ? view : reshapedView(view, focusNode(view, node));
    }
    case 'dropNode': {
      const node = nodeIn(view, transform.node);
      return node < 0 ? view : reshapedView(view, dropNode(view, node));
    }
    case 'focusFunction':
      return reshapedView(view, focusFunction(view, numberOf(transform.func)));
    case 'hideFunction':
      return reshapedView(view, hideFunction(view, numberOf(transform.func)));
    case 'dropFunction':
      return reshapedView(view, dropFunction(view, numberOf(transform.func)));
    case 'foldRecursion':
      return reshapedView(view, foldRecursion(view));
    case 'foldLibraries':
      return foldedView(
        view,
        functions,
        (transform.open ?? []).map((node) => nodeIn(view, node)),
      );
  }
}

/** The node of a view for one of the recording; -1 where it is left out. */
function nodeIn(view: ViewTree, node: number): number {
  if (view.place === null) return node >= 0 && node < view.count ? node : -1;
  return view.place[node] ?? -1;
}

function focusNode(tree: TreeShape, focused: number): Reshaped {
  return merged(tree, null, focused < 0 ? [] : [focused]);
}

function dropNode(tree: TreeShape, dropped: number): Reshaped {
  const trie = new Trie(tree.count);
  const place = new Int32Array(tree.count);
  const end = tree.subtreeEnd[dropped] as number;
  place.fill(-1, dropped, end);
  for (let node = 1; node < tree.count; node += 1) {
    if (node < dropped || node >= end) place[node] = trie.append(place[tree.parent[node] as number] as number, tree.func[node] as number);
  }
  return renumbered(trie, place);
}

/** Only the subtrees of the outermost frames of a function, merged. */
export function focusFunction(tree: TreeShape, func: number): Reshaped {
  return merged(tree, null, outermostNodes(tree, func));
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
  return merged(
    tree,
    marked(tree, (node) => tree.func[node] === func),
    null,
  );
}

function dropFunction(tree: TreeShape, func: number): Reshaped {
  const trie = new Trie(tree.count);
  const place = new Int32Array(tree.count);
  for (let node = 1; node < tree.count; node += 1) {
    const above = place[tree.parent[node] as number] as number;
    const own = tree.func[node] as number;
    place[node] = above < 0 || own === func ? -1 : trie.append(above, own);
  }
  return renumbered(trie, place);
}

/** A function that is on the stack already continues in its first node. */
function foldRecursion(tree: TreeShape): Reshaped {
  const trie = new Trie(tree.count);
  const place = new Int32Array(tree.count);
  /** By function, where the subtree of its outermost node ends: only inside it is there anything to fold. */
  const outermostEnd = new Map<number, number>();
  for (let node = 1; node < tree.count; node += 1) {
    const func = tree.func[node] as number;
    const above = place[tree.parent[node] as number] as number;
    let at = 0;
    if (node < (outermostEnd.get(func) ?? 0)) {
      at = above;
      while (at > 0 && trie.func[at] !== func) at = trie.parent[at] as number;
    } else outermostEnd.set(func, tree.subtreeEnd[node] as number);
    place[node] = at > 0 ? at : trie.child(above, func);
  }
  return renumbered(trie, place);
}

/** Siblings of one function as one node; null where there are none. */
export function mergeSiblings(tree: TreeShape): Reshaped | null {
  const result = merged(tree, null, null);
  return result.shape.count === tree.count ? null : result;
}

function merged(shape: TreeShape, dissolved: Uint8Array | null, below: readonly number[] | null): Reshaped {
  const { shape: into, places } = mergeTrees([{ shape, number: null, dissolved }], below);
  return { shape: into, place: places[0] as Int32Array };
}

function marked(tree: TreeShape, chosen: (node: number) => boolean): Uint8Array {
  const marks = new Uint8Array(tree.count);
  for (let node = 1; node < tree.count; node += 1) if (chosen(node)) marks[node] = 1;
  return marks;
}

/** What a trie holds, and places in it as nodes of that. */
function renumbered(trie: Trie, place: Int32Array): Reshaped {
  const { shape, number } = trie.inDepthFirstOrder();
  renumber(place, number);
  return { shape, place };
}

/** Replaces each place by its new number; -1 stays. */
export function renumber(place: Int32Array, number: Int32Array): void {
  for (let node = 0; node < place.length; node += 1) {
    const at = place[node] as number;
    if (at >= 0) place[node] = number[at] as number;
  }
}
