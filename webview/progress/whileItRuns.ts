import type { PropertyValues, TemplateResult } from 'lit';
import { css, html, LitElement, nothing } from 'lit';
import type { Trial } from '../../src/model/run.ts';
import type { Tick } from '../../src/model/runEvent.ts';
import { figure, wholeNumber } from '../../src/model/format.ts';
import '../kit/charts/chartElement.ts';
import type { Draw } from '../kit/charts/chartElement.ts';
import type { TickLine, TickSegment } from './tickChart.ts';
import { drawTickChart } from './tickChart.ts';
import { valueOf } from '../kit/figures/axis.ts';
import { shownSettings } from '../kit/figures/figures.ts';
import type { Hues } from '../kit/style/hues.ts';
import { sharedStyles } from '../kit/style/sharedStyles.ts';
import { targetMark } from '../kit/controls/targetMark.ts';
import { none, orDash, shortPhrase, variedPhrase } from '../kit/figures/words.ts';
import type { RunProgress } from './runProgress.ts';
import { segmentsOf } from './runProgress.ts';

const throughputLine: TickLine[] = [{ name: 'requests/s', value: (tick) => tick.throughput, dashed: false }];
const latencyLines: TickLine[] = [
  { name: 'p50', value: (tick) => tick.p50Ms, dashed: false },
  { name: 'p99', value: (tick) => tick.p99Ms, dashed: true },
];
const stageWords: Record<Tick['stage'], string> = { warmUp: 'warming up', settle: 'settling', measure: 'measuring' };
/** The charts are drawn about once a second: drawing more often would take CPU from what is being measured. */
const drawEveryMs = 900;
const chartHeight = 150;

/** The load of the run in progress: its figures now, and the last minute as charts. */
export class WhileItRuns extends LitElement {
  static override properties = { progress: { attribute: false }, hues: { attribute: false } };

  static override styles = [
    sharedStyles,
    css`
      h2.title {
        margin-bottom: 8px;
        padding-top: 16px;
        border-top: 1px solid var(--bs-line);
      }
      .now {
        display: grid;
        grid-template-columns: minmax(190px, 2fr) repeat(4, minmax(80px, 1fr));
        gap: 4px 16px;
        margin-bottom: 14px;
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
        font-size: 15px;
        line-height: 22px;
        white-space: nowrap;
        overflow: hidden;
        text-overflow: ellipsis;
      }
      @media (max-width: 599px) {
        .now {
          grid-template-columns: repeat(4, minmax(0, 1fr));
        }
        .now > :first-child {
          grid-column: 1 / -1;
        }
      }
      .pair {
        display: grid;
        grid-template-columns: repeat(auto-fit, minmax(min(420px, 100%), 1fr));
        gap: 20px 24px;
      }
    `,
  ];

  declare progress: RunProgress | null;
  declare hues: Hues;

  private drawThroughput: Draw | null = null;
  private drawLatency: Draw | null = null;
  private drawnAt = 0;

  constructor() {
    super();
    this.progress = null;
    this.hues = new Map();
  }

  protected override willUpdate(changed: PropertyValues): void {
    const { progress } = this;
    if (!progress || !(changed.has('progress') || changed.has('hues'))) return;
    const now = performance.now();
    if (now - this.drawnAt < drawEveryMs && progress.finished === null && this.drawThroughput) return;
    this.drawnAt = now;
    const names = shownSettings(progress.trials);
    const segments = segmentsOf(progress).map((segment): TickSegment => {
      const { trial, measured, ticks } = segment;
      return { target: trial?.target ?? '', key: segment.trialKey, labels: trial ? labelsOf(trial, names) : [], measured, ticks };
    });
    const lastMs = progress.ticks.at(-1)?.timeMs ?? 0;
    this.drawThroughput = (width, height) => drawTickChart(segments, throughputLine, this.hues, lastMs, width, height);
    this.drawLatency = (width, height) => drawTickChart(segments, latencyLines, this.hues, lastMs, width, height);
  }

  protected override render(): TemplateResult | typeof nothing {
    const { progress } = this;
    if (!progress) return nothing;
    const tick = progress.ticks.at(-1);
    const trial = tick ? progress.trials.find((candidate) => candidate.key === tick.trialKey) : undefined;
    const label = trial ? variedPhrase(trial, shownSettings(progress.trials)) : none;
    return html`
      <h2 class="title">While it runs</h2>
      <dl class="now" aria-label="Now">
        <div>
          <dt>${progress.finished ? 'last under load' : tick ? stageWords[tick.stage] : 'not under load yet'}</dt>
          <dd title=${label}>${trial ? targetMark(this.hues.get(trial.target) ?? 0) : nothing}${label}</dd>
        </div>
        ${now('req/s', orDash(tick?.throughput, wholeNumber))} ${now('p50 ms', orDash(tick?.p50Ms, figure))}
        ${now('p99 ms', orDash(tick?.p99Ms, figure))} ${now('errors so far', wholeNumber(progress.errors))}
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

customElements.define('benchside-while-it-runs', WhileItRuns);
