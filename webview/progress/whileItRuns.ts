import { type PropertyValues, type TemplateResult, css, html, LitElement, nothing } from 'lit';
import { customElement, property } from 'lit/decorators.js';
import type { Observation, ProcessUse } from '../../src/model/domain/observation.ts';
import type { Trial } from '../../src/model/domain/run.ts';
import type { Tick } from '../../src/model/protocol/runEvent.ts';
import { figure, noFigure, orDash, wholeNumber } from '../../src/model/domain/format.ts';
import { type Draw, chartView } from '../kit/charts/chartElement.ts';
import { type TickLine, type TickSegment, drawTickChart, windowS } from './tickChart.ts';
import { type UseLine, drawUseChart } from './useChart.ts';
import { sharedStyles } from '../kit/style/sharedStyles.ts';
import { targetMark } from '../kit/controls/targetMark.ts';
import { type RunSoFar, segmentsOf } from './runSoFar.ts';
import { shortPhrase, shownSettings, valueOf, variedPhrase } from '../../src/model/presentation/settingWords.ts';

const throughputLine: TickLine[] = [{ name: 'req/s', value: (tick) => tick.throughput, format: wholeNumber }];
const latencyLines: TickLine[] = [
  { name: 'p50', value: (tick) => tick.p50Ms, format: figure },
  { name: 'p99', value: (tick) => tick.p99Ms, dash: '4 3', format: figure },
];
const stageWords: Record<Tick['stage'], string> = { warmUp: 'warming up', settle: 'settling', measure: 'measuring' };
/** The charts are drawn about once a second: drawing more often would take CPU from what is being measured. */
const drawEveryMs = 900;
/** After so long without a tick there is no load: the next process is started, or something is prepared. */
const loadEndsMs = 2_500;
const plotHeight = 64;
const sessionLines: UseLine[] = [
  { name: 'open', value: ({ sessions }) => sessions?.total ?? null, color: 'var(--bs-muted)', dash: '4 3' },
  {
    name: 'at work',
    value: ({ sessions }) => (sessions === null ? null : (sessions.byState['active'] ?? 0)),
    color: 'var(--bs-kind-postgres)',
  },
];
const cpuLines: UseLine[] = [
  { name: 'app', value: ({ app }) => cores(app), color: 'var(--bs-kind-app)' },
  { name: 'PostgreSQL', value: ({ postgres }) => cores(postgres), color: 'var(--bs-kind-postgres)', dash: '6 2' },
  { name: 'generator', value: ({ generator }) => cores(generator), color: 'var(--bs-kind-generator)', dash: '2 3' },
];

/** The load of the run in progress: its figures now, and the last minute as charts. */
@customElement('benchside-while-it-runs')
export class WhileItRuns extends LitElement {
  static override styles = [
    sharedStyles,
    css`
      :host {
        container-type: inline-size;
      }
      .now {
        display: grid;
        grid-template-columns: minmax(190px, 2fr) repeat(4, minmax(80px, 1fr));
        gap: 4px 16px;
        margin-bottom: 8px;
      }
      benchside-chart {
        margin-bottom: 2px;
      }
      dd {
        font-size: 15px;
        line-height: 22px;
      }
      @container (max-width: 599px) {
        .now {
          grid-template-columns: repeat(4, minmax(0, 1fr));
        }
        .now > :first-child {
          grid-column: 1 / -1;
        }
      }
    `,
  ];

  @property({ attribute: false }) progress: RunSoFar | null = null;

  #draws: Draw[] = [];
  #drawnAt = 0;
  /** What the charts show: the figures above them are of the same moment. */
  #drawn: RunSoFar | null = null;

