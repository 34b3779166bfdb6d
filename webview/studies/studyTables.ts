import type { TemplateResult } from 'lit';
import { css, html, nothing } from 'lit';
import { figure, noFigure, orDash, wholeNumber } from '../../src/model/format.ts';
import type { PublishedTable, StudyRecord, SuccessRow } from '../../src/model/study.ts';
import type { MeasuredTable } from '../../src/model/studyTables.ts';
import type { IconName } from '../kit/controls/icons.ts';
import { icon } from '../kit/controls/icons.ts';

/** How the tables of a study look: captions above, what does not count hatched. */
export const studyTableStyles = css`
  .tables table {
    width: auto;
    min-width: min(100%, 280px);
  }
  .tables th,
  .tables td {
    padding: 3px 12px 3px 0;
  }
  .tables th.numeric,
  .tables td.numeric {
    padding: 3px 0 3px 18px;
  }
  /* Words after a figure do not stand at its last digit. */
  .tables .numeric + :not(.numeric) {
    padding-left: 18px;
  }
  .tables .scroller + .scroller {
    margin-top: 16px;
  }
  .tables th.numeric {
    min-width: 10ch;
  }
  .tables th {
    white-space: normal;
    vertical-align: bottom;
  }
  .tables td:first-child {
    max-width: 22em;
    overflow: hidden;
    text-overflow: ellipsis;
  }
  .tables .scroller {
    container-type: inline-size;
  }
  caption {
    padding-bottom: 4px;
    text-align: left;
    color: var(--bs-muted);
    font-size: 12px;
  }
  /* As wide as what is in sight of the table, however wide the table is. */
  caption span {
    display: block;
    max-width: 100cqw;
    white-space: normal;
  }
  .spread {
    display: inline-block;
    min-width: 5.5ch;
    margin-left: 6px;
    color: var(--bs-muted);
    font-size: 12px;
    text-align: left;
  }
  td.void {
    color: var(--bs-muted);
    text-decoration: line-through;
  }
  .word {
    display: inline-flex;
    align-items: center;
    gap: 4px;
  }
  .word.success {
    color: var(--bs-good);
  }
  .word.failure {
    color: var(--bs-bad);
  }
  .tables .trouble {
    padding-left: 18px;
  }
  td.trouble {
    white-space: normal;
    min-width: 14em;
    color: var(--bs-bad);
  }
`;

function scroller(label: string, table: TemplateResult): TemplateResult {
  return html`<div class="scroller" role="region" aria-label=${label} tabindex="0">${table}</div>`;
}

