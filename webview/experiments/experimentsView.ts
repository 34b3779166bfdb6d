import { type TemplateResult, css, html, LitElement, nothing } from 'lit';
import { customElement, property } from 'lit/decorators.js';
import type { RunRecord, RunSummary } from '../../src/model/domain/run.ts';
import type { ExperimentRecord } from '../../src/model/domain/experiment.ts';
import { ask, tell } from '../kit/page/ask.ts';
import { button, linkButton } from '../kit/controls/buttons.ts';
import { sharedStyles } from '../kit/style/sharedStyles.ts';
import { endOfProgress, stateOfRun } from '../progress/runStates.ts';
import '../progress/whileItRuns.ts';
import { messageBox, messageStyles } from '../kit/controls/messageBox.ts';
import { type RunSoFar, isRunning } from '../progress/runSoFar.ts';
import '../progress/statusLine.ts';
import { experimentList, experimentListStyles } from './experimentList.ts';
import type { ListedExperiments } from './listedExperiments.ts';
import './experimentPage.ts';
import type { SettingLabels } from '../../src/model/presentation/settingWords.ts';

/** The published experiments: their list, or the page of the one that runs or is on show. */
@customElement('benchside-experiments')
export class ExperimentsView extends LitElement {
  static override styles = [
    sharedStyles,
    messageStyles,
    experimentListStyles,
    css`
      .top {
        gap: 4px 20px;
        min-height: 28px;
        margin-bottom: 8px;
      }
      .top benchside-status {
        flex: 1 1 260px;
        min-width: 0;
      }
      .top vscode-button {
        margin-left: auto;
      }
      @media (max-width: 899px) {
        .top benchside-status {
          order: 1;
          flex-basis: 100%;
        }
      }
      .now {
        padding-bottom: 4px;
        margin-bottom: 14px;
        border-bottom: 1px solid var(--bs-grid);
      }
    `,
  ];

  @property({ attribute: false }) experiments: ListedExperiments | null = null;
  @property({ attribute: false }) runs: readonly RunSummary[] | null = null;
  /** The experiment in progress, or the stored one on show; without either, and where `list` says so, the list is shown. */
  @property({ attribute: false }) progress: RunSoFar | null = null;
  @property({ attribute: false }) run: RunRecord | null = null;
  @property({ type: Boolean }) list = false;
  /** An experiment was started and has reported nothing yet. */
  @property({ type: Boolean }) awaiting = false;
  @property({ attribute: false }) labels: SettingLabels = {};
  /** What is being measured now, whatever it is; null: nothing is. */
  @property({ attribute: false }) underWay: RunSoFar | null = null;
  /** Why nothing can be started although the machine is free. */
  @property({ attribute: false }) blocked: string | null = null;
  /** A request that has not started. */
  @property({ type: Boolean }) starting = false;
  @property({ type: Boolean }) canRun = false;

  protected override render(): TemplateResult {
    const { progress, run } = this;
    const record = progress ? recordSoFar(progress) : run?.result.kind === 'experiment' ? run.result : null;
    if (!this.list && record === null && this.awaiting && isRunning(progress)) {
      return html`<div class="top flow">${this.#progressNow()}</div>
        ${messageBox({ title: 'The experiment is being prepared…', text: 'What it needs is started; figures appear here as they are measured.' })}
        <benchside-while-it-runs .progress=${progress}></benchside-while-it-runs>`;
    }
    if (this.list || record === null) {
      return html`${this.#runningNow(record !== null)}
      ${experimentList({ experiments: this.experiments, runs: this.runs, hold: this.#hold(), canRun: this.canRun, from: this })}`;
    }
    return html`<div class="top flow">${linkButton('← All experiments', () => tell(this, 'show-list'))} ${this.#progressNow()}</div>
      ${progress ? endOfProgress(progress, this.runs !== null && this.runs.length > 0, () => tell(this, 'close-progress'), this) : nothing}
      ${run && !progress ? stateOfRun(run, this) : nothing}
      <benchside-experiment
        .record=${record}
        .trials=${progress?.trials ?? run?.trials ?? []}
        .run=${progress ? null : run}
        .listed=${this.experiments?.list ?? []}
        .labels=${this.labels}
        .notes=${progress?.notes ?? run?.notes ?? []}
        ?canRun=${this.canRun}
      ></benchside-experiment>
      ${isRunning(progress) ? html`<benchside-while-it-runs .progress=${progress}></benchside-while-it-runs>` : nothing}`;
  }

  /** What is going on while the list is shown. */
  #runningNow(hasPage: boolean): TemplateResult | typeof nothing {
    const { underWay } = this;
    if (underWay === null) {
      if (!hasPage) return nothing;
      return html`<div class="top flow">${linkButton('Back to the experiment on show →', () => tell(this, 'show-page'))}</div>`;
    }
    return html`<div class="now">
      <benchside-status .run=${underWay}></benchside-status>
      ${messageBox({
        title: `${underWay.title} is being measured.`,
        text: 'The machine measures one thing at a time: the experiments can be started when it is over.',
        actions: [
          { text: 'Show It', run: () => tell(this, 'show-page') },
          { text: 'Cancel', run: () => ask(this, { type: 'cancelRun' }) },
        ],
      })}
    </div>`;
  }

  /** How far what is measured now is, in the row that is there anyway: nothing moves when it begins or ends. */
  #progressNow(): TemplateResult | typeof nothing {
    const { underWay } = this;
    const hold = this.#hold();
    if (underWay === null) return hold === null ? nothing : html`<span class="note" role="status">${hold}</span>`;
    return html`<benchside-status .run=${underWay}></benchside-status> ${button('Cancel', () => ask(this, { type: 'cancelRun' }))}`;
  }

  /** Why nothing can be started now, where that is not in sight anyway. */
  #hold(): string | null {
    return this.starting ? 'Starting…' : this.blocked;
  }
}

function recordSoFar({ found }: RunSoFar): ExperimentRecord | null {
  return found?.kind === 'experiment' ? found.record : null;
}
