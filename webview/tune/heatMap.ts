import { findingText } from '../../src/model/domain/findings.ts';
import { type TemplateResult, css, html, LitElement, nothing } from 'lit';
import { customElement, property, state } from 'lit/decorators.js';
import { figure, wholeNumber } from '../../src/model/domain/format.ts';
import { sharePhrase } from '../../src/model/presentation/runTable.ts';
import type { SettingValue } from '../../src/model/domain/setting.ts';
import type { TunedSetting, TuningAnswer } from '../../src/model/domain/tuning.ts';
import { hueColor } from '../kit/style/hues.ts';
import { sharedStyles } from '../kit/style/sharedStyles.ts';
import { type HeatMetric, gridValues, tintOf, tintShares } from './heatTint.ts';

/**
 * Two settings at once: a cell for each combination with its ratio to the best, the recommended one ringed, the ones that are not valid hatched.
 * It is a table: with the keyboard it is one stop, and the arrow keys go from cell to cell.
 */
@customElement('benchside-heat-map')
export class HeatMap extends LitElement {
  static override styles = [
    sharedStyles,
    css`
      .subtitle {
        min-height: 36px;
        margin: 2px 0 4px;
      }
      .scroller {
        padding: 2px;
      }
      table {
        width: auto;
        border-collapse: separate;
        border-spacing: 3px;
      }
      th {
        border: 0;
        padding: 2px 8px;
        font-weight: 400;
        text-align: right;
        color: var(--bs-muted);
      }
      thead th {
        text-align: center;
      }
      td {
        --share: 0%;
        min-width: 84px;
        height: 46px;
        padding: 4px 8px;
        border: 1px solid var(--vscode-contrastBorder, var(--bs-grid));
        border-radius: 2px;
        text-align: center;
        background: color-mix(in srgb, var(--tint-hue) var(--share), transparent);
      }
      td.invalid {
        background: repeating-linear-gradient(45deg, transparent 0 4px, var(--bs-grid) 4px 6px);
        color: var(--bs-muted);
      }
      td.recommended {
        outline: 2px solid var(--bs-fg);
        outline-offset: 0;
      }
      td:focus-visible {
        outline: 2px solid var(--vscode-focusBorder);
        outline-offset: 1px;
      }
      td strong {
        display: block;
        font-weight: 600;
      }
      td span {
        font-size: 11px;
        color: var(--bs-muted);
      }
      .words {
        min-height: 36px;
        margin-top: 4px;
      }
    `,
  ];

  @property({ attribute: false }) answer: TuningAnswer | null = null;
  @property({ attribute: false }) recommendedKey: string | null = null;
  @property() metric: HeatMetric = 'throughput';
  @property({ type: Number }) hue = 0;
  /** Key of the cell that is pointed at or focused. */
  @state() active: string | null = null;

  protected override updated(): void {
    this.style.setProperty('--tint-hue', hueColor(this.hue));
  }

