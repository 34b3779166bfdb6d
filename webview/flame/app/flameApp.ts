import { shortened } from '../../../src/model/domain/plainText.ts';
import { type PropertyValues, type TemplateResult, html, LitElement, nothing } from 'lit';
import { customElement, property, state } from 'lit/decorators.js';
import { sharedStyles } from '../../kit/style/sharedStyles.ts';
import type { FlameModel } from '../core/flameModel.ts';
import type { Layout, SearchResult } from '../core/layout.ts';
import '../graph/flameGraph.ts';
import type { FlameGraphElement } from '../graph/flameGraph.ts';
import { boxMenu, functionMenu } from './boxMenu.ts';
import { type BoxPath, boxAt, pathOf, widestBox, widestOf } from './boxPaths.ts';
import { callersStyles, callersView, heaviestFunction } from './callersView.ts';
import { compareBar } from './compareBar.ts';
import { doctorPage, doctorStyles } from './doctorPage.ts';
import { flameAppStyles } from './flameAppStyles.ts';
import type { FlameChannel } from './flameChannel.ts';
import { FlameSession } from './flameSession.ts';
import { filterLine, switchBar } from './flameToolbar.ts';
import { matchPhrase, viewLabels } from './flameWords.ts';
import type { FlameView, Look } from './look.ts';
import type { PageActions, TableFilter } from './pageActions.ts';
import { footer, lowerPane, noticeBar, threadStrip } from './pageParts.ts';
import type { Menu, MenuItem } from './popupMenu.ts';
import './popupMenu.ts';
import { createFlameModel } from '../worker/workerFlameModel.ts';
import { sentenceBar, sentenceStyles, spokenSentence } from './sentenceBar.ts';
import { stateInstead } from './stateBoxes.ts';
import { tablePane } from './tablePane.ts';

interface OpenMenu extends Omit<Menu, 'items'> {
  /** Called again when something is ticked. */
  make: () => readonly MenuItem[];
}

/**
 * A flame graph with everything around it. It fills the box it is put in, and needs `channel` (who has the recording) before it is
 * connected.
 */
@customElement('benchside-flame')
export class FlameApp extends LitElement {
  static override styles = [sharedStyles, flameAppStyles, sentenceStyles, callersStyles, doctorStyles];

  @property({ attribute: false }) channel: FlameChannel | null = null;
  @state() menu: OpenMenu | null = null;
  /** Box of the layout on show. */
  @state() selected: number | null = null;
  @state() tableFilter: TableFilter = 'all';
  @state() notesOpen = false;
  /** Whether the explanation of the share in the sentence is shown. */
  @state() explained = false;

  #session: FlameSession | null = null;
  #model: FlameModel | null = null;
  #stop: (() => void) | null = null;
  #selectedPath: BoxPath | null = null;
  #drawnLayout: Layout | null = null;
  #foundBefore: SearchResult | null = null;
  #knownZoom: Look['zoom'] = null;
  #returnTo: HTMLElement | null = null;
  #menuPlace: Pick<OpenMenu, 'x' | 'y' | 'fromRight'> | null = null;
  #announced = '';
  #keys: Window | HTMLElement | null = null;

  override connectedCallback(): void {
    super.connectedCallback();
    if (this.channel === null) throw new Error('A flame graph needs its channel before it is put on a page.');
    this.#model = createFlameModel();
    this.#session = new FlameSession(this.channel, this.#model, () => this.requestUpdate());
    this.#stop = this.#session.start();
    // Where nothing else is on the page, its keys work from anywhere.
    this.#keys = this.parentElement === document.body ? window : this;
    this.#keys.addEventListener('keydown', this.#onKey);
  }

  override disconnectedCallback(): void {
    this.#stop?.();
    this.#keys?.removeEventListener('keydown', this.#onKey);
    this.#model?.dispose();
    this.#session = null;
    super.disconnectedCallback();
  }

