import type { TemplateResult } from 'lit';
import { css, html, LitElement, nothing } from 'lit';
import { undisturbedPhrase, whilePhrase } from '../../src/model/disturbanceWords.ts';
import { figure, intervalPhrase, noFigure, wholeNumber } from '../../src/model/format.ts';
import { defaultDelta } from '../../src/model/margin.ts';
import { isWide } from '../../src/model/intervalWidth.ts';
import type { RunRecord, Trial } from '../../src/model/run.ts';
import type { SettingValues } from '../../src/model/setting.ts';
import type { TuningAnswer } from '../../src/model/tuning.ts';
import { applyButton } from '../result/applyButton.ts';
import { cardFrame, cardStyles } from '../kit/controls/cardFrame.ts';
import { surenessLine } from '../result/surenessLine.ts';
import { whyOf, witnessList, witnessStyles } from '../result/witnessList.ts';
import { ask } from '../kit/page/ask.ts';
import type { Hues } from '../kit/style/hues.ts';
import { icon } from '../kit/controls/icons.ts';
import { sharedStyles } from '../kit/style/sharedStyles.ts';
import { spanPhrase } from '../kit/figures/words.ts';
import { openRange, statusBelow } from '../../src/model/runWords.ts';
import { recommendedSetting } from '../../src/model/tuningAnswers.ts';

/** How a search answers for each target: the sentence, how sure it is, its evidence and reason, and what can be done next. */
export class AnswerCards extends LitElement {
  static override properties = {
    answers: { attribute: false },
    /** Targets that have no answer yet get a card that says so. */
    expected: { attribute: false },
    trials: { attribute: false },
    /** δ of the search, a share. */
    delta: { attribute: false },
    /** The stored run; null while it goes on: then nothing can be applied yet. */
    run: { attribute: false },
    hues: { attribute: false },
    applied: { attribute: false },
    canRun: { type: Boolean },
  };

  static override styles = [
    sharedStyles,
    cardStyles,
    witnessStyles,
    css`
      .refused {
        display: flex;
        gap: 8px;
        margin: 4px 0 8px;
        padding: 6px 10px;
        border: 1px solid var(--bs-warning);
        border-radius: 3px;
      }
      .refused .icon {
        margin-top: 2px;
        color: var(--bs-warning);
      }
      .notes {
        margin: 8px 0 0;
        padding: 0;
        list-style: none;
      }
      .where {
        margin-top: 8px;
        overflow-wrap: anywhere;
      }
      .actions {
        margin-top: auto;
        padding-top: 10px;
      }
    `,
  ];

  declare answers: readonly TuningAnswer[];
  declare expected: readonly { target: string; label: string }[];
  declare trials: readonly Trial[];
  declare delta: number;
  declare run: RunRecord | null;
  declare hues: Hues;
  declare applied: Readonly<Record<string, SettingValues>>;
  declare canRun: boolean;

  constructor() {
    super();
    this.answers = [];
    this.expected = [];
    this.trials = [];
    this.delta = defaultDelta;
    this.run = null;
    this.hues = new Map();
    this.applied = {};
    this.canRun = false;
  }

  protected override render(): TemplateResult {
    const waiting = this.expected.filter(({ target }) => !this.answers.some((answer) => answer.target === target));
    return html`<div class="cards">
      ${this.answers.map((answer) => this.card(answer))}
      ${waiting.map(({ target, label }) =>
        cardFrame(
          this.hues.get(target) ?? 0,
          label,
          html`<h2 class="headline">Nothing to say yet</h2>
            <p class="why">The first blocks of every setting are measured; what is known appears here after each of them.</p>`,
        ),
      )}
    </div>`;
  }

  private card(answer: TuningAnswer): TemplateResult {
    const refused = answer.gates.filter((gate) => gate.severity === 'refuse');
    const flagged = answer.gates.filter((gate) => gate.severity === 'flag');
    const trial = this.trialOf(answer);
    const estimate = trial ? undisturbedPhrase(trial) : '';
    const notes = [
      ...(estimate === '' ? [] : [`${capital(estimate)}.`]),
      ...(answer.confirmation === null ? [] : [answer.confirmation]),
      ...flagged.map((gate) => gate.sentence),
      ...(answer.usl ? [answer.usl.sentence] : []),
    ];
    return cardFrame(
      this.hues.get(answer.target) ?? 0,
      answer.targetLabel,
      html`
        <h2 class="headline">${answer.headline} ${this.aside(answer)}</h2>
        ${refused.map((gate) => html`<p class="refused">${icon('warning')}<span>${gate.sentence}</span></p>`)}
        ${surenessLine(this.status(answer), this.figures(answer))} ${witnessList(answer.witnesses, isUnsure(answer, this.delta))}
        ${whyOf(answer.why, answer.witnesses)} ${answer.whyLine === null ? nothing : html`<p class="why">${answer.whyLine}</p>`}
        ${
          notes.length === 0
            ? nothing
            : html`<ul class="notes note">
                ${notes.map((note) => html`<li>${icon('info')} ${note}</li>`)}
              </ul>`
        }
        ${this.run ? this.next(answer, this.run) : nothing}
      `,
    );
  }

