import type { TemplateResult } from 'lit';
import { css, html, LitElement, nothing } from 'lit';
import type { Form } from '../../src/model/panel.ts';
import { isWide } from '../../src/model/intervalWidth.ts';
import type { Recommendation, Trial } from '../../src/model/run.ts';
import { ask } from '../kit/page/ask.ts';
import type { Column, Sort } from '../kit/figures/figures.ts';
import { constantSettings, figureColumns, nextSort, sortTrials } from '../kit/figures/figures.ts';
import type { Hues } from '../kit/style/hues.ts';
import { assignHues } from '../kit/style/hues.ts';
import { icon } from '../kit/controls/icons.ts';
import { sharedStyles } from '../kit/style/sharedStyles.ts';
import { targetMark } from '../kit/controls/targetMark.ts';
import type { SettingLabels } from '../kit/figures/words.ts';

/** The figures that the charts show, as a table: sorted by click or by keyboard, the recommended rows tinted. */
export class FiguresTable extends LitElement {
  static override properties = {
    trials: { attribute: false },
    recommendations: { attribute: false },
    hues: { attribute: false },
    labels: { attribute: false },
    /** The stored run whose rows can be run again and compared; null: they cannot. */
    runId: { attribute: false },
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
      td {
        padding: 4px 8px;
      }
      th button {
        display: block;
        width: 100%;
        padding: 4px 8px;
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
      td.good {
        color: var(--bs-good);
      }
      td.bad {
        color: var(--bs-bad);
      }
      td.actions {
        position: sticky;
        right: 0;
        padding: 0 10px;
        text-align: right;
        background: linear-gradient(to right, transparent, var(--bs-bg) 12px);
      }
      td.actions .linkButton {
        margin-left: 8px;
        color: var(--bs-muted);
        font-size: 12px;
      }
      /* Not proven, and with an interval wider than is asked for: no green over noise. */
      tr.unsure {
        background: color-mix(in srgb, var(--bs-warning) 10%, transparent);
      }
      tr.recommended td.actions {
        background: color-mix(in srgb, var(--bs-good) 10%, var(--bs-bg));
      }
      tr.unsure td.actions {
        background: color-mix(in srgb, var(--bs-warning) 10%, var(--bs-bg));
      }
      thead td.actions {
        border-bottom-color: var(--bs-line);
      }
      @media (max-width: 899px) {
        td.actions {
          position: static;
        }
      }
      tr:hover td.actions .linkButton,
      tr:focus-within td.actions .linkButton {
        color: var(--vscode-textLink-foreground);
      }
      /* A reason is a sentence: under its row it has the width of the table, in a column it would be cut off. */
      tr.withReason td {
        border-bottom-color: transparent;
      }
      tr.reason td {
        padding-top: 0;
        color: var(--bs-bad);
        white-space: normal;
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
  declare runId: string | null;
  declare sort: Sort | null;

  constructor() {
    super();
    this.trials = [];
    this.recommendations = [];
    this.hues = null;
    this.labels = {};
    this.runId = null;
    this.sort = null;
  }

  protected override render(): TemplateResult {
    const columns = figureColumns(this.trials, this.recommendations, this.labels);
    const rows = sortTrials(this.trials, columns, this.sort);
    const constant = constantSettings(this.trials, this.labels);
    const disturbed = columns.some((column) => column.id === 'taken');
    const estimated = columns.some((column) => column.id === 'leftAlone');
    const objective = (this.trials.find((trial) => trial.slo)?.slo?.rows ?? []).map((row) => `${row.what} ${row.limit}`).join(', ');
    return html`
      <h2 id="heading">Figures</h2>
      <p class="note">
        ${constant === '' ? nothing : `The same in all: ${constant}. `}Latency is of all requests of a
        trial.${disturbed ? ' CPU taken: the share that other machines and programs took away meanwhile.' : ''}${
          estimated ? ' Left alone: an estimate of a machine that nobody else uses, from CPU per request.' : ''
        }${objective === '' ? nothing : ` Objective: ${objective}.`}
      </p>
      <div class="scroller" role="region" aria-labelledby="heading" tabindex="0">
        <table>
          <thead>
            <tr>
              ${columns.map((column) => this.head(column))}
              ${this.runId === null ? nothing : html`<td class="actions"><span class="visuallyHidden">What can be done with a row</span></td>`}
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
    const recommended = this.recommendations.find(
      (recommendation) => recommendation.trialKey === trial.key && recommendation.value !== null,
    );
    const mark =
      recommended === undefined
        ? ''
        : recommended.status !== 'confirmed' && isWide(trial.throughput)
          ? 'recommended unsure'
          : 'recommended';
    const hues = this.hues ?? assignHues(this.trials.map((other) => ({ id: other.target, runtime: other.runtime })));
    const figures = html`<tr class=${mark !== '' ? mark : trial.valid ? '' : 'invalid withReason'}>
      ${columns.map((column) => {
        const { text, kind: verdict, title } = column.cell(trial);
        const kind = column.numeric ? `numeric ${column.muted ? 'muted' : ''}` : column.id === 'verdict' ? 'muted' : '';
        return html`<td class=${`${kind} ${verdict ?? ''}`} title=${title ?? nothing}>
          ${column.id === 'target' ? targetMark(hues.get(trial.target) ?? 0) : nothing}${column.id === 'verdict' && !trial.valid ? 'not valid' : text}
        </td>`;
      })}
      ${this.runId === null ? nothing : html`<td class="actions">${this.actions(trial, this.runId)}</td>`}
    </tr>`;
    if (trial.valid) return figures;
    return html`${figures}
      <tr class="reason">
        <td colspan=${columns.length + (this.runId === null ? 0 : 1)}>
          Not valid: ${trial.reasons.join('; ') || 'no reason was recorded'}
        </td>
      </tr>`;
  }

  private actions(trial: Trial, runId: string): TemplateResult {
    const best = bestTrial(this.trials, trial.target);
    const compare = (key: string): void => ask(this, { type: 'compare', a: runId, b: runId, trialA: key, trialB: trial.key });
    return html`${
        best === null || best === trial
          ? nothing
          : html`<button
              class="linkButton"
              type="button"
              @click=${() => compare(best.key)}
              aria-label="Compare with best"
              title="Compare with the best setting of its target"
            >
              ${icon('compare')}
            </button>`
      }${
        trial.statements === undefined
          ? nothing
          : html`<button
              class="linkButton"
              type="button"
              @click=${() => ask(this, { type: 'showStatements', runId, trialKey: trial.key })}
              aria-label="Open the SQL"
              title="Open the SQL (what PostgreSQL spent its time on, with plans)"
            >
              ${icon('database')}
            </button>`
      }<button
        class="linkButton"
        type="button"
        @click=${() => this.fillForm(trial)}
        aria-label="Run again…"
        title="Run again… (puts the values of this row into the form)"
      >
        ${icon('again')}
      </button>`;
  }

  /** The values of a row, as the form wants them; the second click is on Run. */
  private fillForm(trial: Trial): void {
    const values = Object.fromEntries(Object.entries(trial.settings).map(([name, value]) => [name, String(value)]));
    const detail: Partial<Form> = { targets: [trial.target], values, connections: String(trial.connections) };
    this.dispatchEvent(new CustomEvent('fill-form', { detail, bubbles: true, composed: true }));
  }
}

/** The valid trial of a target with the highest throughput. */
function bestTrial(trials: readonly Trial[], target: string): Trial | null {
  const valid = trials.filter((trial) => trial.target === target && trial.valid && trial.throughput.mean > 0);
  return valid.sort((a, b) => b.throughput.mean - a.throughput.mean)[0] ?? null;
}

customElements.define('benchside-figures', FiguresTable);
