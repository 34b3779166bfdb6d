import { shortened } from '../../../src/model/domain/plainText.ts';
import { type TemplateResult, css, html, nothing } from 'lit';
import { wholeNumber } from '../../../src/model/domain/format.ts';
import type { DoctorHint } from '../../../src/model/domain/recording.ts';
import { lineChart } from './lineChart.ts';

/** What clinic's doctor says: the sentence first, what it rests on, its series, its issues. */
export function doctorPage(hint: DoctorHint): TemplateResult {
  const issues = Object.entries(hint.issues);
  return html`<section class="doctor">
    <h2>${shortened(hint.sentence, 500)}</h2>
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
    min-height: 0;
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
