import { failure } from '../model/domain/failure.ts';
import type { TreeShape } from './viewTree.ts';

/** A larger view would not fit into memory together with its recording. */
const maxNodes = 4_000_000;

/** A tree under construction, its children merged by function. Callers come before their callees. */
export class Trie {
  count = 1;
  parent: Int32Array;
  func: Int32Array;
  #depth: Int32Array;
  /** Open addressing by parent and function; 0 is free, as the root is never a child. */
  #slots: Int32Array;
  /** Differs from one trie to the next, so that no file can be made to fill one place of the table. */
  readonly #seed = Math.floor(Math.random() * 0x7fffffff);

  /** @param capacity How many nodes are expected; it may be exceeded. */
  constructor(capacity: number) {
    const size = Math.max(16, Math.min(capacity, maxNodes));
    this.parent = new Int32Array(size);
    this.func = new Int32Array(size);
    this.#depth = new Int32Array(size);
    this.#slots = new Int32Array(2 ** Math.ceil(Math.log2(size * 1.5)));
    this.parent[0] = -1;
    this.func[0] = -1;
  }

  /** The callee of a node for a function; it is made where there is none. Not to be mixed with {@link append} under one node. */
  child(parent: number, func: number): number {
    const slots = this.#slots;
    const mask = slots.length - 1;
    let slot = this.#hash(parent, func) & mask;
    for (let node = slots[slot] as number; node !== 0; node = slots[slot] as number) {
      if (this.parent[node] === parent && this.func[node] === func) return node;
      slot = (slot + 1) & mask;
    }
    const node = this.append(parent, func);
    slots[slot] = node;
    if (this.count * 1.25 > slots.length) this.#rehash();
    return node;
  }

  /** A new callee of a node. */
  append(parent: number, func: number): number {
    const node = this.count;
    if (node === this.parent.length) this.#grow();
    this.parent[node] = parent;
    this.func[node] = func;
    this.#depth[node] = (this.#depth[parent] as number) + 1;
    this.count = node + 1;
    return node;
  }

  /** The tree in depth-first order, callees in the order in which they were made, and for each node its number there. */
  inDepthFirstOrder(): { shape: TreeShape; number: Int32Array } {
    const { count } = this;
    const size = new Int32Array(count).fill(1);
    for (let node = count - 1; node > 0; node -= 1) {
      const above = this.parent[node] as number;
      size[above] = (size[above] as number) + (size[node] as number);
    }
    const number = new Int32Array(count);
    const parent = new Int32Array(count);
    const subtreeEnd = new Int32Array(count);
    const depth = new Int32Array(count);
    const func = new Int32Array(count);
    /** Where the next callee of each node goes. */
    const next = new Int32Array(count);
    parent[0] = -1;
    func[0] = -1;
    subtreeEnd[0] = count;
    next[0] = 1;
    for (let node = 1; node < count; node += 1) {
      const above = this.parent[node] as number;
      const at = next[above] as number;
      const end = at + (size[node] as number);
      next[above] = end;
      next[node] = at + 1;
      number[node] = at;
      parent[at] = number[above] as number;
      subtreeEnd[at] = end;
      depth[at] = this.#depth[node] as number;
      func[at] = this.func[node] as number;
    }
    return { shape: { count, parent, subtreeEnd, depth, func }, number };
  }

  #hash(parent: number, func: number): number {
    let hash = Math.imul(parent ^ this.#seed, 0x9e3779b1);
    hash = Math.imul(hash ^ (hash >>> 15) ^ func, 0x85ebca6b);
    return hash ^ (hash >>> 13);
  }

  #rehash(): void {
    this.#slots = new Int32Array(this.#slots.length * 2);
    const mask = this.#slots.length - 1;
    for (let node = 1; node < this.count; node += 1) {
      let slot = this.#hash(this.parent[node] as number, this.func[node] as number) & mask;
      while (this.#slots[slot] !== 0) slot = (slot + 1) & mask;
      this.#slots[slot] = node;
    }
  }

  #grow(): void {
    if (this.count >= maxNodes) {
      throw failure(
        'view-too-large',
        `This view has more than ${maxNodes.toLocaleString('en')} boxes.`,
        'Choose fewer threads, a span of time, or a part of the flame graph.',
      );
    }
    const size = Math.min(this.count * 2, maxNodes);
    this.parent = grown(this.parent, size);
    this.func = grown(this.func, size);
    this.#depth = grown(this.#depth, size);
  }
}

function grown(column: Int32Array, size: number): Int32Array<ArrayBuffer> {
  const larger = new Int32Array(size);
  larger.set(column);
  return larger;
}
