import type { TemplateResult } from 'lit';
import { css, html, LitElement, nothing } from 'lit';
import type { Comparison } from '../../src/model/protocol.ts';
import type { RunSummary, Trial } from '../../src/model/run.ts';
import { figure, wholeNumber } from '../../src/model/format.ts';
import { delta } from '../shared/figures.ts';
import { icon } from '../shared/icons.ts';
import { sharedStyles } from '../shared/sharedStyles.ts';
import { changePhrase, clockPhrase, intervalPhrase, none, orDash } from '../shared/words.ts';
import { messageBox } from './messageBox.ts';
import { messageStyles } from './messageStyles.ts';
import './selectField.ts';

/** Two runs side by side: what differed around them first, then the figures with their ratios. Dispatches `compare` with `{a, b}`. */
export class CompareView extends LitElement {
  static override properties = { runs: { attribute: false }, chosen: { attribute: false }, comparison: { attribute: false } };

  static override styles = [
    sharedStyles,
    messageStyles,
    css`
      .choose {
        display: grid;
        grid-template-columns: repeat(auto-fit, minmax(min(280px, 100%), 1fr));
        gap: 10px 16px;
        margin-bottom: 18px;
      }
      section {
        margin-bottom: 22px;
      }
      .scroller {
        margin-top: 6px;
      }
      .warning {
        color: var(--bs-warning);
      }
      td.first,
      th.first {
        border-left: 1px solid var(--bs-line);
      }
      .better {
        color: var(--bs-good);
      }
      .worse {
        color: var(--bs-bad);
      }
      tbody tr:hover {
        background: var(--vscode-list-hoverBackground);
      }
    `,
  ];

  declare runs: readonly RunSummary[];
  declare chosen: { a: string; b: string };
  declare comparison: Comparison | null;

  constructor() {
    super();
    this.runs = [];
    this.chosen = { a: '', b: '' };
    this.comparison = null;
  }

  protected override render(): TemplateResult {
    const now = new Date();
    const choices = this.runs.flatMap((run) =>
      run.kind === 'run' ? [{ value: run.id, text: `${clockPhrase(run.startedAt, now)} · ${run.headline || run.title}` }] : [],
    );
    const withBlank = [{ value: '', text: 'choose a run' }, ...choices];
    return html`
      <div class="choose">
        <benchside-select
          label="A: the base"
          .value=${this.chosen.a}
          .choices=${withBlank}
          @choose=${(event: CustomEvent<string>) => this.choose({ ...this.chosen, a: event.detail })}
        ></benchside-select>
        <benchside-select
          label="B: compared with it"
          .value=${this.chosen.b}
          .choices=${withBlank}
          @choose=${(event: CustomEvent<string>) => this.choose({ ...this.chosen, b: event.detail })}
        ></benchside-select>
      </div>
      ${this.body(choices.length)}
    `;
  }

  private choose(chosen: { a: string; b: string }): void {
    this.dispatchEvent(new CustomEvent('compare', { detail: chosen }));
  }

  private body(runCount: number): TemplateResult {
    const { a, b } = this.chosen;
    if (runCount < 2)
      return messageBox({
        icon: 'info',
        title: 'There is nothing to compare yet.',
        text: 'Two runs are needed. Change a setting in the form and press Run.',
      });
    if (a === '' || b === '')
      return messageBox({
        icon: 'info',
        title: 'Choose two runs.',
        text: 'What differed around them comes first, then their figures side by side.',
      });
    if (a === b) return messageBox({ icon: 'info', title: 'These are the same run.', text: 'Choose another one on either side.' });
    const { comparison } = this;
    if (comparison?.a.id !== a || comparison.b.id !== b) return messageBox({ icon: 'info', title: 'Comparing…' });
    return html`${this.differences(comparison)} ${this.figures(comparison)}`;
  }

  private differences(comparison: Comparison): TemplateResult {
    const warnings = comparison.differences.filter((difference) => difference.severity === 'warning').length;
    const sorted = [...comparison.differences].sort((x, y) => Number(y.severity === 'warning') - Number(x.severity === 'warning'));
    return html`<section aria-labelledby="differences">
      <h2 id="differences">What differed around them</h2>
      <p class="note">
        ${
          comparison.differences.length === 0
            ? 'Nothing: the same machine, versions and load.'
            : warnings > 0
              ? 'Those marked can explain a difference in the figures by themselves.'
              : 'Nothing here is expected to move the figures.'
        }
      </p>
      ${
        sorted.length === 0
          ? nothing
          : html`<div class="scroller" role="region" aria-labelledby="differences" tabindex="0">
              <table>
                <thead>
                  <tr>
                    <th scope="col">What</th>
                    <th scope="col">A</th>
                    <th scope="col">B</th>
                  </tr>
                </thead>
                <tbody>
                  ${sorted.map(
                    (difference) =>
                      html`<tr>
                        <td>
                          ${difference.severity === 'warning' ? html`<span class="warning">${icon('warning')}<span class="visuallyHidden">Warning: </span></span> ` : nothing}${difference.what}
                        </td>
                        <td class="wrap">${difference.a}</td>
                        <td class="wrap">${difference.b}</td>
                      </tr>`,
                  )}
                </tbody>
              </table>
            </div>`
      }
    </section>`;
  }

