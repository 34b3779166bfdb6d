import { type TemplateResult, css, html, nothing } from 'lit';
import type { RunRecord, Trial } from '../../src/model/domain/run.ts';
import { measuredPhrase } from '../../src/model/presentation/runWords.ts';
import { button } from '../kit/controls/buttons.ts';
import { icon } from '../kit/controls/icons.ts';
import { unbroken } from '../kit/figures/words.ts';
import { targetMark } from '../kit/controls/targetMark.ts';
import { type RunSoFar, isRunning } from '../progress/runSoFar.ts';

export const runLineStyles = css`
  .runLine {
    display: flex;
    align-items: center;
    gap: 8px;
    min-height: 36px;
    padding: 4px 5px 4px 12px;
  }
  .runLine .said {
    flex: 1 1 auto;
    overflow: hidden;
    display: -webkit-box;
    -webkit-box-orient: vertical;
    -webkit-line-clamp: 2;
    overflow-wrap: anywhere;
  }
  .runLine .name {
    margin-right: 8px;
    white-space: nowrap;
  }
  .runLine vscode-button {
    flex: none;
  }
  @media (max-width: 599px) {
    .runLine .said {
      font-size: 12px;
      line-height: 17px;
      -webkit-line-clamp: 4;
    }
    .runLine .more {
      display: none;
    }
  }
  /* Next to a second column the buttons have a row of their own, so that nothing that was measured is cut. */
  @media (max-width: 479px) {
    .runLine {
      flex-wrap: wrap;
      justify-content: flex-end;
    }
    .runLine .said {
      flex-basis: 100%;
    }
  }
`;

export interface RunLineActions {
  open: boolean;
  canRun: boolean;
  toggle: () => void;
  /** Null: what was measured cannot be asked for again from here. */
  again: (() => void) | null;
  cancel: () => void;
}

/** What the result on show measured, in one line instead of the form, which unfolds from here. */
export function runLine(shown: { run: RunRecord } | { progress: RunSoFar }, actions: RunLineActions): TemplateResult {
  const running = 'progress' in shown && isRunning(shown.progress);
  const of = 'run' in shown ? shown.run : { trials: shown.progress.trials };
  const targets = [...new Map(of.trials.map((trial: Trial) => [trial.target, trial.targetLabel]))];
  const words = measuredPhrase(of);
  const { open, canRun, toggle, again, cancel } = actions;
  return html`<div class="runLine framed" role="group" aria-label="What was measured">
    <span class="said" title=${words}
      >${targets.map(([target, label]) => html`<span class="name">${targetMark(target)}${label} </span>`)}<span class="muted"
        >${unbroken(words)}</span
      ></span
    >
    ${
      running
        ? button('Cancel', cancel, { drawn: 'stop' })
        : html`<vscode-button appearance="secondary" aria-expanded=${open ? 'true' : 'false'} @click=${toggle}
              >Change<bdi class="more">&nbsp;and run</bdi>${icon('down', 'end')}</vscode-button
            >
            ${
              again === null
                ? nothing
                : button('Run again', again, { primary: !open, drawn: 'play', disabled: !canRun, title: 'Measures the same again' })
            }`
    }
  </div>`;
}
