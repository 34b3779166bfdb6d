import { type PropertyValues, type TemplateResult, css, html, LitElement, nothing } from 'lit';
import { customElement, property, state } from 'lit/decorators.js';
import { unbroken } from '../figures/words.ts';
import { sharedStyles } from '../style/sharedStyles.ts';
import type { Drawing, Hotspot } from './plotFrame.ts';

/** Draws a chart at a width; called again when the width or the data change. */
export type Draw = (width: number, height: number) => Drawing;

/** What a chart shows, and what it says of that. */
export interface ChartContent {
  heading: string;
  subtitle: string;
  summary: string;
  /** In px. */
  height: number;
  draw: Draw | null;
}

/** A chart; `compact`: title and units in one line, for charts above each other. */
export function chartView({ heading, subtitle, summary, height, draw }: ChartContent, compact = false): TemplateResult {
  return html`<benchside-chart
    ?compact=${compact}
    .heading=${heading}
    .subtitle=${subtitle}
    .summary=${summary}
    .height=${height}
    .draw=${draw}
  ></benchside-chart>`;
}

/**
 * A chart with its title, its units and a sentence for screen readers. Points show more when pointed at; with the keyboard
 * the chart is one stop and the arrow keys go from point to point.
 */
@customElement('benchside-chart')
export class BenchsideChart extends LitElement {
  static override styles = [
    sharedStyles,
    css`
      /* The drawings of charts next to each other are level, however many lines their titles have. */
      :host {
        display: flex;
        flex-direction: column;
      }
      .subtitle {
        min-height: 18px;
        margin-top: 2px;
      }
      :host([compact]) .subtitle {
        display: inline;
      }
      :host([compact]) h2 {
        display: inline;
        margin-right: 8px;
      }
      .title {
        margin-bottom: 6px;
      }
      :host([compact]) .title {
        margin-bottom: 0;
      }
      .figure {
        position: relative;
        margin-top: auto;
      }
      /* A long name may reach beyond the picture: it is not in the way of what is there. */
      .drawing svg {
        display: block;
        max-width: 100%;
        pointer-events: none;
      }
      .drawing text {
        white-space: pre;
      }
      .spot {
        position: absolute;
        width: 22px;
        height: 22px;
        margin: -11px 0 0 -11px;
        border-radius: 50%;
        cursor: default;
      }
      .tip {
        position: absolute;
        z-index: 2;
        max-width: 340px;
        padding: 6px 10px;
        border: 1px solid var(--vscode-editorHoverWidget-border, var(--bs-line));
        border-radius: 3px;
        background: var(--vscode-editorHoverWidget-background, var(--bs-card));
        color: var(--vscode-editorHoverWidget-foreground, var(--bs-fg));
        font-size: 12px;
        pointer-events: none;
      }
      .tip p:first-child {
        font-weight: 600;
      }
    `,
  ];

  @property() heading = '';
  @property() subtitle = '';
  @property() summary = '';
  @property({ type: Number }) height = 240;
  @property({ type: Boolean, reflect: true }) compact = false;
  @property({ attribute: false }) draw: Draw | null = null;
  @state() active: number | null = null;

  #hotspots: Hotspot[] = [];
  #width = 0;
  #observer: ResizeObserver | null = null;

  override connectedCallback(): void {
    super.connectedCallback();
    this.#observer = new ResizeObserver((entries) => {
      const width = Math.floor(entries[0]?.contentRect.width ?? 0);
      if (width === this.#width) return;
      this.#width = width;
      this.requestUpdate('draw');
    });
    this.#observer.observe(this);
    window.addEventListener('blur', this.#leave);
    window.addEventListener('scroll', this.#leave, { passive: true });
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#observer?.disconnect();
    window.removeEventListener('blur', this.#leave);
    window.removeEventListener('scroll', this.#leave);
  }

  /** The pointer is elsewhere, or the page moved under it. */
  readonly #leave = (): void => {
    // With the keyboard a point is scrolled to and shown.
    if (this.renderRoot.querySelector('.spot:focus') === null) this.active = null;
  };

  protected override willUpdate(changed: PropertyValues): void {
    if (!changed.has('draw') || !this.draw || this.#width < 120) return;
    const drawing = this.draw(this.#width, this.height);
    const said = this.#spot?.lines.join();
    this.#hotspots = drawing.hotspots;
    this.#node = drawing.node;
    // With other figures, the text under the pointer is out of date.
    if (this.#spot?.lines.join() !== said) this.active = null;
  }

  #node: Element | null = null;

  protected override updated(): void {
    const figure = this.renderRoot.querySelector<HTMLElement>('.figure');
    figure?.style.setProperty('height', `${this.height}px`);
    for (const [index, spot] of this.renderRoot.querySelectorAll<HTMLElement>('.spot').entries()) {
      const place = this.#hotspots[index];
      spot.style.setProperty('left', `${place?.x ?? 0}px`);
      spot.style.setProperty('top', `${place?.y ?? 0}px`);
    }
    this.#placeTip();
  }

  protected override render(): TemplateResult {
    return html`
      <div class="title">
        <h2>${this.heading}</h2>
        <p class="note subtitle">${unbroken(this.subtitle)}</p>
      </div>
      <div class="figure" @pointerleave=${() => (this.active = null)}>
        <div class="drawing" role="img" aria-label=${`${this.heading}. ${this.summary}`}>${this.#node}</div>
        ${
          this.#hotspots.length === 0
            ? nothing
            : html`<div role="group" aria-label="Points of the chart; arrow keys go from one to the next" @keydown=${this.#onKey}>
                ${this.#hotspots.map(
                  (spot, index) =>
                    html`<button
                      class="spot"
                      type="button"
                      tabindex=${index === (this.active ?? 0) ? 0 : -1}
                      aria-label=${spot.lines.join('. ')}
                      @pointerenter=${() => (this.active = index)}
                      @focus=${() => (this.active = index)}
                      @blur=${() => (this.active = null)}
                    ></button>`,
                )}
              </div>`
        }
        ${this.#tip()}
      </div>
    `;
  }

  /** The point whose tip is shown. */
  get #spot(): Hotspot | undefined {
    return this.active === null ? undefined : this.#hotspots[this.active];
  }

  #tip(): TemplateResult | typeof nothing {
    const spot = this.#spot;
    return spot ? html`<div class="tip" aria-hidden="true">${spot.lines.map((words) => html`<p>${words}</p>`)}</div>` : nothing;
  }

  #placeTip(): void {
    const tip = this.renderRoot.querySelector<HTMLElement>('.tip');
    const spot = this.#spot;
    if (!tip || !spot) return;
    const left = Math.min(Math.max(0, spot.x + 14), Math.max(0, this.#width - tip.offsetWidth));
    const above = spot.y - tip.offsetHeight - 14;
    tip.style.setProperty('left', `${left}px`);
    // Over the heading it would cover what the chart is of.
    tip.style.setProperty('top', `${above >= 0 ? above : spot.y + 16}px`);
  }

  #onKey(event: KeyboardEvent): void {
    const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
    if (event.key === 'Escape') this.active = null;
    if (step === undefined) return;
    event.preventDefault();
    const spots = this.renderRoot.querySelectorAll<HTMLElement>('.spot');
    const next = (this.active ?? 0) + step;
    spots[(next + spots.length) % spots.length]?.focus();
  }
}
