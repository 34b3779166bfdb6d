import type { FlameNames, Layout, SearchResult } from '../core/layout.ts';
import { AccessibleTree } from './accessibleTree.ts';
import type { ColourBy } from './boxCodes.ts';
import { isFolded } from './boxes.ts';
import { spokenBox, wordsOfBox } from './boxWords.ts';
import { Camera } from './camera.ts';
import { watchTheme } from './flameColours.ts';
import { flameGraphStyles, styleSheet } from './flameGraphStyles.ts';
import { type Orientation, type Scene, FlamePainter, rowHeight } from './flamePainter.ts';
import { pictureOf } from './flamePicture.ts';
import { detailsOf, element, fitCanvas, placeMark } from './graphElements.ts';
import { pressKey } from './graphKeys.ts';
import { type GraphView, boxAtPlace, maxScroll, pictureTop, placeOf, revealing, zoomedTo } from './graphPlaces.ts';
import { GraphPointer } from './graphPointer.ts';
import { type Shown, GraphScene } from './graphScene.ts';
import type { FlameGraphEvents, GraphSurface } from './graphSurface.ts';
import { Minimap } from './minimap.ts';
import { Tooltip } from './tooltip.ts';
import { type Viewport, wholeWidth } from './viewport.ts';
import { type WeightFormat, formatOf } from './weightFormat.ts';

const sheet = styleSheet(flameGraphStyles);

/**
 * `<benchside-flame-graph>`: draws a {@link Layout} and lets people move about in it by pointer, keyboard and screen reader. It draws when
 * something changed and does nothing otherwise. Its events (see {@link FlameGraphEvents}) bubble and are composed.
 */
export class FlameGraphElement extends HTMLElement implements GraphSurface {
  /** Called with the milliseconds of script that each frame took; for measuring. */
  onFrame: ((scriptMs: number) => void) | null = null;
  pictureTitle = '';

  #shown: Shown = { layout: null, names: null, search: null, orientation: 'icicle', colourBy: 'category' };
  #currentFormat: WeightFormat | null = null;
  #chosen = -1;
  #pointed = -1;

  readonly #canvas = document.createElement('canvas');
  readonly #context: CanvasRenderingContext2D;
  readonly #area = element('div', 'area');
  readonly #scroller = element('div', 'scroller');
  readonly #sheet = element('div', 'sheet');
  readonly #spacer = element('div', 'spacer');
  readonly #hoverMark = element('div', 'mark hover');
  readonly #chosenMark = element('div', 'mark selected');
  readonly #details = element('p', 'details');
  readonly #empty = element('p', 'empty');
  readonly #tip = new Tooltip();
  readonly #tree = new AccessibleTree();
  readonly #minimap = new Minimap((viewport) => this.#camera.jump(viewport));
  readonly #painter = new FlamePainter();
  readonly #camera = new Camera(() => this.#invalidate('picture'));

  readonly #scene = new GraphScene(this);
  #size = { width: 0, height: 0, pixelRatio: 1 };
  readonly #stale = { codes: true, colours: true, minimap: true, overview: false, picture: true, words: true };
  #frameRequest = 0;
  #told = wholeWidth;
  readonly #resizes = new ResizeObserver(() => this.#measure());
  #unwatchTheme: (() => void) | null = null;
  #keyMenuAt = -Infinity;

