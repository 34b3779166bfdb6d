import type { Layout } from '../layout.ts';
import type { ViewTree } from '../../../../src/calltree/viewTree.ts';
import { type LaidOut, BoxColumns } from './boxColumns.ts';
import { sortByKey } from './boxSort.ts';

/** How wide each node of a view is, and what it has itself. */
export interface Widths {
  width: Float64Array;
  self: Float64Array;
}

/** What of a layout does not come from its tree. */
export type LayoutHead = Pick<Layout, 'unit' | 'hiddenIdle'>;

/**
 * Lays out all nodes that weigh anything, their callees side by side from the left, the heaviest first. Each node is visited once,
 * and those on a level from left to right, so that the boxes are in order as they are made.
 * @param widths Those of callees together are not above their caller's.
 */
export function layoutTree(
  view: ViewTree,
  { width, self }: Widths,
  kind: Uint8Array,
  head: LayoutHead,
): { columns: BoxColumns; finish: (diff: Layout['diff']) => LaidOut } {
  const columns = new BoxColumns(view, kind, levelSizes(view, width));
  const { subtreeEnd, depth } = view;
  const waiting = new Int32Array(view.count);
  const keys = new Float64Array(view.count);
  const levels = columns.boxes.levelStart.length + 1;
  /** By level: the box that is being filled, where it ends, and where its next callee begins. */
  const box = new Int32Array(levels);
  const end = new Float64Array(levels);
  const next = new Float64Array(levels);
  box[0] = columns.add(0, -1, 0, 0, width[0] as number);
  columns.boxes.self[0] = self[0] as number;
  end[0] = width[0] as number;
  let top = pushCallees(0, 0);
  while (top > 0) {
    top -= 1;
    const node = waiting[top] as number;
    const level = depth[node] as number;
    const x = next[level - 1] as number;
    // Sums of fractions differ in their last digit by the order in which they are added.
    const room = Math.max(0, (end[level - 1] as number) - x);
    const wide = x + (width[node] as number) > (end[level - 1] as number) ? room : (width[node] as number);
    next[level - 1] = x + wide;
    const at = columns.add(level, box[level - 1] as number, node, x, wide);
    columns.boxes.self[at] = self[node] as number;
    box[level] = at;
    next[level] = x;
    end[level] = x + wide;
    top = pushCallees(node, top);
  }
  return { columns, finish: (diff) => columns.finished({ unit: head.unit, hiddenIdle: head.hiddenIdle, timeOrdered: false, diff }) };

  function pushCallees(node: number, from: number): number {
    const last = subtreeEnd[node] as number;
    let to = from;
    for (let callee = node + 1; callee < last; callee = subtreeEnd[callee] as number) {
      const wide = width[callee] as number;
      if (!(wide > 0)) continue;
      waiting[to] = callee;
      keys[to] = wide;
      to += 1;
    }
    if (to - from > 1) sortByKey(waiting, keys, from, to);
    return to;
  }
}

function levelSizes({ count, depth }: ViewTree, width: Float64Array): Int32Array {
  let deepest = 0;
  for (let node = 1; node < count; node += 1)
    if ((width[node] as number) > 0 && (depth[node] as number) > deepest) deepest = depth[node] as number;
  const sizes = new Int32Array(deepest + 1);
  sizes[0] = 1;
  for (let node = 1; node < count; node += 1) {
    if (!((width[node] as number) > 0)) continue;
    const level = depth[node] as number;
    sizes[level] = (sizes[level] as number) + 1;
  }
  return sizes;
}
