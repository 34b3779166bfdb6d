import { type PropertyValues, type TemplateResult, css, html, LitElement, nothing } from 'lit';
import { customElement, property, state } from 'lit/decorators.js';
import { type IconName, icon } from './icons.ts';
import { sharedStyles } from '../style/sharedStyles.ts';
import type { Choice } from './nativeSelect.ts';

/** A button that opens a short menu. Dispatches `choose` with the chosen value as detail. */
@customElement('benchside-menu')
export class MenuButton extends LitElement {
  static override styles = [
    sharedStyles,
    css`
      :host {
        display: flex;
        position: relative;
      }
      .menu {
        position: absolute;
        right: 0;
        top: calc(100% + 2px);
        z-index: 3;
        min-width: 130px;
        white-space: nowrap;
        padding: 4px;
        border: 1px solid var(--vscode-menu-border, var(--bs-line));
        border-radius: 4px;
        background: var(--vscode-menu-background, var(--bs-card));
      }
      .iconOnly {
        --button-padding-horizontal: 4px;
      }
      .item {
        display: block;
        width: 100%;
        padding: 4px 10px;
        border-radius: 3px;
        color: var(--vscode-menu-foreground, var(--bs-fg));
        text-align: left;
      }
      .item:hover,
      .item:focus {
        background: var(--vscode-menu-selectionBackground, var(--vscode-list-hoverBackground));
        color: var(--vscode-menu-selectionForeground, inherit);
        /* High contrast has no ground for what is chosen, but a border. */
        outline: 1px solid var(--vscode-menu-selectionBorder, var(--vscode-contrastActiveBorder, transparent));
        outline-offset: -1px;
      }
    `,
  ];

  @property() label = '';
  @property({ attribute: false }) items: readonly Choice[] = [];
  @property({ type: Boolean }) disabled = false;
  @property() icon: IconName = 'export';
  /** Only screen readers get the label. */
  @property({ type: Boolean }) iconOnly = false;
  @state() open = false;

  protected override updated(changed: PropertyValues): void {
    if (changed.has('open') && this.open) this.renderRoot.querySelector<HTMLElement>('.item')?.focus();
  }

  protected override render(): TemplateResult {
    return html`
      <vscode-button
        appearance="secondary"
        ?disabled=${this.disabled}
        aria-haspopup="menu"
        aria-expanded=${this.open}
        aria-label=${this.iconOnly ? this.label : nothing}
        title=${this.iconOnly ? this.label : nothing}
        class=${this.iconOnly ? 'iconOnly' : ''}
        @click=${() => (this.open = !this.open)}
      >
        ${this.iconOnly ? icon(this.icon) : html`${icon(this.icon, 'start')}${this.label}`}
      </vscode-button>
      ${
        this.open
          ? html`<div class="menu" role="menu" aria-label=${this.label} @keydown=${this.#onKey} @focusout=${this.#onLeave}>
              ${this.items.map((item) => html`<button class="item" role="menuitem" type="button" @click=${() => this.#choose(item.value)}>${item.text}</button>`)}
            </div>`
          : nothing
      }
    `;
  }

  #choose(value: string): void {
    this.#close();
    this.dispatchEvent(new CustomEvent<string>('choose', { detail: value }));
  }

  #close(): void {
    this.open = false;
    this.renderRoot.querySelector<HTMLElement>('vscode-button')?.focus();
  }

  #onLeave(event: FocusEvent): void {
    const next = event.relatedTarget;
    if (next instanceof Node && this.renderRoot.contains(next)) return;
    this.open = false;
  }

  #onKey(event: KeyboardEvent): void {
    if (event.key === 'Escape') return this.#close();
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const items = [...this.renderRoot.querySelectorAll<HTMLElement>('.item')];
    const at = items.findIndex((item) => item === this.shadowRoot?.activeElement);
    items[(at + step + items.length) % items.length]?.focus();
  }
}