  private figures(comparison: Comparison): TemplateResult {
    const now = new Date();
    return html`<section aria-labelledby="figures">
      <h2 id="figures">Figures side by side</h2>
      <p class="note">
        A: ${comparison.a.title}, ${clockPhrase(comparison.a.startedAt, now)}. B: ${comparison.b.title},
        ${clockPhrase(comparison.b.startedAt, now)}. Changes are B over A; a change is muted where it may be noise: throughput whose 95 %
        intervals overlap, the others within 5 %.
      </p>
      <div class="scroller" role="region" aria-labelledby="figures" tabindex="0">
        <table>
          <thead>
            <tr>
              <th rowspan="2" scope="col">Trial</th>
              <th colspan="3" scope="colgroup" class="first">req/s</th>
              <th colspan="3" scope="colgroup" class="first">p99 ms</th>
              <th colspan="3" scope="colgroup" class="first">CPU µs/req</th>
            </tr>
            <tr>
              ${[0, 1, 2].map(
                () =>
                  html`<th class="numeric first" scope="col">A</th>
                    <th class="numeric" scope="col">B</th>
                    <th class="numeric" scope="col">change</th>`,
              )}
            </tr>
          </thead>
          <tbody>
            ${comparison.rows.map(
              (row) =>
                html`<tr>
                  <td>${row.label}</td>
                  ${pair(
                    row.a,
                    row.b,
                    (trial) => trial.throughput.mean,
                    wholeNumber,
                    (trial) => `95 % interval ${intervalPhrase(trial.throughput)}`,
                  )}
                  ${change(row.throughputRatio, true, quiet(row) || overlap(row.a, row.b))}
                  ${pair(row.a, row.b, (trial) => trial.latencyMs?.p99 ?? null, figure)}
                  ${change(row.p99Ratio, false, quiet(row) || isSmall(row.p99Ratio))}
                  ${pair(row.a, row.b, (trial) => trial.resources.app.cpuUsPerRequest, figure)}
                  ${change(row.cpuPerRequestRatio, false, quiet(row) || isSmall(row.cpuPerRequestRatio))}
                </tr>`,
            )}
          </tbody>
        </table>
      </div>
    </section>`;
  }
}

function pair(
  a: Trial | null,
  b: Trial | null,
  value: (trial: Trial) => number | null,
  format: (value: number) => string,
  title?: (trial: Trial) => string,
): TemplateResult {
  const cell = (trial: Trial | null, first: boolean): TemplateResult => {
    const reason = trial && !trial.valid ? `Not valid: ${trial.reasons.join('; ')}` : trial && title ? title(trial) : '';
    return html`<td class=${`numeric${first ? ' first' : ''}${trial?.valid ? '' : ' muted'}`} title=${reason}>
      ${trial ? orDash(value(trial), format) : none}${trial && !trial.valid ? ' (not valid)' : ''}
    </td>`;
  };
  return html`${cell(a, true)}${cell(b, false)}`;
}

/** A change, coloured by whether it is for the better only where it is more than noise; the sign says the same without colour. */
function change(ratio: number | null, moreIsBetter: boolean, mayBeNoise: boolean): TemplateResult {
  if (ratio === null) return html`<td class="numeric muted">${none}</td>`;
  const better = ratio > 1 === moreIsBetter;
  return html`<td class=${`numeric ${mayBeNoise ? 'muted' : better ? 'better' : 'worse'}`}>${changePhrase(ratio)}</td>`;
}

/** Whether a row has nothing to say: one of its trials is not valid. */
function quiet(row: Comparison['rows'][number]): boolean {
  return row.a?.valid === false || row.b?.valid === false;
}

/** Within the share that also counts as no difference between settings. */
function isSmall(ratio: number | null): boolean {
  return ratio !== null && Math.abs(ratio - 1) < delta;
}

function overlap(a: Trial | null, b: Trial | null): boolean {
  const [one, other] = [a?.throughput, b?.throughput];
  if (!one || !other || one.ciLow === null || one.ciHigh === null || other.ciLow === null || other.ciHigh === null) return false;
  return one.ciLow <= other.ciHigh && other.ciLow <= one.ciHigh;
}

customElements.define('benchside-compare', CompareView);
