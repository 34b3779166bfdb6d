import { type TemplateResult, css, html, nothing, svg } from 'lit';
import { type ForestScale, sameBand } from '../../../src/model/presentation/forest.ts';
import type { Ratio, Verdict } from '../../../src/model/domain/tuning.ts';

/** How a line of a forest and its axis look: an interval against the band in which both sides count as the same. */
export const forestStyles = css`
  svg.line,
  svg.axis {
    display: block;
    width: 100%;
    height: 26px;
    overflow: visible;
  }
  .line .band {
    fill: color-mix(in srgb, var(--bs-fg) var(--bs-band), transparent);
  }
  .line .zero {
    stroke: var(--bs-muted);
    stroke-width: 1;
  }
  .axis text {
    fill: var(--bs-muted);
    font-size: 11px;
    text-anchor: middle;
  }
  .line .interval {
    stroke: currentColor;
    stroke-width: 2;
  }
  .line .mark {
    fill: currentColor;
    stroke: currentColor;
    stroke-width: 1.4;
    margin: 0;
  }
  .line.better,
  .word.better {
    color: var(--bs-good);
  }
  .line.worse,
  .word.worse {
    color: var(--bs-bad);
  }
  .line.same,
  .word.same {
    color: var(--bs-fg);
  }
  .line.unknown,
  .word.unknown {
    color: var(--bs-muted);
  }
  .line.unknown .mark {
    fill: var(--bs-bg);
  }
  @container (max-width: 1040px) {
    .axis .minor {
      display: none;
    }
  }
  @container (max-width: 520px) {
    .axis .middle {
      display: none;
    }
  }
`;

/** A line: the band, no change, and the ratio with its interval; what reaches beyond the scale ends in an arrow. `ratio` `null`: nothing is known. */
export function forestLine(ratio: Ratio | null, verdict: Verdict, scale: ForestScale, delta: number, title = ''): TemplateResult {
  const [low, high] = sameBand(delta).map(scale.place);
  return html`<svg class=${`line ${verdict}`} aria-hidden="true">
    ${title === '' ? nothing : svg`<title>${title}</title>`}
    <rect class="band" x=${percent(low ?? 0)} width=${percent((high ?? 0) - (low ?? 0))} height="26"></rect>
    <line class="zero" x1="50%" x2="50%" y1="0" y2="26"></line>
    ${ratio === null ? nothing : svg`${interval(ratio, scale)}${at(scale.place(ratio.mean), shapes[verdict])}`}
  </svg>`;
}

/** The words below or above the lines. */
export function forestAxis({ ticks }: ForestScale): TemplateResult {
  return html`<svg class="axis" aria-hidden="true">
    ${ticks.map(({ ratio, share, text, minor }) => svg`<text class=${minor ? 'minor' : ratio === 1 ? 'middle' : ''} x=${percent(share)} y="17">${text}</text>`)}
  </svg>`;
}

function interval({ ciLow, ciHigh }: Ratio, scale: ForestScale): TemplateResult | typeof nothing {
  if (ciLow === null || ciHigh === null) return nothing;
  const [low, high] = [scale.place(ciLow), scale.place(ciHigh)];
  const arrow = (share: number, direction: 1 | -1): TemplateResult => at(share, `M0 -4 L${direction * 6} 0 L0 4 Z`);
  return svg`<line class="interval" x1=${percent(low)} x2=${percent(high)} y1="13" y2="13"></line>
    ${scale.beyond(ciLow) ? arrow(low, -1) : nothing}${scale.beyond(ciHigh) ? arrow(high, 1) : nothing}`;
}

const circle = 'M-4 0 A4 4 0 1 1 4 0 A4 4 0 1 1 -4 0 Z';

/** A shape for each verdict, in addition to its colour. */
const shapes: Readonly<Record<Verdict, string>> = {
  better: 'M0 -5.5 L5.5 4 L-5.5 4 Z',
  worse: 'M0 5.5 L5.5 -4 L-5.5 -4 Z',
  same: circle,
  unknown: circle,
};

function at(share: number, path: string): TemplateResult {
  return svg`<svg x=${percent(share)} y="13" overflow="visible"><path class="mark" d=${path}></path></svg>`;
}

function percent(share: number): string {
  return `${(share * 100).toFixed(3)}%`;
}
