import { type PropertyValues, type TemplateResult, css, html, LitElement } from 'lit';
import { customElement, property } from 'lit/decorators.js';
import type { Choice } from './nativeSelect.ts';
import { sharedStyles } from '../style/sharedStyles.ts';

/** A dropdown with a label. Dispatches `choose` with the chosen value as detail. */
@customElement('benchside-select')
export class SelectField extends LitElement {
  static override styles = [
    sharedStyles,
    css`
      .label {
        display: block;
        margin-bottom: 4px;
        line-height: 16px;
        overflow-wrap: anywhere;
      }
      vscode-dropdown {
        width: 100%;
        min-width: 0;
      }
      vscode-dropdown::part(listbox) {
        width: max-content;
        min-width: 100%;
        max-width: 80vw;
      }
      vscode-dropdown.invalid::part(control) {
        border-color: var(--bs-bad);
      }
    `,
  ];

  @property() label = '';
  @property() value = '';
  @property({ attribute: false }) choices: readonly Choice[] = [];
  @property({ type: Boolean }) invalid = false;

  protected override updated(changed: PropertyValues): void {
    if (!changed.has('value') && !changed.has('choices')) return;
    // The dropdown learns its options a moment after they are on the page; a value set before that is lost.
    requestAnimationFrame(() => {
      const dropdown = this.renderRoot.querySelector<HTMLElement & { value: string }>('vscode-dropdown');
      if (dropdown && dropdown.value !== this.value) dropdown.value = this.value;
    });
  }

  protected override render(): TemplateResult {
    return html`<span class="label note" aria-hidden="true">${this.label}</span>
      <vscode-dropdown
        class=${this.invalid ? 'invalid' : ''}
        aria-label=${this.label}
        title=${this.choices.find((choice) => choice.value === this.value)?.text ?? ''}
        @change=${this.#onChange}
      >
        ${this.choices.map((choice) => html`<vscode-option value=${choice.value} ?selected=${choice.value === this.value}>${choice.text}</vscode-option>`)}
      </vscode-dropdown>`;
  }

  #onChange(event: Event): void {
    event.stopPropagation();
    const { value } = event.target as HTMLElement & { value: string };
    if (value === this.value) return;
    this.value = value;
    this.dispatchEvent(new CustomEvent<string>('choose', { detail: value }));
  }
}