  protected override willUpdate(): void {
    const layout = this.#session?.answers.layouts.value ?? null;
    if (layout !== this.#drawnLayout) this.#follow(layout);
    this.#announced = this.#announcement();
  }

  /** Finds the selected frame in a new layout. */
  #follow(layout: Layout | null): void {
    this.#drawnLayout = layout;
    const names = this.#session?.names ?? null;
    this.selected = layout === null || names === null || this.#selectedPath === null ? null : boxAt(layout, names, this.#selectedPath);
  }

  /** The matches of a search may be far below: the widest of them is scrolled into view. */
  #showFound(graph: FlameGraphElement): void {
    const session = this.#session;
    const result = session?.search.result ?? null;
    if (session === null || graph.layout === null || result === this.#foundBefore) return;
    this.#foundBefore = result;
    if (result === null || session.search.at >= 0 || result.matches.length !== graph.layout.boxCount) return;
    const box = widestOf(graph.layout, result.order);
    if (box !== null) graph.reveal(box);
  }

  protected override updated(_changed: PropertyValues): void {
    const session = this.#session;
    const graph = this.#graph();
    if (session === null) return;
    if (graph !== null && session.look !== null && graph.layout !== null) {
      graph.selected = this.selected ?? -1;
      if (session.look.zoom !== this.#knownZoom) {
        this.#knownZoom = session.look.zoom;
        const { zoom } = session.look;
        graph.viewport = { ...graph.viewport, fromX: zoom?.from ?? 0, toX: zoom?.to ?? 1 };
      }
      this.#showFound(graph);
      // Two frames: in the first the canvas is drawn.
      const { layout } = graph;
      requestAnimationFrame(() => requestAnimationFrame(() => session.drawn(layout)));
    }
    if (
      session.wanted !== null &&
      session.a.phase === 'complete' &&
      session.answers.layouts.value !== null &&
      !session.answers.layouts.pending
    )
      this.#goToWanted(session.wanted);
    if (session.look?.view === 'callers' && session.look.subject === null) this.#chooseSubject();
  }

  protected override render(): TemplateResult {
    const session = this.#session;
    if (session === null) return html``;
    const { head } = session.a;
    // Without a picture there is nothing to switch either.
    if (session.a.phase === 'failed' || session.a.isEmpty) {
      const instead =
        head?.hint && session.a.isEmpty ? doctorPage(head.hint) : html`<div class="stage bare">${stateInstead(session)}</div>`;
      return html`<main class="page">${noticeBar(session)} ${instead} ${footer(session, this.notesOpen, this.#toggleNotes)}</main>`;
    }
    const view = session.look?.view ?? 'flame';
    return html`<main class="page">
      ${sentenceBar(session, this.#actions, this.explained)}
      <header class="bars">${switchBar(session, this.#actions)} ${filterLine(session, this.#actions)}</header>
      ${compareBar(session)} ${noticeBar(session)} ${threadStrip(session, (thread) => this.#toggleThread(thread))}
      <div class="stage">${stateInstead(session) ?? this.#stage(view)}</div>
      ${footer(session, this.notesOpen, this.#toggleNotes)}
      ${session.options.tablePane && view !== 'table' && view !== 'callers' ? lowerPane(session, tablePane(session, this.#actions, this.tableFilter, this.#selectedFunc())) : nothing}
      <benchside-popup-menu
        .menu=${this.menu === null ? null : { ...this.menu, items: this.menu.make() }}
        @close=${this.#closeMenu}
      ></benchside-popup-menu>
      <p class="visuallyHidden" role="status" aria-live="polite">${this.#announced}</p>
    </main>`;
  }

