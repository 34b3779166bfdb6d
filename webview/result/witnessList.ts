import { capital } from '../../src/model/sentence.ts';
import type { TemplateResult } from 'lit';
import { css, html, nothing } from 'lit';
import { witnessText } from '../../src/model/witness.ts';
import type { Witness } from '../../src/model/witness.ts';
import { witnessNames, witnessSays } from '../../src/model/witnessWords.ts';
import type { IconName } from '../kit/controls/icons.ts';
import { icon } from '../kit/controls/icons.ts';
import { unbroken } from '../kit/figures/words.ts';

const marks: Readonly<Record<Witness['says'], { icon: IconName; className: string }>> = {
  for: { icon: 'check', className: 'for' },
  open: { icon: 'open', className: 'open' },
  against: { icon: 'warning', className: 'against' },
};

/** How {@link witnessRows} look. */
export const witnessStyles = css`
  .witnesses {
    display: grid;
    grid-template-columns: max-content minmax(0, 1fr);
    gap: 4px 12px;
    margin: 8px 0 0;
  }
  .witnesses dt {
    display: flex;
    align-items: center;
    gap: 6px;
    height: 19px;
    color: var(--bs-muted);
  }
  .witnesses dd {
    margin: 0;
    overflow-wrap: anywhere;
  }
  .witnesses .for .icon {
    color: var(--bs-good);
  }
  .witnesses .against .icon,
  .witnesses .wide .icon,
  .disagree {
    color: var(--bs-warning);
  }
  .disagree {
    display: flex;
    gap: 6px;
    margin-top: 8px;
  }
  .disagree .icon {
    margin-top: 1px;
  }
  .evidenceFold {
    margin-top: 6px;
    color: var(--bs-muted);
  }
  .evidenceFold summary {
    width: max-content;
    font-size: 12px;
    cursor: pointer;
  }
`;

/**
 * What speaks for an answer: the rows of a list, each witness with its mark and its sentence.
 *
 * @param wide the interval of the figures is wider than what is asked for: they get no green mark.
 */
export function witnessRows(witnesses: readonly Witness[], wide: boolean): TemplateResult[] {
  return witnesses.map((witness) => {
    const { icon: name, className } = marks[witness.says];
    const state = wide && witness.kind === 'figures' && witness.says === 'for' ? 'wide' : className;
    return html`<dt class=${state} title=${`${witnessNames[witness.kind]}: ${witnessSays[witness.says]}`}>
        ${icon(name)}${witnessNames[witness.kind]}<span class="visuallyHidden">, ${witnessSays[witness.says]}:</span>
      </dt>
      <dd>${unbroken(capital(witnessText(witness)))}</dd>`;
  });
}

/** The sentences on the evidence: in sight where no witness says the core of them, else behind one word. */
export function whyOf(why: string, witnesses: readonly Witness[]): TemplateResult | typeof nothing {
  if (why === '') return nothing;
  if (!witnesses.some(({ kind }) => kind === 'figures')) return html`<p class="why">${why}</p>`;
  return html`<details class="evidenceFold">
    <summary>The figures behind it</summary>
    <p>${why}</p>
  </details>`;
}
