import type { TemplateResult } from 'lit';
import { css, html, LitElement, nothing } from 'lit';
import type { RunRecord, RunSummary } from '../../src/model/run.ts';
import '../result/comparisonCharts.ts';
import '../result/figuresTable.ts';
import '../result/recommendationCards.ts';
import '../result/resourceUse.ts';
import type { Hues } from '../shared/hues.ts';
import { icon } from '../shared/icons.ts';
import { sharedStyles } from '../shared/sharedStyles.ts';
import type { SettingLabels } from '../shared/words.ts';
import { clockPhrase } from '../shared/words.ts';
import { failureBox, messageBox } from './messageBox.ts';
import { messageStyles } from './messageStyles.ts';

/** How many runs the empty view offers. */
const offeredRuns = 8;

/** The result of a run: the answer, the pictures, the table. Without a run, what to do to get one. */
export class ResultView extends LitElement {
  static override properties = {
    run: { attribute: false },
    runs: { attribute: false },
    hues: { attribute: false },
    labels: { attribute: false },
    loading: { type: Boolean },
    canRun: { type: Boolean },
  };

  static override styles = [
    sharedStyles,
    messageStyles,
    css`
      .part {
        margin-bottom: 26px;
      }
      ul {
        margin: 8px 0 0;
        padding: 0;
        list-style: none;
      }
      .runs li {
        display: grid;
        grid-template-columns: 130px 1fr;
        gap: 12px;
        align-items: baseline;
        padding: 1px 0 1px 26px;
      }
      .runs .linkButton {
        text-align: left;
      }
    `,
  ];

  declare run: RunRecord | null;
  declare runs: readonly RunSummary[] | null;
  declare hues: Hues;
  declare labels: SettingLabels;
  declare loading: boolean;
  declare canRun: boolean;

  constructor() {
    super();
    this.run = null;
    this.runs = null;
    this.hues = new Map();
    this.labels = {};
    this.loading = false;
    this.canRun = false;
  }

  protected override render(): TemplateResult {
    const { run } = this;
    if (!run) return this.empty();
    const measured = run.trials.some((trial) => trial.requests > 0 || trial.throughput.blocks.length > 0);
    return html`
      ${this.state(run)}
      ${
        measured
          ? html`
              <benchside-cards class="part" .run=${run} .hues=${this.hues} ?canRun=${this.canRun}></benchside-cards>
              <benchside-comparison-charts
                class="part"
                .trials=${run.trials}
                .recommendations=${run.recommendations}
                .hues=${this.hues}
                .labels=${this.labels}
              ></benchside-comparison-charts>
              <benchside-resource-use class="part" .trials=${run.trials}></benchside-resource-use>
              <benchside-figures
                class="part"
                .trials=${run.trials}
                .recommendations=${run.recommendations}
                .hues=${this.hues}
                .labels=${this.labels}
              ></benchside-figures>
            `
          : nothing
      }
      ${
        run.notes.length === 0
          ? nothing
          : html`<ul class="note" aria-label="Notes">
              ${run.notes.map((note) => html`<li>${icon('info')} ${note}</li>`)}
            </ul>`
      }
    `;
  }

  private state(run: RunRecord): TemplateResult | typeof nothing {
    if (run.failure && run.state === 'failed') {
      return failureBox(run.failure, [
        { text: 'Show Log', run: () => this.tell('show-log') },
        { text: 'Check This Machine', run: () => this.tell('check-machine') },
      ]);
    }
    if (run.state === 'cancelled') {
      return messageBox({
        icon: 'warning',
        kind: 'warning',
        title: 'This run was cancelled.',
        text: 'What was measured until then is shown. It is not enough to recommend anything.',
      });
    }
    if (!run.valid && run.reasons.length > 0) {
      const invalid = run.trials.filter((trial) => !trial.valid).length;
      const all = invalid === run.trials.length;
      return messageBox({
        icon: 'warning',
        kind: 'warning',
        title: all ? 'This run is not valid.' : `${invalid} of ${run.trials.length} trials ${invalid === 1 ? 'is not valid and takes' : 'are not valid and take'} part in no comparison.`,
        lines: run.reasons,
      });
    }
    return nothing;
  }

  private empty(): TemplateResult {
    if (this.loading || this.runs === null) return messageBox({ icon: 'info', title: 'Loading…' });
    const runs = this.runs.flatMap((run) => (run.kind === 'run' ? [run] : []));
    if (runs.length === 0) {
      return messageBox({
        icon: 'info',
        title: 'No run yet.',
        text: 'Choose a target and two or three pool sizes, then press Run. PostgreSQL and the target are started, measured and stopped for you.',
        actions: [{ text: 'Check This Machine', run: () => this.tell('check-machine') }],
      });
    }
    const now = new Date();
    return html`${messageBox({ icon: 'info', title: 'Choose a run to look at, or press Run for a new one.' })}
      <ul class="runs" aria-label="Latest runs">
        ${runs.slice(0, offeredRuns).map(
          (run) =>
            html`<li>
              <span class="muted">${clockPhrase(run.startedAt, now)}</span>
              <button class="linkButton" type="button" @click=${() => this.tell('open-run', run.id)}>
                ${run.headline || run.title}${run.valid ? '' : ' (not valid)'}
              </button>
            </li>`,
        )}
      </ul>`;
  }

  private tell(type: string, detail?: string): void {
    this.dispatchEvent(new CustomEvent(type, { detail, bubbles: true, composed: true }));
  }
}

customElements.define('benchside-result', ResultView);
