import { type PropertyValues, type TemplateResult, html, LitElement, nothing } from 'lit';
import { customElement, property } from 'lit/decorators.js';
import type { MetricName, ExperimentRecord } from '../../src/model/domain/experiment.ts';
import { metricWords, levelName, levelsOf, planOf, shownMetrics } from '../../src/model/presentation/experimentTables.ts';
import { type ChartContent, chartView } from '../kit/charts/chartElement.ts';
import { drawExperimentChart, isDoubling } from './experimentChart.ts';
import { drawExperimentSeries } from './experimentSeriesChart.ts';
import { sharedStyles } from '../kit/style/sharedStyles.ts';
import { armMarks, levelLines, levelsSummary, seriesGroups } from './experimentShapes.ts';

const height = 260;

/** The figure of an experiment over its levels, the response time next to it, and what was measured over time. */
@customElement('benchside-experiment-charts')
export class ExperimentCharts extends LitElement {
  static override styles = sharedStyles;

  @property({ attribute: false }) record: ExperimentRecord | null = null;

  #charts: ChartContent[] = [];

  protected override willUpdate(changed: PropertyValues): void {
    const { record } = this;
    if (!record || !changed.has('record')) return;
    const overTime = seriesGroups(record, armMarks(record)).map(({ title, unit, lines, marks }): ChartContent => ({
      heading: title,
      subtitle: [unit, 'since load was put on', ...(marks.length === 0 ? [] : ['dashed hairlines where something happened'])].join(' · '),
      summary: marks.length === 0 ? 'The figures are in the run’s files.' : `${marks.map((mark) => mark.label).join(', ')}.`,
      height,
      draw: (width, tall) => drawExperimentSeries(lines, marks, unit, width, tall),
    }));
    this.#charts = [...chartedMetrics(record).map((name) => this.#overLevels(record, name)), ...overTime];
  }

  #overLevels(record: ExperimentRecord, name: MetricName): ChartContent {
    const lines = levelLines(record, name, armMarks(record));
    const levels = levelsOf(record);
    const counted = levelName(planOf(record));
    const { title, unit, format } = metricWords[name];
    const against = levels.length <= 1 ? 'by configuration' : `against ${counted}${isDoubling(levels) ? ' (log)' : ''}`;
    const whiskers = lines.some((one) => one.points.some((point) => point.low !== null)) ? ', bars 95 % intervals' : '';
    const hatched = lines.some((one) => one.points.some((point) => !point.valid)) ? ', hatched: not valid' : '';
    return {
      heading: title,
      subtitle: `${lines.length === 1 ? `${lines[0]?.label ?? ''} · ` : ''}${unit} ${against}${whiskers}${hatched}`.trim(),
      summary: levelsSummary(lines, name, counted),
      height,
      draw: (width, tall) => drawExperimentChart({ lines, levels, levelName: counted, format, unit }, width, tall),
    };
  }

  protected override render(): TemplateResult | typeof nothing {
    if (this.#charts.length === 0) return nothing;
    return html`<div class="pair">${this.#charts.map((chart) => chartView(chart))}</div>`;
  }
}

/** The experiment’s own figure, and next to it the first other one that was measured at more than one place. */
function chartedMetrics(record: ExperimentRecord): MetricName[] {
  // A single dot says less than the figures over time next to it.
  if (record.points.length <= 1 && record.series.length > 0) return [];
  const other = shownMetrics(record).find((name) => name !== record.experiment.figure);
  return [record.experiment.figure, ...(other === undefined ? [] : [other])];
}
