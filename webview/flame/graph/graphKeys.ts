import { levelOf, neighbour, widestChild } from './boxes.ts';
import { rowHeight } from './flamePainter.ts';
import type { GraphSurface } from './graphSurface.ts';
import { pannedBy, zoomedAt } from './viewport.ts';

const zoomStep = 1.5;

/** Everything by keyboard. True: the key meant something here. */
export function pressKey(surface: GraphSurface, event: KeyboardEvent): boolean {
  const { layout, selected } = surface;
  if (layout === null || layout.boxCount === 0 || event.altKey) return false;
  const held = event.ctrlKey || event.metaKey;
  const box = selected >= 0 && selected < layout.boxCount ? selected : 0;
  switch (event.key) {
    case 'Enter':
      surface.open(box, held);
      return true;
    case 'ContextMenu':
      surface.menu(box, surface.pointOfBox(box));
      return true;
    case 'F10':
      if (event.shiftKey) surface.menu(box, surface.pointOfBox(box));
      return event.shiftKey;
    case 'Escape':
      return stepOut(surface);
  }
  if (held) return false;
  switch (event.key) {
    case 'ArrowDown':
    case 'ArrowUp':
      if (selected === -1) go(surface, 0);
      else
        go(
          surface,
          (event.key === 'ArrowDown') === (surface.orientation === 'icicle') ? widestChild(layout, box) : (layout.parent[box] ?? -1),
        );
      return true;
    case 'ArrowLeft':
    case 'ArrowRight': {
      const step = event.key === 'ArrowLeft' ? -1 : 1;
      if (event.shiftKey) surface.glide(pannedBy(surface.target, step * 0.2));
      else go(surface, neighbour(layout, box, step));
      return true;
    }
    case ' ':
      if (!surface.unfold(box)) surface.zoomToBox(box);
      return true;
    case 'z':
    case 'Z':
      surface.zoomToBox(box);
      return true;
    case 'Home':
      surface.resetZoom();
      return true;
    case '+':
    case '=':
    case '-':
      surface.glide(zoomedAt(surface.target, anchor(surface, box), event.key === '-' ? 1 / zoomStep : zoomStep));
      return true;
    case 'PageDown':
    case 'PageUp': {
      const page = Math.max(rowHeight, surface.visibleHeight - rowHeight);
      const away = (event.key === 'PageDown') === (surface.orientation === 'icicle');
      surface.glide({ ...surface.target, scrollY: Math.max(0, surface.target.scrollY + (away ? page : -page)) });
      return true;
    }
    default:
      return false;
  }
}

function go(surface: GraphSurface, box: number): void {
  if (box === -1) return;
  surface.choose(box);
  surface.reveal(box);
}

/** One step back, else to the whole, else nothing selected; false when there is nothing left to leave. */
function stepOut(surface: GraphSurface): boolean {
  if (surface.stepBack()) return true;
  const { fromX, toX } = surface.target;
  if (fromX > 0 || toX < 1) surface.resetZoom();
  else if (surface.selected !== -1) surface.choose(-1);
  else return false;
  return true;
}

/** The selected box stays where it is while zooming, if it is on show; else the middle does. */
function anchor(surface: GraphSurface, box: number): number {
  const { layout, target } = surface;
  if (layout === null || levelOf(layout, box) === 0) return 0.5;
  const from = ((layout.x[box] ?? 0) / layout.total - target.fromX) / (target.toX - target.fromX);
  const to = from + (layout.w[box] ?? 0) / layout.total / (target.toX - target.fromX);
  const middle = (Math.max(0, from) + Math.min(1, to)) / 2;
  return middle > 0 && middle < 1 ? middle : 0.5;
}
