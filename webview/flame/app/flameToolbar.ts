import { shortened } from '../../../src/model/domain/plainText.ts';
import { type TemplateResult, html, nothing } from 'lit';
import { timePhrase } from '../../../src/model/presentation/weightPhrase.ts';
import { type IconName, icon } from '../../kit/controls/icons.ts';
import { nativeSelect } from '../../kit/controls/nativeSelect.ts';
import type { FlameSession } from './flameSession.ts';
import { eventLabel, eventTitle, matchPhrase, shownName, stateLabel, transformPhrase, viewLabels, viewTitles } from './flameWords.ts';
import { type FlameView, flameViews } from './look.ts';
import type { PageActions } from './pageActions.ts';
import { colourMenu, compareMenu, exportMenu, filterMenu } from './pageMenus.ts';
import type { MenuItem } from './popupMenu.ts';
import './segments.ts';

export function switchBar(session: FlameSession, actions: PageActions): TemplateResult {
  const { look, a } = session;
  const named = (a.head?.events ?? []).map(({ name }) => ({ value: name, text: eventLabel(name), title: eventTitle(name) }));
  const visit = (event: string): void => session.visit({ event, zoom: null });
  return html`<div class="switches flow">
    ${
      named.length === 0
        ? html`<span class="placeholder"></span>`
        : html`${nativeSelect(named, look?.event ?? '', visit, { look: 'narrow', label: 'Event', title: eventTitle(look?.event ?? '') })}
            <benchside-segments
              class="wide"
              label="Event"
              .value=${look?.event ?? ''}
              .segments=${named}
              @choose=${(event: CustomEvent<string>) => visit(event.detail)}
            ></benchside-segments>`
    }
    <benchside-segments
      label="View"
      .value=${look?.view ?? 'flame'}
      .segments=${viewsOf(session).map((view) => ({ value: view, text: viewLabels[view], title: viewTitles[view] }))}
      @choose=${(event: CustomEvent<FlameView>) => actions.show(event.detail)}
    ></benchside-segments>
    ${searchBox(session, actions)}
  </div>`;
}

/** The order of time needs samples, and one recording only. */
function viewsOf(session: FlameSession): FlameView[] {
  const timed = (session.a.head?.sampleCount ?? 0) > 0 && !session.comparing;
  return flameViews.filter((view) => view !== 'time' || timed);
}

