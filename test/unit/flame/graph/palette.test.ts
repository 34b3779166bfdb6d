import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { categories } from '../../../../webview/flame/core/colours.ts';
import type { CodeScheme } from '../../../../webview/flame/graph/boxCodes.ts';
import { type Rgb, contrast, parseColour } from '../../../../webview/flame/graph/colourMath.ts';
import { type FlameTheme, changeColour, codeColours } from '../../../../webview/flame/graph/flameColours.ts';

const css = readFileSync(new URL('../../../../webview/flame/graph/palette.css', import.meta.url), 'utf8');

function paletteOf(selector: string): Map<string, Rgb> {
  const start = css.indexOf(`${selector} {`);
  const block = css.slice(start, css.indexOf('}', start));
  return new Map([...block.matchAll(/--bf-([\w-]+): (#[0-9a-f]{6});/g)].map((match) => [match[1]!, parseColour(match[2]!)!]));
}

type Matrix = readonly (readonly [number, number, number])[];
/** Of linear light, for a whole lack of one kind of cone: Machado, Oliveira and Fernandes 2009, severity 1. */
const sights: Record<string, Matrix> = {
  'normal sight': [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ],
  protanopia: [
    [0.152286, 1.052583, -0.204868],
    [0.114503, 0.786281, 0.099216],
    [-0.003882, -0.048116, 1.051998],
  ],
  deuteranopia: [
    [0.367322, 0.860646, -0.227968],
    [0.280085, 0.672501, 0.047413],
    [-0.01182, 0.04294, 0.968881],
  ],
  tritanopia: [
    [1.255528, -0.076749, -0.178779],
    [-0.078411, 0.930809, 0.147602],
    [0.004733, 0.691367, 0.3039],
  ],
};

/** Oklab (Ottosson 2020) of a colour as it is seen. */
function seen(colour: Rgb, sight: Matrix): number[] {
  const linear = colour.map((value) => {
    const share = value / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  const [r = 0, g = 0, b = 0] = sight.map((row) =>
    Math.min(
      1,
      Math.max(
        0,
        row.reduce((sum, factor, at) => sum + factor * linear[at]!, 0),
      ),
    ),
  );
  const l = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b);
  const m = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b);
  const s = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);
  return [
    0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s,
    1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s,
    0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s,
  ];
}

function distance(one: Rgb, other: Rgb, sight: Matrix): number {
  const a = seen(one, sight);
  const b = seen(other, sight);
  return Math.hypot(...a.map((value, at) => value - b[at]!));
}

describe.each([
  ['body.vscode-dark', '#1f1f1f', '#cccccc'],
  ['body.vscode-light', '#ffffff', '#3b3b3b'],
  ['body.vscode-high-contrast', '#000000', '#ffffff'],
  ['body.vscode-high-contrast-light', '#ffffff', '#292929'],
])('the flame palette of %s', (selector, backgroundText, foregroundText) => {
  const palette = paletteOf(selector);
  const background = parseColour(backgroundText)!;
  const theme: FlameTheme = {
    background,
    foreground: parseColour(foregroundText)!,
    outline: [255, 255, 255],
    border: null,
    category: categories.map((category) => palette.get(category)!),
    more: palette.get('more')!,
    less: palette.get('less')!,
    same: palette.get('same')!,
  };

  it('has a colour for each category', () => {
    expect([...palette.keys()].sort()).toEqual([...categories, 'less', 'more', 'same'].sort());
  });

  it.each(Object.entries(sights))('keeps all categories apart with %s', (_, sight) => {
    // Two categories of waiting have one name and one colour.
    const shown = [...palette].filter(([name]) => !['otherWait', 'more', 'less', 'same'].includes(name));
    for (const [name, colour] of shown) {
      for (const [other, otherColour] of shown) {
        if (name < other) expect(distance(colour, otherColour, sight), `${name} and ${other}`).toBeGreaterThan(0.07);
      }
    }
  });

  it.each(Object.entries(sights))('keeps more, less and no change apart with %s', (_, sight) => {
    for (const size of [0.25, 1]) {
      const [more, less, same] = [size, -size, 0].map((change) => changeColour(theme, change)) as [Rgb, Rgb, Rgb];
      expect(distance(more, less, sight)).toBeGreaterThan(0.07);
      expect(Math.min(distance(more, same, sight), distance(less, same, sight))).toBeGreaterThan(0.025);
    }
  });

  it.each<CodeScheme>(['category', 'tier', 'package', 'change'])('has readable text on each fill of %s, faded or not', (scheme) => {
    const { fill, text } = codeColours(theme, scheme);
    for (const [code, colour] of fill.entries()) expect(contrast(colour, parseColour(text[code]!)!)).toBeGreaterThanOrEqual(4.5);
  });

  it('has fills that stand out from the page', () => {
    for (const category of categories) {
      // Pale yellow and cyan on white: their text and the legend's words carry them.
      expect(contrast(palette.get(category)!, background), category).toBeGreaterThan(1.1);
    }
  });
});