  protected override willUpdate(changed: PropertyValues): void {
    const { progress } = this;
    if (!progress || !changed.has('progress')) return;
    const now = performance.now();
    if (now - this.#drawnAt < drawEveryMs && progress.finished === null && this.#draws.length > 0) return;
    this.#drawnAt = now;
    this.#drawn = progress;
    const names = shownSettings(progress.trials);
    const segments = segmentsOf(progress).map((segment): TickSegment => {
      const { trial, measured, ticks } = segment;
      return { target: trial?.target ?? '', key: segment.trialKey, labels: trial ? labelsOf(trial, names) : [], measured, ticks };
    });
    const lastMs = progress.ticks.at(-1)?.timeMs ?? 0;
    const toS = Math.max(windowS, lastMs / 1000);
    const axis = { observations: progress.observations, toS };
    this.#draws = [
      (width, height) => drawTickChart(segments, throughputLine, lastMs, true, width, height),
      (width, height) => drawTickChart(segments, latencyLines, lastMs, false, width, height),
      (width, height) => drawUseChart({ ...axis, lines: sessionLines, format: wholeNumber, lowest: false }, width, height),
      (width, height) => drawUseChart({ ...axis, lines: cpuLines, format: oneDecimal, lowest: true }, width, height),
    ];
  }

  protected override render(): TemplateResult | typeof nothing {
    const { progress } = this;
    const drawn = this.#drawn;
    if (!progress || !drawn) return nothing;
    const tick = drawn.ticks.at(-1);
    const trial = tick ? drawn.trials.find((candidate) => candidate.key === tick.trialKey) : undefined;
    const label = trial ? variedPhrase(trial, shownSettings(drawn.trials)) : noFigure;
    const last = drawn.observations.at(-1);
    const subtitle = 'requests/s in the last minute · a line for each setting, faint while it warms up';
    const charts: [heading: string, subtitle: string, summary: string, room: number][] = [
      ['Throughput now', subtitle, tick ? `Now ${wholeNumber(tick.throughput)} requests/s, ${label}.` : 'No load yet.', 30],
      [
        'Latency now',
        'ms · p50 solid, p99 dashed',
        tick ? `Now p50 ${orDash(tick.p50Ms)} ms, p99 ${orDash(tick.p99Ms)} ms.` : 'No load yet.',
        16,
      ],
      ['Database connections', 'open, and at work in PostgreSQL', useSummary(last, sessionLines, wholeNumber), 16],
      ['CPU', 'cores in use', useSummary(last, cpuLines, oneDecimal), 48],
    ];
    return html`
      <dl class="now" aria-label="Now">
        <div>
          <dt class="note">
            ${tick && (progress.finished || progress.timeMs - tick.timeMs > loadEndsMs) ? 'last under load' : tick ? stageWords[tick.stage] : 'not under load yet'}
          </dt>
          <dd class="cut" title=${label}>${trial ? targetMark(trial.target) : nothing}${label}</dd>
        </div>
        ${now('req/s', orDash(tick?.throughput, wholeNumber))} ${now('p50 ms', orDash(tick?.p50Ms, figure))}
        ${now('p99 ms', orDash(tick?.p99Ms, figure))} ${now('errors so far', wholeNumber(progress.errors))}
      </dl>
      ${charts.map(([heading, subtitle, summary, room], index) =>
        chartView({ heading, subtitle, summary, height: plotHeight + room, draw: this.#draws[index] ?? null }, true),
      )}
    `;
  }
}

/** Cores that a process tree uses. */
function cores(use: ProcessUse | null): number | null {
  return use === null || use.cpuPercent === null ? null : use.cpuPercent / 100;
}

function oneDecimal(value: number): string {
  return value.toFixed(1);
}

function useSummary(last: Observation | undefined, lines: readonly UseLine[], format: (value: number) => string): string {
  const known = lines.flatMap(({ name, value }) => {
    const now = last === undefined ? null : value(last);
    return now === null ? [] : [`${name} ${format(now)}`];
  });
  return known.length === 0 ? 'Not known yet.' : `Now ${known.join(', ')}.`;
}

/** Names of a trial for the chart, longest first: the first one that has room is shown. */
function labelsOf(trial: Trial, names: readonly string[]): string[] {
  const values = names.flatMap((name) => valueOf(trial, name) ?? []).join(' · ');
  return [variedPhrase(trial, names), shortPhrase(trial, names), values];
}

function now(name: string, value: string): TemplateResult {
  return html`<div>
    <dt class="note">${name}</dt>
    <dd class="cut">${value}</dd>
  </div>`;
}
