import { type TemplateResult, css, html, LitElement, nothing } from 'lit';
import { customElement, property, state } from 'lit/decorators.js';
import { defaultDelta } from '../../src/model/domain/margin.ts';
import type { Form } from '../../src/model/protocol/panel.ts';
import type { Recommendation, Trial } from '../../src/model/domain/run.ts';
import { ask } from '../kit/page/ask.ts';
import { linkButton } from '../kit/controls/buttons.ts';
import { icon } from '../kit/controls/icons.ts';
import { unbroken } from '../kit/figures/words.ts';
import { sharedStyles } from '../kit/style/sharedStyles.ts';
import { targetMark } from '../kit/controls/targetMark.ts';
import { runTable, tableNote } from '../../src/model/presentation/runTable.ts';
import { type SettingLabels, recommendedLabels } from '../../src/model/presentation/settingWords.ts';
import type { TableColumn, TableRow } from '../../src/model/presentation/table.ts';
import type { TuningAnswer } from '../../src/model/domain/tuning.ts';
import { type Sort, nextSort, sortedRows } from './rowOrder.ts';

/** The figures that the charts show, as a table: sorted by click or by keyboard, the recommended rows tinted. */
@customElement('benchside-figures')
export class MetricsTable extends LitElement {
  static override styles = [
    sharedStyles,
    css`
      h2 {
        margin-bottom: 2px;
      }
      .scroller {
        container-type: inline-size;
        margin-top: 4px;
      }
      /* Titles and notes wrap, so that the last column is visible too: nothing covers it, and little has to be scrolled to. */
      th {
        padding: 0;
        vertical-align: bottom;
      }
      td {
        padding: 4px 7px;
      }
      th button {
        display: block;
        width: 100%;
        padding: 4px 7px;
        font-weight: 600;
        text-align: inherit;
        white-space: normal;
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
        background: color-mix(in srgb, var(--bs-good) var(--bs-tint), transparent);
      }
      tr.invalid td {
        color: var(--bs-muted);
      }
      th:not(.numeric) button {
        white-space: nowrap;
      }
      td.notes {
        white-space: normal;
        overflow-wrap: anywhere;
        min-width: 10em;
      }
      td.actions {
        padding: 0 4px;
        text-align: right;
      }
      td.actions .linkButton {
        margin-left: 8px;
        color: var(--bs-muted);
        font-size: 12px;
      }
      /* Not proven, and with an interval wider than is asked for: no green over noise. */
      tr.unsure {
        background: color-mix(in srgb, var(--bs-warning) var(--bs-tint), transparent);
      }
      thead td.actions {
        border-bottom-color: var(--bs-line);
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
      /* As wide as the visible part of the table, and in place wherever it is scrolled to. */
      tr.reason span {
        display: block;
        position: sticky;
        left: 5px;
        width: max-content;
        max-width: calc(100cqw - 14px);
      }
      @container (max-width: 1000px) {
        td,
        th button {
          padding-inline: 4px;
        }
        td.actions .linkButton {
          margin-left: 5px;
        }
      }
      tbody tr:hover {
        background: var(--vscode-list-hoverBackground);
      }
    `,
  ];

  @property({ attribute: false }) trials: readonly Trial[] = [];
  @property({ attribute: false }) recommendations: readonly Recommendation[] = [];
  /** Of a tuning. */
  @property({ attribute: false }) answers: readonly TuningAnswer[] = [];
  /** δ of the run, a share. */
  @property({ attribute: false }) delta = defaultDelta;
  @property({ attribute: false }) labels: SettingLabels = {};
  /** The stored run whose rows can be run again and compared; null: they cannot. */
  @property({ attribute: false }) runId: string | null = null;
  @state() sort: Sort | null = null;

  protected override render(): TemplateResult {
    const { trials, recommendations, answers, delta } = this;
    const shown = { trials, recommendations, answers, delta, labels: { ...this.labels, ...recommendedLabels(recommendations) } };
    const table = runTable(shown);
    const { columns } = table;
    return html`
      <h2 id="heading">Figures</h2>
      <p class="note">${tableNote(shown)}</p>
      <div class="scroller" role="region" aria-labelledby="heading" tabindex="0">
        <table>
          <thead>
            <tr>
              ${columns.map((column) => this.#head(column))}
              ${this.runId === null ? nothing : html`<td class="actions"><span class="visuallyHidden">What can be done with a row</span></td>`}
            </tr>
          </thead>
          <tbody>
            ${sortedRows(table, this.sort).map((row, index, rows) => this.#row(row, columns, rows[index - 1]))}
          </tbody>
        </table>
      </div>
    `;
  }

