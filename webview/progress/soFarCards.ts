import { type TemplateResult, css, html, LitElement, nothing } from 'lit';
import { customElement, property } from 'lit/decorators.js';
import type { Trial } from '../../src/model/domain/run.ts';
import { soFarOf } from '../../src/model/presentation/soFar.ts';
import { cardFrame, cardStyles } from '../kit/controls/cardFrame.ts';
import { tierMark, tierStyles } from '../kit/controls/tierMark.ts';
import { sharedStyles } from '../kit/style/sharedStyles.ts';

/** What a run of fixed rounds knows so far, a card for each target: there from the first second, so that nothing moves when figures come in. */
@customElement('benchside-so-far')
export class SoFarCards extends LitElement {
  static override styles = [
    sharedStyles,
    cardStyles,
    tierStyles,
    css`
      .cards {
        grid-template-columns: minmax(0, 1fr);
        gap: 12px;
      }
    `,
  ];

  @property({ attribute: false }) trials: readonly Trial[] = [];
  /** Keys of the trials between which an answer is still open. */
  @property({ attribute: false }) open: readonly string[] = [];

  protected override render(): TemplateResult {
    return html`<div class="cards">
      ${soFarOf(this.trials, this.open).map(({ target, targetLabel, sentence, figures, seen }) =>
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
}
