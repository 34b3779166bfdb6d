import { type TemplateResult, css, html, LitElement, nothing } from 'lit';
import { customElement, property } from 'lit/decorators.js';
import { answerHeadline } from '../../src/model/domain/answerFacts.ts';
import { besideStep, isMechanism, reasonsText } from '../../src/model/domain/answerReason.ts';
import { capital } from '../../src/model/domain/sentence.ts';
import { tierOf } from '../../src/model/domain/answerTier.ts';
import { noiseAdjustedPhrase } from '../../src/model/presentation/interferenceWords.ts';
import { figure, spanPhrase, wholeNumber } from '../../src/model/domain/format.ts';
import { freshText } from '../../src/model/domain/freshFinding.ts';
import { gateText } from '../../src/model/domain/gate.ts';
import { isWide, wideWords } from '../../src/model/domain/intervalWidth.ts';
import { defaultDelta } from '../../src/model/domain/margin.ts';
import { adviseSteps, stepsOfTuning } from '../../src/model/presentation/nextStep.ts';
import type { RunRecord, Trial } from '../../src/model/domain/run.ts';
import { openRange } from '../../src/model/presentation/runWords.ts';
import type { SettingValues } from '../../src/model/domain/setting.ts';
import type { TuningAnswer, WhereToSet } from '../../src/model/domain/tuning.ts';
import { recommendedSetting } from '../../src/model/domain/tuningAnswers.ts';
import { unbroken } from '../kit/figures/words.ts';
import { cardFrame } from '../kit/controls/cardFrame.ts';
import { linkButton } from '../kit/controls/buttons.ts';
import { ask } from '../kit/page/ask.ts';
import { sharedStyles } from '../kit/style/sharedStyles.ts';
import { answerCard, answerCardStyles, figuresLine, flameLink } from '../result/answerCard.ts';
import { limitedTrial } from '../result/recommendationCards.ts';

/** The answer of a search for each target: the sentence, how sure it is, its evidence and reason, and what can be done next. */
@customElement('benchside-answers')
export class AnswerCards extends LitElement {
  static override styles = [
    sharedStyles,
    ...answerCardStyles,
    css`
      .where {
        margin-top: 8px;
        overflow-wrap: anywhere;
      }
    `,
  ];

  @property({ attribute: false }) answers: readonly TuningAnswer[] = [];
  /** Targets that have no answer yet get a card that says so. */
  @property({ attribute: false }) expected: readonly { target: string; label: string }[] = [];
  @property({ attribute: false }) trials: readonly Trial[] = [];
  /** δ of the search, a share. */
  @property({ attribute: false }) delta = defaultDelta;
  /** The stored run; null while it goes on: then nothing can be applied yet. */
  @property({ attribute: false }) run: RunRecord | null = null;
  @property({ attribute: false }) applied: Readonly<Record<string, SettingValues>> = {};
  @property({ type: Boolean }) canRun = false;

  protected override render(): TemplateResult {
    // While it goes on, too little of a target is what is to be expected.
    const answers = this.run === null ? this.answers.filter(({ facts }) => facts.code !== 'too-little') : this.answers;
    const waiting = this.expected.filter(({ target }) => !answers.some((answer) => answer.target === target));
    return html`<div class="cards">
      ${answers.map((answer) => this.#card(answer))}
      ${waiting.map(({ target, label }) =>
        cardFrame(
          target,
          label,
          html`<h2 class="headline">Nothing to say yet</h2>
            <p class="why">Every setting is measured in two rounds first; what is known appears here after them.</p>`,
        ),
      )}
    </div>`;
  }

