import type { CallTree, EventColumn } from '../model/domain/callTree.ts';
import { defined } from '../model/domain/defined.ts';
import { nodeTotals } from './totals.ts';
import { viewNodes } from './viewNodes.ts';

/** Nodes of the tree that become one node of the skeleton: the same stack of functions, whatever lines were executing. */
interface Group {
  nodes: number[];
  parent: number;
}

/**
 * The nodes of a tree that are wide enough to be seen in one event: those whose total is at least `minShare` of the recording's. Nodes that
 * differ by executing lines alone are one, of line 0. What was left out below a node is its `rest`: `self` and `rest` of all nodes weigh what
 * the recording weighs. Functions keep their numbers, but only those that are there have a name. Takes one pass over the weights and looks at
 * no node below one that is left out. Samples and line ticks stay behind.
 */
export function skeletonOf(tree: CallTree, event: EventColumn, minShare = 1 / 4000): CallTree {
  const totals = nodeTotals(tree, event);
  const least = Math.max((totals[0] as number) * minShare, Number.MIN_VALUE);
  const table = viewNodes();
  /** For each node of the skeleton the first of the nodes that it represents. */
  const firsts: number[] = [];
  const self: number[] = [];
  const rest: number[] = [];
  const callees = new CalleeGroups(tree, totals, least);
  const open: Group[] = [{ nodes: [0], parent: -1 }];
  // In depth-first order: a node is made before its callees, and these before the next one.
  for (let group = open.pop(); group !== undefined; group = open.pop()) {
    const first = group.nodes[0] as number;
    const at = group.parent === -1 ? 0 : table.append(group.parent, tree.func[first] as number);
    const { wide, narrow } = callees.of(group.nodes);
    for (const nodes of wide.reverse()) open.push({ nodes, parent: at });
    let [own, left] = [0, narrow];
    for (const node of group.nodes) {
      own += event.self[node] as number;
      left += event.rest?.[node] ?? 0;
    }
    firsts.push(first);
    self.push(own);
    rest.push(left);
  }
  const { count: nodeCount, ...columns } = table.depthFirst().shape;
  const used = new Uint8Array(tree.functions.name.length);
  for (const one of columns.func) if (one >= 0) used[one] = 1;
  const named = (text: string, index: number): string => (used[index] === 1 ? text : '');
  const ofFirst = (column: Uint8Array | undefined): Uint8Array | undefined =>
    column && Uint8Array.from(firsts, (node) => column[node] as number);
  return {
    nodeCount,
    ...columns,
    line: new Int32Array(nodeCount),
    events: [{ name: event.name, unit: event.unit, self: Float64Array.from(self), rest: Float64Array.from(rest) }],
    functions: { ...tree.functions, name: tree.functions.name.map(named), file: tree.functions.file.map(named) },
    threads: tree.threads,
    samples: null,
    ...defined({ states: tree.states, role: ofFirst(tree.role), tier: ofFirst(tree.tier) }),
  };
}

/** Callees by their function: those wide enough, and what the others weigh together. */
class CalleeGroups {
  /** By function, and for the nodes at hand only: 0 not called, 1 called, more than that the index of its wide group plus 2. */
  readonly #place: Int32Array;
  readonly #weight: Float64Array;

  constructor(
    private readonly tree: CallTree,
    private readonly totals: Float64Array,
    private readonly least: number,
  ) {
    const functions = tree.functions.name.length;
    this.#place = new Int32Array(functions);
    this.#weight = new Float64Array(functions);
  }

  /** What these nodes call, in the order of first appearance. Most callees are narrow, so that only for wide ones a list is made. */
  of(nodes: readonly number[]): { wide: number[][]; narrow: number } {
    const place = this.#place;
    const weight = this.#weight;
    const totals = this.totals;
    const { func, subtreeEnd } = this.tree;
    const called: number[] = [];
    for (const node of nodes) {
      const end = subtreeEnd[node] as number;
      for (let callee = node + 1; callee < end; callee = subtreeEnd[callee] as number) {
        const one = func[callee] as number;
        if (place[one] === 0) {
          place[one] = 1;
          weight[one] = 0;
          called.push(one);
        }
        weight[one] = (weight[one] as number) + (totals[callee] as number);
      }
    }
    const wide: number[][] = [];
    let narrow = 0;
    for (const one of called) {
      if ((weight[one] as number) >= this.least) place[one] = wide.push([]) + 1;
      else narrow += weight[one] as number;
    }
    for (const node of wide.length === 0 ? [] : nodes) {
      const end = subtreeEnd[node] as number;
      for (let callee = node + 1; callee < end; callee = subtreeEnd[callee] as number) {
        wide[(place[func[callee] as number] as number) - 2]?.push(callee);
      }
    }
    for (const one of called) place[one] = 0;
    return { wide, narrow };
  }
}