  constructor() {
    super();
    const context = this.#canvas.getContext('2d', { alpha: false });
    if (!context) throw new Error('This page cannot draw on a canvas.');
    this.#context = context;
    const root = this.attachShadow({ mode: 'open' });
    root.adoptedStyleSheets = [sheet];
    this.#canvas.setAttribute('aria-hidden', 'true');
    this.#sheet.append(this.#canvas, this.#hoverMark, this.#chosenMark);
    this.#scroller.append(this.#sheet, this.#spacer);
    this.#scroller.tabIndex = -1;
    this.#area.append(this.#scroller, this.#empty, this.#tree.element);
    root.append(this.#minimap.element, this.#area, this.#details, this.#tip.element);
    new GraphPointer(this, this.#sheet);
    this.#scroller.addEventListener('scroll', () => this.#onScroll());
    this.#tree.element.addEventListener('keydown', (event) => this.#onKey(event));
    this.#tree.element.addEventListener('contextmenu', (event) => {
      event.preventDefault();
      if (performance.now() - this.#keyMenuAt > 500) this.menu(Math.max(0, this.#chosen), this.pointOfBox(Math.max(0, this.#chosen)));
    });
  }

  connectedCallback(): void {
    this.#resizes.observe(this.#scroller);
    this.#unwatchTheme = watchTheme(() => this.#invalidate('colours'));
    window.addEventListener('resize', this.#onWindowResize);
    void document.fonts.ready.then(() => this.#onFonts());
    this.#invalidate('colours');
  }

  disconnectedCallback(): void {
    this.#resizes.disconnect();
    this.#unwatchTheme?.();
    this.#unwatchTheme = null;
    window.removeEventListener('resize', this.#onWindowResize);
    cancelAnimationFrame(this.#frameRequest);
    this.#frameRequest = 0;
  }

  // What is shown

  get layout(): Layout | null {
    return this.#shown.layout;
  }
  /** Another layout keeps the viewport; boxes have other numbers, so nothing is selected and Escape has no way back. */
  set layout(layout: Layout | null) {
    if (!this.#shows({ layout })) return;
    this.#chosen = -1;
    this.#pointed = -1;
    this.#tip.hide();
    this.#camera.forgetMoves();
  }

  get names(): FlameNames | null {
    return this.#shown.names;
  }
  set names(names: FlameNames | null) {
    if (this.#shows({ names })) this.#painter.forgetLabels();
  }

  get search(): SearchResult | null {
    return this.#shown.search;
  }
  set search(search: SearchResult | null) {
    this.#shows({ search });
  }

  get orientation(): Orientation {
    return this.#shown.orientation;
  }
  set orientation(orientation: Orientation) {
    if (this.#shows({ orientation })) this.#camera.jump({ ...this.#camera.viewport, scrollY: 0 });
  }

  get colourBy(): ColourBy {
    return this.#shown.colourBy;
  }
  set colourBy(colourBy: ColourBy) {
    this.#shows({ colourBy });
  }

  /** Takes what is shown from now on; false where it is shown already. */
  #shows(change: Partial<Shown>): boolean {
    if (Object.entries(change).every(([name, value]) => this.#shown[name as keyof Shown] === value)) return false;
    this.#shown = { ...this.#shown, ...change };
    this.#invalidate('codes');
    return true;
  }

  get format(): WeightFormat | null {
    return this.#currentFormat;
  }
  /** If null, weights are in the layout's unit. */
  set format(format: WeightFormat | null) {
    this.#currentFormat = format;
    this.#invalidate('words');
  }

  get selected(): number {
    return this.#chosen;
  }
  set selected(box: number) {
    const count = this.#shown.layout?.boxCount ?? 0;
    const next = box >= 0 && box < count ? box : -1;
    if (next === this.#chosen) return;
    this.#chosen = next;
    this.#invalidate('words');
  }

  get viewport(): Viewport {
    return this.#camera.target;
  }
  set viewport(viewport: Viewport) {
    this.#camera.jump(viewport);
  }

  // Moving about

  /** Zooms so that the box fills the width; its callers stay on show above it. */
  zoomToBox(box: number): void {
    const layout = this.#shown.layout;
    if (layout === null || box < 0 || box >= layout.boxCount || !(layout.total > 0)) return;
    this.#camera.glide(zoomedTo(layout, box, this.#camera.target, this.#size), true);
  }

  unfold(box: number): boolean {
    const layout = this.#shown.layout;
    if (layout === null || !isFolded(layout, box)) return false;
    this.#tell('box-unfold', { box });
    return true;
  }

  resetZoom(): void {
    this.#camera.glide({ ...wholeWidth, scrollY: this.#camera.target.scrollY }, true);
  }

  /** Brings a box into view: moves as little as shows it, and zooms only where it could not be seen. */
  reveal(box: number): void {
    const layout = this.#shown.layout;
    if (layout === null || box < 0 || box >= layout.boxCount || !(layout.total > 0)) return;
    this.#camera.glide(revealing(layout, box, this.#camera.target, this.#size), false);
  }

  stepBack(): boolean {
    return this.#camera.back();
  }

  jump(viewport: Viewport): void {
    this.#camera.jump({ ...viewport, scrollY: Math.min(viewport.scrollY, this.#maxScroll()) });
  }

  glide(viewport: Viewport): void {
    this.#camera.glide({ ...viewport, scrollY: Math.min(viewport.scrollY, this.#maxScroll()) }, false);
  }

  /** The graph as PNG at its present zoom, all levels that are in it, with title and legend. */
  exportPng(): Promise<Uint8Array> {
    const scene = this.#sceneNow();
    if (scene === null) return Promise.reject(new Error('There is no flame graph to draw.'));
    return pictureOf(scene, this.#camera.target, {
      title: this.pictureTitle,
      width: Math.max(this.#size.width, 600),
      pixelRatio: this.#size.pixelRatio,
      font: this.#scene.font,
      format: this.#formatNow(scene.layout),
    });
  }

  override focus(): void {
    this.#tree.element.focus({ preventScroll: true });
  }

  // What pointer and keyboard ask

  get target(): Viewport {
    return this.#camera.target;
  }
  get visibleWidth(): number {
    return Math.max(1, this.#size.width);
  }
  get visibleHeight(): number {
    return this.#size.height;
  }

  /** The box drawn at a point of the window, or within two pixels of it in its row; -1 where there is none. */
  boxAtPoint(clientX: number, clientY: number): number {
    const view = this.#viewNow();
    if (view === null) return -1;
    const bounds = this.#canvas.getBoundingClientRect();
    return boxAtPlace(view, clientX - bounds.left, clientY - bounds.top);
  }

  pointOfBox(box: number): { x: number; y: number } {
    const bounds = this.#canvas.getBoundingClientRect();
    const view = this.#viewNow();
    const place = view && placeOf(view, box);
    if (place === null) return { x: bounds.left, y: bounds.top };
    return { x: bounds.left + (place.left + place.right) / 2, y: bounds.top + place.top + rowHeight / 2 };
  }

  shareAt(clientX: number): number {
    return Math.min(1, Math.max(0, (clientX - this.#canvas.getBoundingClientRect().left) / this.visibleWidth));
  }

  choose(box: number): void {
    this.selected = box;
    this.#tell('box-select', { box });
  }

  point(box: number, at: { x: number; y: number } | null): void {
    const changed = box !== this.#pointed;
    this.#pointed = box;
    const layout = this.#shown.layout;
    if (box === -1 || at === null || layout === null) this.#tip.hide();
    else
      this.#tip.show(changed || this.#tip.element.hidden ? wordsOfBox(layout, this.#shown.names, box, this.#formatNow(layout)) : null, at);
    if (!changed) return;
    this.#sheet.classList.toggle('pointing', box !== -1);
    this.#mark(this.#hoverMark, box);
    this.#tell('box-hover', { box });
  }

  open(box: number, beside: boolean): void {
    this.#tell('box-open', { box, beside });
  }

  menu(box: number, at: { x: number; y: number }): void {
    this.#tell('box-menu', { box, x: at.x, y: at.y });
  }

  #tell<Name extends keyof FlameGraphEvents>(name: Name, detail: FlameGraphEvents[Name]): void {
    this.dispatchEvent(new CustomEvent(name, { detail, bubbles: true, composed: true }));
  }

  #onKey(event: KeyboardEvent): void {
    if (!pressKey(this, event)) return;
    if (event.key === 'ContextMenu' || event.key === 'F10') this.#keyMenuAt = performance.now();
    event.preventDefault();
    event.stopPropagation();
    this.point(-1, null);
  }

  // Measuring and drawing

  readonly #onWindowResize = (): void => this.#measure();

  #onFonts(): void {
    this.#painter.forgetLabels();
    this.#invalidate('picture');
  }

  #measure(): void {
    const width = this.#scroller.clientWidth;
    const height = this.#scroller.clientHeight;
    const pixelRatio = window.devicePixelRatio || 1;
    const size = this.#size;
    if (width === size.width && height === size.height && pixelRatio === size.pixelRatio) return;
    this.#size = { width, height, pixelRatio };
    this.#invalidate('minimap');
  }

  #maxScroll(): number {
    return maxScroll(this.#shown.layout, this.#size.height);
  }

  #viewNow(): GraphView | null {
    const layout = this.#shown.layout;
    return layout === null ? null : { layout, orientation: this.#shown.orientation, viewport: this.#camera.viewport, size: this.#size };
  }

  #onScroll(): void {
    const top = this.#scroller.scrollTop;
    const scrollY = this.#shown.orientation === 'icicle' ? top : this.#maxScroll() - top;
    if (Math.abs(scrollY - this.#camera.viewport.scrollY) < 1) return;
    this.#camera.scrolledTo(Math.max(0, scrollY));
    this.#tip.hide();
    this.#invalidate('picture');
  }

  #invalidate(what: 'codes' | 'colours' | 'minimap' | 'overview' | 'picture' | 'words'): void {
    this.#stale[what] = true;
    if (what === 'codes') this.#stale.words = true;
    if (this.#frameRequest === 0 && this.isConnected) this.#frameRequest = requestAnimationFrame((now) => this.#frame(now));
  }

  #frame(now: number): void {
    this.#frameRequest = 0;
    const begun = performance.now();
    if (this.#size.width === 0) this.#measure();
    const moving = this.#camera.step(now);
    this.#draw();
    if (moving) this.#invalidate('picture');
    this.onFrame?.(performance.now() - begun);
  }

  #sceneNow(): Scene | null {
    const stale = this.#stale;
    const fresh = this.#scene.now(this.#shown, stale);
    if (fresh !== null) {
      if (stale.codes || stale.colours) stale.minimap = true;
      stale.codes = false;
      stale.colours = false;
    }
    return fresh;
  }

  #draw(): void {
    const stale = this.#stale;
    const size = this.#size;
    const scene = this.#sceneNow();
    this.#empty.hidden = scene !== null;
    this.#empty.textContent = scene === null ? 'There is nothing to draw.' : '';
    this.#canvas.hidden = scene === null;
    this.#minimap.element.hidden = scene === null;
    if (size.width > 0 && size.height > 0 && scene !== null) this.#drawScene(scene);
    if (stale.words) this.#updateWords();
    Object.assign(stale, { minimap: false, picture: false, words: false });
    const { viewport } = this.#camera;
    if (viewport.fromX === this.#told.fromX && viewport.toX === this.#told.toX && viewport.scrollY === this.#told.scrollY) return;
    this.#told = viewport;
    this.#tell('viewport-change', viewport);
  }

  #drawScene(scene: Scene): void {
    const stale = this.#stale;
    const size = this.#size;
    const canvas = this.#canvas;
    if (stale.overview && !stale.minimap) {
      this.#minimap.paint(scene, size.width, size.pixelRatio);
      stale.overview = false;
    }
    if (stale.minimap || stale.picture) {
      fitCanvas(canvas, size);
      if (stale.minimap) {
        this.style.setProperty('--bf-width', `${size.width}px`);
        this.#spacer.style.setProperty('height', `${this.#maxScroll()}px`);
        // In the next frame, so that the picture itself need not wait for it.
        this.#invalidate('overview');
      }
      const top = pictureTop({ layout: scene.layout, orientation: scene.orientation, viewport: this.#camera.viewport, size });
      if (Math.abs(this.#scroller.scrollTop - top) >= 1) this.#scroller.scrollTop = top;
      this.#painter.paint(this.#context, scene, this.#camera.viewport, top, size, this.#scene.font);
      this.#minimap.show(this.#camera.viewport);
    }
    this.#mark(this.#chosenMark, this.#chosen);
    this.#mark(this.#hoverMark, this.#pointed);
  }

  #mark(mark: HTMLElement, box: number): void {
    const view = this.#viewNow();
    placeMark(mark, view && placeOf(view, box));
  }

  #updateWords(): void {
    const layout = this.#shown.layout;
    this.#tree.update(layout, this.#chosen, (box) =>
      layout === null ? '' : spokenBox(layout, this.#shown.names, box, this.#formatNow(layout)),
    );
    this.#details.replaceChildren(...(layout === null ? [] : detailsOf(layout, this.#shown.names, this.#chosen, this.#formatNow(layout))));
  }

  #formatNow(layout: Layout): WeightFormat {
    return this.#currentFormat ?? formatOf(layout);
  }
}

customElements.define('benchside-flame-graph', FlameGraphElement);

declare global {
  interface HTMLElementTagNameMap {
    'benchside-flame-graph': FlameGraphElement;
  }
}
