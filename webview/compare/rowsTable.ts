import { type TemplateResult, css, html, nothing } from 'lit';
import type { Comparison, ComparisonRow } from '../../src/model/domain/comparison.ts';
import { comparisonNote, comparisonTable } from '../../src/model/presentation/comparisonTable.ts';
import { noFigure } from '../../src/model/domain/format.ts';
import { isNoticeable } from '../../src/model/domain/interference.ts';
import { interferencePercentPhrase } from '../../src/model/presentation/interferenceWords.ts';
import type { Trial } from '../../src/model/domain/run.ts';
import { tableView } from '../kit/controls/tableView.ts';
import { unbroken } from '../kit/figures/words.ts';

export const rowsTableStyles = css`
  /* Fifteen columns: all of them are seen at once from 1,300 px. */
  .rows th,
  .rows td {
    padding: 4px 5px;
  }
  .rows td.first,
  .rows th.first {
    border-left: 1px solid var(--bs-line);
  }
  .rows tbody tr:hover {
    background: var(--vscode-list-hoverBackground);
  }
  .rows .reasons {
    min-width: 16em;
    max-width: 34em;
    white-space: normal;
  }
`;

/** All figures of both sides with their changes, intervals and verdicts; trials that are not valid say why. */
export function rowsTable(comparison: Comparison): TemplateResult {
  return html`<section class="rows" aria-labelledby="figures">
    <h2 id="figures">Figures side by side</h2>
    <p class="note">${comparisonNote(comparison)}</p>
    ${tableView(comparisonTable(comparison), {
      labelledBy: 'figures',
      cell: ({ key, reasons }, { id }, { text }) => {
        const compared = comparison.rows.find(({ label }) => label === key);
        return id === 'label' && compared !== undefined
          ? html`${text}${reasons.length === 0 ? nothing : html`<p class="note reasons">${unbroken(reasons.join('. '))}</p>`}${interferenceOfSides(compared)}`
          : null;
      },
    })}
  </section>`;
}

/** The interference on either side, where it is noticeable: it widens intervals and is no reason against the figures. */
function interferenceOfSides({ a, b }: ComparisonRow): TemplateResult | typeof nothing {
  const taken = (trial: Trial | null): string => {
    const interference = trial?.interference ?? null;
    return interference !== null && isNoticeable(interference) ? interferencePercentPhrase(interference.takenPercent) : noFigure;
  };
  const [before, after] = [taken(a), taken(b)];
  return before === noFigure && after === noFigure ? nothing : html`<p class="note">interference ${before} → ${after}</p>`;
}
