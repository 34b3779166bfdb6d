import { remembered } from '../model/domain/remembered.ts';
import { longer } from './growingColumn.ts';
import type { TreeShape } from './viewTree.ts';

/** The first callees of a node are looked through; those after them are found by a map, so that no node is slow however many it has. */
const walkedCallees = 8;

/** A tree in depth-first order, and for each node in the order of making its number in it. */
interface OrderedNodes {
  shape: TreeShape;
  newNumber: Int32Array;
  line: Int32Array;
}

/** What a tree may have at most; `tooMany` is the failure where it has more nodes. */
interface NodeLimits {
  nodes: number;
  depth: number;
  tooMany: () => Error;
}

/**
 * The nodes of a tree that is being built, as columns in the order of making; 0 is the root. Callees are linked lists in the order of their
 * first appearance, 0 for none: most nodes are made below a node that has none yet, and then nothing is looked up.
 */
export class NodeTable {
  count = 1;
  #parent = new Int32Array(1024);
  #depth = new Int32Array(1024);
  #func = new Int32Array(1024);
  #line = new Int32Array(1024);
  #firstCallee = new Int32Array(1024);
  #lastCallee = new Int32Array(1024);
  #nextCallee = new Int32Array(1024);
  /** By node, those of its callees that are not looked through, by their function and line. */
  readonly #wide = new Map<number, Map<number, number>>();
  /** Differs from one tree to the next, so that no file can be made to fill one place of a map. */
  readonly #seed = Math.floor(Math.random() * 0x7fffffff);

  /** @param cutFunction returns the function in place of all frames beyond the limit of depth. */
  constructor(
    private readonly limits: NodeLimits,
    private readonly cutFunction: () => number,
  ) {
    this.#parent[0] = -1;
    this.#func[0] = -1;
  }

  /** Whether a node represents the frames beyond the limit of depth. */
  isCut(node: number): boolean {
    return (this.#depth[node] as number) > this.limits.depth;
  }

  /** The caller of a node. */
  callerOf(node: number): number {
    return this.#parent[node] as number;
  }

  functionOf(node: number): number {
    return this.#func[node] as number;
  }

  /**
   * The callee of a node for a function and an executing line; it is made where there is none. Beyond the limit of depth, one node
   * represents all that is deeper.
   */
  child(parent: number, func: number, line = 0): number {
    let node = this.#firstCallee[parent] as number;
    if (node === 0) return this.append(parent, func, line);
    for (let walked = 1; ; walked += 1) {
      if (this.#func[node] === func && this.#line[node] === line) return node;
      if (walked === walkedCallees) return this.#wideChild(parent, func, line);
      node = this.#nextCallee[node] as number;
      if (node === 0) return this.append(parent, func, line);
    }
  }

  /** The nodes in depth-first order, callees in the order of their first appearance. */
  depthFirst(): OrderedNodes {
    const count = this.count;
    const firstCallee = this.#firstCallee;
    const nextCallee = this.#nextCallee;
    const newNumber = new Int32Array(count);
    const parent = new Int32Array(count);
    const subtreeEnd = new Int32Array(count);
    const depth = new Int32Array(count);
    const func = new Int32Array(count);
    const line = new Int32Array(count);
    const ordered: OrderedNodes = { shape: { count, parent, subtreeEnd, depth, func }, newNumber, line };
    let node = 0;
    let above = -1;
    for (let at = 0; ; at += 1) {
      newNumber[node] = at;
      parent[at] = above;
      depth[at] = this.#depth[node] as number;
      func[at] = this.#func[node] as number;
      line[at] = this.#line[node] as number;
      const callee = firstCallee[node] as number;
      if (callee !== 0) {
        node = callee;
        above = at;
        continue;
      }
      subtreeEnd[at] = at + 1;
      while (node !== 0 && nextCallee[node] === 0) {
        node = this.#parent[node] as number;
        subtreeEnd[above] = at + 1;
        above = parent[above] as number;
      }
      if (node === 0) return ordered;
      node = nextCallee[node] as number;
    }
  }

  /** A new callee of a node, in addition to those that it has. Not to be mixed with {@link child} under one node. */
  append(parent: number, func: number, line = 0): number {
    const node = this.count;
    const depth = (this.#depth[parent] as number) + 1;
    const { limits } = this;
    if (depth > limits.depth) {
      if (this.isCut(parent)) return parent;
      const cut = this.cutFunction();
      if (func !== cut || line !== 0) return this.child(parent, cut, 0);
    }
    if (node >= limits.nodes) throw limits.tooMany();
    if (node === this.#parent.length) this.#grow();
    this.#parent[node] = parent;
    this.#depth[node] = depth;
    this.#func[node] = func;
    this.#line[node] = line;
    const last = this.#lastCallee[parent] as number;
    if (last === 0) this.#firstCallee[parent] = node;
    else this.#nextCallee[last] = node;
    this.#lastCallee[parent] = node;
    this.count = node + 1;
    return node;
  }

  #wideChild(parent: number, func: number, line: number): number {
    const callees = remembered(this.#wide, parent, () => new Map<number, number>());
    return remembered(callees, func * 2 ** 32 + (line ^ this.#seed), () => this.append(parent, func, line));
  }

  #grow(): void {
    const size = this.#parent.length * 2;
    this.#parent = longer(this.#parent, size);
    this.#depth = longer(this.#depth, size);
    this.#func = longer(this.#func, size);
    this.#line = longer(this.#line, size);
    this.#firstCallee = longer(this.#firstCallee, size);
    this.#lastCallee = longer(this.#lastCallee, size);
    this.#nextCallee = longer(this.#nextCallee, size);
  }
}
