import type { TemplateResult } from 'lit';
import { css, html, LitElement, nothing } from 'lit';
import type { Recommendation, Trial } from '../../src/model/run.ts';
import type { Column, Sort } from '../shared/figures.ts';
import { constantSettings, figureColumns, nextSort, sortTrials } from '../shared/figures.ts';
import type { Hues } from '../shared/hues.ts';
import { assignHues } from '../shared/hues.ts';
import { sharedStyles } from '../shared/sharedStyles.ts';
import { targetMark } from '../shared/targetMark.ts';
import type { SettingLabels } from '../shared/words.ts';

/** The figures that the charts show, as a table: sorted by click or by keyboard, the recommended rows tinted. */
export class FiguresTable extends LitElement {
  static override properties = {
    trials: { attribute: false },
    recommendations: { attribute: false },
    hues: { attribute: false },
    labels: { attribute: false },
    sort: { state: true },
  };

  static override styles = [
    sharedStyles,
    css`
      h2 {
        margin-bottom: 2px;
      }
      .scroller {
        margin-top: 4px;
      }
      th {
        padding: 0;
      }
      th button {
        display: block;
        width: 100%;
        padding: 4px 10px;
        border: 0;
        background: none;
        color: inherit;
        font: inherit;
        font-weight: 600;
        text-align: inherit;
        white-space: nowrap;
        cursor: pointer;
      }
      th button:hover {
        color: var(--vscode-textLink-activeForeground);
      }
      .arrow {
        display: inline-block;
        width: 1em;
        text-align: center;
        color: var(--bs-muted);
      }
      th.numeric .arrow {
        margin-left: -1em;
        transform: translateX(-0.2em);
      }
      tr.recommended {
        background: color-mix(in srgb, var(--bs-good) 10%, transparent);
      }
      tr.invalid td {
        color: var(--bs-muted);
      }
      td.reason {
        color: var(--bs-bad) !important;
        white-space: normal;
        min-width: 34em;
      }
      tbody tr:hover {
        background: var(--vscode-list-hoverBackground);
      }
    `,
  ];

  declare trials: readonly Trial[];
  declare recommendations: readonly Recommendation[];
  declare hues: Hues | null;
  declare labels: SettingLabels;
  declare sort: Sort | null;

  constructor() {
    super();
    this.trials = [];
    this.recommendations = [];
    this.hues = null;
    this.labels = {};
    this.sort = null;
  }

  protected override render(): TemplateResult {
    const columns = figureColumns(this.trials, this.recommendations, this.labels);
    const rows = sortTrials(this.trials, columns, this.sort);
    const constant = constantSettings(this.trials, this.labels);
    return html`
      <h2 id="heading">Figures</h2>
      <p class="note">${constant === '' ? nothing : `The same in all: ${constant}. `}Latency is of all requests of a trial.</p>
      <div class="scroller" role="region" aria-labelledby="heading" tabindex="0">
        <table>
          <thead>
            <tr>
              ${columns.map((column) => this.head(column))}
            </tr>
          </thead>
          <tbody>
            ${rows.map((trial) => this.row(trial, columns))}
          </tbody>
        </table>
      </div>
    `;
  }

  private head(column: Column): TemplateResult {
    const sorted = this.sort?.column === column.id ? (this.sort.descending ? 'descending' : 'ascending') : 'none';
    const arrow = html`<span class="arrow" aria-hidden="true">${sorted === 'none' ? '' : sorted === 'descending' ? '↓' : '↑'}</span>`;
    return html`<th class=${column.numeric ? 'numeric' : ''} scope="col" aria-sort=${sorted}>
      <button type="button" @click=${() => (this.sort = nextSort(this.sort, column))}>
        ${column.numeric ? html`${arrow}${column.title}` : html`${column.title}${arrow}`}
      </button>
    </th>`;
  }

  private row(trial: Trial, columns: readonly Column[]): TemplateResult {
    const recommended = this.recommendations.some(
      (recommendation) => recommendation.trialKey === trial.key && recommendation.value !== null,
    );
    const hues = this.hues ?? assignHues(this.trials.map((other) => ({ id: other.target, runtime: other.runtime })));
    return html`<tr class=${recommended ? 'recommended' : trial.valid ? '' : 'invalid'}>
      ${columns.map((column) => {
        const { text } = column.cell(trial);
        const kind = column.numeric
          ? `numeric ${column.muted ? 'muted' : ''}`
          : column.id === 'verdict'
            ? trial.valid
              ? 'muted'
              : 'reason'
            : '';
        return html`<td class=${kind}>${column.id === 'target' ? targetMark(hues.get(trial.target) ?? 0) : nothing}${text}</td>`;
      })}
    </tr>`;
  }
}

customElements.define('benchside-figures', FiguresTable);
