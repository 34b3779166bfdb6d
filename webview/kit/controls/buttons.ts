import { type TemplateResult, html, nothing } from 'lit';
import { type IconName, icon } from './icons.ts';

/** What a button has besides its words. */
interface ButtonLook {
  disabled?: boolean;
  title?: string | undefined;
  /** For screen readers, where the words alone do not say it. */
  label?: string;
  /** Its class, where it has a place of its own. */
  look?: string;
}

/** A button; `primary` is the next step of its page, and `drawn` is the icon before the words. */
export function button(
  words: string | TemplateResult,
  run: () => void,
  { primary = false, drawn, disabled = false, title, label, look }: ButtonLook & { primary?: boolean | undefined; drawn?: IconName } = {},
): TemplateResult {
  return html`<vscode-button
    appearance=${primary ? 'primary' : 'secondary'}
    class=${look ?? nothing}
    ?disabled=${disabled}
    aria-label=${label ?? nothing}
    title=${title ?? nothing}
    @click=${run}
    >${drawn === undefined ? nothing : icon(drawn, 'start')}${words}</vscode-button
  >`;
}

/** A button that looks like a link; `sharedStyles` has its look. */
export function linkButton(
  words: string | TemplateResult,
  run: () => void,
  { disabled = false, title, label }: ButtonLook = {},
): TemplateResult {
  return html`<button
    class="linkButton"
    type="button"
    ?disabled=${disabled}
    aria-label=${label ?? nothing}
    title=${title ?? nothing}
    @click=${run}
  >
    ${words}
  </button>`;
}
