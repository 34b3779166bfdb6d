import { shortened } from '../../../src/model/domain/plainText.ts';
import { type PropertyValues, type TemplateResult, html, LitElement, nothing } from 'lit';
import { customElement, property, state } from 'lit/decorators.js';
import { frameKinds } from '../../../src/model/domain/callTree.ts';
import { sharedStyles } from '../../kit/style/sharedStyles.ts';
import type { FlameNames, FunctionTableColumns } from '../core/layout.ts';
import { sharePhrase } from '../graph/weightFormat.ts';
import { type WeightUnit, changeFigure, columnFigure, columnUnit } from './columnFigures.ts';
import { icon } from '../../kit/controls/icons.ts';
import { placePhrase } from '../../../src/calltree/shownNames.ts';
import { functionName, kindLabel, shownName } from './flameWords.ts';
import { functionTableStyles } from './functionTableStyles.ts';
import type { SortColumn } from './savedFlame.ts';
import { type TableOrder, nameTest, orderedRows, waitOf } from './tableRows.ts';

/** What the table shows. Weights are in `unit`; `total` is that of the layout on show, the whole of all shares. */
export interface TableContent {
  table: FunctionTableColumns;
  names: FlameNames;
  unit: WeightUnit;
  total: number;
  requests: number | null;
  /** What the other recording is called, for the head of the change column. */
  other: string | null;
}

const oneLinePx = 24;
/** Where a name has a line of its own, above the other facts. */
const twoLinesPx = 40;
/** Below this width a name needs the room of a column. */
const narrowPx = 560;
/** Rows drawn beyond the edges, so that scrolling does not show gaps. */
const overscan = 8;
/** Of a name that does not fit, the end is kept: it distinguishes one method from the others of its class. */
const keptEnd = 22;

interface Column {
  id: SortColumn;
  text: string;
  title: string;
  cell: (row: number) => string;
}

/**
 * All functions as a table of any length, of which only the visible rows are drawn. Dispatches `choose-function` {func}, `open-function`
 * `{func, beside}`, `function-menu` {func, x, y} and `sort` {column, descending}.
 */
@customElement('benchside-function-table')
export class FunctionTableElement extends LitElement {
  static override styles = [sharedStyles, functionTableStyles];

  @property({ attribute: false }) content: TableContent | null = null;
  @property({ attribute: false }) order: TableOrder = { column: 'self', descending: true };
  @property({ attribute: false }) search: { text: string; regex: boolean } = { text: '', regex: false };
  /** The function that is selected elsewhere; -1: none. */
  @property({ type: Number }) selected = -1;
  /** Only name and shares. */
  @property({ type: Boolean }) compact = false;
  @state() first = 0;
  /** Index of the row that has the keyboard. */
  @state() active = 0;

  #rows: Uint32Array = new Uint32Array();
  #height = 0;
  #keyMenuAt = -Infinity;
  #resizes: ResizeObserver | null = null;

