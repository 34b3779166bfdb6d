import { type TemplateResult, html, LitElement, nothing } from 'lit';
import { customElement, property } from 'lit/decorators.js';
import type { FlameNames, Layout } from '../core/layout.ts';
import { type ColourBy, noChangeCode, schemeOf } from './boxCodes.ts';
import { cssColour } from './colourMath.ts';
import { codeColours, readTheme, watchTheme } from './flameColours.ts';
import { styleSheet } from './flameGraphStyles.ts';
import { changeScale, legendEntries } from './legendEntries.ts';

/** `<benchside-flame-legend>`: the colours of a layout, each with its meaning in words. */
@customElement('benchside-flame-legend')
export class FlameLegendElement extends LitElement {
  static override styles = styleSheet(`
  :host { display: block; color: var(--bs-muted, var(--vscode-descriptionForeground)); font-family: var(--vscode-font-family); font-size: var(--vscode-font-size, 13px); line-height: 20px; }
  :host([hidden]) { display: none; }
  ul { display: flex; flex-wrap: wrap; gap: 2px 22px; margin: 0; padding: 0; list-style: none; }
  li { display: flex; align-items: center; white-space: nowrap; min-width: 0; }
  .swatch { flex: none; width: 10px; height: 10px; margin-right: 12px; border-radius: 2px; }
  .scale { display: flex; margin: 0 8px; }
  .scale .swatch { width: 14px; margin: 0; border-radius: 0; }
  @media (max-width: 560px) { ul { gap: 0 12px; font-size: 12px; } .swatch { margin-right: 6px; } .scale { margin: 0 6px; } .scale .swatch { width: 8px; } }
  .hatched { background-image: repeating-linear-gradient(135deg, var(--vscode-editor-background) 0 1.5px, transparent 1.5px 4px); }
`);

  @property({ attribute: false }) layout: Layout | null = null;
  @property({ attribute: false }) names: FlameNames | null = null;
  @property({ attribute: false }) colourBy: ColourBy = 'category';

  #unwatchTheme: (() => void) | null = null;

  override connectedCallback(): void {
    super.connectedCallback();
    this.#unwatchTheme = watchTheme(() => this.requestUpdate());
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#unwatchTheme?.();
  }

  protected override render(): TemplateResult {
    return html`<ul aria-label="Colours">
      ${this.layout === null ? nothing : this.#items(this.layout)}
    </ul>`;
  }

  #items(layout: Layout): TemplateResult | TemplateResult[] {
    const scheme = schemeOf(layout, this.colourBy);
    const { fill } = codeColours(readTheme(this), scheme);
    const swatch = (code: number, look = ''): TemplateResult =>
      html`<span
        class="swatch ${look}"
        aria-hidden="true"
        .style=${`background-color: ${cssColour(fill[code] ?? [128, 128, 128])}`}
      ></span>`;
    const scale = changeScale(layout);
    if (scale === null) return legendEntries(layout, this.names, scheme).map(({ code, label }) => html`<li>${swatch(code)}${label}</li>`);
    return html`<li>${scale.least}<span class="scale">${scale.codes.map((code) => swatch(code))}</span>${scale.most}</li>
      <li>${swatch(noChangeCode, 'hatched')}in one recording only</li>
      <li>colour: change of self</li>`;
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'benchside-flame-legend': FlameLegendElement;
  }
}