  #stage(view: FlameView): TemplateResult {
    const session = this.#session as FlameSession;
    const layout = session.answers.layouts.value as Layout;
    if (view === 'table') return tablePane(session, this.#actions, this.tableFilter, this.#selectedFunc());
    if (view === 'callers') return callersView(session, this.#actions);
    return html`<benchside-flame-graph
      class="main"
      aria-busy=${session.answers.layouts.pending}
      .layout=${layout}
      .names=${session.names}
      .search=${session.search.result}
      .orientation=${view === 'time' ? 'icicle' : session.options.orientation}
      .colourBy=${session.options.colourBy}
      .format=${session.formatOf(layout)}
      .pictureTitle=${session.a.title}
      @box-select=${(event: CustomEvent<{ box: number }>) => this.#select(event.detail.box < 0 ? null : event.detail.box)}
      @box-open=${(event: CustomEvent<{ box: number; beside: boolean }>) => session.openSource(layout.func[event.detail.box] ?? -1, layout.line[event.detail.box] ?? 0, event.detail.beside)}
      @box-unfold=${(event: CustomEvent<{ box: number }>) => session.unfold(layout.node[event.detail.box] ?? -1)}
      @box-menu=${(event: CustomEvent<{ box: number; x: number; y: number }>) => this.#boxMenu(event.detail)}
      @viewport-change=${this.#onViewport}
    ></benchside-flame-graph>`;
  }

  readonly #toggleNotes = (): void => {
    this.notesOpen = !this.notesOpen;
  };