  override connectedCallback(): void {
    super.connectedCallback();
    this.#resizes = new ResizeObserver(() => {
      this.#height = this.#scroller()?.clientHeight ?? 0;
      this.requestUpdate();
    });
    this.#resizes.observe(this);
  }

  override disconnectedCallback(): void {
    this.#resizes?.disconnect();
    super.disconnectedCallback();
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    const { content } = this;
    if (changed.has('content') || changed.has('order') || changed.has('search')) {
      const test = this.search.text === '' ? null : nameTest(this.search.text, this.search.regex);
      this.#rows = content === null ? new Uint32Array() : orderedRows(content.table, content.names, this.order, test);
      this.active = Math.max(0, this.#indexOf(this.selected));
    }
    if (changed.has('selected') && this.selected >= 0) this.active = Math.max(0, this.#indexOf(this.selected));
  }

  protected override updated(changed: PropertyValues<this>): void {
    const scroller = this.#scroller();
    if (scroller !== null) this.#height = scroller.clientHeight;
    if (scroller !== null && (changed.has('search') || changed.has('order'))) scroller.scrollTop = 0;
    if (changed.has('selected') && this.selected >= 0 && this.#indexOf(this.selected) >= 0) this.#bringToSight(this.active);
  }

  protected override render(): TemplateResult {
    const content = this.content;
    const rows = this.#rows;
    if (content === null) return html`<p class="note wait" role="status">Counting functions…</p>`;
    const columns = this.#columns(content);
    const first = Math.max(0, Math.min(this.first, rows.length - 1) - overscan);
    const last = Math.min(rows.length, this.first + Math.ceil((this.#height || 300) / this.#rowHeight) + overscan);
    const drawn = [...rows.subarray(first, last)];
    this.style.setProperty(
      '--figures',
      columns.map(({ id }) => (id === 'self' || id === 'total' ? 'var(--share)' : 'var(--figure)')).join(' '),
    );
    return html`<div
      class="scroller"
      role="grid"
      aria-label="Functions"
      aria-rowcount=${rows.length + 1}
      aria-colcount=${columns.length + 1}
      @scroll=${this.#onScroll}
    >
      <div class="head row" role="row" aria-rowindex="1">
        ${this.#headCell({ id: 'name', text: 'Function', title: 'By name' })}${columns.map((column) => this.#headCell(column))}
      </div>
      <div class="body" role="presentation" .style=${`height: ${rows.length * this.#rowHeight}px`} @keydown=${this.#onKey}>
        <div class="window" role="presentation" .style=${`transform: translateY(${first * this.#rowHeight}px)`}>
          ${drawn.map((row, index) => this.#row(content, columns, row, first + index))}
        </div>
      </div>
      ${rows.length === 0 ? html`<p class="note wait">${this.search.text === '' ? 'No function weighs anything here.' : 'No function matches the search.'}</p>` : nothing}
    </div>`;
  }

  #headCell({ id, text, title }: Omit<Column, 'cell'>): TemplateResult {
    const sorted = this.order.column === id;
    return html`<div
      class="cell ${id === 'name' ? 'name' : 'numeric'}"
      role="columnheader"
      aria-sort=${sorted ? (this.order.descending ? 'descending' : 'ascending') : 'none'}
    >
      <button type="button" title=${title} data-column=${id} @click=${() => this.#sortBy(id)}>
        ${text}${sorted ? icon(this.order.descending ? 'down' : 'up') : nothing}
      </button>
    </div>`;
  }

  #row({ table, names }: TableContent, columns: readonly Column[], row: number, index: number): TemplateResult {
    const func = table.func[row] ?? -1;
    const name = functionName(names, func);
    const kind = names.kind[func] ?? 0;
    const place = placePhrase(names.file[func] ?? '', names.line[func] ?? 0);
    const wait = waitOf(table, row);
    const caller = wait === null ? -1 : (table.caller?.[row] ?? -1);
    const shown = shownName(names, func);
    const asker = caller < 0 || caller === func ? null : shownName(names, caller);
    const folded = wait === null ? (table.folded?.[row] ?? '') : '';
    const where = place === '' ? (wait === null ? kindLabel(kind) : '') : place;
    const beside = folded === '' ? where : `${where} · with ${folded} folded into it`;
    return html`<div
      class="row ${this.#isNarrow ? 'two' : ''} ${func === this.selected ? 'selected' : ''}"
      role="row"
      aria-rowindex=${index + 2}
      aria-selected=${func === this.selected}
      tabindex=${index === this.active ? 0 : -1}
      data-index=${index}
      @focusin=${() => (this.active = index)}
      @click=${() => this.#choose(index)}
      @dblclick=${(event: MouseEvent) => this.#open(func, event.ctrlKey || event.metaKey)}
      @contextmenu=${(event: MouseEvent) => this.#menu(event, index)}
    >
      <div
        class="cell name"
        role="gridcell"
        aria-label=${[wait?.label, asker === null ? undefined : `in ${asker}`, shown, beside].filter((words) => words !== undefined && words !== '').join(' ')}
        title=${`${shortened(name, 1000)}${place === '' ? '' : `\n${names.file[func] ?? ''}`}`}
      >
        <span class="swatch" .style=${`background: var(--bf-${wait?.category ?? frameKinds[kind] ?? 'other'})`}></span>
        <span class="words"
          >${wait === null ? html`${cutInTheMiddle(shown)}<span class="muted">${beside}</span>` : html`<b>${wait.label}</b>${askedIn(asker, shown, beside)}`}</span
        >
      </div>
      ${columns.map((column) => html`<div class="cell numeric" role="gridcell">${column.cell(row)}</div>`)}
    </div>`;
  }

  #columns({ table, unit, total, requests, other }: TableContent): Column[] {
    const share = (values: Float64Array) => (row: number) => sharePhrase(total === 0 ? 0 : (values[row] ?? 0) / total);
    const { self, total: totals, selfB, totalB } = table;
    const columns: Column[] = [
      { id: 'self', text: 'self', title: 'Share that the function takes itself', cell: share(self) },
      {
        id: 'total',
        text: 'total',
        title: 'Share that the function takes with all that it calls, counted once where it calls itself',
        cell: share(totals),
      },
    ];
    if (this.compact) return columns;
    const isNarrow = this.#isNarrow;
    if (selfB !== null && totalB !== null) {
      const against = shortened(other ?? 'the other recording', 60);
      const change = (id: SortColumn, name: string, a: Float64Array, b: Float64Array): Column => {
        const largest = maximum(a, b);
        const shown = columnUnit(unit, largest);
        const cell = (row: number): string => changeFigure((a[row] ?? 0) - (b[row] ?? 0), shown, largest);
        return { id, text: `Δ ${name} ${shown.unit}`, title: `Change of ${name} against ${against}`, cell };
      };
      const largest = maximum(self, selfB);
      const shown = columnUnit(unit, largest);
      const selfColumn: Column = {
        id: 'selfEach',
        text: `self ${shown.unit}`,
        title: 'What the function takes itself, in this recording',
        cell: (row) => columnFigure(self[row] ?? 0, shown, largest),
      };
      return [
        // Next to code there is room only for the change of self and its share.
        ...(isNarrow ? columns.slice(0, 1) : columns),
        // Where there is little room the changes are what matters.
        ...(this.clientWidth > 0 && this.clientWidth < 900 ? [] : [selfColumn]),
        change('change', 'self', self, selfB),
        ...(isNarrow ? [] : [change('changeTotal', 'total', totals, totalB)]),
      ];
    }
    const per = requests !== null && requests > 0 && (unit === 'ns' || unit === 'bytes' || unit === 'count') ? requests : 1;
    const each: WeightUnit = per === 1 ? unit : (`${unit as 'ns' | 'bytes' | 'count'}/request` as const);
    const largest = maximum(totals) / per;
    const shown = columnUnit(each, largest);
    const figures = (values: Float64Array) => (row: number) => columnFigure((values[row] ?? 0) / per, shown, largest);
    const own: Column[] = [
      { id: 'selfEach', text: `self ${shown.unit}`, title: per === 1 ? 'Itself' : 'Itself, per request', cell: figures(self) },
      {
        id: 'totalEach',
        text: `total ${shown.unit}`,
        title: per === 1 ? 'With all that it calls' : 'With all that it calls, per request',
        cell: figures(totals),
      },
    ];
    // Both shares say as much as the second figure would.
    return [...columns, ...(isNarrow ? own.slice(0, 1) : own)];
  }

  get #isNarrow(): boolean {
    return this.clientWidth > 0 && this.clientWidth < narrowPx;
  }

  get #rowHeight(): number {
    return this.#isNarrow ? twoLinesPx : oneLinePx;
  }

  #sortBy(column: SortColumn): void {
    const descending = this.order.column === column ? !this.order.descending : column !== 'name';
    this.dispatchEvent(new CustomEvent<TableOrder>('sort', { detail: { column, descending } }));
  }

  #funcAt(index: number): number {
    return this.content?.table.func[this.#rows[index] ?? -1] ?? -1;
  }

  #indexOf(func: number): number {
    return func < 0 || this.content === null ? -1 : this.#rows.findIndex((row) => this.content?.table.func[row] === func);
  }

  #choose(index: number): void {
    this.active = index;
    this.dispatchEvent(new CustomEvent('choose-function', { detail: { func: this.#funcAt(index) } }));
  }

  #open(func: number, beside: boolean): void {
    this.dispatchEvent(new CustomEvent('open-function', { detail: { func, beside } }));
  }

  #menu(event: MouseEvent, index: number): void {
    event.preventDefault();
    // Browsers send this after the menu's key too, which has opened it already.
    if (performance.now() - this.#keyMenuAt > 500) this.#openMenu(index, event);
  }

  #openMenu(index: number, event: { clientX: number; clientY: number }): void {
    this.active = index;
    const row = this.renderRoot.querySelector(`[data-index="${index}"]`)?.getBoundingClientRect();
    // From the keyboard there is no place of the pointer.
    const [x, y] = event.clientX > 0 || event.clientY > 0 ? [event.clientX, event.clientY] : [(row?.left ?? 0) + 24, row?.bottom ?? 0];
    this.dispatchEvent(new CustomEvent('function-menu', { detail: { func: this.#funcAt(index), x, y } }));
  }

  #onKey(event: KeyboardEvent): void {
    if (event.altKey) return;
    if (event.key === 'ContextMenu' || (event.key === 'F10' && event.shiftKey)) {
      event.preventDefault();
      this.#keyMenuAt = performance.now();
      this.#openMenu(this.active, { clientX: 0, clientY: 0 });
      return;
    }
    const page = Math.max(1, Math.floor(this.#height / this.#rowHeight) - 2);
    const by = { ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page, Home: -Infinity, End: Infinity }[event.key];
    if (by !== undefined) {
      event.preventDefault();
      void this.#goTo(Math.max(0, Math.min(this.#rows.length - 1, this.active + by)));
    } else if (event.key === ' ') {
      event.preventDefault();
      this.#choose(this.active);
    } else if (event.key === 'Enter') {
      event.preventDefault();
      this.#choose(this.active);
      this.#open(this.#funcAt(this.active), event.ctrlKey || event.metaKey);
    }
  }

  async #goTo(index: number): Promise<void> {
    this.active = index;
    this.#bringToSight(index);
    await this.updateComplete;
    this.renderRoot.querySelector<HTMLElement>(`[data-index="${index}"]`)?.focus({ preventScroll: true });
  }

  #bringToSight(index: number): void {
    const scroller = this.#scroller();
    if (scroller === null) return;
    const top = index * this.#rowHeight;
    const room = scroller.clientHeight - this.#rowHeight;
    if (top < scroller.scrollTop) scroller.scrollTop = top;
    else if (top + this.#rowHeight > scroller.scrollTop + room) scroller.scrollTop = top + this.#rowHeight - room;
    this.first = Math.floor(scroller.scrollTop / this.#rowHeight);
  }

  #onScroll(event: Event): void {
    this.first = Math.floor((event.target as HTMLElement).scrollTop / this.#rowHeight);
  }

  #scroller(): HTMLElement | null {
    return this.renderRoot.querySelector<HTMLElement>('.scroller');
  }
}

/** "in Main.slowQuery · __futex_wait": the user's function that asks for a wait, and behind it the function in which it waits. */
function askedIn(asker: string | null, shown: string, beside: string): TemplateResult {
  const end = html`<bdi>${shown}</bdi> ${beside}`;
  return asker === null
    ? html`<span class="muted">${end}</span>`
    : html`<span class="muted asked"><span class="in">in </span>${cutInTheMiddle(asker)}<span class="behind"> · ${end}</span></span>`;
}

/** A name of which the beginning gives way where there is no room for all of it. */
function cutInTheMiddle(name: string): TemplateResult {
  const half = name.length - Math.min(keptEnd, Math.ceil(name.length / 2));
  // Not between the two halves of one character.
  const at = /[\uDC00-\uDFFF]/.test(name.charAt(half)) ? half + 1 : half;
  return html`<bdi class="whole"><span class="begin">${name.slice(0, at)}</span><span class="end">${name.slice(at)}</span></bdi>`;
}

function maximum(...columns: Float64Array[]): number {
  let most = 0;
  for (const column of columns) for (const value of column) if (value > most) most = value;
  return most;
}