function searchBox(session: FlameSession, actions: PageActions): TemplateResult {
  const { search } = session;
  const found = search.problem === '' ? matchPhrase(search.result, search.at) : search.problem;
  const onKey = (event: KeyboardEvent): void => {
    if (event.key === 'Enter') actions.step(event.shiftKey ? -1 : 1);
    else if (event.key === 'Escape' && search.text !== '') search.set('', search.regex);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return html`<div class="search ${search.problem === '' ? '' : 'wrong'}" role="search">
    ${icon('search')}
    <input
      type="text"
      spellcheck="false"
      autocomplete="off"
      placeholder="Search functions"
      aria-label="Search functions"
      aria-invalid=${search.problem !== ''}
      .value=${search.text}
      @input=${(event: Event) => search.set((event.target as HTMLInputElement).value.slice(0, 1000), search.regex)}
      @keydown=${onKey}
    />
    <span class="found note cut" title=${found}>${found}</span>
    <button
      type="button"
      class="tool small"
      aria-pressed=${search.regex}
      aria-label="Regular expression"
      title="Regular expression"
      @click=${() => search.set(search.text, !search.regex)}
    >
      .*
    </button>
    ${tool('up', 'Previous match (Shift+Enter)', () => actions.step(-1), { disabled: (search.result?.order.length ?? 0) === 0 })}
    ${tool('down', 'Next match (Enter)', () => actions.step(1), { disabled: (search.result?.order.length ?? 0) === 0 })}
  </div>`;
}

/** Whether there are threads to choose from. */
function isThreaded({ a, comparing }: FlameSession): boolean {
  return a.head !== null && a.head.sampleCount > 0 && a.head.threads.length > 0 && !comparing;
}

/** Next to code there is no room for the tools and for what is left out: one menu has them all. */
function moreItems(session: FlameSession, actions: PageActions): MenuItem[] {
  const { look, history, options, a, channel } = session;
  const view = history?.now.view ?? 'flame';
  const drawn = view === 'flame' || view === 'time';
  const threaded = isThreaded(session);
  const submenu = (text: string, items: () => MenuItem[]): MenuItem => ({ text, run: () => actions.instead(text, items) });
  const idle = hiddenIdle(session);
  const fold = foldChange(session);
  const items: (MenuItem | false)[] = [
    look !== null &&
      (idle !== null || look.showIdle) && {
        text: look.showIdle ? 'Hide idle threads' : `Show idle threads${idle ?? ''}`,
        run: () => session.visit({ showIdle: !look.showIdle, zoom: null }),
      },
    fold !== null && { text: fold.folded ? 'Unfold libraries' : 'Fold libraries', run: fold.change },
    fold !== null && fold.open > 0 && { text: 'Fold what was unfolded', run: fold.again },
    threaded && submenu('Threads…', () => filterMenu(session, 'threads')),
    threaded && (a.head?.states.length ?? 0) > 1 && submenu('States…', () => filterMenu(session, 'states')),
    threaded &&
      view !== 'time' && {
        text: session.stripShown ? 'Hide threads over time' : 'Show threads over time',
        run: () => session.setOptions({ strip: !options.strip }),
      },
    drawn && {
      text: options.orientation === 'icicle' ? 'Root below' : 'Root above',
      run: () => session.setOptions({ orientation: options.orientation === 'icicle' ? 'flame' : 'icicle' }),
    },
    drawn && {
      text: options.tablePane ? 'Hide the function table' : 'Show the function table',
      run: () => session.setOptions({ tablePane: !options.tablePane }),
    },
    submenu('Colours…', () => colourMenu(session)),
    channel.hosted && submenu('Compare with…', () => compareMenu(session)),
    submenu('Export…', () => exportMenu(session, actions)),
    { text: 'Reset: no filter, whole width', apart: true, run: () => session.reset() },
  ];
  return items.filter((item) => item !== false);
}

/** What is left out, as words and chips, and the tools. */
export function filterLine(session: FlameSession, actions: PageActions): TemplateResult {
  const { history, options, a } = session;
  const view = history?.now.view ?? 'flame';
  const drawn = view === 'flame' || view === 'time';
  const threaded = isThreaded(session);
  const other = options.orientation === 'icicle' ? 'flame' : 'icicle';
  return html`<div class="filters flow">
    <span class="group">
      ${tool('back', 'Back (Alt+Left)', () => session.back(), { disabled: (history?.past.length ?? 0) === 0 })}
      ${tool('forward', 'Forward (Alt+Right)', () => session.forward(), { disabled: (history?.future.length ?? 0) === 0 })}
      <span class="narrow">${menuTool('dots', 'More', actions, () => moreItems(session, actions))}</span>
    </span>
    <span class="said flow">
      ${idlePhrase(session)} ${foldPhrase(session)} ${chips(session)}
      ${a.phase === 'skeleton' ? html`<span class="note wide" role="status">reading the narrow frames, ${Math.round(a.progress * 100)} %</span>` : nothing}
    </span>
    <span class="group wide">
      ${threaded ? menuText('Threads', actions, () => filterMenu(session, 'threads')) : nothing}
      ${threaded && (a.head?.states.length ?? 0) > 1 ? menuText('States', actions, () => filterMenu(session, 'states')) : nothing}
      ${threaded ? tool('threads', 'Threads over time', () => session.setOptions({ strip: !options.strip }), { pressed: session.stripShown, disabled: view === 'time' }) : nothing}
      ${tool(other === 'flame' ? 'icicle' : 'upright', other === 'flame' ? 'The root is above; put it below' : 'The root is below; put it above', () => session.setOptions({ orientation: other }), { disabled: !drawn })}
      ${menuTool('palette', 'Colours', actions, () => colourMenu(session))}
      ${tool('table', 'Function table', () => session.setOptions({ tablePane: !options.tablePane }), { pressed: options.tablePane && drawn, disabled: !drawn })}
      ${session.channel.hosted ? menuTool('compare', 'Compare with…', actions, () => compareMenu(session)) : nothing}
      ${menuTool('export', 'Export', actions, () => exportMenu(session, actions))}
      ${tool('reset', 'Reset: no filter, whole width', () => session.reset())}
    </span>
  </div>`;
}

/** " (62 %)": how much of all that is, or nothing where that is not known; null: nothing is hidden. */
function hiddenIdle({ answers, look, a }: FlameSession): string | null {
  const layout = answers.layouts.value;
  if (layout === null || look === null || look.showIdle || !(layout.hiddenIdle > 0)) return null;
  const whole = a.head?.events.find(({ name }) => name === look.event)?.total ?? 0;
  const part = whole > 0 ? layout.hiddenIdle / whole : 0;
  return part <= 0 ? '' : part < 0.01 ? ' (< 1 %)' : ` (${Math.round(part * 100)} %)`;
}

function idlePhrase(session: FlameSession): TemplateResult | typeof nothing {
  const layout = session.answers.layouts.value;
  const { look } = session;
  if (layout === null || look === null) return nothing;
  const share = hiddenIdle(session);
  if (!look.showIdle && share === null) return nothing;
  return html`<span class="wide"
    >idle threads ${look.showIdle ? 'shown' : `hidden${share}`} ·
    <button type="button" class="link" @click=${() => session.visit({ showIdle: !look.showIdle, zoom: null })}>
      ${look.showIdle ? 'hide' : 'show'}
    </button></span
  >`;
}

/** Runs of libraries are folded, or not, and the way to change that; the callers view never folds. */
function foldPhrase(session: FlameSession): TemplateResult | typeof nothing {
  const fold = foldChange(session);
  if (fold === null) return nothing;
  return html`<span class="wide"
    >libraries ${fold.folded ? (fold.open === 0 ? 'folded' : `folded but ${fold.open}`) : 'unfolded'} ·
    ${fold.open === 0 ? nothing : html`<button type="button" class="link" @click=${fold.again}>fold</button> · `}<button
      type="button"
      class="link"
      @click=${fold.change}
    >
      ${fold.folded ? (fold.open === 0 ? 'unfold' : 'unfold all') : 'fold'}
    </button></span
  >`;
}

interface Folding {
  folded: boolean;
  /** How many boxes were unfolded separately. */
  open: number;
  /** All folded, or all unfolded. */
  change: () => void;
  /** Folds what was unfolded separately. */
  again: () => void;
}

/** Whether runs of libraries are folded, and what changes that; null where all of them are asked for. */
function foldChange(session: FlameSession): Folding | null {
  const { look } = session;
  if (look === null || look.view === 'callers') return null;
  const at = look.transforms.findIndex(({ kind }) => kind === 'foldLibraries');
  const fold = look.transforms[at];
  return {
    folded: at >= 0,
    open: fold?.kind === 'foldLibraries' ? (fold.open?.length ?? 0) : 0,
    again: () =>
      session.visit({ transforms: look.transforms.map((one) => (one.kind === 'foldLibraries' ? { kind: 'foldLibraries' } : one)) }),
    change: () => (at >= 0 ? session.removeTransform(at) : session.transform({ kind: 'foldLibraries' })),
  };
}

function chips(session: FlameSession): TemplateResult | typeof nothing {
  const { look, names } = session;
  if (look === null || names === null) return nothing;
  const listed = (indexes: readonly number[], of: readonly string[], one: string, many: string): string =>
    indexes.length === 1 ? `${one} ${shortened(of[indexes[0] ?? 0] ?? '', 30)}` : `${indexes.length} ${many}`;
  const { threads, states, timeRange } = look;
  const head = session.a.head;
  return html`${look.transforms.map((transform, index) =>
    transform.kind === 'foldLibraries'
      ? nothing
      : chip(
          transformPhrase(
            transform,
            (func) => shownName(names, func),
            (node) => session.nameOfNode(node),
          ),
          () => session.removeTransform(index),
        ),
  )}
  ${threads === null ? nothing : chip(listed(threads, head?.threads ?? [], 'thread', 'threads'), () => session.visit({ threads: null, zoom: null }))}
  ${states === null ? nothing : chip(listed(states, (head?.states ?? []).map(stateLabel), 'state', 'states'), () => session.visit({ states: null, zoom: null }))}
  ${timeRange === null ? nothing : chip(`${timePhrase(timeRange[0] * 1e3)} to ${timePhrase(timeRange[1] * 1e3)}`, () => session.visit({ timeRange: null, zoom: null }))}`;
}

function chip(text: string, remove: () => void): TemplateResult {
  return html`<button type="button" class="chip inline" title="Remove this filter" @click=${remove}>
    <bdi class="cut">${text}</bdi>${icon('close')}
  </button>`;
}

/** A button that is only an icon; its title says what it does. `popup`: it opens a menu. */
export function tool(
  name: IconName,
  title: string,
  run: (event: Event) => void,
  { disabled = false, pressed, popup }: { disabled?: boolean; pressed?: boolean; popup?: 'menu' } = {},
): TemplateResult {
  return html`<button
    type="button"
    class="tool"
    title=${title}
    aria-label=${title}
    aria-pressed=${pressed ?? nothing}
    aria-haspopup=${popup ?? nothing}
    ?disabled=${disabled}
    @click=${run}
  >
    ${icon(name)}
  </button>`;
}

function menuTool(name: IconName, title: string, actions: PageActions, items: () => MenuItem[]): TemplateResult {
  return tool(name, title, (event) => actions.menu(event, title, items), { popup: 'menu' });
}

function menuText(text: string, actions: PageActions, items: () => MenuItem[]): TemplateResult {
  return html`<button type="button" class="text" aria-haspopup="menu" @click=${(event: Event) => actions.menu(event, text, items)}>
    ${text}${icon('down')}
  </button>`;
}
