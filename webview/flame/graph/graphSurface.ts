import type { Layout } from '../core/layout.ts';
import type { Orientation } from './flamePainter.ts';
import type { Viewport } from './viewport.ts';

/** Details of the events; -1: no box. `x` and `y` are the window's CSS pixels. */
export interface FlameGraphEvents {
  'box-hover': { box: number };
  'box-select': { box: number };
  'box-open': { box: number; beside: boolean };
  'box-unfold': { box: number };
  'box-menu': { box: number; x: number; y: number };
  'viewport-change': Viewport;
}

/** What pointer and keyboard do to a graph. */
export interface GraphSurface {
  readonly layout: Layout | null;
  readonly orientation: Orientation;
  readonly selected: number;
  /** Where the view is, or is going. */
  readonly target: Viewport;
  /** Visible part of the picture, CSS pixels. */
  readonly visibleWidth: number;
  readonly visibleHeight: number;
  boxAtPoint(clientX: number, clientY: number): number;
  /** Middle of the box as drawn, in the window's coordinates. */
  pointOfBox(box: number): { x: number; y: number };
  /** The position of the window's `clientX` as a fraction of the visible width. */
  shareAt(clientX: number): number;
  choose(box: number): void;
  zoomToBox(box: number): void;
  /** Asks for the frames of a folded box; false where it contains no frames that could be shown separately. */
  unfold(box: number): boolean;
  resetZoom(): void;
  reveal(box: number): void;
  /** Back to before the last zoom; false where there was none. */
  stepBack(): boolean;
  jump(viewport: Viewport): void;
  glide(viewport: Viewport): void;
  point(box: number, at: { x: number; y: number } | null): void;
  open(box: number, beside: boolean): void;
  menu(box: number, at: { x: number; y: number }): void;
  focus(): void;
}
