import type { ThreadStrip } from '../core/layout.ts';
import { cssColour, packed } from './colourMath.ts';
import { readTheme, watchTheme } from './flameColours.ts';
import { styleSheet } from './flameGraphStyles.ts';
import { element, setAttributes } from './graphElements.ts';
import {
  type StripNames,
  bucketAt,
  paintCells,
  rangeOf,
  threadName,
  threadRowHeight,
  visibleRows,
  wordsOfCell,
  timeTicks,
} from './threadStripView.ts';
import { Tooltip } from './tooltip.ts';
import type { WeightFormat } from './weightFormat.ts';
import { timePhrase } from '../../../src/model/presentation/weightPhrase.ts';

const sheet = styleSheet(`
  :host {
    --bf-quiet: var(--bs-muted, var(--vscode-descriptionForeground));
    display: flex;
    flex-direction: column;
    min-width: 0;
    color: var(--vscode-foreground);
    font-family: var(--vscode-font-family);
    font-size: 12px;
    line-height: 18px;
    font-variant-numeric: tabular-nums;
  }
  :host([hidden]), [hidden] { display: none !important; }
  * { box-sizing: border-box; }
  .scroller { position: relative; overflow-x: hidden; overflow-y: auto; max-height: 540px; flex: 0 1 auto; min-height: 0; scrollbar-gutter: stable; }
  .rows { position: relative; }
  .name {
    position: absolute;
    left: 0;
    width: var(--bf-names);
    height: 18px;
    padding: 0 8px 0 4px;
    overflow: hidden;
    text-overflow: ellipsis;
    white-space: nowrap;
    text-align: left;
    cursor: pointer;
  }
  .name:hover { background: var(--vscode-list-hoverBackground); }
  .name[aria-selected='true'] { background: var(--vscode-list-inactiveSelectionBackground); font-weight: 600; }
  .name.active { outline: 1px solid transparent; outline-offset: -1px; }
  .rows:focus-visible { outline: 1px solid var(--vscode-focusBorder); outline-offset: -1px; }
  .rows:focus-visible .name.active { outline-color: var(--vscode-focusBorder); }
  .cells { position: absolute; left: var(--bf-names); right: 0; cursor: crosshair; touch-action: pan-y; }
  .cells canvas { position: absolute; left: 0; }
  .range { position: absolute; top: 0; bottom: 0; border: 1px solid var(--vscode-focusBorder); border-width: 0 1px; pointer-events: none; box-shadow: 0 0 0 100vw color-mix(in srgb, var(--vscode-editor-background) 60%, transparent); }
  .clip { position: absolute; inset: 0; overflow: hidden; pointer-events: none; }
  .cursor { position: absolute; top: 0; bottom: 0; width: 1px; background: var(--vscode-foreground); pointer-events: none; }
  .axis { position: relative; flex: none; height: 22px; margin-left: var(--bf-names); color: var(--bf-quiet); font-size: 11px; border-top: 1px solid var(--vscode-contrastBorder, var(--vscode-panel-border)); overflow: hidden; }
  .tick { position: absolute; top: 0; padding-left: 3px; border-left: 1px solid var(--vscode-contrastBorder, var(--vscode-panel-border)); white-space: nowrap; }
  .note { min-height: 20px; color: var(--bf-quiet); padding-left: 4px; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
  .tip { position: fixed; z-index: 10; width: max-content; max-width: min(420px, calc(100vw - 16px)); padding: 6px 10px; border: 1px solid var(--vscode-editorHoverWidget-border, var(--vscode-contrastBorder, transparent)); border-radius: 3px; background: var(--vscode-editorHoverWidget-background, var(--vscode-editor-background)); color: var(--vscode-editorHoverWidget-foreground, var(--vscode-foreground)); pointer-events: none; }
  .tip p { margin: 0; overflow-wrap: anywhere; }
  .tip .name { all: unset; font-weight: 600; }
  .tip th { text-align: left; font-weight: normal; color: var(--bf-quiet); padding: 1px 16px 1px 0; }
  .tip table { border-collapse: collapse; }
`);
const namesShare = 0.22;
const pxPerTick = 90;

export interface TimeRange {
  fromUs: number;
  toUs: number;
}

/**
 * `<benchside-thread-strip>`: what each thread did when. Only the rows on show exist. Dragging over the cells, or Shift with the arrow keys, selects
 * a range of time (`range-select`, detail {@link TimeRange} or null); a thread's name selects the thread (`thread-select`, detail `{ thread }`,
 * its number in the recording).
 */
