import { shortened } from '../../../src/model/domain/plainText.ts';
import { type TemplateResult, html, nothing } from 'lit';
import { unitOf } from './columnFigures.ts';
import type { FlameSession } from './flameSession.ts';
import './functionTable.ts';
import type { TableContent } from './functionTable.ts';
import type { PageActions, TableFilter } from './pageActions.ts';
import './segments.ts';
import { type TableOrder, changesOf, orderOf, rowsOnly } from './tableRows.ts';
import { remembered } from '../../../src/model/domain/remembered.ts';
import { wholeNumber } from '../../../src/model/domain/format.ts';
import type { FlameNames, FunctionTableColumns, Layout } from '../core/layout.ts';

/** The function table with, in a comparison, a switch for what appeared and what vanished. */
export function tablePane(session: FlameSession, actions: PageActions, filter: TableFilter, selected: number): TemplateResult {
  const table = session.answers.tables.value;
  const layout = session.answers.layouts.value;
  const { names } = session;
  const changes = session.comparing && table !== null ? changesOf(table) : null;
  const shown = table === null || changes === null || filter === 'all' ? table : rowsOnly(table, changes[filter]);
  return html`<div class="tablePane">
    ${
      changes === null
        ? nothing
        : html`<benchside-segments
            label="Functions"
            .value=${filter}
            .segments=${[
              { value: 'all', text: 'All functions' },
              {
                value: 'appeared',
                text: `Appeared ${wholeNumber(changes.appeared.length)}`,
                title: 'Functions that only this recording has',
              },
              {
                value: 'vanished',
                text: `Vanished ${wholeNumber(changes.vanished.length)}`,
                title: 'Functions that only the other recording has',
              },
            ]}
            @choose=${(event: CustomEvent<TableFilter>) => actions.filter(event.detail)}
          ></benchside-segments>`
    }
    ${functionTable(session, shown === null || layout === null || names === null ? null : contentOf(session, shown, layout, names), actions, selected, false)}
  </div>`;
}

export function functionTable(
  session: FlameSession,
  content: TableContent | null,
  actions: PageActions,
  selected: number,
  compact: boolean,
): TemplateResult {
  return html`<benchside-function-table
    .content=${content}
    .order=${kept(orderOf(session.options.sort, session.comparing))}
    .search=${kept({ text: session.search.text, regex: session.search.regex })}
    .selected=${selected}
    ?compact=${compact}
    @choose-function=${(event: CustomEvent<{ func: number }>) => actions.choose(event.detail.func)}
    @open-function=${(event: CustomEvent<{ func: number; beside: boolean }>) => session.openSource(event.detail.func, 0, event.detail.beside)}
    @function-menu=${(event: CustomEvent<{ func: number; x: number; y: number }>) => actions.functionMenu(event.detail.func, event.detail.x, event.detail.y)}
    @sort=${(event: CustomEvent<TableOrder>) => session.setOptions({ sort: event.detail })}
  ></benchside-function-table>`;
}

const contents = new WeakMap<FunctionTableColumns, { key: string; layout: Layout; content: TableContent }>();

/** The same object as long as nothing in it changes: the rows are sorted again only then. */
export function contentOf(session: FlameSession, table: FunctionTableColumns, layout: Layout, names: FlameNames): TableContent {
  const other = session.comparing ? shortened(session.b.title, 120) : null;
  const requests = session.comparing ? null : (session.a.head?.requests ?? null);
  // Where the order of time is drawn, the layout's total is a duration; the table's shares are of the weight.
  const total = layout.timeOrdered ? table.self.reduce((sum, value) => sum + value, 0) : layout.total;
  const key = `${other} ${requests} ${total} ${unitOf(layout)}`;
  const known = contents.get(table);
  if (known !== undefined && known.key === key && known.content.names === names) return known.content;
  const content: TableContent = { table, names, unit: unitOf(layout), total, requests, other };
  contents.set(table, { key, layout, content });
  return content;
}

const small = new Map<string, object>();

/** One object for equal values, so that a table does not take an equal one for a new one. */
function kept<T extends object>(value: T): T {
  if (small.size > 200) small.clear();
  return remembered(small, JSON.stringify(value), () => value) as T;
}
