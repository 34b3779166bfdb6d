import { type TemplateResult, css, html, nothing } from 'lit';
import { type Draw, chartView } from '../kit/charts/chartElement.ts';
import { type CurveSeries, drawLatencyCurves } from './latencyCurve.ts';
import '../kit/charts/timeBudget.ts';
import type { Comparison, ComparisonRow } from '../../src/model/domain/comparison.ts';
import { targetMarkOf } from '../../src/model/presentation/targetHue.ts';
import { hueColor } from '../kit/style/hues.ts';
import { changePhrase, figure, orDash } from '../../src/model/domain/format.ts';
import { type Latency, latencyQuantiles } from '../../src/model/domain/latency.ts';
import type { Trial } from '../../src/model/domain/run.ts';
import { type Table, plainTable, titledColumns } from '../../src/model/presentation/table.ts';
import { tableView } from '../kit/controls/tableView.ts';

export const rowDetailStyles = css`
  .details {
    display: grid;
    grid-template-columns: repeat(auto-fit, minmax(min(400px, 100%), 1fr));
    gap: 20px 28px;
    align-items: start;
  }
  .quantiles {
    margin-top: 8px;
  }
`;

type Sides = Pick<Comparison, 'a' | 'b'>;

const chartHeight = 260;

/** A drawing function for a row's curves; `null` when no histogram was kept. Make it once for each row: a new one redraws the chart. */
export function curvesDraw(row: ComparisonRow, sides: Sides): Draw | null {
  const { curves } = row;
  if (curves === null) return null;
  const series: CurveSeries[] = [
    { label: sides.a.short, color: 'var(--bs-muted)', dash: '5 3', symbol: 'diamond', curve: curves.a, marked: marked(row.a) },
    {
      label: sides.b.short,
      color: row.b === null ? 'var(--bs-fg)' : hueColor(targetMarkOf(row.b.target)),
      dash: '',
      symbol: 'circle',
      curve: curves.b,
      marked: marked(row.b),
    },
  ];
  return (width, height) => drawLatencyCurves(series, width, height);
}

function marked(trial: Trial | null): CurveSeries['marked'] {
  const latency = trial?.latencyMs;
  return latency
    ? latencyQuantiles.filter(({ key }) => key !== 'p75' && key !== 'p95').map(({ share, key }) => ({ quantile: share, ms: latency[key] }))
    : [];
}

/** Latency by quantile of both sides, and the same as a table. */
export function latencyDistribution(row: ComparisonRow, sides: Sides, draw: Draw | null): TemplateResult {
  const [a, b] = [row.a?.latencyMs ?? null, row.b?.latencyMs ?? null];
  if (draw === null)
    return html`<div>
      <h2>Latency distribution</h2>
      <p class="note">No histogram of both sides was kept.</p>
    </div>`;
  return html`<div>
    ${chartView({
      heading: 'Latency distribution',
      subtitle: `ms · the slower a request, the further right; up to where 20 are slower · ${sides.a.short} dashed, ${sides.b.short} solid`,
      summary: `${sideSentence(sides.a.short, a)} ${sideSentence(sides.b.short, b)} The figures are in the table.`,
      height: chartHeight,
      draw,
    })}
    <details class="quantiles quiet">
      <summary>As a table</summary>
      ${tableView(quantileTable(row, sides), { label: 'Latency by quantile' })}
    </details>
  </div>`;
}

function quantileTable(row: ComparisonRow, sides: Sides): Table {
  return plainTable(
    titledColumns(['Quantile', `${sides.a.short} ms`, `${sides.b.short} ms`, 'change'], 1),
    latencyQuantiles.map(({ share, name, key }) => {
      const [left, right] = [shown(row.a, share, key), shown(row.b, share, key)];
      const change = left === null || right === null || left <= 0 ? null : right / left;
      return [name, orDash(left), orDash(right), orDash(change, changePhrase)];
    }),
  );
}

/** A percentile with fewer than 20 requests above it is left to chance and not shown. */
function shown(trial: Trial | null, quantile: number, key: keyof Latency): number | null {
  if (!trial?.latencyMs || trial.requests * (1 - quantile) < 20 - 1e-9) return null;
  return trial.latencyMs[key];
}

function sideSentence(side: string, latency: Latency | null): string {
  return latency === null
    ? `${side}: no figures.`
    : `${side}: half of the requests within ${figure(latency.p50)} ms, 99 % within ${figure(latency.p99)} ms.`;
}

/** Where a request's time goes on both sides; a sentence where no probe was attached. */
export function timeBudgets(row: ComparisonRow, sides: Sides): TemplateResult {
  const rows = (['a', 'b'] as const).flatMap((side) => {
    const trial = row[side];
    return trial?.timeBudget ? [{ label: sides[side].short, budget: trial.timeBudget }] : [];
  });
  const missing = rows.length === 0 ? 'Neither side was' : rows.length === 1 ? 'One side was not' : null;
  return html`<div>
    ${rows.length === 0 ? html`<h2>Where a request’s time goes</h2>` : html`<benchside-time-budget .rows=${rows}></benchside-time-budget>`}
    ${missing === null ? nothing : html`<p class="note">${missing} watched by a probe, which tells waiting for the pool from the rest.</p>`}
  </div>`;
}