export class ThreadStripElement extends HTMLElement {
  #currentStrip: ThreadStrip | null = null;
  #names: StripNames = { threads: [], states: [] };
  #currentRange: TimeRange | null = null;
  #currentFormat: WeightFormat | null = null;
  #chosenThreads: ReadonlySet<number> = new Set();

  readonly #scroller = element('div', 'scroller');
  readonly #rows = element('div', 'rows');
  readonly #cells = element('div', 'cells');
  readonly #canvas = document.createElement('canvas');
  readonly #clip = element('div', 'clip');
  readonly #rangeMark = element('div', 'range');
  readonly #cursorMark = element('div', 'cursor');
  readonly #axis = element('div', 'axis');
  readonly #note = element('div', 'note');
  readonly #tip = new Tooltip();
  readonly #resizes = new ResizeObserver(() => this.#update());
  #unwatchTheme: (() => void) | null = null;
  #frameRequest = 0;
  #active = 0;
  #cursor = -1;
  /** Where a range begins that is being selected, as a bucket. */
  #anchor: number | null = null;
  #dragged = false;

  constructor() {
    super();
    const root = this.attachShadow({ mode: 'open' });
    root.adoptedStyleSheets = [sheet];
    const keys = 'Up and down: thread. Left and right: time; with Shift: select a range. Enter: only this thread.';
    setAttributes(this.#rows, { tabindex: 0, role: 'listbox', 'aria-label': `Threads over time. ${keys}` });
    setAttributes(this.#note, { role: 'status' });
    setAttributes(this.#canvas, { 'aria-hidden': true });
    this.#clip.append(this.#rangeMark, this.#cursorMark);
    this.#cells.append(this.#canvas, this.#clip);
    this.#rows.append(this.#cells);
    this.#scroller.append(this.#rows);
    root.append(this.#scroller, this.#axis, this.#note, this.#tip.element);
    this.#scroller.addEventListener('scroll', () => this.#update());
    this.#rows.addEventListener('keydown', (event) => this.#onKey(event));
    this.#rows.addEventListener('click', (event) => this.#onClick(event));
    this.#cells.addEventListener('pointerdown', (event) => this.#onDown(event));
    this.#cells.addEventListener('pointermove', (event) => this.#onMove(event));
    this.#cells.addEventListener('pointerup', () => this.#onUp());
    this.#cells.addEventListener('pointercancel', () => (this.#anchor = null));
    this.#cells.addEventListener('pointerleave', () => this.#tip.hide());
  }

  connectedCallback(): void {
    this.#resizes.observe(this.#scroller);
    this.#unwatchTheme = watchTheme(() => this.#update());
    this.#update();
  }

  disconnectedCallback(): void {
    this.#resizes.disconnect();
    this.#unwatchTheme?.();
    cancelAnimationFrame(this.#frameRequest);
    this.#frameRequest = 0;
  }

  set strip(strip: ThreadStrip | null) {
    this.#currentStrip = strip;
    this.#active = 0;
    this.#cursor = -1;
    this.#anchor = null;
    this.#update();
  }

  /** Names of the recording's threads and states, by number. */
  set threadNames(threads: readonly string[]) {
    this.#names = { ...this.#names, threads };
    this.#update();
  }
  set stateNames(states: readonly string[]) {
    this.#names = { ...this.#names, states };
    this.#update();
  }

  set range(range: TimeRange | null) {
    this.#currentRange = range;
    this.#update();
  }

  set selectedThreads(threads: readonly number[]) {
    this.#chosenThreads = new Set(threads);
    this.#update();
  }

  set format(format: WeightFormat | null) {
    this.#currentFormat = format;
  }

  override focus(): void {
    this.#rows.focus({ preventScroll: true });
  }

  #update(): void {
    if (this.#frameRequest !== 0 || !this.isConnected) return;
    this.#frameRequest = requestAnimationFrame(() => {
      this.#frameRequest = 0;
      this.#draw();
    });
  }

  #draw(): void {
    const strip = this.#currentStrip;
    const width = this.#scroller.clientWidth;
    const count = strip?.threads.length ?? 0;
    this.#note.textContent = this.#noteText();
    this.#rows.style.setProperty('height', `${Math.max(1, count) * threadRowHeight}px`);
    this.#cells.style.setProperty('height', `${count * threadRowHeight}px`);
    this.style.setProperty('--bf-names', `${this.#namesWidth(width)}px`);
    if (strip === null || width === 0) return;
    const [first, end] = visibleRows(count, this.#scroller.scrollTop, this.#scroller.clientHeight);
    this.#drawNames(strip, first, end);
    this.#drawCells(strip, first, end, width - this.#namesWidth(width));
    this.#drawAxis(strip, width - this.#namesWidth(width));
    const range = this.#anchor !== null && this.#dragged ? rangeOf(strip, this.#anchor, this.#cursor) : this.#currentRange;
    this.#rangeMark.hidden = range === null;
    const span = strip.toUs - strip.fromUs;
    const place = (us: number): number => (span > 0 ? ((us - strip.fromUs) / span) * 100 : 0);
    if (range !== null) {
      this.#rangeMark.style.setProperty('left', `${place(range.fromUs)}%`);
      this.#rangeMark.style.setProperty('width', `${place(range.toUs) - place(range.fromUs)}%`);
    }
    this.#cursorMark.hidden = this.#cursor === -1;
    this.#cursorMark.style.setProperty('left', `${((this.#cursor + 0.5) / strip.buckets) * 100}%`);
  }

  #namesWidth(width: number): number {
    return Math.round(Math.min(220, Math.max(90, width * namesShare)));
  }

  #drawNames(strip: ThreadStrip, first: number, end: number): void {
    const shown: HTMLElement[] = [];
    for (let row = first; row < end; row++) {
      const words = threadName(strip, this.#names, row);
      const name = element('div', row === this.#active ? 'name active' : 'name', words);
      const chosen = this.#chosenThreads.has(strip.threads[row] ?? -1);
      setAttributes(name, { id: `thread-${row}`, 'data-row': row, role: 'option', title: words, 'aria-selected': chosen });
      setAttributes(name, { 'aria-posinset': row + 1, 'aria-setsize': strip.threads.length });
      name.style.setProperty('top', `${row * threadRowHeight}px`);
      shown.push(name);
    }
    this.#rows.replaceChildren(...shown, this.#cells);
    if (end > first) this.#rows.setAttribute('aria-activedescendant', `thread-${this.#active}`);
    else this.#rows.removeAttribute('aria-activedescendant');
  }

  #drawCells(strip: ThreadStrip, first: number, end: number, width: number): void {
    const ratio = window.devicePixelRatio || 1;
    const columns = Math.max(1, Math.round(width * ratio));
    const rows = end - first;
    const theme = readTheme(this);
    const rowDevice = Math.round(threadRowHeight * ratio);
    this.#canvas.width = columns;
    this.#canvas.height = Math.max(1, rows * rowDevice);
    this.#canvas.style.setProperty('top', `${first * threadRowHeight}px`);
    this.#canvas.style.setProperty('width', `${width}px`);
    this.#canvas.style.setProperty('height', `${rows * threadRowHeight}px`);
    const context = this.#canvas.getContext('2d', { alpha: false });
    if (!context || rows === 0) return;
    const image = new ImageData(columns, rows);
    paintCells(
      strip,
      first,
      end,
      columns,
      Uint32Array.from(theme.category, packed),
      packed(theme.background),
      new Uint32Array(image.data.buffer),
    );
    const small = document.createElement('canvas');
    small.width = columns;
    small.height = rows;
    small.getContext('2d')?.putImageData(image, 0, 0);
    context.imageSmoothingEnabled = false;
    context.drawImage(small, 0, 0, columns, rows, 0, 0, columns, rows * rowDevice);
    context.fillStyle = cssColour(theme.background);
    const gap = Math.max(1, Math.round(3 * ratio));
    for (let row = 1; row <= rows; row++) context.fillRect(0, row * rowDevice - gap, columns, gap);
  }

  #drawAxis(strip: ThreadStrip, width: number): void {
    const span = strip.toUs - strip.fromUs;
    const ticks = timeTicks(strip.fromUs, strip.toUs, Math.max(1, Math.floor(width / pxPerTick)));
    this.#axis.replaceChildren(
      ...ticks.map(({ atUs, text }) => {
        const tick = element('span', 'tick', text);
        tick.style.setProperty('left', `${((atUs - strip.fromUs) / span) * 100}%`);
        return tick;
      }),
    );
  }

