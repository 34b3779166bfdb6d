import { type TemplateResult, css, html, LitElement, nothing } from 'lit';
import { customElement, property } from 'lit/decorators.js';
import type { ComparedMetric } from '../../src/model/domain/comparison.ts';
import { methodText } from '../../src/model/domain/comparedMethod.ts';
import { type SideNames, comparedSentence, sentenceWithCure } from '../../src/model/presentation/comparedWords.ts';
import { sharedStyles } from '../kit/style/sharedStyles.ts';
import { type ForestScale, forestScale } from '../../src/model/presentation/forest.ts';
import { forestAxis, forestLine, forestStyles } from '../kit/charts/forestMarks.ts';
import { changePhrase } from '../../src/model/domain/format.ts';
import { ratioRange, verdictWord } from '../../src/model/presentation/comparisonTable.ts';
import { defaultDelta } from '../../src/model/domain/margin.ts';

/** One interval line. Without a figure the line says why. */
export interface ComparedLine {
  label: string;
  figure: ComparedMetric | null;
  names: SideNames;
  reason: string;
  reasonInFull: string;
}

/** What the second side is to the first, intervals, one thin line each, against the band in which both count as the same. */
@customElement('benchside-forest')
export class ForestChart extends LitElement {
  static override styles = [
    sharedStyles,
    forestStyles,
    css`
      .lines {
        display: grid;
        grid-template-columns: fit-content(34%) minmax(90px, 1fr) repeat(3, max-content);
        column-gap: 12px;
        align-items: center;
        margin-top: 6px;
      }
      /* The figures of all lines are columns. */
      .said {
        display: contents;
        text-align: right;
      }
      .change {
        grid-column: 3;
      }
      .range {
        grid-column: 4;
      }
      .word {
        grid-column: 5;
      }
      .reason {
        grid-column: 2 / -1;
        line-height: 26px;
      }
      @container (max-width: 520px) {
        .said .range {
          display: none;
        }
      }
      :host {
        container-type: inline-size;
      }
    `,
  ];

  @property({ attribute: false }) lines: readonly ComparedLine[] = [];
  /** Within which both count as the same, a share. */
  @property({ attribute: false }) delta = defaultDelta;
  @property() heading = '';
  @property() subtitle = '';

  protected override render(): TemplateResult {
    const figures = this.lines.flatMap(({ figure }) => (figure === null ? [] : [figure]));
    const scale = forestScale(figures.map(({ ratio }) => ratio));
    return html`<h2>${this.heading}</h2>
      <p class="note">${this.subtitle}</p>
      <div class="lines" role="list">
        ${this.lines.map((line) => lineTemplate(line, scale, this.delta))}
        ${figures.length === 0 ? nothing : html`<span></span>${forestAxis(scale)}`}
      </div>`;
  }
}

function lineTemplate({ label, figure, names, reason, reasonInFull }: ComparedLine, scale: ForestScale, delta: number): TemplateResult {
  if (figure === null)
    return html`<span class="label cut" role="listitem" title=${label}
        >${label}<span class="visuallyHidden">: no verdict. ${reasonInFull}</span></span
      >
      <span class="reason note cut" aria-hidden="true" title=${reasonInFull}>${reason}</span>`;
  const { ratio, verdict } = figure;
  return html`<span class="label cut" role="listitem" title=${label}
      >${label}<span class="visuallyHidden">: ${comparedSentence(figure, names)}</span></span
    >
    ${forestLine(ratio, verdict, scale, delta, `${sentenceWithCure(figure, names)}. ${methodText(figure.method)}`)}
    <span class="said" aria-hidden="true"
      ><span class="change">${changePhrase(ratio.mean)}</span><span class="muted range">${ratioRange(ratio)}</span
      ><span class="word ${verdict}">${verdictWord(figure, delta)}</span></span
    >`;
}
