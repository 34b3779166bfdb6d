import type { TemplateResult } from 'lit';
import { css, html, nothing, svg } from 'lit';
import { changePhrase, orDash } from '../../src/model/format.ts';
import type { VersionDiff, VersionMetric } from '../../src/model/versionDiff.ts';
import { metricInterval, sideTitles } from '../../src/model/versionDiffTable.ts';

/** The axis reaches at least so far on both sides, and at most so far: what lies beyond ends in an arrow. */
const leastReach = 0.2;
const furthestReach = 0.5;
/** Percent of the width on each side of no change, so that the ends of the axis have room for their words. */
const inside = 44;

export const metricForestStyles = css`
  .forest {
    display: grid;
    grid-template-columns: max-content max-content max-content minmax(140px, 1fr) max-content max-content max-content;
    gap: 0 16px;
    align-items: center;
    margin-top: 6px;
  }
  .forest > * {
    line-height: 26px;
    white-space: nowrap;
  }
  .forest .numeric {
    text-align: right;
  }
  .forest .head {
    color: var(--bs-muted);
    font-size: 12px;
  }
  .forest svg {
    display: block;
    width: 100%;
    height: 26px;
    overflow: visible;
  }
  .forest .band {
    fill: color-mix(in srgb, var(--bs-fg) var(--bs-band), transparent);
  }
  .forest .zero {
    stroke: var(--bs-muted);
  }
  .forest .interval {
    stroke: currentColor;
    stroke-width: 2;
  }
  .forest .point {
    fill: currentColor;
  }
  .forest text {
    fill: var(--bs-muted);
    font-size: 11px;
    text-anchor: middle;
  }
  .forest .worse {
    color: var(--bs-bad);
  }
  .forest .better {
    color: var(--bs-good);
  }
  @container (max-width: 860px) {
    .forest {
      grid-template-columns: max-content max-content max-content minmax(90px, 1fr) max-content max-content;
      gap: 0 12px;
    }
    .forest .range {
      display: none;
    }
  }
  @container (max-width: 640px) {
    .forest {
      grid-template-columns: max-content minmax(90px, 1fr) max-content max-content;
    }
    .forest .side {
      display: none;
    }
  }
  @container (max-width: 520px) {
    .forest {
      gap: 0 10px;
    }
    .forest .middle {
      display: none;
    }
    /* The ends of the axis stay clear of what stands beside it. */
    .forest .upper {
      text-anchor: end;
      transform: translateX(8px);
    }
    .forest .lower {
      text-anchor: start;
      transform: translateX(-8px);
    }
  }
`;

/** A line for each figure: both sides, the change with its interval around no change, and what it means. */
export function metricForest(
  { metrics, delta, ...sides }: Pick<VersionDiff, 'metrics' | 'delta' | 'base' | 'head'>,
  note: string,
): TemplateResult | typeof nothing {
  if (metrics.length === 0) return nothing;
  const titles = sideTitles(sides);
  const ends = metrics.flatMap(({ ratio }) => (ratio === null ? [] : [ratio.ciLow ?? ratio.mean, ratio.ciHigh ?? ratio.mean, ratio.mean]));
  const reach = Math.min(furthestReach, Math.max(leastReach, ...ends.map((end) => Math.abs(end - 1) * 1.1)));
  const place = (ratio: number): string => `${(50 + inside * Math.min(1, Math.max(-1, (ratio - 1) / reach))).toFixed(2)}%`;
  return html`<section aria-labelledby="costs">
    <h2 id="costs">What it costs <span class="note">${note}</span></h2>
    <div class="forest" role="table" aria-labelledby="costs">
      <span class="head"></span><span class="head numeric side" title=${titles.base.full}>${titles.base.title}</span
      ><span class="head numeric side" title=${titles.head.full}>${titles.head.title}</span>
      <svg aria-hidden="true">
        ${[-reach, 0, reach].map((at) => svg`<text class=${at === 0 ? 'middle' : at < 0 ? 'lower' : 'upper'} x=${place(1 + at)} y="17">${at === 0 ? 'no change' : changePhrase(1 + at)}</text>`)}
      </svg>
      <span class="head numeric">Change</span><span class="head range"></span><span class="head"></span>
      ${metrics.map((metric) => row(metric, delta, reach, place))}
    </div>
  </section>`;
}

function row(metric: VersionMetric, delta: number, reach: number, place: (ratio: number) => string): TemplateResult {
  const { name, unit, base, head, ratio, verdict } = metric;
  const kind = verdict ?? 'same';
  return html`<span role="rowheader">${name}${unit === '' ? nothing : html` <span class="muted">${unit}</span>`}</span>
    <span class="numeric side">${orDash(base)}</span><span class="numeric side">${orDash(head)}</span>
    <svg class=${kind} aria-hidden="true">
      <rect class="band" x=${place(1 - delta)} width=${`${((2 * inside * Math.min(delta, reach)) / reach).toFixed(2)}%`} height="26"></rect>
      <line class="zero" x1="50%" x2="50%" y1="0" y2="26"></line>
      ${ratio === null ? nothing : marks(ratio, reach, place)}
    </svg>
    <span class="numeric"
      ><strong
        >${ratio === null ? '–' : ratio.mean >= 2 ? `× ${Number(ratio.mean.toPrecision(3))}` : changePhrase(ratio.mean)}</strong
      ></span
    >
    <span class="muted range">${metricInterval(metric)}</span><span class=${kind}>${word(metric)}</span>`;
}

function marks(
  { mean, ciLow, ciHigh }: NonNullable<VersionMetric['ratio']>,
  reach: number,
  place: (ratio: number) => string,
): TemplateResult {
  const beyond = Math.abs(mean - 1) > reach;
  const shape = !beyond ? 'M0 -5 L5 0 L0 5 L-5 0 Z' : mean > 1 ? 'M-4 -5 L5 0 L-4 5 Z' : 'M4 -5 L-5 0 L4 5 Z';
  return svg`${ciLow === null || ciHigh === null ? nothing : svg`<line class="interval" x1=${place(ciLow)} x2=${place(ciHigh)} y1="13" y2="13"></line>`}
    <svg x=${place(mean)} y="13" overflow="visible"><path class="point" d=${shape}></path></svg>`;
}

/** Of times and counts *more* is worse, of throughput it is less: the word says which way it went. */
function word({ id, name, verdict }: VersionMetric): string {
  const speed = id === undefined ? name === 'throughput' || name === 'p99' : id === 'throughput' || id === 'p99';
  switch (verdict) {
    case 'worse':
      return speed ? 'slower' : 'more';
    case 'better':
      return speed ? 'faster' : 'less';
    case 'same':
      return 'the same';
    case 'unknown':
      return 'undecided';
    case null:
      return '';
  }
}