  #head(column: TableColumn): TemplateResult {
    const sorted = this.sort?.column === column.id ? (this.sort.descending ? 'descending' : 'ascending') : 'none';
    const arrow = html`<span class="arrow" aria-hidden="true">${sorted === 'none' ? '' : sorted === 'descending' ? '↓' : '↑'}</span>`;
    return html`<th class=${column.numeric ? 'numeric' : ''} scope="col" aria-sort=${sorted}>
      <button type="button" @click=${() => (this.sort = nextSort(this.sort, column))}>
        ${column.numeric ? html`${arrow}${column.title}` : html`${column.title}${arrow}`}
      </button>
    </th>`;
  }

  #row(row: TableRow, columns: readonly TableColumn[], before: TableRow | undefined): TemplateResult {
    const { valid, reasons, mark } = row;
    const look = [mark === 'unsure' ? 'recommended unsure' : (mark ?? ''), valid ? '' : 'invalid', reasons.length > 0 ? 'withReason' : ''];
    const trial = this.trials.find(({ key }) => key === row.key);
    const figures = html`<tr class=${look.filter((name) => name !== '').join(' ')}>
      ${columns.map(({ id, numeric, muted }, index) => {
        const { text = '', kind = '', title } = row.cells[index] ?? {};
        const place = numeric ? `numeric ${muted ? 'muted' : ''}` : id === 'notes' ? 'notes muted' : '';
        return html`<td class=${`${place} ${kind}`} title=${title ?? nothing}>
          ${id === 'target' && row.target !== null ? targetMark(row.target) : nothing}${text}
        </td>`;
      })}
      ${this.runId === null || trial === undefined ? nothing : html`<td class="actions">${this.#actions(trial, this.runId)}</td>`}
    </tr>`;
    if (reasons.length === 0) return figures;
    const why = reasonsOf(row);
    // A load generator that is saturated is so in every row: the reason is written once.
    const said = before !== undefined && reasonsOf(before) === why ? 'as above' : why;
    return html`${figures}
      <tr class="reason">
        <td colspan=${columns.length + (this.runId === null ? 0 : 1)}>
          <span>${unbroken(`${valid ? '' : 'Not valid: '}${said}`)}</span>
        </td>
      </tr>`;
  }

  #actions(trial: Trial, runId: string): TemplateResult {
    const best = bestTrial(this.trials, trial.target);
    const compare = (key: string): void => ask(this, { type: 'compare', a: runId, b: runId, trialA: key, trialB: trial.key });
    return html`${
      best === null || best === trial
        ? nothing
        : linkButton(icon('compare'), () => compare(best.key), {
            label: 'Compare with best',
            title: 'Compare with the best setting of its target',
          })
    }${
      trial.statements === undefined
        ? nothing
        : linkButton(icon('database'), () => ask(this, { type: 'showStatements', runId, trialKey: trial.key }), {
            label: 'Open the SQL',
            title: 'Open the SQL (what PostgreSQL spent its time on, with plans)',
          })
    }${linkButton(icon('again'), () => this.#fillForm(trial), {
      label: 'Run again…',
      title: 'Run again… (puts the values of this row into the form)',
    })}`;
  }

  /** The values of a row, as the form wants them; the second click is on Run. */
  #fillForm(trial: Trial): void {
    const values = Object.fromEntries(Object.entries(trial.settings).map(([name, value]) => [name, String(value)]));
    const detail: Partial<Form> = { targets: [trial.target], values, connections: String(trial.connections) };
    this.dispatchEvent(new CustomEvent('fill-form', { detail, bubbles: true, composed: true }));
  }
}

function reasonsOf({ reasons }: TableRow): string {
  return reasons.join('; ');
}

/** The valid trial of a target with the highest throughput. */
function bestTrial(trials: readonly Trial[], target: string): Trial | null {
  const valid = trials.filter((trial) => trial.target === target && trial.valid && trial.throughput.mean > 0);
  return valid.sort((a, b) => b.throughput.mean - a.throughput.mean)[0] ?? null;
}
