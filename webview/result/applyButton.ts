import type { TemplateResult } from 'lit';
import { html } from 'lit';
import type { FromPanel } from '../../src/model/panel.ts';
import type { SettingValues } from '../../src/model/setting.ts';
import { ask } from '../kit/page/ask.ts';
import { icon } from '../kit/controls/icons.ts';

/** What the button needs: the view it is in, what it sends, and what the target has already. */
export interface ApplyButton {
  from: EventTarget;
  message: Extract<FromPanel, { type: 'applySettings' }>;
  targetLabel: string;
  applied: SettingValues | undefined;
  /** It is the next step: a button; else a link. */
  primary: boolean;
}

/** "Apply to Java"; once that is done, "Applied: pool 8". */
export function applyButton({ from, message, targetLabel, applied, primary }: ApplyButton): TemplateResult {
  const values = Object.entries(message.values);
  const done = applied !== undefined && values.every(([name, value]) => applied[name] === value);
  if (done) {
    // It stays a button: what was applied can be undone elsewhere, and applied again here.
    const words = values.map(([name, value]) => `${name} ${value}`).join(' · ');
    return html`<vscode-button appearance="secondary" title="Apply again" @click=${() => ask(from, message)}
      >${icon('check', 'start')}Applied: ${words}</vscode-button
    >`;
  }
  return primary
    ? html`<vscode-button appearance="primary" @click=${() => ask(from, message)}>Apply to ${targetLabel}</vscode-button>`
    : html`<button class="linkButton" type="button" @click=${() => ask(from, message)}>Apply to ${targetLabel}</button>`;
}
