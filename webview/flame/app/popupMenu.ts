import { type PropertyValues, type TemplateResult, css, html, LitElement, nothing } from 'lit';
import { customElement, property } from 'lit/decorators.js';
import { sharedStyles } from '../../kit/style/sharedStyles.ts';
import { icon } from '../../kit/controls/icons.ts';

/** One line of a menu. One with `checked` keeps the menu open, so that several can be chosen. */
export interface MenuItem {
  text: string;
  hint?: string;
  checked?: boolean;
  disabled?: boolean;
  /** A line above it. */
  apart?: boolean;
  run: () => void;
}

/** A menu, and the point (of the window, px) that its corner is put at. */
export interface Menu {
  label: string;
  x: number;
  y: number;
  /** `x` is the place of its right edge, not of its left. */
  fromRight?: boolean;
  items: readonly MenuItem[];
}

/** Typing within this time continues a word. */
const typeAheadMs = 700;

/** The menu on show, if any. Dispatches `close` when it is done; its opener returns the focus. */
@customElement('benchside-popup-menu')
export class PopupMenu extends LitElement {
  static override styles = [
    sharedStyles,
    css`
      .menu {
        position: fixed;
        inset: 0 auto auto 0;
        z-index: 20;
        min-width: 180px;
        max-width: min(380px, 90vw);
        max-height: min(420px, 80vh);
        overflow-y: auto;
        padding: 4px;
        border: 1px solid var(--vscode-menu-border, var(--bf-control-line));
        border-radius: 4px;
        background: var(--vscode-menu-background, var(--bs-card));
        color: var(--vscode-menu-foreground, var(--bs-fg));
      }
      .item {
        display: flex;
        align-items: center;
        gap: 8px;
        width: 100%;
        min-height: 24px;
        padding: 2px 10px 2px 6px;
        border-radius: 3px;
        text-align: left;
      }
      .item:hover:not([aria-disabled='true']),
      .item:focus {
        background: var(--vscode-menu-selectionBackground, var(--vscode-list-hoverBackground));
        color: var(--vscode-menu-selectionForeground, inherit);
        outline: 1px solid var(--bf-menu-focus, transparent);
        outline-offset: -1px;
      }
      .item[aria-disabled='true'] {
        opacity: 0.55;
        cursor: default;
      }
      .tick {
        width: 16px;
        height: 16px;
        flex: none;
      }
      .text {
        flex: 1;
      }
      .hint {
        opacity: 0.75;
        font-size: 12px;
        white-space: nowrap;
      }
      hr {
        margin: 4px 6px;
        border: 0;
        border-top: 1px solid var(--vscode-menu-separatorBackground, var(--bs-line));
      }
    `,
  ];

  @property({ attribute: false }) menu: Menu | null = null;
  #typed = '';
  #typedAt = 0;

  protected override updated(changed: PropertyValues<this>): void {
    const before = changed.get('menu');
    if (!changed.has('menu') || this.menu === null) return;
    this.#place(this.menu);
    // A menu that was only redrawn (a choice was ticked) keeps its focus.
    if (before === null || before === undefined || before.label !== this.menu.label) this.#items()[0]?.focus();
  }

  #place(menu: Menu): void {
    const element = this.renderRoot.querySelector<HTMLElement>('.menu');
    if (element === null) return;
    const { width, height } = element.getBoundingClientRect();
    const left = menu.fromRight === true ? menu.x - width : menu.x;
    element.style.left = `${Math.max(4, Math.min(left, window.innerWidth - width - 4))}px`;
    element.style.top = `${Math.max(4, Math.min(menu.y, window.innerHeight - height - 4))}px`;
  }

  protected override render(): TemplateResult | typeof nothing {
    const { menu } = this;
    if (menu === null) return nothing;
    const ticks = menu.items.some((item) => item.checked !== undefined);
    return html`<div class="menu" role="menu" aria-label=${menu.label} @keydown=${this.#onKey} @focusout=${this.#onLeave}>
      ${menu.items.map(
        (item) =>
          html`${item.apart === true ? html`<hr role="separator" />` : nothing}<button
              class="item"
              type="button"
              role=${item.checked === undefined ? 'menuitem' : 'menuitemcheckbox'}
              aria-checked=${item.checked === undefined ? nothing : item.checked}
              aria-disabled=${item.disabled === true}
              tabindex="-1"
              @click=${() => this.#choose(item)}
            >
              ${ticks ? html`<span class="tick">${item.checked === true ? icon('check') : nothing}</span>` : nothing}
              <span class="text cut">${item.text}</span>${item.hint === undefined ? nothing : html`<span class="hint">${item.hint}</span>`}
            </button>`,
      )}
    </div>`;
  }

  #items(): HTMLElement[] {
    return [...this.renderRoot.querySelectorAll<HTMLElement>('.item')];
  }

  #choose(item: MenuItem): void {
    if (item.disabled === true) return;
    if (item.checked === undefined) this.#close();
    item.run();
  }

  #close(): void {
    this.dispatchEvent(new CustomEvent('close'));
  }

  #onLeave(event: FocusEvent): void {
    const next = event.relatedTarget;
    if (next instanceof Node && this.renderRoot.contains(next)) return;
    if (this.menu !== null) this.#close();
  }

  #onKey(event: KeyboardEvent): void {
    event.stopPropagation();
    if (event.key === 'Escape' || event.key === 'Tab') {
      event.preventDefault();
      this.#close();
      return;
    }
    const items = this.#items();
    const at = items.findIndex((item) => item === this.shadowRoot?.activeElement);
    const next = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: items.length - 1 }[event.key] ?? this.#typeAhead(event, at);
    if (next === undefined) return;
    event.preventDefault();
    items[(next + items.length) % items.length]?.focus();
  }

  /** The next item that begins with what is typed. */
  #typeAhead(event: KeyboardEvent, at: number): number | undefined {
    if (event.key.length !== 1 || event.key === ' ' || event.ctrlKey || event.metaKey || event.altKey || this.menu === null)
      return undefined;
    const now = event.timeStamp;
    this.#typed = (now - this.#typedAt < typeAheadMs ? this.#typed : '') + event.key.toLowerCase();
    this.#typedAt = now;
    const texts = this.menu.items.map((item) => item.text.toLowerCase());
    const from = this.#typed.length === 1 ? at + 1 : at;
    const order = texts.map((_, index) => (from + index + texts.length) % texts.length);
    return order.find((index) => texts[index]?.startsWith(this.#typed));
  }
}