  /** What else may be enough, and what would decide, beside the headline. */
  private aside(answer: TuningAnswer): TemplateResult | typeof nothing {
    const { moreSeconds, status } = answer;
    if (status === 'confirmed') return nothing;
    const parts = [
      ...(openRange(answer) === '' ? [] : [openRange(answer)]),
      ...(moreSeconds === null ? [] : [`${spanPhrase(moreSeconds)} more would decide`]),
    ];
    return parts.length === 0 ? nothing : html`<span class="aside">(${parts.join('; ')})</span>`;
  }

  private status(answer: TuningAnswer): string {
    const word = statusBelow(answer);
    if (this.run) return word;
    return word === '' ? 'So far' : `So far: ${word.toLowerCase()}`;
  }

  private figures(answer: TuningAnswer): TemplateResult | null {
    const tuned = recommendedSetting(answer);
    if (!tuned) return null;
    const trial = this.trialOf(answer);
    const meanwhile = whilePhrase(trial?.disturbance ?? null);
    const interval = intervalPhrase(tuned.throughput);
    const p99 = tuned.openLoop?.carried
      ? `, p99 ${figure(tuned.openLoop.p99Ms)} ms at ${wholeNumber(tuned.openLoop.rate)} req/s`
      : trial?.latencyMs
        ? `, p99 ${figure(trial.latencyMs.p99)} ms`
        : '';
    return html`${wholeNumber(tuned.throughput.mean)}
    req/s${interval === noFigure ? nothing : html` <span class="muted">[${interval}]</span>`}${p99}${ofBest(tuned.ratioToBest?.mean ?? null)}${meanwhile === '' ? '' : html`<span class="muted">, ${meanwhile}</span>`}.`;
  }

  private trialOf(answer: TuningAnswer): Trial | undefined {
    const key = recommendedSetting(answer)?.trialKey;
    return this.trials.find((trial) => trial.key === key);
  }

  private next(answer: TuningAnswer, run: RunRecord): TemplateResult {
    const { target, targetLabel, values, moreSeconds, status } = answer;
    const recorded = run.recordings.length > 0;
    return html`<div class="actions">
        ${
          values === null
            ? nothing
            : applyButton({
                from: this,
                message: { type: 'applySettings', target, values: pick(values, answer.settingNames), runId: run.id },
                targetLabel,
                applied: this.applied[target],
                primary: status === 'confirmed',
              })
        }
        ${
          moreSeconds === null || !run.tuning
            ? nothing
            : html`<vscode-button
                appearance=${status === 'undecided' ? 'primary' : 'secondary'}
                ?disabled=${!this.canRun}
                @click=${() => this.runMore(run, moreSeconds)}
                >Run ${spanPhrase(moreSeconds)} more</vscode-button
              >`
        }
        ${answer.where.map(
          (where) =>
            html`<button
              class="linkButton"
              type="button"
              @click=${() => ask(this, { type: 'showWhereSet', target, setting: where.setting, value: where.value })}
            >
              ${answer.where.length > 1 ? `Where is ${(answer.settingLabels[where.setting] ?? where.setting).toLowerCase()} set?` : 'Where is it set?'}
            </button>`,
        )}
        <button
          class="linkButton"
          type="button"
          ?disabled=${!recorded && !this.canRun}
          @click=${() => (recorded ? this.dispatchEvent(new CustomEvent('show-view', { detail: 'flame', bubbles: true, composed: true })) : ask(this, { type: 'recordFlameGraph', runId: run.id }))}
        >
          ${recorded ? 'Flame graph' : 'Record a flame graph'}
        </button>
      </div>
      ${answer.where.map((where) => html`<p class="note where">${where.how}${where.file === null ? '' : ` · ${where.file}${where.line === null ? '' : `:${where.line}`}`}</p>`)}`;
  }

  private runMore(run: RunRecord, seconds: number): void {
    if (!run.tuning) return;
    const { request } = run.tuning;
    ask(this, { type: 'startTune', request: { ...request, budgetS: Math.ceil(Math.max(request.budgetS, run.tuning.spentS) + seconds) } });
  }
}

/** The ratio on which the figures rest has an interval wider than what was asked for. */
function isUnsure(answer: TuningAnswer, delta: number): boolean {
  const ratio = recommendedSetting(answer)?.ratioToBest ?? null;
  return ratio !== null && isWide(ratio, delta);
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function ofBest(ratio: number | null): string {
  return ratio === null || ratio === 1 ? '' : `, ${Math.round(ratio * 100)} % of the best`;
}

function pick(values: SettingValues, names: readonly string[]): SettingValues {
  return Object.fromEntries(Object.entries(values).filter(([name]) => names.includes(name)));
}

customElements.define('benchside-answers', AnswerCards);
