import { type TemplateResult, css, html, LitElement, nothing } from 'lit';
import { customElement, property } from 'lit/decorators.js';
import { button } from '../kit/controls/buttons.ts';
import { type IconName, icon } from '../kit/controls/icons.ts';
import { tell } from '../kit/page/ask.ts';
import { sharedStyles } from '../kit/style/sharedStyles.ts';
import '../kit/controls/menuButton.ts';
import { unbroken } from '../kit/figures/words.ts';
import { type Choice, choicesOf } from '../kit/controls/nativeSelect.ts';
import type { PanelHead } from './panelHead.ts';

const formats = choicesOf({ html: 'HTML page', markdown: 'Markdown', csv: 'CSV' });

const badgeIcons = { good: 'check', plain: 'info', warning: 'warning', bad: 'error' } as const;

/** Title, what was measured and when, whether it is valid, and what can be done with the run. */
@customElement('benchside-header')
export class RunHeader extends LitElement {
  static override styles = [
    sharedStyles,
    css`
      header {
        gap: 6px 12px;
        min-height: 30px;
      }
      h1 {
        margin: 0;
        font-size: 18px;
        line-height: 26px;
        font-weight: 600;
        display: -webkit-box;
        -webkit-box-orient: vertical;
        -webkit-line-clamp: 2;
        overflow: hidden;
        overflow-wrap: anywhere;
      }
      .words {
        gap: 4px 12px;
        flex: 1 1 320px;
        min-width: 0;
      }
      .badge {
        min-width: 0;
        max-width: 100%;
        padding: 0 9px 0 6px;
        border: 1px solid currentColor;
        border-radius: 11px;
        color: var(--bs-tone);
        font-size: 12px;
        line-height: 19px;
      }
      .badge span {
        overflow: hidden;
        text-overflow: ellipsis;
        white-space: nowrap;
      }
      .chip:hover {
        background: color-mix(in srgb, var(--bs-warning) 14%, transparent);
      }
      @media (max-width: 1319px) {
        h1 {
          flex-basis: 100%;
        }
        .subtitle {
          min-height: 21px;
        }
      }
      @media (min-width: 1320px) {
        .words {
          flex-wrap: nowrap;
          white-space: nowrap;
        }
        h1 {
          flex: 0 0 auto;
          max-width: 60%;
          white-space: normal;
        }
        .subtitle {
          min-width: 10ch;
          white-space: normal;
          text-wrap: balance;
        }
        .badge {
          flex: none;
        }
      }
      .tools {
        min-height: 26px;
      }
      .folded {
        display: none;
      }
      /* What is shown is no run, and has its buttons itself. */
      :host([bare]) :is(.tools, .folded) {
        visibility: hidden;
      }
      /* Where the actions would have a row of their own, they are one menu. */
      @media (max-width: 819px) {
        header {
          flex-wrap: nowrap;
        }
        .tools {
          display: none;
        }
        .folded {
          display: flex;
          flex: none;
          align-self: flex-start;
        }
      }
      /* Next to code the drop-down before it is the heading, too. */
      @media (max-width: 599px) {
        header {
          min-height: 26px;
        }
        .words {
          flex: 1 1 0;
          justify-content: flex-end;
          gap: 4px 6px;
        }
        .badge span {
          white-space: normal;
        }
        h1 {
          position: absolute;
          width: 1px;
          height: 1px;
          clip-path: inset(50%);
        }
        .subtitle,
        .badge.good,
        .rest {
          display: none;
        }
      }
    `,
  ];

  @property({ attribute: false }) head!: PanelHead;
  @property({ type: Boolean }) hasRun = false;
  @property({ type: Boolean }) hasRaw = false;
  @property({ type: Boolean }) canCompare = false;
  /** Something is being measured: nothing else may be. */
  @property({ type: Boolean }) busy = false;

  protected override render(): TemplateResult {
    const { heading, subtitle, badge, disturbed } = this.head;
    // Where there is no room the figure alone.
    const short = disturbed?.replace(/ of the CPU.*$/, '') ?? '';
    const mark = badge ? icon(badgeIcons[badge.kind]) : nothing;
    return html`<header class="flow">
      <div class="words flow">
        <h1 title=${heading}>${heading}</h1>
        <span class="muted subtitle" title=${subtitle}>${subtitle}</span>
        ${badge ? html`<span class="badge inline ${badge.kind}" title=${badge.text}>${mark}<span>${unbroken(badge.text)}</span></span>` : nothing}
        ${
          disturbed === null
            ? nothing
            : html`<button
                class="badge inline warning chip"
                type="button"
                title=${`${disturbed} away while it was measured; show when`}
                @click=${() => tell(this, 'show-interference')}
              >
                ${icon('warning')}<span>${unbroken(short)}<bdi class="rest">${disturbed.slice(short.length)}</bdi></span>
              </button>`
        }
      </div>
      <benchside-menu
        class="folded"
        label="More"
        icon="more"
        iconOnly
        .items=${this.#menuItems()}
        ?disabled=${this.#menuItems().length === 0}
        @choose=${(event: CustomEvent<string>) => this.#chooseInMenu(event.detail)}
      ></benchside-menu>
      <div class="tools buttons">
        ${this.#action('Record flame graph', 'record-run', 'flame', !this.hasRun || this.busy)}
        ${this.#action('Compare…', 'compare-run', 'compare', !this.canCompare)}
        ${
          this.hasRun && this.hasRaw
            ? button('Raw samples…', () => tell(this, 'query-raw'), {
                title: 'Query the raw samples of this run, or export them as CSV or Parquet',
              })
            : nothing
        }
        <benchside-menu
          label="Export"
          ?disabled=${!this.hasRun}
          .items=${formats}
          @choose=${(event: CustomEvent<string>) => tell(this, 'export-run', event.detail)}
        ></benchside-menu>
        ${button(icon('trash'), () => tell(this, 'delete-run'), {
          look: 'iconOnly',
          label: 'Delete',
          title: 'Delete this run',
          disabled: !this.hasRun,
        })}
      </div>
    </header>`;
  }

  #action(words: string, type: string, drawn: IconName, disabled: boolean): TemplateResult {
    return button(html`<bdi class="long">${words}</bdi>`, () => tell(this, type), { drawn, disabled, label: words, title: words });
  }

  /** What the buttons do, where there is no room for them. */
  #menuItems(): Choice[] {
    const { hasRun, busy, canCompare, hasRaw } = this;
    return [
      ...(hasRun && !busy ? [{ value: 'record-run', text: 'Record flame graph' }] : []),
      ...(canCompare ? [{ value: 'compare-run', text: 'Compare…' }] : []),
      ...(hasRun && hasRaw ? [{ value: 'query-raw', text: 'Raw samples…' }] : []),
      ...(hasRun ? formats.map(({ value, text }) => ({ value: `export-run ${value}`, text: `Export as ${text}` })) : []),
      ...(hasRun ? [{ value: 'delete-run', text: 'Delete this run' }] : []),
    ];
  }

  #chooseInMenu(chosen: string): void {
    const [type = '', detail] = chosen.split(' ');
    tell(this, type, detail);
  }
}
