import type { TemplateResult } from 'lit';
import { html, LitElement, nothing } from 'lit';
import type { Recommendation, RunRecord, Trial } from '../../src/model/run.ts';
import type { SettingValues } from '../../src/model/setting.ts';
import { figure, settingsPhrase, wholeNumber } from '../../src/model/format.ts';
import { ask } from '../shared/ask.ts';
import type { Hues } from '../shared/hues.ts';
import { sharedStyles } from '../shared/sharedStyles.ts';
import { applyButton } from './applyButton.ts';
import { cardFrame, cardStyles } from './cardFrame.ts';
import { intervalPhrase, none, statusWord } from '../shared/words.ts';

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

  static override styles = [sharedStyles, cardStyles];

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
        <p><strong>${statusWord[recommendation.status]}</strong>${trial ? html`: ${figuresOf(trial)}` : '.'}</p>
        <p class="why">${recommendation.why}</p>
        <div class="actions">
          ${this.apply(recommendation, run)} ${recommendation.status === 'confirmed' ? nothing : this.moreRounds(run)}
        </div>
      `,
    );
  }

  private plainCard(target: string, run: RunRecord): TemplateResult {
    const trials = run.trials.filter((trial) => trial.target === target);
    const first = trials[0];
    const best = [...trials].filter((trial) => trial.valid).sort((a, b) => b.throughput.mean - a.throughput.mean)[0];
    const headline = best ? `${wholeNumber(best.throughput.mean)} requests/s` : 'No valid figure';
    const why = best
      ? trials.length > 1
        ? `The best of ${trials.length} trials, with ${settingsPhrase(best.settings)}.`
        : 'One setting was measured. Give several values of a setting to learn which one to use.'
      : (first?.reasons.join('; ') ?? '');
    return this.frame(
      target,
      first?.targetLabel ?? target,
      html`<h2 class="headline">${headline}</h2>
        ${best ? html`<p>${latencyOf(best)}</p>` : nothing}
        <p class="why">${why}</p>`,
    );
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

  private moreRounds(run: RunRecord): TemplateResult {
    const rounds = Math.min(100, (run.request.rounds ?? run.load.rounds) * 2);
    return html`<vscode-button
      appearance="secondary"
      ?disabled=${!this.canRun}
      @click=${() => ask(this, { type: 'startRun', request: { ...run.request, rounds } })}
      >Run again with ${rounds} rounds</vscode-button
    >`;
  }
}

function latencyOf(trial: Trial): string {
  const interval = intervalPhrase(trial.throughput);
  const parts = [
    ...(interval === none ? [] : [`95 % interval ${interval}`]),
    ...(trial.latencyMs ? [`p50 ${figure(trial.latencyMs.p50)} ms`, `p99 ${figure(trial.latencyMs.p99)} ms`] : []),
  ];
  return parts.length === 0 ? '' : `${parts.join(', ')}.`;
}

function figuresOf(trial: Trial): TemplateResult {
  const interval = intervalPhrase(trial.throughput);
  return html`${wholeNumber(trial.throughput.mean)}
  req/s${interval === none ? nothing : html` <span class="muted">[${interval}]</span>`}${
    trial.latencyMs ? `, p99 ${figure(trial.latencyMs.p99)} ms` : ''
  }${trial.valid ? '' : ' (not valid)'}.`;
}

customElements.define('benchside-cards', RecommendationCards);
