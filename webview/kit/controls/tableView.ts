import { type TemplateResult, html, nothing } from 'lit';
import type { Cell, Table, TableColumn, TableRow } from '../../../src/model/presentation/table.ts';

/** What only one table has. */
export interface TableLook {
  /** Id of the heading that names it, or else its name; without both its caption is. */
  labelledBy?: string;
  label?: string;
  /** Classes of what it scrolls in. */
  look?: string;
  /** The content of a cell in place of its text; `null`: the text. */
  cell?: (row: TableRow, column: TableColumn, cell: Cell) => TemplateResult | null;
  /** What it says where it has no row. */
  empty?: string;
}

/** A table of the model, in something that scrolls; `sharedStyles` has its look. Rows of one trial begin with a class of their own. */
export function tableView(table: Table, look: TableLook): TemplateResult {
  const { caption, columns, rows } = table;
  const spreads = columns.map((_, index) => rows.some(({ cells }) => cells[index]?.spread !== undefined));
  const interval = spreads.includes(true) ? ' (± half of the 95 % interval)' : '';
  return html`<div
    class=${`scroller ${look.look ?? ''}`}
    role="region"
    aria-label=${look.labelledBy === undefined ? (look.label ?? caption ?? '') : nothing}
    aria-labelledby=${look.labelledBy ?? nothing}
    tabindex="0"
  >
    <table>
      ${
        caption === undefined
          ? nothing
          : html`<caption>
              <span>${caption}${interval}</span>
            </caption>`
      }
      <thead>
        ${headOf(columns)}
      </thead>
      <tbody>
        ${
          rows.length === 0 && look.empty !== undefined
            ? html`<tr>
                <td class="muted" colspan=${columns.length}>${look.empty}</td>
              </tr>`
            : nothing
        }
        ${rows.map(
          (row, index) =>
            html`<tr class=${names(row.valid ? '' : 'invalid', rows[index - 1]?.key === row.key ? '' : 'start')}>
              ${columns.map((column, at) => cellView(row, column, columns[at - 1], row.cells[at], spreads[at] === true, look))}
            </tr>`,
        )}
      </tbody>
    </table>
  </div>`;
}

/** One row of titles; common headings of several columns are in a row above. */
function headOf(columns: readonly TableColumn[]): TemplateResult {
  const title = (column: TableColumn, before: TableColumn | undefined, rows = 1): TemplateResult =>
    html`<th scope="col" class=${names(placeOf(column, before))} title=${column.full ?? nothing} rowspan=${rows}>${column.title}</th>`;
  if (columns.every(({ group }) => group === undefined))
    return html`<tr>
      ${columns.map((column) => title(column, undefined))}
    </tr>`;
  const under = columns.filter(({ group }) => group !== undefined);
  const groups = [...new Set(under.map(({ group }) => group))];
  return html`<tr>
      ${columns.filter(({ group }) => group === undefined).map((column) => title(column, undefined, 2))}
      ${groups.map((group) => html`<th colspan=${under.filter((one) => one.group === group).length} scope="colgroup" class="first group">${group}</th>`)}
    </tr>
    <tr>
      ${under.map((column, index) => title(column, under[index - 1]))}
    </tr>`;
}

function cellView(
  row: TableRow,
  column: TableColumn,
  before: TableColumn | undefined,
  cell: Cell | undefined,
  spread: boolean,
  { cell: inside }: TableLook,
): TemplateResult {
  if (cell === undefined) return html`<td></td>`;
  const { text, kind, title, discarded } = cell;
  const colour = discarded === undefined ? (kind ?? (column.muted ? 'muted' : '')) : 'void';
  return html`<td
    class=${names(placeOf(column, before), colour)}
    title=${discarded === undefined ? (title ?? nothing) : `Not valid: ${discarded.join('; ')}`}
  >
    ${inside?.(row, column, cell) ?? text}${spread ? html`<span class="spread">${cell.spread ?? ''}</span>` : nothing}${
      discarded === undefined ? nothing : html`<span class="visuallyHidden"> (not valid)</span>`
    }
  </td>`;
}

/** A line precedes the first column of each group. */
function placeOf({ numeric, group }: TableColumn, before: TableColumn | undefined): string {
  return names(numeric ? 'numeric' : '', group === undefined || before?.group === group ? '' : 'first');
}

function names(...all: readonly string[]): string {
  return all.filter((name) => name !== '').join(' ');
}
