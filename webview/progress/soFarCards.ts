import { type TemplateResult, css, html, nothing } from 'lit';
import type { Trial } from '../../src/model/domain/run.ts';
import { soFarOf } from '../../src/model/presentation/soFar.ts';
import { cardFrame, cardStyles } from '../kit/controls/cardFrame.ts';
import { tierMark, tierStyles } from '../kit/controls/tierMark.ts';

export const soFarStyles = [
  cardStyles,
  tierStyles,
  css`
    .cards.soFar {
      grid-template-columns: minmax(0, 1fr);
      gap: 12px;
    }
  `,
];

/**
 * What a run of fixed rounds knows so far, a card for each target: there from the first second, so that nothing moves when figures come in.
 * `open`: keys of the trials between which an answer is still open.
 */
export function soFarCards(trials: readonly Trial[], open: readonly string[]): TemplateResult {
  return html`<div class="cards soFar">
    ${soFarOf(trials, open).map(({ target, targetLabel, sentence, figures, seen }) =>
      cardFrame(
        target,
        targetLabel,
        html`<h2 class="headline">${sentence}</h2>
          <p class="muted">${figures}</p>`,
        seen ? tierMark('seen', 'Only seen so far') : nothing,
      ),
    )}
  </div>`;
}
