import type { TemplateResult } from 'lit';
import { css, html, nothing } from 'lit';
import type { ComparedFigure, Comparison, ComparisonRow } from '../../src/model/comparison.ts';
import { haveSameRate } from '../../src/model/comparison.ts';
import { whilePhrase } from '../../src/model/disturbanceWords.ts';
import type { Trial } from '../../src/model/run.ts';
import { figure, wholeNumber } from '../../src/model/format.ts';
import { changePhrase, intervalPhrase, none, orDash } from '../kit/figures/words.ts';
import { ratioRange, verdictWord } from './verdictWords.ts';

/** How {@link rowsTable} looks. */
export const rowsTableStyles = css`
  .rows td.first,
  .rows th.first {
    border-left: 1px solid var(--bs-line);
  }
  .rows .better {
    color: var(--bs-good);
  }
  .rows .worse {
    color: var(--bs-bad);
  }
  .rows tbody tr:hover {
    background: var(--vscode-list-hoverBackground);
  }
  .rows .reasons {
    min-width: 16em;
    max-width: 34em;
    white-space: normal;
  }
  .rows th.group {
    text-align: left;
  }
`;

interface Group {
  title: string;
  value: (trial: Trial, row: ComparisonRow) => number | null;
  format: (value: number) => string;
  hint: (trial: Trial, row: ComparisonRow) => string;
  ratio: (row: ComparisonRow) => number | null;
  figure: (row: ComparisonRow) => ComparedFigure | null;
}

const groups: readonly Group[] = [
  {
    title: 'req/s',
    value: (trial) => (trial.requests > 0 ? trial.throughput.mean : null),
    format: wholeNumber,
    hint: (trial) => `95 % interval ${intervalPhrase(trial.throughput)}`,
    ratio: (row) => row.throughputRatio,
    figure: (row) => row.throughput,
  },
  {
    title: 'p99 ms',
    value: (trial, row) => (haveSameRate(row.a, row.b) ? trial.openLoop?.p99Ms : trial.latencyMs?.p99) ?? null,
    format: figure,
    hint: (trial) =>
      trial.openLoop === null ? '' : `${figure(trial.openLoop.p99Ms)} ms at ${wholeNumber(trial.openLoop.rate)} requests/s`,
    ratio: (row) => row.p99Ratio,
    figure: (row) => row.p99,
  },
  {
    title: 'CPU µs/req',
    value: (trial) => trial.resources.app.cpuUsPerRequest,
    format: figure,
    hint: () => '',
    ratio: (row) => row.cpuPerRequestRatio,
    figure: (row) => row.cpuPerRequest,
  },
];

/** All figures of both sides with their ratios, intervals and verdicts; trials that are not valid say why. */
export function rowsTable(comparison: Comparison): TemplateResult {
  return html`<section class="rows" aria-labelledby="figures">
    <h2 id="figures">Figures side by side</h2>
    <p class="note">Changes are B over A with their 95 % interval. ${rates(comparison)}</p>
    <div class="scroller" role="region" aria-labelledby="figures" tabindex="0">
      <table>
        <thead>
          <tr>
            <th rowspan="2" scope="col">Setting</th>
            ${groups.map((group) => html`<th colspan="5" scope="colgroup" class="first group">${group.title}</th>`)}
          </tr>
          <tr>
            ${groups.map(
              () =>
                html`<th class="numeric first" scope="col">A</th>
                  <th class="numeric" scope="col">B</th>
                  <th class="numeric" scope="col">change</th>
                  <th class="numeric" scope="col">interval</th>
                  <th scope="col">verdict</th>`,
            )}
          </tr>
        </thead>
        <tbody>
          ${comparison.rows.map(
            (row) =>
              html`<tr>
                <td>${row.label}${notValid(row)}${disturbedSides(row)}</td>
                ${groups.map((group) => groupCells(group, row))}
              </tr>`,
          )}
        </tbody>
      </table>
    </div>
  </section>`;
}

function rates({ rows }: Comparison): string {
  const fixed = rows.filter((row) => haveSameRate(row.a, row.b)).length;
  if (fixed === rows.length) return 'p99 was measured at a fixed rate.';
  return fixed === 0
    ? 'p99 was measured with a fixed number of connections, where it follows from throughput.'
    : 'p99 was measured at a fixed rate where both sides have that, else with a fixed number of connections.';
}

function notValid(row: ComparisonRow): TemplateResult | typeof nothing {
  const reason = invalidReason(row, '; ');
  return reason === null ? nothing : html`<p class="note reasons">${reason}</p>`;
}

/** What was taken of the CPU on either side, where that is noticeable: it widens intervals and is no reason against the figures. */
function disturbedSides({ a, b }: ComparisonRow): TemplateResult | typeof nothing {
  const said = (side: string, trial: Trial | null): string[] => {
    const words = whilePhrase(trial?.disturbance ?? null);
    return words === '' ? [] : [`${side} ${words}`];
  };
  const sides = [...said('A', a), ...said('B', b)];
  return sides.length === 0 ? nothing : html`<p class="note reasons">${sides.join(', ')}</p>`;
}

/** Why there is no verdict on a row: "A not valid: …", once where both have the same reason; `null` for valid trials. */
export function invalidReason(row: ComparisonRow, separator = '; '): string | null {
  const said = (trial: Trial | null): string | null =>
    trial?.valid === false ? `not valid: ${trial.reasons.join(separator) || 'no reason given'}` : null;
  const [a, b] = [said(row.a), said(row.b)];
  if (a !== null && a === b) return `A and B ${a}`;
  const sides = [...(a === null ? [] : [`A ${a}`]), ...(b === null ? [] : [`B ${b}`])];
  return sides.length === 0 ? null : sides.join('. ');
}

function groupCells(group: Group, row: ComparisonRow): TemplateResult {
  const compared = group.figure(row);
  const ratio = compared?.ratio.mean ?? group.ratio(row);
  const verdict = compared?.verdict;
  return html`${sideCell(group, row, row.a, true)}${sideCell(group, row, row.b, false)}
    <td class="numeric">${orDash(ratio, changePhrase)}</td>
    <td class="numeric muted">${compared === null ? none : ratioRange(compared.ratio) || none}</td>
    <td
      class=${verdict === 'better' || verdict === 'worse' ? verdict : 'muted'}
      title=${compared === null ? '' : `${compared.sentence}. ${compared.method}`}
    >
      ${verdict === undefined ? none : verdictWord[verdict]}
    </td>`;
}

function sideCell(group: Group, row: ComparisonRow, trial: Trial | null, first: boolean): TemplateResult {
  return html`<td
    class=${`numeric${first ? ' first' : ''}${trial?.valid ? '' : ' muted'}`}
    title=${trial === null ? 'not measured' : group.hint(trial, row)}
  >
    ${trial === null ? none : orDash(group.value(trial, row), group.format)}
  </td>`;
}
