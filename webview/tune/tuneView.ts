import { type TemplateResult, css, html, LitElement, nothing } from 'lit';
import { customElement, property } from 'lit/decorators.js';
import './heatMap.ts';
import '../kit/charts/timeBudget.ts';
import type { RunRecord, RunSummary } from '../../src/model/domain/run.ts';
import { noteTexts } from '../../src/model/presentation/runNotes.ts';
import type { SettingValues } from '../../src/model/domain/setting.ts';
import type { TuningAnswer } from '../../src/model/domain/tuning.ts';
import '../result/comparisonCharts.ts';
import '../result/interferenceStrip.ts';
import '../result/metricsTable.ts';
import '../result/recommendationCards.ts';
import '../result/resourceUseCharts.ts';
import '../verdict/verdictCards.ts';
import { linkButton } from '../kit/controls/buttons.ts';
import { notesList } from '../kit/controls/sections.ts';
import { tell } from '../kit/page/ask.ts';
import { sharedStyles } from '../kit/style/sharedStyles.ts';
import { messageBox, messageStyles } from '../kit/controls/messageBox.ts';
import { failingRouteStyles } from '../progress/failingRoute.ts';
import { type RunSoFar, isRunning } from '../progress/runSoFar.ts';
import './answerCards.ts';
import { chooseARun, endOfProgress, stateOfRun } from '../progress/runStates.ts';
import { type Shown, shownProgress, shownRun } from './shown.ts';
import { soFarCards, soFarStyles } from '../progress/soFarCards.ts';
import '../progress/whileItRuns.ts';
import type { SettingLabels } from '../../src/model/presentation/settingWords.ts';
import { recommendedSetting } from '../../src/model/domain/tuningAnswers.ts';
import { targetMarkOf } from '../../src/model/presentation/targetHue.ts';

/** The answer, the pictures, the table: of a run, or of one in progress, for which they build up at the same places. */
@customElement('benchside-tune')
export class TuneView extends LitElement {
  static override styles = [
    sharedStyles,
    messageStyles,
    ...soFarStyles,
    ...failingRouteStyles,
    css`
      .part {
        display: block;
        margin-bottom: 18px;
      }
      .underWay {
        display: grid;
        grid-template-columns: minmax(0, 1fr);
        gap: 14px 24px;
      }
      .underWay > .known {
        display: contents;
      }
      .known > :not(:first-child) {
        order: 1;
      }
      .known > .part:last-child {
        margin-bottom: 0;
      }
      /* Where there is room, what it knows on one side and what it does on the other, each as long as it is. */
      @media (min-width: 1100px) {
        .underWay {
          grid-template-columns: minmax(0, 1fr) minmax(0, 1fr);
          align-items: start;
        }
        .underWay > .known {
          display: grid;
          grid-template-columns: minmax(0, 1fr);
          gap: 14px;
        }
        .known > :not(:first-child) {
          margin-top: 6px;
        }
      }
      .experiment {
        margin-bottom: 10px;
      }
      ul {
        margin: 8px 0 0;
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

  @property({ attribute: false }) progress: RunSoFar | null = null;
  @property({ attribute: false }) run: RunRecord | null = null;
  @property({ attribute: false }) runs: readonly RunSummary[] | null = null;
  @property({ attribute: false }) labels: SettingLabels = {};
  @property({ attribute: false }) applied: Readonly<Record<string, SettingValues>> = {};
  @property({ type: Boolean }) loading = false;
  @property({ type: Boolean }) canRun = false;
  @property({ type: Boolean }) lookingBack = false;

  protected override render(): TemplateResult {
    const { progress, run } = this;
    if (progress) {
      const ended = endOfProgress(progress, this.runs !== null && this.runs.length > 0, () => tell(this, 'close-progress'), this);
      const measured = progress.trials.some((trial) => trial.throughput.blocks.length > 0);
      const made = (): Shown => this.#shownOf([progress.trials, progress.found, progress.notes], () => shownProgress(progress));
      if (progress.finished !== null) return html`${ended} ${measured ? this.#parts(made()) : notesList(noteTexts(progress.notes))}`;
      const shown = made();
      // What it knows so far, as a card and as charts, and what it does; all keep their place from the first second.
      return html`<div class="underWay part">
          <div class="known">${this.#cards(shown)} ${this.#comparison(shown)}</div>
          <benchside-while-it-runs .progress=${progress}></benchside-while-it-runs>
        </div>
        ${this.#parts(shown)}`;
    }
    if (!run) return chooseARun(this.runs, this.loading, this);
    const measured = run.trials.some((trial) => trial.requests > 0 || trial.throughput.blocks.length > 0);
    const back = this.lookingBack
      ? messageBox({ title: 'Another run is in progress.', actions: [{ text: 'Show It', run: () => tell(this, 'look-forward') }] })
      : nothing;
    return html`${back} ${stateOfRun(run, this)}
    ${measured ? this.#parts(this.#shownOf([run], () => shownRun(run))) : notesList(noteTexts(run.notes))}`;
  }

