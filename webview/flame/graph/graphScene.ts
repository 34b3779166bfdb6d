import type { FlameNames, Layout, SearchResult } from '../core/layout.ts';
import { type ColourBy, boxCodes, fadedFrom, schemeOf } from './boxCodes.ts';
import { cssColour, packed } from './colourMath.ts';
import { type FlameTheme, codeColours, readTheme } from './flameColours.ts';
import type { Orientation, Scene } from './flamePainter.ts';
import { rowColours } from './rowTexture.ts';

export interface Shown {
  layout: Layout | null;
  names: FlameNames | null;
  search: SearchResult | null;
  orientation: Orientation;
  colourBy: ColourBy;
}

/** Keeps what a picture is made of from frame to frame, and rebuilds what has changed. */
export class GraphScene {
  /** For labels, as CSS writes it. */
  font = '';
  #theme: FlameTheme | null = null;
  #known: Scene | null = null;

  /** `host` has the theme's variables; it is given `--bf-outline`. */
  constructor(private readonly host: HTMLElement) {}

  /** Null where there is nothing to draw. `stale` says whether the codes of boxes and the colours have changed since the last call. */
  now(shown: Shown, stale: { codes: boolean; colours: boolean }): Scene | null {
    const { layout, names, search, orientation } = shown;
    if (layout === null || layout.boxCount === 0) {
      this.#known = null;
      return null;
    }
    if (stale.colours || this.#theme === null) this.#theme = this.#readTheme();
    const known = stale.codes ? null : this.#known;
    if (known !== null && !stale.colours) return known;
    const scheme = schemeOf(layout, shown.colourBy);
    const codes = known?.codes ?? boxCodes(layout, names, scheme, search);
    const colours = codeColours(this.#theme, scheme);
    this.#known = {
      layout,
      names,
      codes,
      colours,
      rows: rowColours(codes, colours.lookup, packed(this.#theme.background), fadedFrom),
      scheme,
      theme: this.#theme,
      orientation,
      searching: search !== null && search.matches.length === layout.boxCount,
    };
    return this.#known;
  }

  #readTheme(): FlameTheme {
    const { host } = this;
    const theme = readTheme(host);
    host.style.setProperty('--bf-outline', cssColour(theme.outline));
    this.font = `11px ${getComputedStyle(host).getPropertyValue('--vscode-editor-font-family').trim() || 'monospace'}`;
    return theme;
  }
}
