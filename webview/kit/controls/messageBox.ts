import { type TemplateResult, html, nothing, css } from 'lit';
import type { Failure } from '../../../src/model/domain/failure.ts';
import { failureButtons, offeredActions } from '../../../src/model/domain/failureCodes.ts';
import type { FromPanel } from '../../../src/model/protocol/panel.ts';
import { button } from './buttons.ts';
import { icon } from './icons.ts';

/** A state in words: what is so, what to do about it, and buttons for that. Its look is in messageStyles.ts. */
export interface Message {
  kind?: 'info' | 'warning' | 'bad';
  title: string;
  text?: string;
  detail?: string | undefined;
  /** What the detail is behind, where it is not open from the start. */
  folded?: string;
  actions?: { text: string; primary?: boolean; run: () => void }[];
}

const icons = { info: 'info', warning: 'warning', bad: 'error' } as const;
const tones = { info: 'plain', warning: 'warning', bad: 'bad' } as const;

export function messageBox(message: Message): TemplateResult {
  const { kind = 'info' } = message;
  return html`<section class="message ${tones[kind]}">
    <span>${icon(icons[kind])}</span>
    <div>
      <h2>${message.title}</h2>
      ${message.text ? html`<p class="muted">${message.text}</p>` : nothing}
      ${
        message.detail
          ? html`<details class="quiet" ?open=${message.folded === undefined}>
              <summary>${message.folded ?? 'Details'}</summary>
              <pre class="quoted">${message.detail}</pre>
            </details>`
          : nothing
      }
      ${
        message.actions
          ? html`<p class="buttons messageActions">${message.actions.map(({ text, run, primary }) => button(text, run, { primary }))}</p>`
          : nothing
      }
    </div>
  </section>`;
}

interface FailureContext {
  /** Sends what a button asks for. */
  tell: (message: FromPanel) => void;
  /** The target that it is about, whose output can then be shown. */
  target?: string | undefined;
  /** What can be done with the box or with what it is about; `before` what follows from the failure. */
  before?: NonNullable<Message['actions']>;
  after?: NonNullable<Message['actions']>;
}

/** The buttons of a failure's box: what its code says can be done, and the log always. */
export function failureOffers(
  failure: Failure,
  { tell, target, before = [], after = [] }: FailureContext,
): NonNullable<Message['actions']> {
  const isFirst = before.length === 0 && failure.variable === undefined;
  const offered = offeredActions(failure.code, target).map((action, index) => ({
    text: failureButtons[action],
    primary: isFirst && index === 0 && action === 'open-workspace-file',
    run: () => tell({ type: 'actOnFailure', action, ...(target === undefined ? {} : { target }) }),
  }));
  const { variable } = failure;
  const add =
    variable === undefined
      ? []
      : [{ text: `Add ${variable.name} to benchside.json`, primary: true, run: () => tell({ type: 'addVariable', ...variable }) }];
  const log = { text: 'Show Log', run: () => tell({ type: 'showLog' }) };
  const others = before.map((one) => (add.length === 0 ? one : { ...one, primary: false }));
  return [...add, ...others, ...offered, log, ...after];
}

/** A failure as a message: what went wrong, the cure, the material behind a disclosure, and what can be done. */
export function failureBox(failure: Failure, context: FailureContext): TemplateResult {
  const actions = failureOffers(failure, context);
  return messageBox({ kind: 'bad', title: failure.message, text: failure.cure, detail: failure.detail, actions });
}

/** How {@link messageBox} looks: a sentence and its action, quiet. */
export const messageStyles = css`
  .message {
    display: flex;
    gap: 10px;
    max-width: 720px;
    /* At the same height in every view, whatever distance this gives its sections. */
    margin-top: 0;
    padding: 10px 0 12px;
  }
  .message p {
    margin-top: 2px;
  }
  .message .messageActions {
    margin-top: 10px;
  }
  .message details {
    margin-top: 6px;
  }
`;
