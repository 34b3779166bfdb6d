import type { TemplateResult } from 'lit';
import { css, html, LitElement, nothing, svg } from 'lit';
import type { ComparedFigure } from '../../src/model/comparison.ts';
import { sentenceWithCure } from '../../src/model/comparison.ts';
import { sharedStyles } from '../kit/style/sharedStyles.ts';
import type { ForestScale } from './forestScale.ts';
import { forestScale, sameBand } from './forestScale.ts';
import { changePhrase } from '../../src/model/format.ts';
import { ratioRange, verdictWord } from '../../src/model/comparisonTable.ts';
import { defaultDelta } from '../../src/model/margin.ts';

/** One interval line. Without a figure the line says why. */
export interface ForestLine {
  label: string;
  figure: ComparedFigure | null;
  reason: string;
  reasonInFull: string;
}

/** What the second side is to the first, intervals, one thin line each, against the band in which both count as the same. */
export class ForestChart extends LitElement {
  static override properties = { lines: { attribute: false }, delta: { attribute: false }, heading: {}, subtitle: {} };

  static override styles = [
    sharedStyles,
    css`
      .lines {
        display: grid;
        grid-template-columns: fit-content(38%) minmax(90px, 1fr) max-content;
        gap: 0 14px;
        align-items: center;
        margin-top: 6px;
      }
      .label {
        overflow: hidden;
        text-overflow: ellipsis;
        white-space: nowrap;
      }
      svg.line {
        display: block;
        width: 100%;
        height: 26px;
        overflow: visible;
      }
      svg.axis {
        display: block;
        width: 100%;
        height: 20px;
        overflow: visible;
      }
      .band {
        fill: color-mix(in srgb, var(--bs-fg) var(--bs-band), transparent);
      }
      .zero {
        stroke: var(--bs-muted);
        stroke-width: 1;
      }
      .axis text {
        fill: var(--bs-muted);
        font-size: 11px;
        text-anchor: middle;
      }
      .interval {
        stroke: currentColor;
        stroke-width: 2;
      }
      .mark {
        fill: currentColor;
        stroke: currentColor;
        stroke-width: 1.4;
        margin: 0;
      }
      .better {
        color: var(--bs-good);
      }
      .worse {
        color: var(--bs-bad);
      }
      .same {
        color: var(--bs-fg);
      }
      .unknown {
        color: var(--bs-muted);
      }
      .unknown .mark {
        fill: var(--bs-bg);
      }
      .said {
        display: flex;
        flex-wrap: wrap;
        justify-content: flex-end;
        gap: 0 8px;
        text-align: right;
      }
      .word {
        min-width: 6.6em;
      }
      .reason {
        grid-column: 2 / -1;
        line-height: 26px;
        overflow: hidden;
        text-overflow: ellipsis;
        white-space: nowrap;
      }
      @container (max-width: 860px) {
        .minor {
          display: none;
        }
      }
      @container (max-width: 520px) {
        .said .range,
        .middle {
          display: none;
        }
      }
      :host {
        container-type: inline-size;
      }
    `,
  ];

  declare lines: readonly ForestLine[];
  /** Within which both count as the same, a share. */
  declare delta: number;
  declare heading: string;
  declare subtitle: string;

  constructor() {
    super();
    this.lines = [];
    this.delta = defaultDelta;
    this.heading = '';
    this.subtitle = '';
  }

  protected override render(): TemplateResult {
    const figures = this.lines.flatMap(({ figure }) => (figure === null ? [] : [figure]));
    const scale = forestScale(figures.map(({ ratio }) => ratio));
    return html`<h2>${this.heading}</h2>
      <p class="note">${this.subtitle}</p>
      <div class="lines" role="list">
        ${this.lines.map((line) => lineTemplate(line, scale, this.delta))}
        ${
          figures.length === 0
            ? nothing
            : html`<span></span
                ><svg class="axis" aria-hidden="true">
                  ${scale.ticks.map((tick) => svg`<text class=${tick.minor ? 'minor' : tick.ratio === 1 ? 'middle' : ''} x=${percent(tick.share)} y="14">${tick.text}</text>`)}</svg
                ><span></span>`
        }
      </div>`;
  }
}

function lineTemplate({ label, figure, reason, reasonInFull }: ForestLine, scale: ForestScale, delta: number): TemplateResult {
  if (figure === null)
    return html`<span class="label" role="listitem" title=${label}
        >${label}<span class="visuallyHidden">: no verdict. ${reasonInFull}</span></span
      >
      <span class="reason note" aria-hidden="true" title=${reasonInFull}>${reason}</span>`;
  const { ratio, verdict } = figure;
  const [sameLow, sameHigh] = sameBand(delta);
  return html`<span class="label" role="listitem" title=${label}>${label}<span class="visuallyHidden">: ${figure.sentence}</span></span>
    <svg class="line ${verdict}" aria-hidden="true">
      <title>${sentenceWithCure(figure)}. ${figure.method}</title>
      <rect
        class="band"
        x=${percent(scale.place(sameLow))}
        width=${percent(scale.place(sameHigh) - scale.place(sameLow))}
        height="26"
      ></rect>
      <line class="zero" x1="50%" x2="50%" y1="0" y2="26"></line>
      ${interval(figure, scale)}
      <svg x=${percent(scale.place(ratio.mean))} y="13" overflow="visible">${mark(verdict)}</svg>
    </svg>
    <span class="said" aria-hidden="true"
      ><span>${changePhrase(ratio.mean)}</span><span class="muted range">${ratioRange(ratio)}</span
      ><span class="word ${verdict}">${verdictWord(figure, delta)}</span></span
    >`;
}

function interval({ ratio }: ComparedFigure, scale: ForestScale): TemplateResult | typeof nothing {
  if (ratio.ciLow === null || ratio.ciHigh === null) return nothing;
  const [low, high] = [scale.place(ratio.ciLow), scale.place(ratio.ciHigh)];
  const arrow = (share: number, direction: 1 | -1): TemplateResult =>
    svg`<svg x=${percent(share)} y="13" overflow="visible"><path class="mark" d=${`M0 -4 L${direction * 6} 0 L0 4 Z`}></path></svg>`;
  return svg`<line class="interval" x1=${percent(low)} x2=${percent(high)} y1="13" y2="13"></line>
    ${scale.beyond(ratio.ciLow) ? arrow(low, -1) : nothing}${scale.beyond(ratio.ciHigh) ? arrow(high, 1) : nothing}`;
}

/** A shape for each verdict, beside its colour. */
function mark(verdict: ComparedFigure['verdict']): TemplateResult {
  switch (verdict) {
    case 'better':
      return svg`<path class="mark" d="M0 -5.5 L5.5 4 L-5.5 4 Z"></path>`;
    case 'worse':
      return svg`<path class="mark" d="M0 5.5 L5.5 -4 L-5.5 -4 Z"></path>`;
    case 'same':
      return svg`<circle class="mark" r="4"></circle>`;
    case 'unknown':
      return svg`<circle class="mark" r="4"></circle>`;
  }
}

function percent(share: number): string {
  return `${(share * 100).toFixed(3)}%`;
}

customElements.define('benchside-forest', ForestChart);