  #parts(shown: Shown): TemplateResult {
    const { trials, grids, budgets, recommendations, run } = shown;
    const underWay = run === null && isRunning(this.progress);
    return html`
      ${this.#experimentLink(run)} ${underWay ? nothing : this.#cards(shown)}
      ${grids.length === 0 ? nothing : html`<div class="part maps pair">${grids.map((answer) => this.#maps(answer))}</div>`}
      ${underWay ? nothing : this.#comparison(shown)}
      ${budgets.length === 0 ? nothing : html`<benchside-time-budget class="part" .rows=${budgets}></benchside-time-budget>`}
      <benchside-interference class="part" .trials=${trials} ?reserved=${run === null}></benchside-interference>
      ${run ? html`<benchside-resource-use class="part" .trials=${trials}></benchside-resource-use>` : nothing}
      <benchside-figures
        class="part"
        .trials=${trials}
        .recommendations=${recommendations}
        .answers=${shown.answers}
        .delta=${shown.delta}
        .labels=${this.labels}
        .runId=${run?.id ?? null}
      ></benchside-figures>
      <benchside-verdicts
        class="part"
        folded
        .trials=${trials}
        .preferred=${keysOf(recommendations)}
        .runId=${run?.id ?? null}
        ?canRun=${this.canRun}
      ></benchside-verdicts>
      ${notesList(shown.notes)}
    `;
  }

  #comparison({ lined, predicted, recommendations, delta }: Shown): TemplateResult | typeof nothing {
    if (lined.length === 0) return nothing;
    return html`<benchside-comparison-charts
      class="part"
      .trials=${lined}
      .predicted=${predicted}
      .recommendations=${recommendations}
      .labels=${this.labels}
      .delta=${delta}
    ></benchside-comparison-charts>`;
  }

  /** A run that repeated a published experiment has a page of its own. */
  #experimentLink(run: RunRecord | null): TemplateResult | typeof nothing {
    if (run?.result.kind !== 'experiment') return nothing;
    return html`<p class="note experiment">
      This run repeats the published experiment ${run.result.experiment.id}.
      ${linkButton('Published beside measured', () => this.dispatchEvent(new CustomEvent('show-view', { detail: 'experiments' })))}
    </p>`;
  }

  /** The same object until what it is made of changes: events come ten times a second, and charts are not to be drawn for each. */
  #shownOf(sources: readonly unknown[], make: () => Shown): Shown {
    const known = this.#known;
    if (known?.sources.length === sources.length && sources.every((source, index) => source === known.sources[index])) return known.shown;
    this.#known = { sources, shown: make() };
    return this.#known.shown;
  }

  #known: { sources: readonly unknown[]; shown: Shown } | null = null;

  #cards({ answers, trials, run, delta }: Shown): TemplateResult | typeof nothing {
    const searching = (run ? run.result : this.progress?.found)?.kind === 'tune';
    if (searching) {
      const expected = [...new Map(trials.map((trial) => [trial.target, trial.targetLabel]))].map(([target, label]) => ({ target, label }));
      return html`<benchside-answers
        class="part"
        .answers=${answers}
        .expected=${run ? [] : expected}
        .trials=${trials}
        .delta=${delta}
        .run=${run}
        .applied=${this.applied}
        ?canRun=${this.canRun}
      ></benchside-answers>`;
    }
    if (!run) return soFarCards(trials, this.progress?.open ?? []);
    return html`<benchside-cards class="part" .run=${run} .applied=${this.applied} ?canRun=${this.canRun}></benchside-cards>`;
  }

  #maps(answer: TuningAnswer): TemplateResult {
    const recommendedKey = recommendedSetting(answer)?.trialKey ?? null;
    const hue = targetMarkOf(answer.target);
    const open = answer.settings.some((setting) => setting.openLoop !== null);
    return html`<benchside-heat-map .answer=${answer} .recommendedKey=${recommendedKey} .hue=${hue}></benchside-heat-map>
      ${open ? html`<benchside-heat-map metric="openP99" .answer=${answer} .recommendedKey=${recommendedKey} .hue=${hue}></benchside-heat-map>` : nothing}`;
  }
}

/** The trials that are recommended: the verdicts on them come first. */
function keysOf(recommendations: Shown['recommendations']): ReadonlySet<string> {
  return new Set(recommendations.flatMap((one) => (one.trialKey === null || one.value === null ? [] : [one.trialKey])));
}
