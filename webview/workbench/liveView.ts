import type { PropertyValues, TemplateResult } from 'lit';
import { css, html, LitElement, nothing } from 'lit';
import type { Trial } from '../../src/model/run.ts';
import type { Tick } from '../../src/model/runEvent.ts';
import { figure, wholeNumber } from '../../src/model/format.ts';
import '../charts/chartElement.ts';
import type { Draw } from '../charts/chartElement.ts';
import type { LiveLine, LiveSegment } from '../charts/liveChart.ts';
import { drawLiveChart } from '../charts/liveChart.ts';
import '../result/comparisonCharts.ts';
import { valueOf } from '../shared/axis.ts';
import { shownSettings } from '../shared/figures.ts';
import type { Hues } from '../shared/hues.ts';
import { icon } from '../shared/icons.ts';
import { sharedStyles } from '../shared/sharedStyles.ts';
import { targetMark } from '../shared/targetMark.ts';
import type { SettingLabels } from '../shared/words.ts';
import { none, orDash, shortPhrase, variedPhrase } from '../shared/words.ts';
import type { LiveRun } from './liveRun.ts';
import { segmentsOf } from './liveRun.ts';
import { messageBox } from './messageBox.ts';
import { messageStyles } from './messageStyles.ts';

const throughputLine: LiveLine[] = [{ name: 'requests/s', value: (tick) => tick.throughput, dashed: false }];
const latencyLines: LiveLine[] = [
  { name: 'p50', value: (tick) => tick.p50Ms, dashed: false },
  { name: 'p99', value: (tick) => tick.p99Ms, dashed: true },
];
const stageWords: Record<Tick['stage'], string> = { warmUp: 'warming up', settle: 'settling', measure: 'measuring' };
/** The charts are drawn about once a second: drawing more often would take CPU from what is being measured. */
const drawEveryMs = 900;
const chartHeight = 200;

/** The run in progress: current figures, the last minute as charts, and the comparison as it builds up. */
export class LiveView extends LitElement {
  static override properties = { live: { attribute: false }, hues: { attribute: false }, labels: { attribute: false } };

  static override styles = [
    sharedStyles,
    messageStyles,
    css`
      .now {
        display: grid;
        grid-template-columns: minmax(190px, 2fr) repeat(4, minmax(80px, 1fr));
        gap: 4px 16px;
        margin-bottom: 18px;
      }
      dl {
        margin: 0;
      }
      dt {
        font-size: 12px;
        color: var(--bs-muted);
      }
      dd {
        margin: 0;
        font-size: 18px;
        line-height: 26px;
        white-space: nowrap;
        overflow: hidden;
        text-overflow: ellipsis;
      }
      .pair {
        display: grid;
        grid-template-columns: repeat(auto-fit, minmax(min(420px, 100%), 1fr));
        gap: 20px 24px;
        margin-bottom: 24px;
      }
      h2.part {
        margin-bottom: 10px;
        padding-top: 16px;
        border-top: 1px solid var(--bs-line);
      }
      ul {
        margin: 12px 0 0;
        padding: 0;
        list-style: none;
      }
    `,
  ];

  declare live: LiveRun | null;
  declare hues: Hues;
  declare labels: SettingLabels;

  private drawThroughput: Draw | null = null;
  private drawLatency: Draw | null = null;
  private drawnAt = 0;

  constructor() {
    super();
    this.live = null;
    this.hues = new Map();
    this.labels = {};
  }

  protected override willUpdate(changed: PropertyValues): void {
    const { live } = this;
    if (!live || !(changed.has('live') || changed.has('hues'))) return;
    const now = performance.now();
    if (now - this.drawnAt < drawEveryMs && live.finished === null && this.drawThroughput) return;
    this.drawnAt = now;
    const names = shownSettings(live.trials);
    const segments = segmentsOf(live).map((segment): LiveSegment => {
      const { trial, measured, ticks } = segment;
      return { target: trial?.target ?? '', key: segment.trialKey, labels: trial ? labelsOf(trial, names) : [], measured, ticks };
    });
    const lastMs = live.ticks.at(-1)?.timeMs ?? 0;
    this.drawThroughput = (width, height) => drawLiveChart(segments, throughputLine, this.hues, lastMs, width, height);
    this.drawLatency = (width, height) => drawLiveChart(segments, latencyLines, this.hues, lastMs, width, height);
  }

  protected override render(): TemplateResult {
    const { live } = this;
    if (!live) {
      return messageBox({
        icon: 'info',
        title: 'Nothing is running.',
        text: 'Press Run: throughput and latency move here while it measures, and the comparison builds up below them.',
      });
    }
    const tick = live.ticks.at(-1);
    const trial = tick ? live.trials.find((candidate) => candidate.key === tick.trialKey) : undefined;
    const label = trial ? variedPhrase(trial, shownSettings(live.trials)) : none;
    return html`
      <dl class="now" aria-label="Now">
        <div>
          <dt>${live.finished ? 'last under load' : tick ? stageWords[tick.stage] : 'not under load yet'}</dt>
          <dd title=${label}>${trial ? targetMark(this.hues.get(trial.target) ?? 0) : nothing}${label}</dd>
        </div>
        ${now('req/s', orDash(tick?.throughput, wholeNumber))} ${now('p50 ms', orDash(tick?.p50Ms, figure))}
        ${now('p99 ms', orDash(tick?.p99Ms, figure))} ${now('errors so far', wholeNumber(live.errors))}
      </dl>
      <div class="pair">
        <benchside-chart
          heading="Throughput now"
          subtitle="requests/s in the last minute · warm-up is faint, a hairline where the trial changes"
          summary=${tick ? `Now ${wholeNumber(tick.throughput)} requests/s, ${label}.` : 'No load yet.'}
          .height=${chartHeight}
          .draw=${this.drawThroughput}
        ></benchside-chart>
        <benchside-chart
          heading="Latency now"
          subtitle="ms in the last minute · p50 solid, p99 dashed"
          summary=${tick ? `Now p50 ${orDash(tick.p50Ms)} ms, p99 ${orDash(tick.p99Ms)} ms.` : 'No load yet.'}
          .height=${chartHeight}
          .draw=${this.drawLatency}
        ></benchside-chart>
      </div>
      <h2 class="part">The comparison so far</h2>
      <benchside-comparison-charts
        .trials=${live.trials}
        .planned=${live.trials}
        .hues=${this.hues}
        .labels=${this.labels}
      ></benchside-comparison-charts>
      ${
        live.notes.length === 0
          ? nothing
          : html`<ul class="note" aria-label="Notes">
              ${live.notes.map((note) => html`<li>${icon('info')} ${note}</li>`)}
            </ul>`
      }
    `;
  }
}

/** Names of a trial for the chart, longest first: the first one that has room is shown. */
function labelsOf(trial: Trial, names: readonly string[]): string[] {
  const values = names.flatMap((name) => valueOf(trial, name) ?? []).join(' · ');
  return [variedPhrase(trial, names), shortPhrase(trial, names), values];
}

function now(name: string, value: string): TemplateResult {
  return html`<div>
    <dt>${name}</dt>
    <dd>${value}</dd>
  </div>`;
}

customElements.define('benchside-live', LiveView);
