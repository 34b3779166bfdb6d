import { type TemplateResult, css, html, LitElement, nothing, svg } from 'lit';
import { customElement, property } from 'lit/decorators.js';
import type { TimeBudget } from '../../../src/model/domain/run.ts';
import { figure } from '../../../src/model/domain/format.ts';
import { plainTable, titledColumns } from '../../../src/model/presentation/table.ts';
import { tableView } from '../controls/tableView.ts';
import { sharedStyles } from '../style/sharedStyles.ts';

/** One line of the chart: a trial and where its mean request's time goes. */
export interface TimeBudgetRow {
  label: string;
  budget: TimeBudget;
}

const parts = [
  { key: 'cpuMs', name: 'App CPU', color: 'var(--bs-kind-app)' },
  { key: 'poolWaitMs', name: 'Waiting for the pool', color: 'var(--bs-kind-pool)' },
  { key: 'databaseMs', name: 'Database (connection held)', color: 'var(--bs-kind-postgres)' },
  { key: 'heldIdleMs', name: 'Connection held, nothing asked', color: 'color-mix(in srgb, var(--bs-kind-postgres) 60%, var(--bs-bg))' },
  { key: 'otherMs', name: 'Queue, network, other', color: 'var(--bs-kind-generator)' },
] as const;

/** The parts that have a name here: a connection is seldom held for nothing, and then has no place in the legend. */
function namedParts(rows: readonly TimeBudgetRow[]): (typeof parts)[number][] {
  return parts.filter(({ key }) => key !== 'heldIdleMs' || rows.some(({ budget }) => budget.heldIdleMs > 0));
}

/** Where a request's time goes: one thin line of parts for each row, all on one scale, with the total at its end and the figures as a table. */
@customElement('benchside-time-budget')
export class TimeBudgetChart extends LitElement {
  static override styles = [
    sharedStyles,
    css`
      .head {
        display: flex;
        flex-wrap: wrap;
        align-items: baseline;
        gap: 2px 16px;
        margin-bottom: 6px;
      }
      .legend {
        display: flex;
        flex-wrap: wrap;
        gap: 2px 16px;
      }
      .legend svg {
        width: 10px;
        height: 10px;
        margin-right: 6px;
      }
      .lines {
        display: grid;
        grid-template-columns: fit-content(34%) minmax(80px, 1fr) max-content;
        gap: 4px 14px;
        align-items: center;
      }
      .total {
        text-align: right;
      }
      .line {
        display: block;
        width: 100%;
        height: 12px;
      }
      .edge {
        stroke: var(--bs-bg);
        stroke-width: 1;
      }
      details {
        margin-top: 6px;
      }
    `,
  ];

  @property({ attribute: false }) rows: readonly TimeBudgetRow[] = [];

  protected override render(): TemplateResult | typeof nothing {
    if (this.rows.length === 0) return nothing;
    const longestMs = Math.max(...this.rows.map((row) => row.budget.totalMs));
    const named = namedParts(this.rows);
    return html`<div class="head">
        <h2 id="budget">Where a request’s time goes</h2>
        <ul class="legend note" aria-hidden="true">
          ${named.map(
            (part) =>
              html`<li>
                <svg><rect fill=${part.color} width="10" height="10" rx="2"></rect></svg>${part.name}
              </li>`,
          )}
        </ul>
      </div>
      <div class="lines" role="img" aria-label=${this.rows.map(rowSentence).join(' ')}>
        ${this.rows.map(
          (row) =>
            html`<span class="label cut" title=${row.label}>${row.label}</span>
              <svg class="line">${lineParts(row.budget, longestMs)}</svg>
              <span class="total">${figure(row.budget.totalMs)} ms</span>`,
        )}
      </div>
      <details class="quiet">
        <summary>As a table</summary>
        ${tableView(
          plainTable(
            titledColumns(['ms of the mean request', ...named.map(({ name }) => name), 'Total'], 1),
            this.rows.map(({ label, budget }) => [label, ...named.map(({ key }) => figure(budget[key])), figure(budget.totalMs)]),
          ),
          { labelledBy: 'budget' },
        )}
      </details>`;
  }
}

/** Widths in percent, as attributes: the panel's policy refuses inline styles. */
function lineParts(budget: TimeBudget, longestMs: number): TemplateResult[] {
  let before = 0;
  return parts.flatMap((part) => {
    const share = longestMs > 0 ? (budget[part.key] / longestMs) * 100 : 0;
    const x = before;
    before += share;
    if (share <= 0) return [];
    return [
      svg`<rect fill=${part.color} x=${`${x}%`} width=${`${share}%`} height="12"><title>${`${part.name}: ${figure(budget[part.key])} of ${figure(budget.totalMs)} ms`}</title></rect>
        ${x > 0 ? svg`<line class="edge" x1=${`${x}%`} x2=${`${x}%`} y1="0" y2="12"></line>` : nothing}`,
    ];
  });
}

function rowSentence({ label, budget }: TimeBudgetRow): string {
  const said = parts.filter((part) => budget[part.key] > 0).map((part) => `${part.name.toLowerCase()} ${figure(budget[part.key])} ms`);
  return `${label}: ${figure(budget.totalMs)} ms, of which ${said.join(', ')}.`;
}
