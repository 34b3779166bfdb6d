import { shortened } from '../../../src/model/domain/plainText.ts';
import { type TemplateResult, css, html, nothing, svg } from 'lit';
import { wholeNumber, figure } from '../../../src/model/domain/format.ts';
import type { DoctorHint } from '../../../src/model/domain/recording.ts';
import { doctorText } from '../../../src/model/presentation/doctorWords.ts';

/** What clinic's doctor says: the sentence first, what it rests on, its series, its issues. */
export function doctorPage(hint: DoctorHint): TemplateResult {
  const issues = Object.entries(hint.issues);
  return html`<section class="doctor">
    <h2>${doctorText(hint)}</h2>
    <p class="muted">
      This is what ${shortened(hint.tool, 60)} thinks: a hint from ${wholeNumber(hint.samples)} samples, not a verdict.
      ${hint.enough ? nothing : 'These are fewer than it needs: record for longer, under load, before you act on it.'}
    </p>
    <div class="charts">${hint.series.map((series) => lineChart(series))}</div>
    ${
      issues.length === 0
        ? nothing
        : html`<h3>What it looked at</h3>
            <dl>
              ${issues.map(
                ([name, verdict]) =>
                  html`<dt>${shortened(name, 80)}</dt>
                    <dd class=${verdict === 'none' ? 'muted' : ''}>${verdict === 'none' ? 'nothing found' : shortened(verdict, 200)}</dd>`,
              )}
            </dl>`
    }
  </section>`;
}

export const doctorStyles = css`
  .doctor {
    flex: 1;
    overflow: auto;
    padding: 14px 16px 24px;
  }
  .doctor h2 {
    max-width: 760px;
    font-size: 18px;
    font-weight: 400;
    line-height: 1.35;
  }
  .doctor h3 {
    margin: 18px 0 6px;
  }
  .doctor > p {
    margin-top: 4px;
  }
  .charts {
    display: grid;
    grid-template-columns: repeat(auto-fill, minmax(270px, 1fr));
    gap: 16px 28px;
    margin-top: 18px;
  }
  figure {
    max-width: 460px;
    margin: 0;
  }
  figcaption {
    font-size: 12px;
  }
  figure svg {
    display: block;
    width: 100%;
    overflow: visible;
  }
  figure text {
    fill: var(--bs-muted);
    font-size: 11px;
  }
  figure .grid {
    stroke: var(--bs-grid);
  }
  figure .line {
    fill: none;
    stroke: var(--bs-hue-3);
    stroke-width: 1.4;
    stroke-linejoin: round;
  }
  dl {
    display: grid;
    grid-template-columns: max-content 1fr;
    gap: 4px 20px;
  }
`;

type Series = DoctorHint['series'][number];

const width = 320;
const height = 110;
const plot = { left: 44, right: 314, top: 8, bottom: 88 };

/** A small chart of one series over time: its largest figure and its times are written at the axes, gaps stay gaps. */
function lineChart(recorded: Series): TemplateResult {
  const series = readable(recorded);
  const known = series.values.flatMap((value) => (value === null || !Number.isFinite(value) ? [] : [value]));
  const name = shortened(series.name, 60);
  const unit = shortened(series.unit, 20);
  if (known.length === 0)
    return html`<figure>
      <figcaption>${name} <span class="muted">nothing was measured</span></figcaption>
    </figure>`;
  const top = niceTop(known.reduce((most, value) => Math.max(most, value), 0));
  const endMs = series.timeMs.reduce((most, value) => Math.max(most, value), 1);
  const x = (timeMs: number): number => plot.left + (timeMs / endMs) * (plot.right - plot.left);
  const y = (value: number): number => plot.bottom - (Math.max(0, value) / top) * (plot.bottom - plot.top);
  const average = known.reduce((sum, value) => sum + value, 0) / known.length;
  const most = known.reduce((highest, value) => Math.max(highest, value), -Infinity);
  const summary = `${name}: on average ${figure(average)} ${unit}, at most ${figure(most)} ${unit}, over ${figure(endMs / 1000)} s`;
  return html`<figure>
    <figcaption>
      ${name} <span class="muted">${unit}${unit === '' ? nothing : ' · '}average ${figure(average)}, most ${figure(most)}</span>
    </figcaption>
    <svg viewBox="0 0 ${width} ${height}" role="img" aria-label=${summary}>
      ${[0, top / 2, top].map(
        (value) => svg`<line class="grid" x1=${plot.left} x2=${plot.right} y1=${y(value)} y2=${y(value)} />
          <text x=${plot.left - 6} y=${y(value) + 4} text-anchor="end">${axisFigure(value)}</text>`,
      )}
      <text x=${plot.left} y=${height - 6}>0 s</text>
      <text x=${plot.right} y=${height - 6} text-anchor="end">${figure(endMs / 1000)} s</text>
      <path class="line" d=${pathOf(series, x, y)} />
    </svg>
  </figure>`;
}

const mebibyte = 1024 * 1024;

/** Bytes as MiB; a plain count needs no unit. */
function readable(series: Series): Series {
  if (series.unit === 'count') return { ...series, unit: '' };
  if (series.unit !== 'bytes') return series;
  return { ...series, unit: 'MiB', values: series.values.map((value) => (value === null ? null : value / mebibyte)) };
}

function pathOf(series: Series, x: (timeMs: number) => number, y: (value: number) => number): string {
  const parts: string[] = [];
  let pen = 'M';
  for (const [index, timeMs] of series.timeMs.entries()) {
    const value = series.values[index];
    if (value === null || value === undefined || !Number.isFinite(value)) {
      pen = 'M';
      continue;
    }
    parts.push(`${pen}${x(timeMs).toFixed(1)} ${y(value).toFixed(1)}`);
    pen = 'L';
  }
  return parts.join('');
}

function axisFigure(value: number): string {
  return Number.isInteger(value) && Math.abs(value) < 1000 ? String(value) : figure(value);
}

/** The next of 1, 2, 5 times a power of ten. */
function niceTop(most: number): number {
  if (most <= 0) return 1;
  const power = 10 ** Math.floor(Math.log10(most));
  return [1, 2, 5, 10].map((step) => step * power).find((step) => step >= most * 0.999) ?? most;
}
