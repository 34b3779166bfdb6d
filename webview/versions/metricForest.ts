import { type TemplateResult, css, html, nothing } from 'lit';
import { changePhrase, orDash } from '../../src/model/domain/format.ts';
import { type ForestScale, forestScale } from '../../src/model/presentation/forest.ts';
import type { VersionDiff, VersionMetric } from '../../src/model/domain/versionDiff.ts';
import { againNote, againPhrase, metricInterval, sideTitles, toldRatio } from '../../src/model/presentation/versionDiffTable.ts';
import { titled } from '../kit/controls/sections.ts';
import { forestAxis, forestLine } from '../kit/charts/forestMarks.ts';

/** An interval that reaches beyond twice as much or half of it ends in an arrow. */
const furthest = 2;

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
  /* The words at the ends of the axis stay clear of what is next to it. */
  .forest svg {
    width: calc(100% - 36px);
    margin: 0 18px;
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
    .forest svg {
      width: calc(100% - 48px);
      margin: 0 24px;
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
  const scale = forestScale(
    metrics.flatMap((metric) => toldRatio(metric) ?? []),
    furthest,
  );
  const forest = html`<div class="forest" role="table" aria-labelledby="costs">
    <span class="note"></span><span class="note numeric side" title=${titles.base.full}>${titles.base.title}</span
    ><span class="note numeric side" title=${titles.head.full}>${titles.head.title}</span>
    ${forestAxis(scale)}
    <span class="note numeric">Change</span><span class="note range"></span><span class="note"></span>
    ${metrics.map((metric) => row(metric, delta, scale))}
  </div>`;
  return titled('costs', 'What it costs', note, forest);
}

function row(metric: VersionMetric, delta: number, scale: ForestScale): TemplateResult {
  const { name, unit, base, head, verdict, again } = metric;
  const ratio = toldRatio(metric);
  const kind = verdict ?? 'same';
  return html`<span role="rowheader">${name}${unit === '' ? nothing : html` <span class="muted">${unit}</span>`}</span>
    <span class="numeric side">${orDash(base)}</span><span class="numeric side">${orDash(head)}</span>
    ${forestLine(ratio, kind, scale, delta)}
    <span class="numeric"
      ><strong
        >${ratio === null ? '–' : ratio.mean >= 2 ? `× ${Number(ratio.mean.toPrecision(3))}` : changePhrase(ratio.mean)}</strong
      ></span
    >
    <span class="muted range" title=${again === undefined ? '' : `A/A ${againPhrase(metric)}. ${againNote}.`}
      >${metricInterval(metric)}</span
    ><span class=${`word ${kind}`}>${word(metric)}</span>`;
}

/** Of times and counts *more* is worse, of throughput it is less: the word says which way it went. */
function word({ id, name, verdict }: VersionMetric): string {
  const speed = ['throughput', 'p99'].includes(id ?? name);
  const words = speed ? { worse: 'slower', better: 'faster' } : { worse: 'more', better: 'less' };
  return verdict === null ? '' : { ...words, same: 'the same', unknown: 'undecided' }[verdict];
}
