import type { FlameNames, Layout } from '../core/layout.ts';
import { firstEndingAfter, pathTo } from '../graph/boxes.ts';
import { functionName } from './flameWords.ts';

/** What a box is called from the root down to it, so that it can be found again in another layout. */
export type BoxPath = readonly string[];

function keyOf(layout: Layout, names: FlameNames, box: number): string {
  const func = layout.func[box] ?? -1;
  return `${functionName(names, func)}\u0000${func < 0 ? '' : (names.file[func] ?? '')}`;
}

export function pathOf(layout: Layout, names: FlameNames, box: number): BoxPath {
  return pathTo(layout, box)
    .slice(1)
    .map((at) => keyOf(layout, names, at));
}

/** The box with this path, or null; where several have it (in the order of time), the first. */
export function boxAt(layout: Layout, names: FlameNames, path: BoxPath): number | null {
  let box = 0;
  for (const [index, key] of path.entries()) {
    const end = layout.levelStart[index + 2] ?? 0;
    let child = firstEndingAfter(layout, index + 1, layout.x[box] ?? 0);
    while (child < end && layout.parent[child] === box && keyOf(layout, names, child) !== key) child += 1;
    if (child >= end || layout.parent[child] !== box) return null;
    box = child;
  }
  return layout.boxCount > box ? box : null;
}

export function widestBox(layout: Layout, func: number): number | null {
  let widest: number | null = null;
  for (let box = 1; box < layout.boxCount; box += 1) {
    if (layout.func[box] === func && (widest === null || (layout.w[box] ?? 0) > (layout.w[widest] ?? 0))) widest = box;
  }
  return widest;
}

export function widestOf(layout: Layout, boxes: Iterable<number>): number | null {
  let widest: number | null = null;
  for (const box of boxes) if (widest === null || (layout.w[box] ?? 0) > (layout.w[widest] ?? 0)) widest = box;
  return widest;
}
