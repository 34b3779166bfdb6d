import { type TemplateResult, css, html, LitElement, nothing, svg } from 'lit';
import { customElement, property } from 'lit/decorators.js';
import type { Trial } from '../../src/model/domain/run.ts';
import { sharedStyles } from '../kit/style/sharedStyles.ts';
import { type Owner, type ResourceChart, owners, resourceCharts } from './resourceRows.ts';
import { shortPhrase, shownSettings, variedPhrase } from '../../src/model/presentation/settingWords.ts';

/** What each trial used of the machine: three small charts with a row for each trial, the figures at the right. */
@customElement('benchside-resource-use')
export class ResourceUseCharts extends LitElement {
  static override styles = [
    sharedStyles,
    css`
      .charts {
        display: grid;
        grid-template-columns: repeat(auto-fit, minmax(min(330px, 100%), 1fr));
        gap: 20px 32px;
      }
      .legend {
        display: flex;
        flex-wrap: wrap;
        gap: 2px 16px;
        margin: 2px 0 8px;
      }
      .rows {
        display: grid;
        grid-template-columns: fit-content(38%) minmax(60px, 1fr) max-content;
        column-gap: 10px;
        align-items: center;
        font-size: 12px;
        line-height: 21px;
      }
      /* A long name continues on a second line: cut off, it would lose the part that distinguishes it from the others. */
      .name {
        padding: 2.5px 0;
        line-height: 16px;
        overflow-wrap: anywhere;
      }
      .value {
        text-align: right;
        white-space: nowrap;
      }
      .invalid {
        color: var(--bs-muted);
      }
      svg.strip {
        display: block;
        width: 100%;
        height: 21px;
        overflow: visible;
      }
    `,
  ];

  @property({ attribute: false }) trials: readonly Trial[] = [];

  protected override render(): TemplateResult | typeof nothing {
    const charts = resourceCharts(this.trials).filter((chart) => chart.rows.some((row) => row.values.length > 0));
    if (charts.length === 0) return nothing;
    const names = shownSettings(this.trials);
    return html`<div class="charts">${charts.map((chart) => this.#chart(chart, names))}</div>`;
  }

  #chart(chart: ResourceChart, names: readonly string[]): TemplateResult {
    return html`<section aria-label=${chart.heading}>
      <h2>${chart.heading}</h2>
      <p class="note">${chart.subtitle}</p>
      <div class="legend note">
        ${chart.owners.map((owner) => html`<span>${legendMark(owner, chart.kind)} ${owners[owner].label}</span>`)}
      </div>
      <div class="rows" role="list">
        ${chart.rows.map(
          (row) => html`
            <span class=${row.trial.valid ? 'name' : 'name invalid'} role="listitem" title=${variedPhrase(row.trial, names)}>
              ${shortPhrase(row.trial, names)}${row.trial.valid ? '' : ' (not\u00a0valid)'}
              <span class="visuallyHidden">${row.values.map((value) => value.text).join(', ')}</span>
            </span>
            <svg class="strip" aria-hidden="true">${chart.kind === 'parts' ? parts(chart, row.values) : marks(chart, row.values)}</svg>
            <span class=${row.trial.valid ? 'value' : 'value invalid'} aria-hidden="true">${row.text}</span>
          `,
        )}
      </div>
    </section>`;
  }
}

type Values = ResourceChart['rows'][number]['values'];

function marks(chart: ResourceChart, values: Values): TemplateResult {
  return svg`<line x1="0" x2="100%" y1="10.5" y2="10.5" stroke="var(--bs-grid)" />
    ${values.map((value) => svg`<svg x=${`${(value.value / chart.top) * 100}%`} y="10.5" overflow="visible"><title>${value.text}</title>${ownerMark(value.owner)}</svg>`)}`;
}

function parts(chart: ResourceChart, values: Values): TemplateResult {
  let from = 0;
  return svg`${values.map((value) => {
    const start = from;
    from += value.value;
    return svg`<rect x=${`${(start / chart.top) * 100}%`} y="5" width=${`${(value.value / chart.top) * 100}%`} height="11" fill=${owners[value.owner].color}><title>${value.text}</title></rect>`;
  })}`;
}

function ownerMark(owner: Owner): TemplateResult {
  const { color, mark } = owners[owner];
  if (mark === 'circle') return svg`<circle r="4" fill=${color} />`;
  if (mark === 'diamond') return svg`<path d="M0-5 4.5 0 0 5-4.5 0z" fill=${color} />`;
  return svg`<circle r="3.5" fill="none" stroke=${color} stroke-width="1.4" />`;
}

function legendMark(owner: Owner, kind: ResourceChart['kind']): TemplateResult {
  return html`<svg width="11" height="11" viewBox="-5.5 -5.5 11 11" aria-hidden="true">
    ${kind === 'parts' ? svg`<rect x="-5" y="-5" width="10" height="10" rx="1" fill=${owners[owner].color} />` : ownerMark(owner)}
  </svg>`;
}
