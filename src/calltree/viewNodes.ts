import { failure } from '../model/domain/failure.ts';
import { NodeTable } from './nodeTable.ts';
import type { Reshaped, TreeShape } from './viewTree.ts';

/** A larger view would not fit into memory together with its recording. */
const maxNodes = 4_000_000;

/** The nodes of a view under construction, of any depth. */
export function viewNodes(nodes = maxNodes): NodeTable {
  const tooMany = (): Error =>
    failure(
      'view-too-large',
      `This view has more than ${maxNodes.toLocaleString('en')} boxes.`,
      'Choose fewer threads, a span of time, or a part of the flame graph.',
    );
  return new NodeTable({ nodes, depth: Infinity, tooMany }, () => -1);
}

/**
 * Adds the stacks of a tree to a table and returns where each node went: nodes with the same function under the same caller are one.
 *
 * @param number Of each function in the table; null: its own.
 * @param dissolved 1 for nodes that are merged into their caller, which then calls what they called; null: none.
 */
export function addStacks(
  table: NodeTable,
  { count, parent, func }: TreeShape,
  number: Int32Array | null,
  dissolved: Uint8Array | null,
): Int32Array {
  const place = new Int32Array(count);
  for (let node = 1; node < count; node += 1) {
    const above = place[parent[node] as number] as number;
    const own = func[node] as number;
    place[node] = dissolved?.[node] === 1 ? above : table.child(above, number === null ? own : (number[own] as number));
  }
  return place;
}

/** A tree with its nodes merged by function. No view has more of them than its tree. */
export function mergeNodes(shape: TreeShape, dissolved: Uint8Array | null = null): Reshaped {
  const table = viewNodes(Infinity);
  return reshaped(table, addStacks(table, shape, null, dissolved));
}

/** What a table holds, and places in it as nodes of that. */
export function reshaped(table: NodeTable, place: Int32Array): Reshaped {
  const { shape, newNumber } = table.depthFirst();
  return { shape, place: renumbered(place, newNumber) };
}

/** Each place by its new number; -1 stays. */
export function renumbered(place: Int32Array, newNumber: Int32Array): Int32Array {
  return place.map((at) => (at < 0 ? -1 : (newNumber[at] as number)));
}
