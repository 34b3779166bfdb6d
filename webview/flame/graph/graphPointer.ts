import type { GraphSurface } from './graphSurface.ts';
import { type Viewport, pannedBy, zoomedAt } from './viewport.ts';

const dragFromPx = 4;
/** Wheel steps in lines and pages, as pixels. */
const wheelUnitPx = [1, 33, 400];
const zoomPerPx = 0.0025;
/** Pinching a touchpad sends small steps with Ctrl held. */
const pinchPerPx = 0.012;

/** By the second click there is no such box any more. */
const unfolded = -2;

interface Press {
  x: number;
  y: number;
  start: Viewport;
  dragging: boolean;
}

export class GraphPointer {
  #press: Press | null = null;
  /** The box of the first of two clicks: the picture has moved by the second. */
  #firstClicked = -1;
  #dragged = false;

  constructor(
    private readonly surface: GraphSurface,
    private readonly element: HTMLElement,
  ) {
    element.addEventListener('pointerdown', (event) => this.#onDown(event));
    element.addEventListener('pointermove', (event) => this.#onMove(event));
    element.addEventListener('pointerup', () => this.#release());
    element.addEventListener('pointercancel', () => this.#release());
    element.addEventListener('pointerleave', () => surface.point(-1, null));
    element.addEventListener('click', (event) => this.#onClick(event));
    element.addEventListener('dblclick', () => this.#onDoubleClick());
    element.addEventListener('contextmenu', (event) => this.#onContextMenu(event));
    element.addEventListener('wheel', (event) => this.#onWheel(event), { passive: false });
  }

  #onDown(event: PointerEvent): void {
    if (event.button !== 0) return;
    event.preventDefault();
    this.surface.focus();
    this.#dragged = false;
    this.#press = { x: event.clientX, y: event.clientY, start: this.surface.target, dragging: false };
  }

  #onMove(event: PointerEvent): void {
    const press = this.#press;
    const surface = this.surface;
    const at = { x: event.clientX, y: event.clientY };
    if (press === null || (event.buttons & 1) === 0) {
      this.#release();
      surface.point(surface.boxAtPoint(at.x, at.y), at);
      return;
    }
    const right = at.x - press.x;
    const down = at.y - press.y;
    if (!press.dragging) {
      if (Math.hypot(right, down) < dragFromPx) return;
      press.dragging = true;
      this.#dragged = true;
      this.element.setPointerCapture(event.pointerId);
      this.element.classList.add('dragging');
      surface.point(-1, null);
    }
    const moved = pannedBy(press.start, -right / surface.visibleWidth);
    const scrollY = press.start.scrollY + (surface.orientation === 'icicle' ? -down : down);
    surface.jump({ ...moved, scrollY });
  }

  #release(): void {
    this.#press = null;
    this.element.classList.remove('dragging');
  }

  #onClick(event: MouseEvent): void {
    if (this.#dragged || event.detail > 1) return;
    const box = this.surface.boxAtPoint(event.clientX, event.clientY);
    this.#firstClicked = box;
    if (box === -1) return;
    this.surface.choose(box);
    if (event.ctrlKey || event.metaKey) this.surface.open(box, true);
    else if (this.surface.unfold(box)) this.#firstClicked = unfolded;
    else this.surface.zoomToBox(box);
  }

  #onDoubleClick(): void {
    if (this.#dragged) return;
    if (this.#firstClicked === -1) this.surface.resetZoom();
    else if (this.#firstClicked !== unfolded) this.surface.open(this.#firstClicked, false);
  }

  #onContextMenu(event: MouseEvent): void {
    event.preventDefault();
    const box = this.surface.boxAtPoint(event.clientX, event.clientY);
    this.surface.point(-1, null);
    if (box !== -1) this.surface.choose(box);
    this.surface.menu(box, { x: event.clientX, y: event.clientY });
  }

  /** With Ctrl, Cmd or Shift, or two fingers pinching: closer at the pointer. Sideways: along the graph. Else the browser scrolls the picture. */
  #onWheel(event: WheelEvent): void {
    const unit = wheelUnitPx[event.deltaMode] ?? 1;
    const { surface } = this;
    if (event.ctrlKey || event.metaKey || event.shiftKey) {
      event.preventDefault();
      const steps = (event.deltaY === 0 ? event.deltaX : event.deltaY) * unit;
      const pinch = event.ctrlKey && Math.abs(steps) < 30;
      surface.jump(zoomedAt(surface.target, surface.shareAt(event.clientX), Math.exp(-steps * (pinch ? pinchPerPx : zoomPerPx))));
    } else if (Math.abs(event.deltaX) > Math.abs(event.deltaY)) {
      event.preventDefault();
      surface.jump(pannedBy(surface.target, (event.deltaX * unit) / surface.visibleWidth));
    }
    surface.point(surface.boxAtPoint(event.clientX, event.clientY), { x: event.clientX, y: event.clientY });
  }
}
