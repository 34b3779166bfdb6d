import { type TemplateResult, css, html, svg } from 'lit';
import type { Tier } from '../../../src/model/domain/answerTier.ts';

const filled: Readonly<Record<Tier, number>> = { proven: 3, likely: 2, seen: 1 };

export const tierStyles = css`
  .tier {
    gap: 6px;
    color: var(--bs-fg);
    font-size: 12px;
    white-space: nowrap;
  }
  .tier svg {
    flex: none;
    width: 30px;
    height: 7px;
  }
  .tier rect {
    fill: none;
    stroke: currentColor;
  }
  .tier .on {
    fill: currentColor;
  }
`;

/** How sure an answer is: three small marks, as many of them filled as it deserves, and the words. */
export function tierMark(tier: Tier, words: string): TemplateResult {
  return html`<span class="tier inline"
    ><svg viewBox="0 0 30 7" aria-hidden="true">
      ${[0, 1, 2].map((place) => svg`<rect class=${place < filled[tier] ? 'on' : ''} x=${place * 10 + 0.5} y="0.5" width="8" height="6" rx="1"></rect>`)}</svg
    >${words}</span
  >`;
}
