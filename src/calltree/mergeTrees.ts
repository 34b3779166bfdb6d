import type { TreeShape } from './viewTree.ts';

/** A tree whose nodes are to be merged by function. */
export interface MergeSource {
  shape: TreeShape;
  /** Number of each function in the merged tree; null: its own. */
  number: Int32Array | null;
  /** 1 for nodes that are merged into their caller, which then calls what they called; null: none. */
  dissolved: Uint8Array | null;
}

export interface MergedTree {
  shape: TreeShape;
  /** For each source where its nodes went; -1: nowhere, as they lie under none of the chosen ones. */
  places: Int32Array[];
}

/**
 * Nodes with the same function under the same caller as one node, in depth-first order, without any lookup by key: each node of the result is made
 * from the list of those that meet in it, and a subtree that meets no other is copied unchanged.
 *
 * @param below Of the first source, the nodes directly below the root of the result; null: the roots of all sources are its root.
 */
export function mergeTrees(sources: readonly MergeSource[], below: readonly number[] | null): MergedTree {
  return new Merge(sources).run(below);
}

/** Sibling groups that wait to become nodes are kept on a stack: members side by side, the next group last. */
class Merge {
  readonly #offsets: number[] = [];
  readonly #places: Int32Array[];
  /** By source: the number of dissolved nodes before each node; null where a subtree can never be copied. */
  readonly #dissolvedBefore: (Int32Array | null)[];
  readonly #parent: Int32Array;
  readonly #subtreeEnd: Int32Array;
  readonly #depth: Int32Array;
  readonly #func: Int32Array;
  #count = 0;

  #members = new Int32Array(1024);
  #memberTop = 0;
  #groupStart = new Int32Array(1024);
  #groupCaller = new Int32Array(1024);
  #groupTop = 0;

  /** The callees of the current node: those of its members and of the nodes merged into these. */
  #callees = new Int32Array(1024);
  #calleeGroup = new Int32Array(1024);
  #calleeCount = 0;
  readonly #groupOfFunc: Int32Array;
  readonly #stampOfFunc: Int32Array;
  #stamp = 0;

  constructor(private readonly sources: readonly MergeSource[]) {
    let size = 0;
    for (const { shape } of sources) {
      this.#offsets.push(size);
      size += shape.count;
    }
    const functionCount = sources.reduce((most, source) => Math.max(most, highestFunction(source) + 1), 0);
    this.#groupOfFunc = new Int32Array(functionCount);
    this.#stampOfFunc = new Int32Array(functionCount);
    this.#places = sources.map(({ shape }) => new Int32Array(shape.count).fill(-1));
    this.#dissolvedBefore = sources.map((source) => (this.#hasEqualSiblings(source) ? null : countsBefore(source)));
    this.#parent = new Int32Array(size + 1);
    this.#subtreeEnd = new Int32Array(size + 1);
    this.#depth = new Int32Array(size + 1);
    this.#func = new Int32Array(size + 1);
  }

