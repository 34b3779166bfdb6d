import { codeTiers } from '../../../src/model/domain/callTree.ts';
import { type Category, categories } from '../core/colours.ts';
import { type CodeScheme, changeSteps, fadedFrom, rootCode } from './boxCodes.ts';
import { type Rgb, cssColour, mixed, packed, parseColour, textOn } from './colourMath.ts';
import { packageHues } from './packages.ts';

/** The category whose colour is used for a tier or a package, so that one tested palette serves all. */
const tierColours: readonly Category[] = ['other', 'lockWait', 'app', 'runtime', 'native'];
const packageColourNames: readonly Category[] = ['app', 'dependency', 'runtime', 'jit', 'poolWait', 'databaseWait', 'native', 'lockWait'];

export interface FlameTheme {
  background: Rgb;
  foreground: Rgb;
  /** Outlines of what was found and selected. */
  outline: Rgb;
  /** Draws borders around boxes; null but in high contrast. */
  border: Rgb | null;
  category: readonly Rgb[];
  more: Rgb;
  less: Rgb;
  same: Rgb;
}

/** Reads the theme off an element: `--bf-*` of palette.css and the editor's own variables. */
export function readTheme(element: Element): FlameTheme {
  const style = getComputedStyle(element);
  const read = (name: string, otherwise: Rgb): Rgb => parseColour(style.getPropertyValue(name)) ?? otherwise;
  const classes = document.body.classList;
  const light = classes.contains('vscode-light') || classes.contains('vscode-high-contrast-light');
  const background = read('--vscode-editor-background', light ? [255, 255, 255] : [31, 31, 31]);
  const foreground = read('--vscode-editor-foreground', read('--vscode-foreground', light ? [59, 59, 59] : [204, 204, 204]));
  const grey = mixed(background, foreground, 0.4);
  return {
    background,
    foreground,
    outline: light ? [0, 0, 0] : [255, 255, 255],
    border: classes.contains('vscode-high-contrast') ? read('--vscode-contrastBorder', foreground) : null,
    category: categories.map((category) => read(`--bf-${category}`, grey)),
    more: read('--bf-more', grey),
    less: read('--bf-less', grey),
    same: read('--bf-same', grey),
  };
}

/** How much of a faded box's colour is left. */
const fadedShare = 0.3;
const plainTextContrast = 7;
const fadedTextContrast = 4.5;

/** Colours by code of one scheme in one theme. */
export interface CodeColours {
  /** Packed fills for {@link RowColours.lookup}, 256 of them. */
  lookup: Uint32Array;
  /** CSS colour of the text on each fill. */
  text: readonly string[];
  fill: readonly Rgb[];
}

/** Fills and texts for all codes of a scheme: the plain ones, and from {@link fadedFrom} on the faded ones. */
export function codeColours(theme: FlameTheme, scheme: CodeScheme): CodeColours {
  const plain = fillsOf(theme, scheme);
  const fill: Rgb[] = Array.from({ length: 256 }, (_, code) => {
    const own = plain[code % fadedFrom] ?? theme.background;
    return code < fadedFrom ? own : mixed(theme.background, own, fadedShare);
  });
  return {
    fill,
    lookup: Uint32Array.from(fill, packed),
    text: fill.map((colour, code) => cssColour(textOn(colour, code < fadedFrom ? plainTextContrast : fadedTextContrast))),
  };
}

function fillsOf(theme: FlameTheme, scheme: CodeScheme): readonly Rgb[] {
  const named = (name: Category): Rgb => theme.category[categories.indexOf(name)] ?? theme.background;
  switch (scheme) {
    case 'category': {
      const fills = [...theme.category];
      fills[rootCode] = mixed(theme.background, theme.foreground, 0.28);
      return fills;
    }
    case 'tier':
      return codeTiers.map((_, tier) => named(tierColours[tier] ?? 'other'));
    case 'package':
      return Array.from({ length: packageHues + 1 }, (_, hue) => named(packageColourNames[hue] ?? 'other'));
    case 'change':
      return Array.from({ length: 2 * changeSteps + 1 }, (_, code) => changeColour(theme, (code - changeSteps) / changeSteps));
  }
}

/** Of the diverging scale: −1 all less, 0 no change, 1 all more. One step away from zero is already distinguishable from no change. */
export function changeColour(theme: FlameTheme, change: number): Rgb {
  if (change === 0) return theme.same;
  return mixed(theme.same, change > 0 ? theme.more : theme.less, 0.2 + 0.8 * Math.min(1, Math.abs(change)));
}

/** Calls back when the theme changes, until the returned function is called. */
export function watchTheme(changed: () => void): () => void {
  const observer = new MutationObserver(changed);
  observer.observe(document.body, { attributes: true, attributeFilter: ['class'] });
  observer.observe(document.documentElement, { attributes: true, attributeFilter: ['style', 'class'] });
  return () => observer.disconnect();
}
