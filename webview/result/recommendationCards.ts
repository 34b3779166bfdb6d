import { capital } from '../../src/model/domain/sentence.ts';
import { findingTexts } from '../../src/model/domain/findings.ts';
import { answerHeadline } from '../../src/model/domain/answerFacts.ts';
import { besideStep } from '../../src/model/domain/answerReason.ts';
import { type TemplateResult, html, LitElement, nothing } from 'lit';
import { customElement, property } from 'lit/decorators.js';
import { tierOf, tierOfMetric } from '../../src/model/domain/answerTier.ts';
import { noiseAdjustedPhrase, whilePhrase } from '../../src/model/presentation/interferenceWords.ts';
import { shownSettings, valuesPhrase } from '../../src/model/presentation/settingWords.ts';
import { figure, intervalPhrase, noFigure, wholeNumber } from '../../src/model/domain/format.ts';
import { isWide, wideWords } from '../../src/model/domain/intervalWidth.ts';
import { adviseSteps, stepsOfMetric, stepsOfRecommendation } from '../../src/model/presentation/nextStep.ts';
import type { Recommendation, RunRecord, Trial } from '../../src/model/domain/run.ts';
import type { SettingValues } from '../../src/model/domain/setting.ts';
import { whyText } from '../../src/model/domain/tuningAnswers.ts';
import { unbroken } from '../kit/figures/words.ts';
import { linkButton } from '../kit/controls/buttons.ts';
import { ask } from '../kit/page/ask.ts';
import { sharedStyles } from '../kit/style/sharedStyles.ts';
import { type CardContent, type CardPlace, answerCard, answerCardStyles, figuresLine, flameLink } from './answerCard.ts';

/** The answer first: for each target which setting to use, how sure that is, and why. */
@customElement('benchside-cards')
export class RecommendationCards extends LitElement {
  static override styles = [sharedStyles, ...answerCardStyles];

  @property({ attribute: false }) run: RunRecord | null = null;
  @property({ type: Boolean }) canRun = false;
  @property({ attribute: false }) applied: Readonly<Record<string, SettingValues>> = {};

  protected override render(): TemplateResult | typeof nothing {
    const { run } = this;
    if (!run) return nothing;
    const advised = new Set(run.recommendations.map((recommendation) => recommendation.target));
    const others = [...new Map(run.trials.filter((trial) => !advised.has(trial.target)).map((trial) => [trial.target, trial])).keys()];
    return html`<div class="cards">
      ${run.recommendations.map((recommendation) => this.#card(recommendation, run))}
      ${others.map((target) => this.#plainCard(target, run))}
    </div>`;
  }