  run(below: readonly number[] | null): MergedTree {
    this.#parent[0] = -1;
    this.#func[0] = -1;
    this.#count = 1;
    if (below === null) {
      for (const [source, place] of this.#places.entries()) {
        place[0] = 0;
        this.#gatherCallees(source, 0, 0);
      }
    } else for (const node of below) this.#addCallee(node);
    this.#groupCallees(0);
    while (this.#groupTop > 0) this.#makeNode();
    const count = this.#count;
    for (let node = count - 1; node >= 0; node -= 1) {
      const end = Math.max(this.#subtreeEnd[node] as number, node + 1);
      this.#subtreeEnd[node] = end;
      const above = this.#parent[node] as number;
      if (above >= 0 && end > (this.#subtreeEnd[above] as number)) this.#subtreeEnd[above] = end;
    }
    const cut = (column: Int32Array): Int32Array => (count * 1.25 > column.length ? column.subarray(0, count) : column.slice(0, count));
    const shape = { count, parent: cut(this.#parent), subtreeEnd: cut(this.#subtreeEnd), depth: cut(this.#depth), func: cut(this.#func) };
    return { shape, places: this.#places };
  }

  /** Takes the group on top of the stack and makes it a node; its callees become the groups on top. */
  #makeNode(): void {
    this.#groupTop -= 1;
    const caller = this.#groupCaller[this.#groupTop] as number;
    const start = this.#groupStart[this.#groupTop] as number;
    const end = this.#memberTop;
    this.#memberTop = start;
    const firstMember = this.#members[start] as number;
    const firstSource = this.#sourceOf(firstMember);
    const first = firstMember - (this.#offsets[firstSource] as number);
    if (end - start === 1 && this.#copySubtree(firstSource, first, caller)) return;
    const node = this.#count;
    this.#count = node + 1;
    this.#parent[node] = caller;
    this.#depth[node] = (this.#depth[caller] as number) + 1;
    this.#func[node] = this.#functionOf(firstSource, first);
    for (let index = start; index < end; index += 1) {
      const member = this.#members[index] as number;
      const source = this.#sourceOf(member);
      const own = member - (this.#offsets[source] as number);
      (this.#places[source] as Int32Array)[own] = node;
      this.#gatherCallees(source, own, node);
    }
    this.#groupCallees(node);
  }

  /** Copies a subtree that meets nothing else and in which nothing meets; false where that is not so. */
  #copySubtree(source: number, top: number, caller: number): boolean {
    const before = this.#dissolvedBefore[source] as Int32Array | null;
    if (before === null) return false;
    const { shape, number } = this.sources[source] as MergeSource;
    const end = shape.subtreeEnd[top] as number;
    if (before[end] !== before[top]) return false;
    const place = this.#places[source] as Int32Array;
    const shift = this.#count - top;
    const deeper = (this.#depth[caller] as number) + 1 - (shape.depth[top] as number);
    for (let node = top; node < end; node += 1) {
      const at = node + shift;
      const own = shape.func[node] as number;
      place[node] = at;
      this.#parent[at] = (shape.parent[node] as number) + shift;
      this.#subtreeEnd[at] = (shape.subtreeEnd[node] as number) + shift;
      this.#depth[at] = (shape.depth[node] as number) + deeper;
      this.#func[at] = number === null ? own : (number[own] as number);
    }
    this.#parent[top + shift] = caller;
    this.#count += end - top;
    return true;
  }

  /** What a node calls, through dissolved callees too; these are placed where the node is. */
  #gatherCallees(source: number, node: number, into: number): void {
    const { shape, dissolved } = this.sources[source] as MergeSource;
    const offset = this.#offsets[source] as number;
    const end = shape.subtreeEnd[node] as number;
    let callee = node + 1;
    while (callee < end) {
      if (dissolved !== null && dissolved[callee] === 1) {
        (this.#places[source] as Int32Array)[callee] = into;
        callee += 1;
      } else {
        this.#addCallee(offset + callee);
        callee = shape.subtreeEnd[callee] as number;
      }
    }
  }

  #addCallee(member: number): void {
    if (this.#calleeCount === this.#callees.length) this.#callees = doubled(this.#callees);
    this.#callees[this.#calleeCount] = member;
    this.#calleeCount += 1;
  }

  /** Puts the gathered callees on the stack, those of one function side by side; the function that came first is on top. */
  #groupCallees(caller: number): void {
    const count = this.#calleeCount;
    this.#calleeCount = 0;
    if (count === 0) return;
    while (this.#members.length < this.#memberTop + count) this.#members = doubled(this.#members);
    while (this.#groupStart.length < this.#groupTop + count) {
      this.#groupStart = doubled(this.#groupStart);
      this.#groupCaller = doubled(this.#groupCaller);
    }
    if (this.#calleeGroup.length < this.#callees.length) this.#calleeGroup = new Int32Array(this.#callees.length);
    this.#stamp += 1;
    let groups = 0;
    for (let index = 0; index < count; index += 1) {
      const member = this.#callees[index] as number;
      const source = this.#sourceOf(member);
      const func = this.#functionOf(source, member - (this.#offsets[source] as number));
      if (this.#stampOfFunc[func] !== this.#stamp) {
        this.#stampOfFunc[func] = this.#stamp;
        this.#groupOfFunc[func] = groups;
        this.#groupStart[this.#groupTop + groups] = 0;
        groups += 1;
      }
      const group = this.#groupOfFunc[func] as number;
      this.#calleeGroup[index] = group;
      this.#groupStart[this.#groupTop + group] = (this.#groupStart[this.#groupTop + group] as number) + 1;
    }
    this.#placeGroups(count, groups, caller);
  }

  /** Until here `groupStart` holds how many members each group has, in the order of their coming. */
  #placeGroups(count: number, groups: number, caller: number): void {
    const base = this.#groupTop;
    this.#groupStart.subarray(base, base + groups).reverse();
    let at = this.#memberTop;
    for (let group = base; group < base + groups; group += 1) {
      const size = this.#groupStart[group] as number;
      this.#groupStart[group] = at;
      this.#groupCaller[group] = caller;
      at += size;
    }
    for (let index = 0; index < count; index += 1) {
      const group = base + groups - 1 - (this.#calleeGroup[index] as number);
      const place = this.#groupStart[group] as number;
      this.#groupStart[group] = place + 1;
      this.#members[place] = this.#callees[index] as number;
    }
    // Each start has moved to the end of its group, which is where the next one begins.
    for (let group = base + groups - 1; group > base; group -= 1) this.#groupStart[group] = this.#groupStart[group - 1] as number;
    this.#groupStart[base] = this.#memberTop;
    this.#groupTop = base + groups;
    this.#memberTop = at;
  }

  #sourceOf(member: number): number {
    let source = this.#offsets.length - 1;
    while (member < (this.#offsets[source] as number)) source -= 1;
    return source;
  }

  #functionOf(source: number, node: number): number {
    const { shape, number } = this.sources[source] as MergeSource;
    const own = shape.func[node] as number;
    return number === null ? own : (number[own] as number);
  }

  #hasEqualSiblings({ shape, number }: MergeSource): boolean {
    const { count, subtreeEnd, func } = shape;
    for (let node = 0; node < count; node += 1) {
      const end = subtreeEnd[node] as number;
      this.#stamp += 1;
      for (let callee = node + 1; callee < end; callee = subtreeEnd[callee] as number) {
        const own = number === null ? (func[callee] as number) : (number[func[callee] as number] as number);
        if (this.#stampOfFunc[own] === this.#stamp) return true;
        this.#stampOfFunc[own] = this.#stamp;
      }
    }
    return false;
  }
}

function highestFunction({ shape, number }: MergeSource): number {
  let highest = -1;
  const values = number ?? shape.func;
  for (let index = 0; index < values.length; index += 1) if ((values[index] as number) > highest) highest = values[index] as number;
  return highest;
}

function countsBefore({ shape, dissolved }: MergeSource): Int32Array {
  const before = new Int32Array(shape.count + 1);
  if (dissolved === null) return before;
  for (let node = 0; node < shape.count; node += 1) before[node + 1] = (before[node] as number) + (dissolved[node] as number);
  return before;
}

function doubled(column: Int32Array): Int32Array<ArrayBuffer> {
  const larger = new Int32Array(column.length * 2);
  larger.set(column);
  return larger;
}