  protected override render(): TemplateResult | typeof nothing {
    const { answer, metric } = this;
    const [rowName, columnName] = answer?.settingNames ?? [];
    if (!answer || rowName === undefined || columnName === undefined) return nothing;
    const rows = gridValues(answer.settings, rowName);
    const columns = gridValues(answer.settings, columnName);
    const labelOf = (name: string): string => (answer.settingLabels[name] ?? name).toLowerCase();
    const find = (row: SettingValue, column: SettingValue): TunedSetting | undefined =>
      answer.settings.find((setting) => setting.values[rowName] === row && setting.values[columnName] === column);
    const pointed = answer.settings.find((setting) => setting.trialKey === this.active);
    const what =
      metric === 'throughput'
        ? 'Throughput'
        : `p99 latency at ${answer.openRate === null ? 'a fixed rate' : `${wholeNumber(answer.openRate)} req/s`}`;
    const note = metric === 'throughput' ? 'share of the best, requests/s below it' : 'ms, open loop';
    return html`<h2 id="heading">${answer.targetLabel}: ${what}</h2>
      <p class="note subtitle">
        ${labelOf(rowName)} downwards, ${labelOf(columnName)} across · ${note} · recommended ringed, not valid hatched
      </p>
      <div class="scroller">
        <table role="grid" aria-labelledby="heading" @keydown=${this.#onKey} @pointerleave=${() => (this.active = null)}>
          <thead>
            <tr>
              <th scope="col">${labelOf(rowName)}</th>
              ${columns.map((column) => html`<th scope="col">${columnName} ${column}</th>`)}
            </tr>
          </thead>
          <tbody>
            ${rows.map(
              (row, y) =>
                html`<tr>
                  <th scope="row">${row}</th>
                  ${columns.map((column, x) => this.#cell(find(row, column), x === 0 && y === 0))}
                </tr>`,
            )}
          </tbody>
        </table>
      </div>
      <p class="note words" aria-hidden="true">${pointed ? this.#words(pointed) : nothing}</p>`;
  }

  #cell(setting: TunedSetting | undefined, first: boolean): TemplateResult {
    if (!setting) return html`<td class="missing" tabindex=${first ? 0 : -1} aria-label="not measured">–</td>`;
    const { ratio, strong, weak } = cellOf(setting, this.metric);
    const share = setting.valid ? tintShares[tintOf(ratio, this.metric)] : 0;
    const recommended = setting.trialKey === this.recommendedKey;
    const stop = this.active === null ? first : this.active === setting.trialKey;
    return html`<td
      class=${`${setting.valid ? '' : 'invalid'}${recommended ? ' recommended' : ''}`}
      .style=${`--share: ${share}%`}
      tabindex=${stop ? 0 : -1}
      aria-label=${this.#words(setting)}
      @pointerenter=${() => (this.active = setting.trialKey)}
      @focus=${() => (this.active = setting.trialKey)}
    >
      <strong>${strong}</strong><span>${weak}</span>
    </td>`;
  }

  /** All that is known of a cell, in one sentence. */
  #words(setting: TunedSetting): string {
    const names = this.answer?.settingNames ?? [];
    const { throughput, ratioToBest, openLoop } = setting;
    const interval =
      throughput.ciLow === null || throughput.ciHigh === null
        ? ''
        : ` (${wholeNumber(throughput.ciLow)} – ${wholeNumber(throughput.ciHigh)})`;
    return [
      `${names.map((name) => `${name} ${setting.values[name] ?? ''}`).join(' · ')}: ${wholeNumber(throughput.mean)} requests/s${interval}`,
      ...(ratioToBest ? [`${sharePhrase(ratioToBest.mean)} of the best`] : []),
      ...(openLoop?.carried ? [`p99 ${figure(openLoop.p99Ms)} ms at ${wholeNumber(openLoop.rate)} requests/s`] : []),
      ...(setting.trialKey === this.recommendedKey ? ['recommended'] : []),
      ...setting.reasons.map((reason) => `not valid: ${findingText(reason)}`),
    ].join(', ');
  }

  #onKey(event: KeyboardEvent): void {
    const cells = [...this.renderRoot.querySelectorAll<HTMLElement>('tbody td')];
    const width = this.renderRoot.querySelectorAll('tbody tr:first-child td').length;
    const at = cells.indexOf(event.composedPath()[0] as HTMLElement);
    const step = { ArrowRight: 1, ArrowLeft: -1, ArrowDown: width, ArrowUp: -width }[event.key];
    const edge = (at % width) + (step ?? 0);
    const sideways = event.key === 'ArrowRight' || event.key === 'ArrowLeft';
    if (step === undefined || at === -1) return;
    event.preventDefault();
    if (!sideways || (edge >= 0 && edge < width)) cells[at + step]?.focus();
  }
}

/** The figure that a cell shows large, the one below it, and the ratio to the best that tints it. */
function cellOf(setting: TunedSetting, metric: HeatMetric): { ratio: number | null; strong: string; weak: string } {
  if (metric === 'throughput') {
    const ratio = setting.ratioToBest?.mean ?? null;
    return { ratio, strong: ratio === null ? '–' : sharePhrase(ratio), weak: wholeNumber(setting.throughput.mean) };
  }
  const { openLoop } = setting;
  if (!openLoop) return { ratio: null, strong: '–', weak: 'not measured' };
  if (!openLoop.carried) return { ratio: null, strong: '–', weak: 'too much' };
  return {
    ratio: openLoop.ratioToBest?.mean ?? null,
    strong: figure(openLoop.p99Ms),
    weak: openLoop.ciLow === null || openLoop.ciHigh === null ? 'ms' : `${figure(openLoop.ciLow)} – ${figure(openLoop.ciHigh)}`,
  };
}
