import type { Layout } from '../core/layout.ts';
import { boxAt, levelOf } from './boxes.ts';
import { type Orientation, type PictureSize, heightOf, levelAt, rowHeight, rowTop } from './flamePainter.ts';
import { type Viewport, minSpan } from './viewport.ts';

const hitReachPx = 2;
const minRevealedPx = 3;
const revealedPx = 30;

/** What is seen of a layout: the stretch on show, in a picture of this size. */
export interface GraphView {
  layout: Layout;
  orientation: Orientation;
  viewport: Viewport;
  size: PictureSize;
}

/** Where a box is drawn, in CSS pixels of the visible picture. */
export interface BoxPlace {
  left: number;
  right: number;
  top: number;
}

/** How far the picture can be scrolled, in CSS pixels. */
export function maxScroll(layout: Layout | null, height: number): number {
  return layout === null ? 0 : Math.max(0, heightOf(layout) - height);
}

/** How far the picture is scrolled from its top; below zero where it is shorter than the view and grows from the bottom. */
export function pictureTop({ layout, orientation, viewport, size }: GraphView): number {
  const scrollY = Math.min(viewport.scrollY, maxScroll(layout, size.height));
  return orientation === 'icicle' ? scrollY : heightOf(layout) - size.height - scrollY;
}

/** Null where the box is out of sight; cut a little beyond the edges of the view. */
export function placeOf(view: GraphView, box: number): BoxPlace | null {
  const { layout, orientation, size } = view;
  if (box < 0 || box >= layout.boxCount) return null;
  const { fromX, toX } = view.viewport;
  const scale = size.width / ((toX - fromX) * layout.total);
  const left = ((layout.x[box] ?? 0) - fromX * layout.total) * scale;
  const right = left + (layout.w[box] ?? 0) * scale;
  const top = rowTop(levelOf(layout, box), orientation, heightOf(layout)) - pictureTop(view);
  if (right < 0 || left > size.width || top < -rowHeight || top > size.height) return null;
  return { left: Math.max(-4, left), right: Math.min(size.width + 4, right), top };
}

/** The box at a point of the visible picture in CSS pixels, or within two pixels of it in its row; -1 where there is none. */
export function boxAtPlace(view: GraphView, x: number, y: number): number {
  const { layout, orientation, size } = view;
  if (size.width === 0 || y < 0 || y >= size.height) return -1;
  const { fromX, toX } = view.viewport;
  const perPixel = ((toX - fromX) * layout.total) / size.width;
  const level = levelAt(y + pictureTop(view), orientation, heightOf(layout));
  return boxAt(layout, level, fromX * layout.total + x * perPixel, hitReachPx * perPixel);
}

/** Where the box fills the width, its row on show. `target` is where the view is, or is going. */
export function zoomedTo(layout: Layout, box: number, target: Viewport, size: PictureSize): Viewport {
  const fromX = (layout.x[box] ?? 0) / layout.total;
  const span = Math.max(minSpan, (layout.w[box] ?? 0) / layout.total);
  return { fromX, toX: box === 0 ? 1 : fromX + span, scrollY: scrollYFor(layout, box, target, size) };
}

/** Where the box is in view: as near as can be, and closer only where it could not be seen. */
export function revealing(layout: Layout, box: number, target: Viewport, size: PictureSize): Viewport {
  let span = target.toX - target.fromX;
  const from = (layout.x[box] ?? 0) / layout.total;
  const width = (layout.w[box] ?? 0) / layout.total;
  let { fromX } = target;
  if (width > 0 && (width / span) * size.width < minRevealedPx) {
    span = Math.max(minSpan, (width * size.width) / revealedPx);
    fromX = from + width / 2 - span / 2;
  } else if (from + width <= target.fromX || from >= target.toX || (width < span && (from < target.fromX || from + width > target.toX))) {
    fromX = width >= span ? from : from + width / 2 - span / 2;
  }
  return { fromX, toX: fromX + span, scrollY: scrollYFor(layout, box, target, size) };
}

/** Distance from the root's edge at which the box's row is on show, as little away from now as possible. */
function scrollYFor(layout: Layout, box: number, { scrollY }: Viewport, { height }: PictureSize): number {
  const edge = levelOf(layout, box) * rowHeight;
  // One more row, so that callees are seen to be there.
  const low = edge + 2 * rowHeight - height;
  return Math.max(0, Math.min(maxScroll(layout, height), edge, Math.max(scrollY, low)));
}