  #toggleThread(thread: number): void {
    const threads = this.#session?.look?.threads ?? null;
    this.#session?.visit({ threads: threads?.length === 1 && threads[0] === thread ? null : [thread], zoom: null });
  }

  readonly #actions: PageActions = {
    step: (by) => this.#step(by),
    show: (view) => this.#show(view),
    menu: (event, label, make) => this.#openBelow(event, label, make),
    instead: (label, make) => this.#openInstead(label, make),
    savePicture: () => void this.#savePicture(),
    canDraw: () => this.#graph() !== null,
    focus: (func) => this.#focusFunction(func),
    explain: () => (this.explained = !this.explained),
    filter: (filter) => (this.tableFilter = filter),
    choose: (func) => this.#chooseFunction(func),
    functionMenu: (func, x, y) => this.#functionMenu(func, x, y),
    zoomTo: (box) => this.#graph()?.zoomToBox(box),
    resetZoom: () => this.#graph()?.resetZoom(),
  };

  #show(view: FlameView): void {
    const func = this.#session?.look?.subject ?? this.#selectedFunc();
    this.#session?.visit(view === 'callers' ? { view, subject: func < 0 ? null : func, zoom: null } : { view, zoom: null });
  }

  /** The callers view always has a subject: what is selected, else the function that takes most itself. */
  #chooseSubject(): void {
    const session = this.#session as FlameSession;
    const func = this.#selectedFunc() >= 0 ? this.#selectedFunc() : heaviestFunction(session.answers.tables.value);
    if (func >= 0) session.choose(func);
  }

  #selectedFunc(): number {
    return this.selected === null ? -1 : (this.#drawnLayout?.func[this.selected] ?? -1);
  }

  #select(box: number | null): void {
    const { names } = this.#session ?? { names: null };
    this.selected = box;
    this.#selectedPath = box === null || this.#drawnLayout === null || names === null ? null : pathOf(this.#drawnLayout, names, box);
  }

  #chooseFunction(func: number): void {
    const session = this.#session as FlameSession;
    if (session.look?.view === 'callers') session.visit({ subject: func });
    const box = this.#drawnLayout === null ? null : widestBox(this.#drawnLayout, func);
    if (box === null) return;
    this.#select(box);
    this.#graph()?.reveal(box);
  }

  /** Selects the widest frame of a function, and makes it as wide as the view. */
  #focusFunction(func: number): void {
    this.#chooseFunction(func);
    if (this.selected !== null) this.#graph()?.zoomToBox(this.selected);
  }

  #step(by: 1 | -1): void {
    const box = this.#session?.search.step(by) ?? null;
    if (box === null) return;
    this.#select(box);
    this.#graph()?.reveal(box);
  }

  #goToWanted({ name, file }: { name: string; file: string }): void {
    const session = this.#session as FlameSession;
    const names = session.names;
    session.wanted = null;
    const func = names?.name.findIndex((one, index) => one === name && (file === '' || names.file[index] === file)) ?? -1;
    if (func < 0 || this.#drawnLayout === null) {
      session.receive({ type: 'notice', severity: 'info', message: `${shortened(name, 200)} is not in this recording.` });
      return;
    }
    if (session.look?.view !== 'flame') session.visit({ view: 'flame' });
    session.search.set(name.slice(0, 1000), false);
    const box = widestBox(this.#drawnLayout, func);
    if (box === null) return;
    this.#select(box);
    void this.updateComplete.then(() => this.#graph()?.reveal(box));
  }

  #boxMenu({ box, x, y }: { box: number; x: number; y: number }): void {
    const session = this.#session as FlameSession;
    const [layout, names] = [this.#drawnLayout, session.names];
    if (layout === null || names === null || box < 0) return;
    this.#select(box);
    this.#openMenu({ label: 'Frame', x, y, make: () => boxMenu(session, layout, names, box, this.#actions) });
  }

  #functionMenu(func: number, x: number, y: number): void {
    const session = this.#session as FlameSession;
    const { names } = session;
    if (names !== null && func >= 0) this.#openMenu({ label: 'Function', x, y, make: () => functionMenu(session, names, func) });
  }

  #openBelow(event: Event, label: string, make: () => MenuItem[]): void {
    const { left, right, bottom } = (event.currentTarget as HTMLElement).getBoundingClientRect();
    const fromRight = left > window.innerWidth / 2;
    this.#openMenu({ label, x: fromRight ? right : left, y: bottom + 2, fromRight, make });
  }

  #openInstead(label: string, make: () => MenuItem[]): void {
    if (this.#menuPlace !== null) this.#openMenu({ ...this.#menuPlace, label, make });
  }

  #openMenu(menu: OpenMenu): void {
    this.#menuPlace = menu;
    this.#returnTo = deepActive();
    this.menu = menu;
  }

  #closeMenu(): void {
    this.menu = null;
    this.#returnTo?.focus();
    this.#returnTo = null;
  }

  async #savePicture(): Promise<void> {
    const graph = this.#graph();
    const session = this.#session;
    if (graph === null || session === null) return;
    const png = await graph.exportPng();
    const name = `${(session.a.head?.title ?? 'flame-graph').replace(/[^\p{L}\p{N}.-]+/gu, '-').slice(0, 80)}-${session.look?.event ?? ''}.png`;
    session.channel.post({ type: 'savePicture', name, png });
  }

  readonly #onViewport = (): void => {
    const graph = this.#graph();
    if (graph === null || this.#session === null) return;
    const { fromX, toX } = graph.viewport;
    this.#session.zoomed(fromX, toX);
    this.#knownZoom = this.#session.look?.zoom ?? null;
  };

  readonly #onKey = (given: Event): void => {
    const session = this.#session;
    if (session === null || !(given instanceof KeyboardEvent) || given.defaultPrevented) return;
    const event = given;
    const typing = event.composedPath()[0] instanceof HTMLInputElement;
    const find = (event.ctrlKey || event.metaKey) && event.key === 'f';
    if (find || (event.key === '/' && !typing)) this.renderRoot.querySelector<HTMLInputElement>('.search input')?.select();
    else if (event.altKey && event.key === 'ArrowLeft') session.back();
    else if (event.altKey && event.key === 'ArrowRight') session.forward();
    else if (event.key === 'F3') this.#step(event.shiftKey ? -1 : 1);
    else return;
    event.preventDefault();
  };

  #announcement(): string {
    const session = this.#session;
    if (session === null || session.look === null) return '';
    const { search } = session;
    if (search.text !== '') return search.problem === '' ? matchPhrase(search.result, search.at) : search.problem;
    return session.a.phase === 'complete' && session.answers.layouts.value !== null
      ? `${viewLabels[session.look.view]} view is ready. ${spokenSentence(session.answers.sentences.value)}`
      : '';
  }

  #graph(): FlameGraphElement | null {
    return this.renderRoot.querySelector<FlameGraphElement>('benchside-flame-graph.main');
  }
}

/** What has the focus, through all shadow trees. */
function deepActive(): HTMLElement | null {
  let active = document.activeElement;
  while (active?.shadowRoot?.activeElement) active = active.shadowRoot.activeElement;
  return active instanceof HTMLElement ? active : null;
}
