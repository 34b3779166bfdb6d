import type { Layout } from '../core/layout.ts';

/** First index in [low, high) for which `holds` is true, where it is false before and true from there on; `high` if it never is. */
function firstThat(low: number, high: number, holds: (index: number) => boolean): number {
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (holds(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** Whether a box represents several consecutive frames that can be shown. */
export function isFolded({ folds, node }: Pick<Layout, 'folds' | 'node'>, box: number): boolean {
  return (folds?.frames[box] ?? 1) > 1 && (node[box] ?? -1) > 0;
}

export function levelCount(layout: Layout): number {
  return Math.max(0, layout.levelStart.length - 1);
}

/**
 * The level of each of `count` rows that show the whole graph. Where there are more levels than rows, each row is for an equal share of the area
 * of all boxes: of thousands of levels most may be as narrow as one stack.
 */
export function rowLevels(layout: Layout, count: number): number[] {
  const levels = levelCount(layout);
  if (levels <= count) return Array.from({ length: levels }, (_, level) => level);
  const areaTo = new Float64Array(levels);
  let area = 0;
  for (let level = 0; level < levels; level++) {
    const end = layout.levelStart[level + 1] ?? 0;
    for (let box = layout.levelStart[level] ?? 0; box < end; box++) area += layout.w[box] ?? 0;
    areaTo[level] = area;
  }
  return Array.from({ length: count }, (_, row) =>
    firstThat(0, levels - 1, (level) => (areaTo[level] ?? 0) > ((row + 0.5) / count) * area),
  );
}

export function levelOf(layout: Layout, box: number): number {
  const { levelStart } = layout;
  return firstThat(0, levelStart.length, (level) => (levelStart[level] ?? 0) > box) - 1;
}

/** First box of a level that ends right of `x`; the level's end if there is none. */
export function firstEndingAfter(layout: Layout, level: number, x: number): number {
  const boxX = layout.x;
  const boxW = layout.w;
  let low = layout.levelStart[level] ?? 0;
  let high = layout.levelStart[level + 1] ?? low;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((boxX[middle] ?? 0) + (boxW[middle] ?? 0) > x) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** The box of a level at `x`, or the nearest one less than `reach` away; -1 where there is none. All in the layout's unit. */
export function boxAt(layout: Layout, level: number, x: number, reach = 0): number {
  if (level < 0 || level >= levelCount(layout)) return -1;
  const next = firstEndingAfter(layout, level, x);
  const end = layout.levelStart[level + 1] ?? 0;
  const gapAfter = next < end ? (layout.x[next] ?? 0) - x : Infinity;
  if (gapAfter <= 0) return next;
  const before = next > (layout.levelStart[level] ?? 0) ? next - 1 : -1;
  const gapBefore = before === -1 ? Infinity : x - (layout.x[before] ?? 0) - (layout.w[before] ?? 0);
  if (!(Math.min(gapAfter, gapBefore) < reach)) return -1;
  return gapAfter < gapBefore ? next : before;
}

/** The callees of a box as a range of boxes, [first, end). Within a level, boxes are in the order of the boxes above them. */
export function childRange(layout: Layout, box: number): readonly [first: number, end: number] {
  const level = levelOf(layout, box) + 1;
  if (level >= levelCount(layout)) return [0, 0];
  const start = layout.levelStart[level] ?? 0;
  const end = layout.levelStart[level + 1] ?? 0;
  const { parent } = layout;
  return [firstThat(start, end, (index) => (parent[index] ?? 0) >= box), firstThat(start, end, (index) => (parent[index] ?? 0) > box)];
}

/** The boxes with the same caller, itself among them, as a range. */
export function siblingRange(layout: Layout, box: number): readonly [first: number, end: number] {
  const parent = layout.parent[box] ?? -1;
  return parent === -1 ? [box, box + 1] : childRange(layout, parent);
}

/** From the root to the box, both included. */
export function pathTo(layout: Layout, box: number): number[] {
  const path: number[] = [];
  for (let at = box; at >= 0; at = layout.parent[at] ?? -1) path.push(at);
  return path.reverse();
}

/** The widest callee, or -1. */
export function widestChild(layout: Layout, box: number): number {
  const [first, end] = childRange(layout, box);
  let widest = -1;
  for (let child = first; child < end; child++) if (widest === -1 || (layout.w[child] ?? 0) > (layout.w[widest] ?? 0)) widest = child;
  return widest;
}

/** The box left (-1) or right (1) of it in its level, with any caller; -1 at the end. */
export function neighbour(layout: Layout, box: number, step: -1 | 1): number {
  const next = box + step;
  return next >= 0 && next < layout.boxCount && levelOf(layout, next) === levelOf(layout, box) ? next : -1;
}
