import { type TemplateResult, css, html, LitElement, nothing } from 'lit';
import { customElement, property } from 'lit/decorators.js';
import { headlineOf } from '../../src/model/domain/diagnosis.ts';
import type { Trial } from '../../src/model/domain/run.ts';
import { cardFrame, cardStyles } from '../kit/controls/cardFrame.ts';
import { ask } from '../kit/page/ask.ts';
import { sharedStyles } from '../kit/style/sharedStyles.ts';
import { targetMark } from '../kit/controls/targetMark.ts';
import { type DiagnosedTrial, chooseVerdicts, isDiagnosed } from './chooseVerdicts.ts';
import { type VerdictContext, verdictBody } from './verdictBody.ts';
import { verdictStyles } from './verdictStyles.ts';
import { shownSettings, variedPhrase } from '../../src/model/presentation/settingWords.ts';

/** What limits each target: one verdict for each in sight, those on the other trials behind a disclosure. Nothing where nothing is known. */
@customElement('benchside-verdicts')
export class VerdictCards extends LitElement {
  static override styles = [
    sharedStyles,
    cardStyles,
    verdictStyles,
    css`
      .card {
        min-width: 0;
        min-height: 0;
        padding-top: 12px;
      }
      .cards {
        align-items: start;
      }
      .cards.wide {
        grid-template-columns: minmax(0, 1fr);
      }
      .others {
        margin-top: 10px;
      }
      .others > details {
        margin-top: 4px;
        padding-left: 16px;
      }
      .others summary {
        overflow-wrap: anywhere;
        width: auto;
      }
      .others .said {
        color: var(--bs-fg);
      }
      .others .body {
        padding: 4px 0 10px 14px;
      }
    `,
  ];

  @property({ attribute: false }) trials: readonly Trial[] = [];
  /** Keys of trials that are recommended, or whose verdict matters most for another reason. */
  @property({ attribute: false }) preferred: ReadonlySet<string> = new Set();
  /** The stored run; null while it goes on: then no action is possible yet. */
  @property({ attribute: false }) runId: string | null = null;
  @property({ type: Boolean }) canRun = false;
  /** The page has a next step of its own. */
  @property({ type: Boolean }) secondary = false;
  /** The answers say what limits their trials: here are all verdicts, behind a disclosure. */
  @property({ type: Boolean }) folded = false;

  protected override render(): TemplateResult | typeof nothing {
    const chosen = chooseVerdicts(this.trials, this.preferred);
    if (chosen.first.length === 0) return nothing;
    const { first, others } = this.folded ? { first: [], others: this.trials.filter(isDiagnosed) } : chosen;
    const names = shownSettings(this.trials);
    const label = (trial: Trial): string => variedPhrase(trial, names);
    return html`${
      first.length === 0
        ? nothing
        : html`<div class="cards ${first.length === 1 ? 'wide' : ''}">
            ${first.map((trial) =>
              cardFrame(trial.target, `What limits ${label(trial)}`, verdictBody(trial, this.#contextOf(trial, true))),
            )}
          </div>`
    }
    ${
      others.length === 0
        ? nothing
        : html`<details class="others quiet">
            <summary>
              ${this.folded ? 'What limits each of the trials' : `Verdicts on the other ${others.length === 1 ? 'trial' : `${others.length} trials`}`}
            </summary>
            ${others.map(
              (trial) =>
                html`<details class="quiet">
                  <summary>${targetMark(trial.target)}${label(trial)}: <span class="said">${headlineOf(trial.diagnosis)}</span></summary>
                  <div class="body">${verdictBody(trial, this.#contextOf(trial, false))}</div>
                </details>`,
            )}
          </details>`
    }`;
  }

  #contextOf(trial: DiagnosedTrial, first: boolean): VerdictContext {
    const { runId } = this;
    return {
      take: runId === null ? null : (action) => ask(this, { type: 'takeAction', runId, trialKey: trial.key, action }),
      canRun: this.canRun,
      primary: first && !this.secondary,
    };
  }
}