  #card(answer: TuningAnswer): TemplateResult {
    const { target, targetLabel, evidence, why, values, settingNames, plausible } = answer;
    const { run } = this;
    const trial = this.#trialOf(answer);
    const estimate = trial ? noiseAdjustedPhrase(trial) : '';
    const limited = limitedTrial({ target, setting: settingNames[0] ?? '', trialKey: trial?.key ?? null, plausible }, this.trials);
    const notes = [
      ...[reasonsText(why.filter(isMechanism))].filter((text) => text !== ''),
      ...(estimate === '' ? [] : [`${capital(estimate)}.`]),
      ...(answer.confirmation === null ? [] : [freshText(answer.confirmation)]),
      ...answer.gates.map(gateText),
    ];
    return answerCard(
      {
        target,
        targetLabel,
        evidence,
        why: reasonsText(besideStep(why.filter((reason) => !isMechanism(reason)))),
        notes,
        tier: tierOf(answer),
        soFar: run === null,
        headline: html`${answerHeadline(answer)} ${this.#aside(answer)}`,
        figures: this.#figures(answer),
        wide: isUnsure(answer, this.delta),
        width: widthOf(answer, this.delta),
        limited,
        answered: values ?? {},
        steps: run === null ? [] : [...stepsOfTuning(answer, run), ...adviseSteps(run, limited.trial)],
        links: run === null ? [] : [...answer.where.map((where) => this.#whereLink(answer, where)), flameLink(run, this.canRun, this)],
        where: run === null ? nothing : answer.where.map(whereText),
      },
      { from: this, run, canRun: this.canRun, applied: this.applied },
    );
  }

  /** Other values that may be enough, next to the headline; and what would decide, where no button says it. */
  #aside(answer: TuningAnswer): TemplateResult | typeof nothing {
    const { moreSeconds, status } = answer;
    if (status === 'confirmed') return nothing;
    const parts = [
      ...(openRange(answer) === '' ? [] : [openRange(answer)]),
      ...(moreSeconds === null || this.run !== null ? [] : [`${spanPhrase(moreSeconds)} more would decide`]),
    ];
    return parts.length === 0 ? nothing : html`<span class="aside">(${parts.join('; ')})</span>`;
  }

  #figures(answer: TuningAnswer): TemplateResult | null {
    const tuned = recommendedSetting(answer);
    if (!tuned) return null;
    const trial = this.#trialOf(answer);
    const p99 = tuned.openLoop?.carried
      ? `, p99 ${figure(tuned.openLoop.p99Ms)} ms at ${wholeNumber(tuned.openLoop.rate)} req/s`
      : trial?.latencyMs
        ? `, p99 ${figure(trial.latencyMs.p99)} ms`
        : '';
    return figuresLine(tuned.throughput, `${unbroken(p99)}${ofBest(tuned.ratioToBest?.mean ?? null)}`, trial?.interference ?? null);
  }

  #trialOf(answer: TuningAnswer): Trial | undefined {
    const key = recommendedSetting(answer)?.trialKey;
    return this.trials.find((trial) => trial.key === key);
  }

  #whereLink({ target, where: all, settingLabels }: TuningAnswer, { setting, value }: WhereToSet): TemplateResult {
    const words = all.length > 1 ? `Where is ${(settingLabels[setting] ?? setting).toLowerCase()} set?` : 'Where is it set?';
    return linkButton(words, () => ask(this, { type: 'showWhereSet', target, setting, value }));
  }
}

function whereText({ how, file, line }: WhereToSet): TemplateResult {
  const place = file === null ? '' : ` Its default stands in ${file.split(/[\\/]/).at(-1) ?? ''}${line === null ? '' : `:${line}`}.`;
  return html`<p class="note where" title=${file ?? nothing}>${how}${place}</p>`;
}

/** The ratio on which the figures rest has an interval wider than what was asked for. */
function isUnsure(answer: TuningAnswer, delta: number): boolean {
  const ratio = recommendedSetting(answer)?.ratioToBest ?? null;
  return ratio !== null && isWide(ratio, delta);
}

function widthOf(answer: TuningAnswer, delta: number): string {
  const tuned = recommendedSetting(answer);
  return tuned ? wideWords(tuned.throughput, delta) : '';
}

function ofBest(ratio: number | null): string {
  return ratio === null || ratio === 1 ? '' : `, ${Math.round(ratio * 100)} % of the best`;
}
