import type { TemplateResult } from 'lit';
import { html, LitElement, nothing } from 'lit';
import type { Recommendation, RunRecord, RunRequest, Trial } from '../../src/model/run.ts';
import type { SettingValues } from '../../src/model/setting.ts';
import { undisturbedPhrase, whilePhrase } from '../../src/model/disturbanceWords.ts';
import { figure, intervalPhrase, noFigure, settingsPhrase, wholeNumber } from '../../src/model/format.ts';
import { deltaOf } from '../../src/model/margin.ts';
import { isWide } from '../../src/model/intervalWidth.ts';
import { ask } from '../kit/page/ask.ts';
import type { Hues } from '../kit/style/hues.ts';
import { sharedStyles } from '../kit/style/sharedStyles.ts';
import { applyButton } from './applyButton.ts';
import { cardFrame, cardStyles } from '../kit/controls/cardFrame.ts';
import { spanPhrase } from '../kit/figures/words.ts';
import { whyOf, witnessList, witnessStyles } from './witnessList.ts';
import { statusBelow } from '../../src/model/runWords.ts';
import { surenessLine } from './surenessLine.ts';

/** The answer first: for each target which setting to use, how sure that is, and why. */
export class RecommendationCards extends LitElement {
  static override properties = {
    run: { attribute: false },
    hues: { attribute: false },
    /** Whether a run may be started now. */
    canRun: { type: Boolean },
    /** Values that were applied, by target. */
    applied: { attribute: false },
  };

  static override styles = [sharedStyles, cardStyles, witnessStyles];

  declare run: RunRecord | null;
  declare hues: Hues;
  declare canRun: boolean;
  declare applied: Readonly<Record<string, SettingValues>>;

  constructor() {
    super();
    this.run = null;
    this.hues = new Map();
    this.canRun = false;
    this.applied = {};
  }

  protected override render(): TemplateResult | typeof nothing {
    const { run } = this;
    if (!run) return nothing;
    const advised = new Set(run.recommendations.map((recommendation) => recommendation.target));
    const others = [...new Map(run.trials.filter((trial) => !advised.has(trial.target)).map((trial) => [trial.target, trial])).keys()];
    return html`<div class="cards">
      ${run.recommendations.map((recommendation) => this.card(recommendation, run))} ${others.map((target) => this.plainCard(target, run))}
    </div>`;
  }

  private card(recommendation: Recommendation, run: RunRecord): TemplateResult {
    const trial = run.trials.find((candidate) => candidate.key === recommendation.trialKey);
    return this.frame(
      recommendation.target,
      recommendation.targetLabel,
      html`
        <h2 class="headline">${recommendation.headline}</h2>
        ${surenessLine(statusBelow(recommendation), trial ? figuresOf(trial) : null)}
        ${witnessList(recommendation.witnesses, recommendation.status !== 'confirmed' && (trial === undefined || isWide(trial.throughput, deltaOf(run))))}
        ${whyOf(recommendation.why, recommendation.witnesses)} ${trial ? estimateOf(trial) : nothing}
        <div class="actions">
          ${this.apply(recommendation, run)} ${recommendation.status === 'confirmed' ? nothing : this.more(recommendation, run)}
        </div>
      `,
    );
  }

  private plainCard(target: string, run: RunRecord): TemplateResult {
    const trials = run.trials.filter((trial) => trial.target === target);
    const first = trials[0];
    const label = first?.targetLabel ?? target;
    const best = [...trials].filter((trial) => trial.valid).sort((a, b) => b.throughput.mean - a.throughput.mean)[0];
    if (!best) return this.frame(target, label, this.voidCard(trials, run));
    const why =
      trials.length > 1
        ? `The best of ${trials.length} trials, with ${settingsPhrase(best.settings)}.`
        : 'One setting was measured. Give several values of a setting to learn which one to use.';
    const meanwhile = whilePhrase(best.disturbance);
    return this.frame(
      target,
      label,
      html`<h2 class="headline">
          ${wholeNumber(best.throughput.mean)} requests/s${meanwhile === '' ? nothing : html` <span class="aside">${meanwhile}</span>`}
        </h2>
        <p>${latencyOf(best)}</p>
        <p class="why">${why}</p>
        ${estimateOf(best)}`,
    );
  }

