import { type TemplateResult, css, html, nothing } from 'lit';
import { unbroken } from '../kit/figures/words.ts';
import { headlineOf } from '../../src/model/domain/diagnosis.ts';
import type { Trial } from '../../src/model/domain/run.ts';
import { type VerdictContext, verdictDetails } from '../verdict/verdictBody.ts';

export const limitStyles = css`
  .limit summary {
    width: auto;
    font-size: inherit;
    color: inherit;
    list-style: none;
    cursor: pointer;
  }
  .limit summary::-webkit-details-marker {
    display: none;
  }
  .limit .toggle {
    color: var(--vscode-textLink-foreground);
  }
  .limit summary:hover .toggle {
    text-decoration: underline;
  }
  dd .limit {
    margin-top: 0;
  }
`;

/** What limits the trial that an answer is about, in the answer's own card; what speaks for it is one click away. Nothing where nothing is known. */
export function limitRow(trial: Trial | undefined, at: string, context: VerdictContext): TemplateResult | typeof nothing {
  const diagnosis = trial?.diagnosis ?? null;
  // The table says why a trial is discarded.
  if (!trial || diagnosis === null || diagnosis.kind === 'invalid') return nothing;
  return html`<dt><span class="visuallyHidden">What is the </span>Limit</dt>
    <dd>
      <details class="limit">
        <summary>
          ${unbroken(`${at}${headlineOf(diagnosis)}`)}${diagnosis.confident ? '' : ' Not sure.'} <span class="toggle">why</span>
        </summary>
        ${verdictDetails({ ...trial, diagnosis }, context)}
      </details>
    </dd>`;
}
