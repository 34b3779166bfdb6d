import { type TemplateResult, css, html, LitElement } from 'lit';
import { customElement, property } from 'lit/decorators.js';
import { sharedStyles } from '../../kit/style/sharedStyles.ts';

export interface Segment {
  value: string;
  text: string;
  title?: string;
}

/** A switch of a few parts, of which one is on. Dispatches `choose` with its value as detail. */
@customElement('benchside-segments')
export class SegmentsElement extends LitElement {
  static override styles = [
    sharedStyles,
    css`
      :host {
        display: inline-flex;
        max-width: 100%;
        line-height: 16px;
      }
      div {
        display: flex;
        max-width: 100%;
        overflow-x: auto;
        scrollbar-width: none;
        border: 1px solid var(--bf-control-line);
        border-radius: 3px;
      }
      button {
        flex: none;
        height: 22px;
        padding: 0 9px;
        color: var(--bs-fg);
      }
      button:hover {
        background: var(--vscode-list-hoverBackground);
      }
      button[aria-checked='true'] {
        background: var(--bf-on-background);
        color: var(--bf-on-foreground);
      }
      button:focus-visible {
        outline-offset: -2px;
      }
      button[aria-checked='true']:focus-visible {
        outline-color: currentColor;
      }
    `,
  ];

  @property() label = '';
  @property() value = '';
  @property({ attribute: false }) segments: readonly Segment[] = [];

  protected override render(): TemplateResult {
    return html`<div role="radiogroup" aria-label=${this.label} @keydown=${this.#onKey}>
      ${this.segments.map(
        ({ value, text, title }) =>
          html`<button
            type="button"
            role="radio"
            aria-checked=${value === this.value}
            tabindex=${value === this.value ? 0 : -1}
            title=${title ?? text}
            data-value=${value}
            @click=${() => this.#choose(value)}
          >
            ${text}
          </button>`,
      )}
    </div>`;
  }

  #choose(value: string): void {
    if (value !== this.value) this.dispatchEvent(new CustomEvent<string>('choose', { detail: value }));
  }

  #onKey(event: KeyboardEvent): void {
    const buttons = [...this.renderRoot.querySelectorAll('button')];
    const at = buttons.findIndex((button) => button === this.shadowRoot?.activeElement);
    const next = { ArrowRight: at + 1, ArrowDown: at + 1, ArrowLeft: at - 1, ArrowUp: at - 1, Home: 0, End: buttons.length - 1 }[event.key];
    if (next === undefined || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    event.stopPropagation();
    const button = buttons[(next + buttons.length) % buttons.length];
    button?.focus();
    button?.click();
  }
}