/** A table as it was published. Columns in which every cell is a number are aligned to the right. */
export function publishedTable({ caption, columns, rows }: PublishedTable): TemplateResult {
  const isNumber = (cell: string | number | undefined): boolean =>
    typeof cell === 'number' || (cell !== undefined && /^[-−+≈<>~]?\s?\d[\d,. ]*\s?%?$/.test(cell));
  const numeric = columns.map((_, index) => index > 0 && rows.every((row) => row[index] === undefined || isNumber(row[index])));
  const kind = (index: number): string => (numeric[index] ? 'numeric' : '');
  return scroller(
    caption,
    html`<table>
      <caption>
        <span>${caption}</span>
      </caption>
      <thead>
        <tr>
          ${columns.map((column, index) => html`<th scope="col" class=${kind(index)}>${column}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${rows.map(
          (row) =>
            html`<tr>
              ${row.map((cell, index) => html`<td class=${kind(index)}>${typeof cell === 'number' ? publishedNumber(cell) : cell}</td>`)}
            </tr>`,
        )}
      </tbody>
    </table>`,
  );
}

/** A published number with the digits that were published; thousands separated. */
function publishedNumber(value: number): string {
  return value.toLocaleString('en-US', { maximumFractionDigits: 3 });
}

/** What was measured, in the same layout. */
export function measuredTable({ caption, columns, rows }: MeasuredTable): TemplateResult {
  const spreads = columns.slice(1).map((_, index) => rows.some((row) => (row.cells[index]?.spread ?? '') !== ''));
  const spread = spreads.includes(true);
  return scroller(
    caption,
    html`<table>
      <caption>
        <span>${caption}${spread ? ' (± half of the 95 % interval)' : ''}</span>
      </caption>
      <thead>
        <tr>
          ${columns.map((column, index) => html`<th scope="col" class=${index === 0 ? '' : 'numeric'}>${column}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${rows.map(
          (row) =>
            html`<tr>
              <td title=${row.label}>${row.label}</td>
              ${row.cells.map(
                (cell, index) =>
                  html`<td
                    class=${`numeric ${cell.valid ? '' : 'void'}`}
                    title=${cell.valid ? nothing : `Not valid: ${cell.reasons.join('; ')}`}
                  >
                    ${cell.text}${spreads[index] ? html`<span class="spread">${cell.spread}</span>` : nothing}${
                      cell.valid ? nothing : html`<span class="visuallyHidden"> (not valid)</span>`
                    }
                  </td>`,
              )}
            </tr>`,
        )}
      </tbody>
    </table>`,
  );
}

const successIcons: Record<SuccessRow['word'], IconName> = { success: 'check', improvement: 'info', failure: 'error' };

/** Before against after, in the words of the study, with Welch’s p and our interval beside each other. */
export function successTable(rows: readonly SuccessRow[]): TemplateResult {
  return scroller(
    'Before against after',
    html`<table>
      <caption>
        <span>Words as published: below 10 % failure, 10 to 50 % improvement, above 50 % success.</span>
      </caption>
      <thead>
        <tr>
          <th scope="col">Figure</th>
          <th scope="col" class="numeric">before</th>
          <th scope="col" class="numeric">after</th>
          <th scope="col" class="numeric">change</th>
          <th scope="col" class="numeric">95 % interval</th>
          <th scope="col" class="numeric">Welch’s p</th>
          <th scope="col" class="numeric">in words</th>
        </tr>
      </thead>
      <tbody>
        ${rows.map(
          (row) =>
            html`<tr>
              <td>${row.what}</td>
              <td class="numeric">${row.before}</td>
              <td class="numeric">${row.after}</td>
              <td class="numeric">${row.change}</td>
              <td class="numeric muted">${row.interval ?? noFigure}</td>
              <td class="numeric muted">${row.welchP === null ? noFigure : pPhrase(row.welchP)}</td>
              <td class="numeric"><span class=${`word ${row.word}`}>${icon(successIcons[row.word])}${row.word}</span></td>
            </tr>`,
        )}
      </tbody>
    </table>`,
  );
}

/** "0.031", or "< 0.001": more digits say nothing. */
export function pPhrase(p: number): string {
  return p < 0.001 ? '< 0.001' : p.toFixed(3);
}

/** What each step of each role took. */
export function stepsTable(steps: StudyRecord['steps']): TemplateResult {
  const troubled = steps.some((step) => step.problem !== null);
  return scroller(
    'Steps of the roles',
    html`<table>
      <thead>
        <tr>
          <th scope="col">Role</th>
          <th scope="col">step</th>
          ${['requests', 'errors', 'mean ms', 'p50 ms', 'p95 ms', 'p99 ms', 'longest ms'].map((name) => html`<th scope="col" class="numeric">${name}</th>`)}
          ${troubled ? html`<th scope="col" class="trouble">what went wrong most often</th>` : nothing}
        </tr>
      </thead>
      <tbody>
        ${steps.map(
          (step) =>
            html`<tr>
              <td>${step.role}</td>
              <td>${step.step}</td>
              <td class="numeric">${wholeNumber(step.requests)}</td>
              <td class="numeric">${wholeNumber(step.errors)}</td>
              ${[step.meanMs, step.p50Ms, step.p95Ms, step.p99Ms, step.maxMs].map((ms) => html`<td class="numeric">${orDash(ms, figure)}</td>`)}
              ${troubled ? html`<td class="trouble">${step.problem ?? ''}</td>` : nothing}
            </tr>`,
        )}
      </tbody>
    </table>`,
  );
}
