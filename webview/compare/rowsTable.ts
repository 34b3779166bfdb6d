import type { TemplateResult } from 'lit';
import { css, html, nothing } from 'lit';
import type { Comparison, ComparisonRow } from '../../src/model/comparison.ts';
import { comparisonNote, comparisonTable } from '../../src/model/comparisonTable.ts';
import { whilePhrase } from '../../src/model/disturbanceWords.ts';
import type { Trial } from '../../src/model/run.ts';
import type { TableColumn, TableRow } from '../../src/model/table.ts';
import { unbroken } from '../kit/figures/words.ts';

type Sides = Pick<Comparison, 'a' | 'b'>;

/** How {@link rowsTable} looks. */
export const rowsTableStyles = css`
  /* Fifteen columns: all of them are seen at once from 1,300 px. */
  .rows th,
  .rows td {
    padding: 4px 5px;
  }
  .rows td.first,
  .rows th.first {
    border-left: 1px solid var(--bs-line);
  }
  .rows .good {
    color: var(--bs-good);
  }
  .rows .bad {
    color: var(--bs-bad);
  }
  .rows tbody tr:hover {
    background: var(--vscode-list-hoverBackground);
  }
  .rows .reasons {
    min-width: 16em;
    max-width: 34em;
    white-space: normal;
  }
  .rows th.group {
    text-align: left;
  }
`;

/** All figures of both sides with their changes, intervals and verdicts; trials that are not valid say why. */
export function rowsTable(comparison: Comparison): TemplateResult {
  const { columns, rows } = comparisonTable(comparison);
  const [setting, ...figures] = columns;
  const groups = [...new Set(figures.map(({ group }) => group ?? ''))];
  return html`<section class="rows" aria-labelledby="figures">
    <h2 id="figures">Figures side by side</h2>
    <p class="note">${comparisonNote(comparison)}</p>
    <div class="scroller" role="region" aria-labelledby="figures" tabindex="0">
      <table>
        <thead>
          <tr>
            <th rowspan="2" scope="col">${setting?.title ?? ''}</th>
            ${groups.map((group) => html`<th colspan=${figures.filter((one) => one.group === group).length} scope="colgroup" class="first group">${group}</th>`)}
          </tr>
          <tr>
            ${figures.map((column, index) => html`<th class=${lookOf({ ...column, muted: false }, figures[index - 1])} scope="col">${column.title}</th>`)}
          </tr>
        </thead>
        <tbody>
          ${rows.map((row, index) => rowOf(row, figures, comparison, comparison.rows[index]))}
        </tbody>
      </table>
    </div>
  </section>`;
}

function rowOf(
  { cells, reasons }: TableRow,
  figures: readonly TableColumn[],
  sides: Sides,
  compared: ComparisonRow | undefined,
): TemplateResult {
  const [label, ...others] = cells;
  return html`<tr>
    <td>
      ${label?.text ?? ''}${reasons.length === 0 ? nothing : html`<p class="note reasons">${unbroken(reasons.join('. '))}</p>`}${compared === undefined ? nothing : disturbedSides(compared, sides)}
    </td>
    ${others.map(({ text, kind, title }, index) => {
      const column = figures[index];
      const look = column === undefined ? '' : lookOf(column, figures[index - 1]);
      return html`<td class=${`${look} ${kind ?? (column?.numeric === true ? '' : 'muted')}`} title=${title ?? ''}>${text}</td>`;
    })}
  </tr>`;
}

/** A line stands before each group. */
function lookOf({ numeric, muted, group }: TableColumn, before: TableColumn | undefined): string {
  return [numeric ? 'numeric' : '', muted ? 'muted' : '', before?.group === group ? '' : 'first'].filter((name) => name !== '').join(' ');
}

/** What was taken of the CPU on either side, where that is noticeable: it widens intervals and is no reason against the figures. */
function disturbedSides({ a, b }: ComparisonRow, sides: Sides): TemplateResult | typeof nothing {
  const said = (side: string, trial: Trial | null): string[] => {
    const words = whilePhrase(trial?.disturbance ?? null);
    return words === '' ? [] : [`${side} ${words}`];
  };
  const all = [...said(sides.a.name, a), ...said(sides.b.name, b)];
  return all.length === 0 ? nothing : html`<p class="note reasons">${all.join(', ')}</p>`;
}
