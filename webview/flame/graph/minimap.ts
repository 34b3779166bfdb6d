import type { Layout } from '../core/layout.ts';
import { rowLevels } from './boxes.ts';
import type { Scene } from './flamePainter.ts';
import { element, setAttributes } from './graphElements.ts';
import { paintRow } from './rowTexture.ts';
import { type Viewport, minSpan, pannedBy, wholeWidth, withinBounds, zoomedAt } from './viewport.ts';

/** CSS pixels. */
export const minimapHeight = 40;
const grip = 5;

const closer = (now: Viewport): Viewport => zoomedAt(now, 0.5, 1.5);
const wider = (now: Viewport): Viewport => zoomedAt(now, 0.5, 1 / 1.5);
const whole = ({ scrollY }: Viewport): Viewport => ({ ...wholeWidth, scrollY });
/** What keys do to the stretch on show. */
const moves: Readonly<Record<string, (now: Viewport) => Viewport>> = {
  ArrowLeft: (now) => pannedBy(now, -0.1),
  ArrowRight: (now) => pannedBy(now, 0.1),
  ArrowUp: closer,
  '+': closer,
  '=': closer,
  ArrowDown: wider,
  '-': wider,
  Home: whole,
  Escape: whole,
};

/** The whole graph in a strip, with the stretch on show as a window that can be dragged, widened, and moved by keys. */
export class Minimap {
  readonly element = element('div', 'minimap');
  readonly #canvas = document.createElement('canvas');
  readonly #frame = element('div', 'window');
  #viewport = wholeWidth;
  /** Kept, as the widths of all boxes are added up for it. */
  #rowsOf: { layout: Layout; levels: readonly number[] } | null = null;
  #drag: { startX: number; start: Viewport; part: 'from' | 'to' | 'all' } | null = null;

  /** `move` is asked to show another stretch. */
  constructor(private readonly move: (viewport: Viewport) => void) {
    setAttributes(this.element, { tabindex: 0, role: 'slider', 'aria-label': 'Overview: the stretch on show' });
    setAttributes(this.element, { 'aria-orientation': 'horizontal', 'aria-valuemin': 0, 'aria-valuemax': 100 });
    this.element.append(this.#canvas, this.#frame);
    this.element.addEventListener('pointerdown', (event) => this.#onDown(event));
    this.element.addEventListener('pointermove', (event) => this.#onMove(event));
    for (const type of ['pointerup', 'pointercancel'] as const) this.element.addEventListener(type, () => (this.#drag = null));
    this.element.addEventListener('keydown', (event) => this.#onKey(event));
  }

  /** Paints the whole graph: each row of the strip is a level, or one of several. */
  paint(scene: Scene, width: number, pixelRatio: number): void {
    const { layout } = scene;
    const columns = Math.max(1, Math.round(width * pixelRatio));
    if (this.#rowsOf?.layout !== layout) this.#rowsOf = { layout, levels: rowLevels(layout, minimapHeight) };
    const { levels } = this.#rowsOf;
    const rows = Math.max(1, levels.length);
    this.#canvas.width = columns;
    this.#canvas.height = rows;
    const context = this.#canvas.getContext('2d', { alpha: false });
    if (!context || !(layout.total > 0)) return;
    const image = context.createImageData(columns, rows);
    const texels = new Uint32Array(image.data.buffer);
    for (const [fromRoot, level] of levels.entries()) {
      const row = scene.orientation === 'icicle' ? fromRoot : rows - 1 - fromRoot;
      paintRow(layout, level, 0, layout.total, scene.rows, texels, row * columns, columns, null, row, 0);
    }
    context.putImageData(image, 0, 0);
  }

  show(viewport: Viewport): void {
    this.#viewport = viewport;
    const { fromX, toX } = viewport;
    this.#frame.style.setProperty('left', `${fromX * 100}%`);
    this.#frame.style.setProperty('width', `max(3px, ${(toX - fromX) * 100}%)`);
    this.element.classList.toggle('whole', fromX === 0 && toX === 1);
    const percent = (share: number): string => `${(share * 100).toFixed(1)} %`;
    const words = `from ${percent(fromX)} to ${percent(toX)}`;
    setAttributes(this.element, { 'aria-valuenow': Math.round(fromX * 100), 'aria-valuetext': words });
  }

  #shareAt(clientX: number): number {
    const bounds = this.element.getBoundingClientRect();
    return bounds.width > 0 ? (clientX - bounds.left) / bounds.width : 0;
  }

  #onDown(event: PointerEvent): void {
    if (event.button !== 0) return;
    const bounds = this.element.getBoundingClientRect();
    const at = this.#shareAt(event.clientX);
    const { fromX, toX } = this.#viewport;
    const near = (edge: number): boolean => Math.abs(at - edge) * bounds.width <= grip;
    const part = near(toX) ? 'to' : near(fromX) ? 'from' : 'all';
    if (part === 'all' && (at < fromX || at > toX)) {
      const half = (toX - fromX) / 2;
      this.move(withinBounds({ ...this.#viewport, fromX: at - half, toX: at + half }));
    }
    this.#drag = { startX: at, start: this.#viewport, part };
    this.element.setPointerCapture(event.pointerId);
  }

  #onMove(event: PointerEvent): void {
    if (this.#drag === null) return;
    const { start, startX, part } = this.#drag;
    const step = this.#shareAt(event.clientX) - startX;
    if (part === 'all') this.move(withinBounds({ ...this.#viewport, fromX: start.fromX + step, toX: start.toX + step }));
    else if (part === 'from')
      this.move(withinBounds({ ...this.#viewport, fromX: Math.min(start.toX - minSpan, Math.max(0, start.fromX + step)), toX: start.toX }));
    else
      this.move(
        withinBounds({ ...this.#viewport, fromX: start.fromX, toX: Math.min(1, Math.max(start.fromX + minSpan, start.toX + step)) }),
      );
  }

  #onKey(event: KeyboardEvent): void {
    const move = moves[event.key];
    if (move === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    event.stopPropagation();
    this.move(move(this.#viewport));
  }
}