  #noteText(): string {
    const strip = this.#currentStrip;
    if (strip === null) return 'This recording does not tell what its threads did when.';
    if (strip.threads.length === 0) return 'No thread was sampled here.';
    if (this.#currentRange !== null) {
      const { fromUs, toUs } = this.#currentRange;
      return `Selected: ${timePhrase(fromUs * 1000)} to ${timePhrase(toUs * 1000)}. Escape selects all time again.`;
    }
    if (this.#cursor === -1)
      return `${strip.threads.length} ${strip.threads.length === 1 ? 'thread' : 'threads'}. Drag over the strip to select a range of time.`;
    const words = wordsOfCell(strip, this.#names, this.#active, this.#cursor, this.#weightPhrase);
    return [words.name, ...words.rows.map(({ label, values }) => `${label} ${values.join(' ')}`)].join(', ');
  }

  readonly #weightPhrase = (value: number): string => this.#currentFormat?.weight(value) ?? String(value);

  #rowAt(clientY: number): number {
    return Math.floor((clientY - this.#rows.getBoundingClientRect().top) / threadRowHeight);
  }

  #bucketOf(clientX: number): number {
    const bounds = this.#cells.getBoundingClientRect();
    return this.#currentStrip === null ? 0 : bucketAt(this.#currentStrip, (clientX - bounds.left) / Math.max(1, bounds.width));
  }

  #onClick(event: MouseEvent): void {
    const row = (event.target as Element | null)?.closest<HTMLElement>('.name')?.dataset['row'];
    if (row === undefined) return;
    this.#active = Number(row);
    this.#chooseThread();
  }