  /** Of a target of which nothing counts: what was measured instead, the figure that was seen all the same, and the next step. */
  private voidCard(trials: readonly Trial[], run: RunRecord): TemplateResult {
    const reasons = [...new Set(trials.flatMap((trial) => trial.reasons))];
    const figures = trials.filter((trial) => trial.throughput.mean > 0).map((trial) => trial.throughput.mean);
    const seen = figures.length === 0 ? '' : `What was seen all the same: up to ${wholeNumber(Math.max(...figures))} requests/s.`;
    return html`<h2 class="headline">Something else was measured</h2>
      <p>${reasons[0] ?? 'No reason was recorded.'}</p>
      <p class="why">${seen} ${reasons.length > 1 ? 'The table has every reason.' : ''}</p>
      <div class="actions">
        <vscode-button
          appearance="secondary"
          ?disabled=${!this.canRun}
          @click=${() => ask(this, { type: 'startRun', request: run.request })}
          >Run again</vscode-button
        >
        <button class="linkButton" type="button" @click=${() => ask(this, { type: 'checkMachine' })}>Check this machine</button>
      </div>`;
  }

  private frame(target: string, label: string, content: TemplateResult): TemplateResult {
    return cardFrame(this.hues.get(target) ?? 0, label, content);
  }

  private apply(recommendation: Recommendation, run: RunRecord): TemplateResult | typeof nothing {
    const { target, targetLabel, setting, value, status } = recommendation;
    if (value === null) return nothing;
    const applied = this.applied[target];
    return applyButton({
      from: this,
      message: { type: 'applySettings', target, values: { [setting]: value }, runId: run.id },
      targetLabel,
      applied,
      primary: status === 'confirmed',
    });
  }

  /** The same once more, for as much longer as would decide, where that is known; else with twice the rounds, or for twice the time. */
  private more({ moreSeconds }: Recommendation, run: RunRecord): TemplateResult {
    const { request } = run;
    const spentS = measuringS(run.trials);
    const rounds = moreSeconds === null && request.rounds !== undefined ? Math.min(100, request.rounds * 2) : undefined;
    const budgetS = Math.ceil(Math.max(1, moreSeconds === null ? spentS * 2 : Math.max(request.budgetS ?? 0, spentS) + moreSeconds));
    const again: RunRequest = { ...request };
    delete again.rounds;
    delete again.budgetS;
    const words =
      moreSeconds !== null
        ? `Run ${spanPhrase(moreSeconds)} more`
        : rounds === undefined
          ? 'Run again for twice as long'
          : `Run again with ${rounds} rounds`;
    return html`<vscode-button
      appearance="secondary"
      ?disabled=${!this.canRun}
      title=${rounds === undefined ? `Measures it again, for up to ${spanPhrase(budgetS)}` : nothing}
      @click=${() => ask(this, { type: 'startRun', request: { ...again, ...(rounds === undefined ? { budgetS } : { rounds }) } })}
      >${words}</vscode-button
    >`;
  }
}

/** Seconds from the first measured block to the end of the last one. */
function measuringS(trials: readonly Trial[]): number {
  const blocks = trials.flatMap((trial) => trial.blocks);
  if (blocks.length === 0) return 0;
  return (Math.max(...blocks.map((block) => block.startMs + block.windowMs)) - Math.min(...blocks.map((block) => block.startMs))) / 1000;
}

function estimateOf(trial: Trial): TemplateResult | typeof nothing {
  const words = undisturbedPhrase(trial);
  return words === '' ? nothing : html`<p class="why">${words.charAt(0).toUpperCase()}${words.slice(1)}.</p>`;
}

function latencyOf(trial: Trial): string {
  const interval = intervalPhrase(trial.throughput);
  const parts = [
    ...(interval === noFigure ? [] : [`95 % interval ${interval}`]),
    ...(trial.latencyMs ? [`p50 ${figure(trial.latencyMs.p50)} ms`, `p99 ${figure(trial.latencyMs.p99)} ms`] : []),
  ];
  return parts.length === 0 ? '' : `${parts.join(', ')}.`;
}

function figuresOf(trial: Trial): TemplateResult {
  const interval = intervalPhrase(trial.throughput);
  const meanwhile = whilePhrase(trial.disturbance);
  return html`${wholeNumber(trial.throughput.mean)}
  req/s${interval === noFigure ? nothing : html` <span class="muted">[${interval}]</span>`}${
    trial.latencyMs ? `, p99 ${figure(trial.latencyMs.p99)} ms` : ''
  }${trial.valid ? '' : ' (not valid)'}${meanwhile === '' ? nothing : html`<span class="muted">, ${meanwhile}</span>`}.`;
}

customElements.define('benchside-cards', RecommendationCards);
