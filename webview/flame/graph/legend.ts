import type { FlameNames, Layout } from '../core/layout.ts';
import type { ColourBy } from './boxCodes.ts';
import { noChangeCode, schemeOf } from './boxCodes.ts';
import { cssColour } from './colourMath.ts';
import { codeColours, readTheme, watchTheme } from './flameColours.ts';
import { styleSheet } from './flameGraphStyles.ts';
import { changeScale, legendEntries } from './legendEntries.ts';

const sheet = styleSheet(`
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

/** `<benchside-flame-legend>`: the colours of a layout, each with its meaning in words. */
export class FlameLegendElement extends HTMLElement {
  #currentLayout: Layout | null = null;
  #currentNames: FlameNames | null = null;
  #currentColourBy: ColourBy = 'category';
  readonly #list = document.createElement('ul');
  #unwatchTheme: (() => void) | null = null;
  #pending = false;

  constructor() {
    super();
    const root = this.attachShadow({ mode: 'open' });
    root.adoptedStyleSheets = [sheet];
    this.#list.setAttribute('aria-label', 'Colours');
    root.append(this.#list);
  }

  connectedCallback(): void {
    this.#unwatchTheme = watchTheme(() => this.#update());
    this.#update();
  }

  disconnectedCallback(): void {
    this.#unwatchTheme?.();
  }

  get layout(): Layout | null {
    return this.#currentLayout;
  }
  set layout(layout: Layout | null) {
    this.#currentLayout = layout;
    this.#update();
  }

  get names(): FlameNames | null {
    return this.#currentNames;
  }
  set names(names: FlameNames | null) {
    this.#currentNames = names;
    this.#update();
  }

  get colourBy(): ColourBy {
    return this.#currentColourBy;
  }
  set colourBy(colourBy: ColourBy) {
    this.#currentColourBy = colourBy;
    this.#update();
  }

  #update(): void {
    if (this.#pending || !this.isConnected) return;
    this.#pending = true;
    queueMicrotask(() => {
      this.#pending = false;
      this.#render();
    });
  }

  #render(): void {
    const layout = this.#currentLayout;
    if (layout === null) {
      this.#list.replaceChildren();
      return;
    }
    const scheme = schemeOf(layout, this.#currentColourBy);
    const { fill } = codeColours(readTheme(this), scheme);
    const colourOf = (code: number): string => cssColour(fill[code] ?? [128, 128, 128]);
    const scale = changeScale(layout);
    if (scale !== null) {
      const bar = document.createElement('span');
      bar.className = 'scale';
      bar.append(...scale.codes.map((code) => swatch(colourOf(code))));
      const only = swatch(colourOf(noChangeCode));
      only.classList.add('hatched');
      this.#list.replaceChildren(item(scale.least, bar, scale.most), item(only, 'in one recording only'), item('colour: change of self'));
      return;
    }
    const entries = legendEntries(layout, this.#currentNames, scheme);
    this.#list.replaceChildren(...entries.map(({ code, label }) => item(swatch(colourOf(code)), label)));
  }
}

function item(...content: (string | Node)[]): HTMLLIElement {
  const made = document.createElement('li');
  made.append(...content);
  return made;
}

function swatch(colour: string): HTMLElement {
  const made = document.createElement('span');
  made.className = 'swatch';
  made.setAttribute('aria-hidden', 'true');
  made.style.setProperty('background-color', colour);
  return made;
}

customElements.define('benchside-flame-legend', FlameLegendElement);

declare global {
  interface HTMLElementTagNameMap {
    'benchside-flame-legend': FlameLegendElement;
  }
}
