import { type PropertyValues, type TemplateResult, css, html, LitElement, nothing } from 'lit';
import { customElement, property } from 'lit/decorators.js';
import { interferenceSentence, blocksInTime, hasInterference, runInterference } from '../../src/model/presentation/interferenceWords.ts';
import type { Trial } from '../../src/model/domain/run.ts';
import { type Draw, chartView } from '../kit/charts/chartElement.ts';
import { drawInterference } from './interferenceChart.ts';
import { revealEvent, takeReveal } from '../kit/page/revealInterference.ts';
import { sharedStyles } from '../kit/style/sharedStyles.ts';
import { shownSettings, variedPhrase } from '../../src/model/presentation/settingWords.ts';

const stripHeight = 92;

/** A thin strip under the charts: the share of the CPU that was lost, block by block over the run. Nothing where it was not noticeable. */
@customElement('benchside-interference')
export class InterferenceStrip extends LitElement {
  static override styles = [
    sharedStyles,
    css`
      section:focus-visible {
        outline-offset: 4px;
      }
    `,
  ];

  @property({ attribute: false }) trials: readonly Trial[] = [];
  /** Its place is kept although nothing was lost yet: the run goes on. */
  @property({ type: Boolean }) reserved = false;

  #draw: Draw | null = null;
  readonly #answerReveal = (): void => {
    if (this.renderRoot.querySelector('section') && takeReveal()) this.#reveal();
  };

  override connectedCallback(): void {
    super.connectedCallback();
    window.addEventListener(revealEvent, this.#answerReveal);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    window.removeEventListener(revealEvent, this.#answerReveal);
  }

  protected override willUpdate(changed: PropertyValues): void {
    if (!changed.has('trials')) return;
    const names = shownSettings(this.trials);
    const blocks = blocksInTime(this.trials).map(({ trial, block }) => ({ label: variedPhrase(trial, names), block }));
    const mean = runInterference(this.trials);
    this.#draw = (width, height) => drawInterference({ blocks, mean }, width, height);
  }

  protected override updated(): void {
    this.#answerReveal();
  }

  protected override render(): TemplateResult | typeof nothing {
    if (!this.reserved && !hasInterference(this.trials)) return nothing;
    const spoiled = this.trials.flatMap((trial) => trial.blocks.filter((block) => !block.valid)).length;
    const left = spoiled === 0 ? '' : ` · hatched: ${spoiled} discarded block${spoiled === 1 ? '' : 's'}`;
    const chart = {
      heading: 'Interference over the run',
      subtitle: `% of the CPU lost to interference, block by block · mean dotted${left}`,
      summary: interferenceSentence(this.trials),
      height: stripHeight,
      draw: this.#draw,
    };
    return html`<section tabindex="-1" aria-label="Interference over the run">${chartView(chart, true)}</section>`;
  }

  #reveal(): void {
    const section = this.renderRoot.querySelector('section');
    section?.scrollIntoView({ block: 'center' });
    section?.focus({ preventScroll: true });
  }
}
