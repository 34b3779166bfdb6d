import { shortened } from '../../../src/model/domain/plainText.ts';
import { type TemplateResult, css, html, nothing } from 'lit';
import type { FunctionTableColumns, Layout } from '../core/layout.ts';
import { figurePhrases } from '../graph/boxWords.ts';
import type { FlameSession } from './flameSession.ts';
import { placePhrase } from '../../../src/calltree/shownNames.ts';
import { functionName, shownName } from './flameWords.ts';
import type { PageActions } from './pageActions.ts';
import { contentOf, functionTable } from './tablePane.ts';
import { waitOf } from './tableRows.ts';

/** A function in the middle, its callers above it, its callees below, and next to them the list to choose from. */
export function callersView(session: FlameSession, actions: PageActions): TemplateResult {
  const { names, look } = session;
  const rows = session.answers.tables.value;
  const layout = session.answers.layouts.value;
  const subject = look?.subject ?? -1;
  const content = rows === null || layout === null || names === null ? null : contentOf(session, rows, layout, names);
  return html`<div class="callers">
    <section class="list" aria-label="Functions to choose from">${functionTable(session, content, actions, subject, true)}</section>
    <div class="sandwich">${sandwich(session, subject, actions)}</div>
  </div>`;
}

function sandwich(session: FlameSession, subject: number, actions: PageActions): TemplateResult {
  const { names } = session;
  const pair = session.answers.sandwiches.value;
  if (names === null || subject < 0 || pair === null) return html`<p class="note" role="status">Looking for callers and callees…</p>`;
  const { callers, callees, func } = pair;
  const place = placePhrase(names.file[func] ?? '', names.line[func] ?? 0);
  const half = (layout: Layout, orientation: 'flame' | 'icicle', label: string): TemplateResult =>
    html`<benchside-flame-graph
      class="half"
      compact
      aria-label=${label}
      .layout=${layout}
      .names=${names}
      .search=${null}
      .orientation=${orientation}
      .colourBy=${session.options.colourBy}
      .format=${session.formatOf(layout)}
      @box-open=${(event: CustomEvent<{ box: number; beside: boolean }>) => session.openSource(layout.func[event.detail.box] ?? -1, layout.line[event.detail.box] ?? 0, event.detail.beside)}
      @box-menu=${(event: CustomEvent<{ box: number; x: number; y: number }>) => actions.functionMenu(layout.func[event.detail.box] ?? -1, event.detail.x, event.detail.y)}
    ></benchside-flame-graph>`;
  const words =
    callees.total > 0
      ? figurePhrases(callees, Math.min(1, callees.boxCount - 1), session.formatOf(session.answers.layouts.value ?? callees))
      : ['not seen with these filters'];
  const table = session.answers.tables.value;
  const wait = table === null ? null : waitOf(table, table.func.indexOf(func));
  return html`<p class="note way">called by</p>
    ${half(callers, 'flame', 'Callers')}
    <div class="middle">
      ${wait === null ? nothing : html`<b>${wait.label}</b>`}
      <b class="cut" title=${shortened(functionName(names, func), 1000)}><bdi>${shownName(names, func)}</bdi></b>
      ${place === '' ? nothing : session.channel.hosted ? html`<button type="button" class="link cut" @click=${(event: MouseEvent) => session.openSource(func, 0, event.ctrlKey || event.metaKey)}>${place}</button>` : html`<span class="muted cut">${place}</span>`}
      <span class="figures">${words.join(' · ')}</span>
    </div>
    ${half(callees, 'icicle', 'Callees')}
    <p class="note way">calls</p>`;
}

/** The function that takes most itself; -1 where there is none. */
export function heaviestFunction(table: FunctionTableColumns | null): number {
  if (table === null) return -1;
  let best = -1;
  for (let row = 0; row < table.func.length; row += 1) {
    if (best === -1 || (table.self[row] ?? 0) > (table.self[best] ?? 0)) best = row;
  }
  return best === -1 ? -1 : (table.func[best] ?? -1);
}

export const callersStyles = css`
  .callers {
    display: grid;
    flex: 1;
    grid-template-columns: minmax(280px, 32%) minmax(0, 1fr);
    gap: 16px;
    min-height: 0;
  }
  .callers .list {
    display: flex;
    min-height: 0;
    border-right: 1px solid var(--bs-line);
  }
  .callers benchside-function-table {
    flex: 1;
    min-width: 0;
  }
  .sandwich {
    display: flex;
    flex-direction: column;
    min-height: 0;
  }
  .sandwich .half {
    flex: 1 1 0;
    min-height: 60px;
  }
  .sandwich .way {
    flex: none;
    line-height: 18px;
  }
  .middle {
    display: flex;
    flex: none;
    flex-wrap: wrap;
    gap: 0 12px;
    align-items: baseline;
    margin: 4px 0;
    padding: 4px 8px;
    border: 1px solid var(--vscode-focusBorder);
    border-radius: 3px;
    white-space: nowrap;
  }
  @media (max-width: 480px) {
    .middle > .figures {
      flex: 1 1 100%;
    }
  }
  @media (max-width: 820px) {
    .callers {
      grid-template-columns: minmax(0, 1fr);
      grid-template-rows: minmax(110px, 30%) minmax(0, 1fr);
      gap: 6px;
    }
    .callers .list {
      border-right: 0;
      border-bottom: 1px solid var(--bs-line);
    }
  }
`;
