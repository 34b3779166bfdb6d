import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { paletteCss } from '../../../src/model/presentation/palette.ts';

const css = readFileSync(new URL('../../../webview/kit/style/page.css', import.meta.url), 'utf8');

/** Colours of one theme, by variable name: those of its block in page.css, and those that the report has, too. */
function paletteOf(selector: string, theme: Parameters<typeof paletteCss>[0]): Record<string, string> {
  const start = css.indexOf(`${selector} {`);
  const block = `${css.slice(start, css.indexOf('}', start))} ${paletteCss(theme)}`;
  return Object.fromEntries([...block.matchAll(/(--bs-[\w-]+): (#[0-9a-f]{6});/g)].map((match) => [match[1] ?? '', match[2] ?? '']));
}

/** Relative luminance as WCAG 2.2 defines it. */
function luminance(color: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const share = Number.parseInt(color.slice(at, at + 2), 16) / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(one: string, other: string): number {
  const [high = 0, low = 0] = [luminance(one), luminance(other)].sort((a, b) => b - a);
  return (high + 0.05) / (low + 0.05);
}

describe.each([
  ['body.vscode-dark', 'dark', ['#1f1f1f', '#181818']],
  ['body.vscode-light', 'light', ['#ffffff', '#f8f8f8']],
  ['body.vscode-high-contrast', 'contrast', ['#000000']],
  ['body.vscode-high-contrast-light', 'contrastLight', ['#ffffff']],
] as const)('the palette of %s', (selector, theme, backgrounds) => {
  const palette = paletteOf(selector, theme);
  it('has all colours', () => {
    expect(Object.keys(palette)).toHaveLength(12);
  });
  it.each(Object.entries(palette))('%s %s has a contrast of at least 4.5', (_, color) => {
    for (const background of backgrounds) expect(contrast(color, background)).toBeGreaterThanOrEqual(4.5);
  });
});