  #card(recommendation: Recommendation, run: RunRecord): TemplateResult {
    const { target, targetLabel, setting, value, status, evidence } = recommendation;
    const trial = run.trials.find((candidate) => candidate.key === recommendation.trialKey);
    const estimate = trial === undefined ? '' : noiseAdjustedPhrase(trial);
    const limited = limitedTrial(recommendation, run.trials);
    return answerCard(
      {
        target,
        targetLabel,
        headline: answerHeadline(recommendation),
        evidence,
        why: whyText({ ...recommendation, why: besideStep(recommendation.why) }),
        tier: tierOf(recommendation),
        figures: trial ? figuresOf(trial) : null,
        wide: status !== 'confirmed' && (trial === undefined || isWide(trial.throughput, run.delta)),
        width: trial ? wideWords(trial.throughput, run.delta) : '',
        limited,
        answered: value === null ? {} : { [setting]: value },
        notes: estimate === '' ? [] : [`${capital(estimate)}.`],
        steps: [...stepsOfRecommendation(recommendation, run), ...adviseSteps(run, limited.trial)],
        links: [flameLink(run, this.canRun, this)],
      },
      this.#place(run),
    );
  }

  #plainCard(target: string, run: RunRecord): TemplateResult {
    const trials = run.trials.filter((trial) => trial.target === target);
    const values = (one: Trial): string => valuesPhrase(one, shownSettings(trials));
    const best = [...trials].filter((trial) => trial.valid).sort((a, b) => b.throughput.mean - a.throughput.mean)[0];
    const common = {
      target,
      targetLabel: trials[0]?.targetLabel ?? target,
      evidence: [],
      wide: false,
      answered: {},
      steps: stepsOfMetric(trials, best, run),
    };
    const checkLink = linkButton('Check this machine', () => ask(this, { type: 'checkMachine' }));
    if (!best) return answerCard({ ...common, ...discardedWords(trials), width: '', links: [checkLink] }, this.#place(run));
    const meanwhile = whilePhrase(best.interference);
    const estimate = noiseAdjustedPhrase(best);
    return answerCard(
      {
        ...common,
        tier: run.state === 'complete' ? tierOfMetric(best, run.delta) : 'seen',
        headline: html`${wholeNumber(best.throughput.mean)}
        requests/s${meanwhile === '' ? nothing : html` <span class="aside">${meanwhile}</span>`}`,
        figures: html`${latencyOf(best)}`,
        width: wideWords(best.throughput, run.delta),
        why:
          trials.length > 1
            ? `The best of ${trials.length} trials${values(best) === '' ? '' : `, with ${values(best)}`}.`
            : 'One setting was measured. Give several values of a setting to learn which one to use.',
        limited: { trial: best, at: '' },
        notes: estimate === '' ? [] : [`${capital(estimate)}.`],
        links: [flameLink(run, this.canRun, this)],
      },
      this.#place(run),
    );
  }

  #place(run: RunRecord): CardPlace {
    return { from: this, run, canRun: this.canRun, applied: this.applied };
  }
}

/** Of a target of which nothing counts: what was measured instead, and the figure that was seen all the same. */
function discardedWords(trials: readonly Trial[]): Pick<CardContent, 'tier' | 'headline' | 'figures' | 'why' | 'limited' | 'notes'> {
  const reasons = [...new Set(findingTexts(trials.flatMap((trial) => trial.reasons)))];
  const seen = trials.filter((trial) => trial.throughput.mean > 0).map((trial) => trial.throughput.mean);
  const others = reasons.length > 1 ? 'The table has every reason.' : '';
  return {
    tier: 'seen',
    headline: 'Something else was measured',
    figures: html`${reasons[0] ?? 'No reason was recorded.'}`,
    why: [seen.length === 0 ? '' : `What was seen all the same: up to ${wholeNumber(Math.max(...seen))} requests/s.`, others]
      .filter((words) => words !== '')
      .join(' '),
    limited: { trial: undefined, at: '' },
    notes: [],
  };
}

/** The trial that a recommendation is about; of one that is still open the largest value that it leaves. */
export function limitedTrial(
  { target, setting, trialKey, plausible }: Pick<Recommendation, 'target' | 'setting' | 'trialKey' | 'plausible'>,
  trials: readonly Trial[],
): CardContent['limited'] {
  const own = trials.filter((trial) => trial.target === target);
  const named = own.find((trial) => trial.key === trialKey);
  if (named) return { trial: named, at: '' };
  const open = plausible?.[1];
  const trial = open === undefined ? undefined : own.find((one) => one.settings[setting] === open);
  return { trial, at: open === undefined ? '' : `At ${open}: ` };
}

function latencyOf(trial: Trial): string {
  const interval = intervalPhrase(trial.throughput);
  const parts = [
    ...(interval === noFigure ? [] : [`95 % interval ${interval}`]),
    ...(trial.latencyMs ? [`p50 ${figure(trial.latencyMs.p50)} ms`, `p99 ${figure(trial.latencyMs.p99)} ms`] : []),
  ];
  return parts.length === 0 ? '' : unbroken(`${parts.join(', ')}.`);
}

function figuresOf({ throughput, latencyMs, valid, interference }: Trial): TemplateResult {
  const more = `${latencyMs ? `, p99 ${figure(latencyMs.p99)} ms` : ''}${valid ? '' : ' (not valid)'}`;
  return figuresLine(throughput, unbroken(more), interference);
}
