import { type TemplateResult, css, html, nothing } from 'lit';
import type { Comparison } from '../../src/model/domain/comparison.ts';
import { plainTable, titledColumns } from '../../src/model/presentation/table.ts';
import { icon } from '../kit/controls/icons.ts';
import { tableView } from '../kit/controls/tableView.ts';

export const differencesStyles = css`
  /* Both sides stay in sight, however narrow the panel is. */
  .differences td:not(:first-child) {
    max-width: 36ch;
    white-space: normal;
    overflow-wrap: anywhere;
  }
  .differences .warning {
    color: var(--bs-warning);
  }
  .differences table {
    width: auto;
    min-width: min(560px, 100%);
    margin-top: 4px;
  }
  .differences summary {
    margin-top: 6px;
  }
`;

/** Rows that are shown at once; warnings are never hidden. */
const mostShown = 6;

/** What differs between the sides besides the figures, warnings first. */
export function differencesList(comparison: Comparison): TemplateResult {
  const warnings = comparison.differences.filter((difference) => difference.severity === 'warning');
  const rest = comparison.differences.filter((difference) => difference.severity === 'info');
  const shown = [...warnings, ...rest.slice(0, Math.max(0, mostShown - warnings.length))];
  const folded = rest.slice(Math.max(0, mostShown - warnings.length));
  return html`<section class="differences" aria-labelledby="differences">
    <h2 id="differences">What differs</h2>
    <p class=${warnings.length > 0 ? 'warning' : 'note'}>${sentence(comparison, warnings.length)}</p>
    ${shown.length === 0 ? nothing : table(shown, comparison)}
    ${
      folded.length === 0
        ? nothing
        : html`<details class="quiet">
            <summary>${folded.length} more</summary>
            ${table(folded, comparison)}
          </details>`
    }
  </section>`;
}

function sentence(comparison: Comparison, warnings: number): TemplateResult | string {
  if (warnings > 0)
    return html`${icon('warning')} ${warnings === 1 ? 'The first of these can' : `The first ${warnings} of these can`} explain a difference
    in the figures by ${warnings === 1 ? 'itself' : 'themselves'}.`;
  if (comparison.differences.length === 0)
    return comparison.sameRun ? 'Nothing.' : 'Nothing: the same settings, machine, versions and load, at another time.';
  return comparison.sameRun
    ? 'Only this: both were measured in the same rounds.'
    : 'Apart from the settings, nothing here is expected to change the figures.';
}

function table(differences: Comparison['differences'], { a, b }: Comparison): TemplateResult {
  return tableView(
    plainTable(
      titledColumns(['What', a.short, b.short], 3),
      differences.map((one) => [one.what, one.a, one.b]),
    ),
    {
      labelledBy: 'differences',
      cell: ({ key }, { title }, { text }) =>
        title === 'What' && differences[Number(key)]?.severity === 'warning'
          ? html`<span class="warning">${icon('warning')}<span class="visuallyHidden">Warning: </span></span> ${text}`
          : null,
    },
  );
}
