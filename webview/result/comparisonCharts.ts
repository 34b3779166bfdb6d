import { type PropertyValues, type TemplateResult, css, html, LitElement, nothing } from 'lit';
import { customElement, property } from 'lit/decorators.js';
import { type ChartContent, type Draw, chartView } from '../kit/charts/chartElement.ts';
import { drawSettingChart } from './settingChart.ts';
import type { Recommendation, Trial } from '../../src/model/domain/run.ts';
import { durationPhrase, listPhrase, wholeNumber } from '../../src/model/domain/format.ts';
import { type Axis, chooseAxis } from '../kit/figures/axis.ts';
import { type Series, seriesOf, chartSummary } from '../kit/figures/series.ts';
import { sharedStyles } from '../kit/style/sharedStyles.ts';
import { defaultDelta, deltaPhrase } from '../../src/model/domain/margin.ts';
import { type SettingLabels, recommendedLabels, settingTitle } from '../../src/model/presentation/settingWords.ts';

const height = 208;
/** More trials than this are counted, not named, under the charts. */
const mostHatchedNames = 4;

/** Throughput and p99 latency against the setting that was varied, one line for each target. */
@customElement('benchside-comparison-charts')
export class ComparisonCharts extends LitElement {
  static override styles = [
    sharedStyles,
    css`
      ul {
        margin: 8px 0 0;
      }
    `,
  ];

  @property({ attribute: false }) trials: readonly Trial[] = [];
  @property({ attribute: false }) recommendations: readonly Recommendation[] = [];
  @property({ attribute: false }) labels: SettingLabels = {};
  /** δ of the run, a share. */
  @property({ attribute: false }) delta = defaultDelta;
  /** Requests/s by the operational laws, by trial key. */
  @property({ attribute: false }) predicted: ReadonlyMap<string, number> = new Map();

  #drawThroughput: Draw | null = null;
  #drawLatency: Draw | null = null;
  #axis: Axis = chooseAxis([]);
  #throughput: Series[] = [];
  #latency: Series[] = [];
  /** p99 is known at a fixed open rate, which does not follow throughput as that of the closed loop does. */
  #open = false;

  protected override willUpdate(changed: PropertyValues): void {
    if (!['trials', 'recommendations', 'labels', 'delta', 'predicted'].some((name) => changed.has(name))) return;
    const { trials, recommendations } = this;
    const axis = chooseAxis(trials);
    this.#axis = axis;
    this.#open = trials.some((trial) => trial.openLoop !== null);
    const metric = this.#open ? 'openP99' : 'p99';
    this.#throughput = seriesOf(trials, axis, 'throughput', recommendations, this.predicted);
    this.#latency = seriesOf(trials, axis, metric, recommendations);
    const shared = { trials, axis, axisLabel: this.#axisLabel(), delta: this.delta };
    this.#drawThroughput = (width, height) =>
      drawSettingChart({ ...shared, metric: 'throughput', series: this.#throughput }, width, height);
    this.#drawLatency = (width, height) => drawSettingChart({ ...shared, metric, series: this.#latency }, width, height);
  }

  #axisLabel(): string {
    return this.#axis.kind === 'target'
      ? ''
      : settingTitle(this.#axis.name, { ...this.labels, ...recommendedLabels(this.recommendations) }).toLowerCase();
  }

  protected override render(): TemplateResult {
    const block = this.trials.flatMap((trial) => trial.blocks)[0];
    const blocks = block ? `dots ${durationPhrase(block.windowMs).replace('.0 s', ' s').replace(' ', '-')} blocks` : 'dots single blocks';
    const invalid = this.trials.filter((trial) => !trial.valid && trial.reasons.length > 0);
    const overrun = this.trials.filter((trial) => trial.valid && trial.openLoop?.carried === false);
    const throughput: ChartContent = {
      heading: 'Throughput',
      subtitle: `requests/s · ${blocks}, bars 95 %, band ${deltaPhrase(this.delta)}${this.predicted.size > 0 ? ', dashed: predicted' : ''}`,
      summary: chartSummary(this.#throughput, 'requests/s'),
      height,
      draw: this.#drawThroughput,
    };
    const latency: ChartContent = {
      heading: this.#latencyHeading(),
      subtitle: this.#open ? `ms · open loop, ${this.#openRates()} · bars 95 %` : 'ms · all requests of a trial, dots single blocks',
      summary: chartSummary(this.#latency, 'ms'),
      height,
      draw: this.#drawLatency,
    };
    return html`
      <div class="pair">${chartView(throughput, true)} ${chartView(latency, true)}</div>
      ${
        invalid.length + overrun.length === 0
          ? nothing
          : html`<ul class="note" aria-label="Trials that are not valid">
              ${invalid.length === 0 ? nothing : html`<li>Hatched: ${this.#hatched(invalid)}; the table says why.</li>`}
              ${overrun.length === 0 ? nothing : html`<li>Hatched in p99: ${listPhrase(overrun.map((trial) => this.#nameOf(trial)))} could not answer that many requests.</li>`}
            </ul>`
      }
    `;
  }

  /** "Java · pool size 4 and Java · pool size 8", "7 trials are not valid": the table says why, once. */
  #hatched(invalid: readonly Trial[]): string {
    const { length } = invalid;
    const names = length > mostHatchedNames ? `${length} trials` : listPhrase(invalid.map((trial) => this.#nameOf(trial)));
    return `${names} ${length === 1 ? 'is' : 'are'} not valid`;
  }

  #latencyHeading(): string {
    const rates = [...new Set(this.trials.flatMap((trial) => (trial.openLoop ? [trial.openLoop.rate] : [])))];
    if (rates.length === 0) return 'p99 latency';
    return rates.length === 1 ? `p99 latency at ${wholeNumber(rates[0] ?? 0)} req/s` : 'p99 latency at a fixed rate';
  }

  /** "Java 6,000 and Node 6,600 req/s". */
  #openRates(): string {
    const rates = new Map(this.trials.flatMap((trial) => (trial.openLoop ? [[trial.targetLabel, trial.openLoop.rate] as const] : [])));
    return `${listPhrase([...rates].map(([label, rate]) => `${label} ${wholeNumber(rate)}`))} req/s`;
  }

  #nameOf(trial: Trial): string {
    const value = this.#axis.kind === 'connections' ? trial.connections : trial.settings[this.#axis.name];
    return value === undefined ? trial.targetLabel : `${trial.targetLabel} · ${this.#axisLabel()} ${value}`;
  }
}
