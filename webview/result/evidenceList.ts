import { capital } from '../../src/model/domain/sentence.ts';
import { type TemplateResult, css, html, nothing } from 'lit';
import { type EvidenceItem, evidenceText } from '../../src/model/domain/answerEvidence.ts';
import { evidenceNames, evidenceSays } from '../../src/model/presentation/evidenceWords.ts';
import { type IconName, icon } from '../kit/controls/icons.ts';
import { unbroken } from '../kit/figures/words.ts';

const marks: Readonly<Record<EvidenceItem['says'], IconName>> = { for: 'check', open: 'open', against: 'warning' };
const tones: Readonly<Record<EvidenceItem['says'], string>> = { for: 'good', open: 'plain', against: 'warning' };

export const evidenceStyles = css`
  .answerEvidence {
    display: grid;
    grid-template-columns: max-content minmax(0, 1fr);
    gap: 4px 12px;
    margin: 8px 0 0;
  }
  .answerEvidence dt {
    display: flex;
    align-items: center;
    gap: 6px;
    height: 19px;
  }
  .answerEvidence dd {
    overflow-wrap: anywhere;
  }
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
  @media (max-width: 479px) {
    .answerEvidence {
      grid-template-columns: minmax(0, 1fr);
      row-gap: 2px;
    }
    .answerEvidence dd:not(:last-child) {
      margin-bottom: 6px;
    }
  }
  .evidenceFold {
    margin-top: 6px;
    color: var(--bs-muted);
  }
`;

/**
 * What speaks for an answer: the rows of a list, each piece of evidence with its mark and its sentence.
 *
 * @param wide the interval of the figures is wider than what is asked for: they get no green mark.
 */
export function evidenceRows(evidence: readonly EvidenceItem[], wide: boolean): TemplateResult[] {
  return evidence.map((item) => {
    const tone = wide && item.kind === 'figures' && item.says === 'for' ? 'warning' : tones[item.says];
    return html`<dt class=${tone} title=${`${evidenceNames[item.kind]}: ${evidenceSays[item.says]}`}>
        ${icon(marks[item.says])}${evidenceNames[item.kind]}<span class="visuallyHidden">, ${evidenceSays[item.says]}:</span>
      </dt>
      <dd>${unbroken(capital(evidenceText(item)))}</dd>`;
  });
}

/** The sentences on the evidence: in sight where no piece of evidence says the core of them, else behind one word. */
export function whyOf(why: string, evidence: readonly EvidenceItem[]): TemplateResult | typeof nothing {
  if (why === '') return nothing;
  if (!evidence.some(({ kind }) => kind === 'figures')) return html`<p class="why">${why}</p>`;
  return html`<details class="evidenceFold quiet">
    <summary>The figures behind it</summary>
    <p>${why}</p>
  </details>`;
}