  #onDown(event: PointerEvent): void {
    if (event.button !== 0 || this.#currentStrip === null) return;
    this.#anchor = this.#bucketOf(event.clientX);
    this.#dragged = false;
    this.#cells.setPointerCapture(event.pointerId);
  }

  #onMove(event: PointerEvent): void {
    const strip = this.#currentStrip;
    if (strip === null) return;
    const bucket = this.#bucketOf(event.clientX);
    const row = Math.min(strip.threads.length - 1, Math.max(0, this.#rowAt(event.clientY)));
    if (strip.threads.length > 0) {
      this.#tip.show(wordsOfCell(strip, this.#names, row, bucket, this.#weightPhrase), { x: event.clientX, y: event.clientY });
    }
    if (this.#anchor === null) return;
    if (bucket !== this.#anchor) this.#dragged = true;
    this.#cursor = bucket;
    this.#update();
  }

  #onUp(): void {
    const strip = this.#currentStrip;
    const anchor = this.#anchor;
    this.#anchor = null;
    if (strip === null || anchor === null) return;
    // A click without dragging takes the range away.
    this.#chooseRange(this.#dragged ? rangeOf(strip, anchor, this.#cursor) : null);
    this.#cursor = -1;
    this.#dragged = false;
  }

  #onKey(event: KeyboardEvent): void {
    const strip = this.#currentStrip;
    if (strip === null || strip.threads.length === 0 || event.altKey || event.ctrlKey || event.metaKey) return;
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    const rowStep = { ArrowUp: -1, ArrowDown: 1, PageUp: -10, PageDown: 10, Home: -Infinity, End: Infinity }[event.key];
    if (step !== undefined) {
      const before = this.#cursor === -1 ? (step === 1 ? -1 : strip.buckets) : this.#cursor;
      if (event.shiftKey) this.#anchor ??= Math.max(0, Math.min(strip.buckets - 1, before));
      else this.#anchor = null;
      this.#cursor = Math.max(0, Math.min(strip.buckets - 1, before + step));
      if (this.#anchor !== null) this.#chooseRange(rangeOf(strip, this.#anchor, this.#cursor));
    } else if (rowStep !== undefined) {
      this.#active = Math.max(0, Math.min(strip.threads.length - 1, this.#active + rowStep));
      this.#showActive();
    } else if (event.key === 'Enter' || event.key === ' ') {
      this.#chooseThread();
    } else if (event.key === 'Escape' && (this.#currentRange !== null || this.#cursor !== -1)) {
      this.#anchor = null;
      this.#cursor = -1;
      if (this.#currentRange !== null) this.#chooseRange(null);
    } else {
      return;
    }
    event.preventDefault();
    event.stopPropagation();
    this.#tip.hide();
    this.#update();
  }

  #showActive(): void {
    const top = this.#active * threadRowHeight;
    const { scrollTop, clientHeight } = this.#scroller;
    if (top < scrollTop) this.#scroller.scrollTop = top;
    else if (top + threadRowHeight > scrollTop + clientHeight) this.#scroller.scrollTop = top + threadRowHeight - clientHeight;
  }

  #chooseThread(): void {
    const thread = this.#currentStrip?.threads[this.#active] ?? -1;
    this.#tell('thread-select', { thread });
    this.#update();
  }

  #chooseRange(range: TimeRange | null): void {
    this.#currentRange = range;
    this.#tell('range-select', range);
    this.#update();
  }

  #tell(name: string, detail: unknown): void {
    this.dispatchEvent(new CustomEvent(name, { detail, bubbles: true, composed: true }));
  }
}

customElements.define('benchside-thread-strip', ThreadStripElement);

declare global {
  interface HTMLElementTagNameMap {
    'benchside-thread-strip': ThreadStripElement;
  }
}
