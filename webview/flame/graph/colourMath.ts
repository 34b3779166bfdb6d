/** Red, green, blue from 0 to 255. */
export type Rgb = readonly [red: number, green: number, blue: number];

/** From `#rgb`, `#rrggbb` (with or without alpha, which is dropped), `rgb()` or `rgba()`; null for anything else. */
export function parseColour(text: string): Rgb | null {
  const trimmed = text.trim();
  const hex = /^#([0-9a-f]{3,8})$/i.exec(trimmed)?.[1];
  if (hex !== undefined && hex.length !== 5 && hex.length !== 7) {
    const size = hex.length < 6 ? 1 : 2;
    const part = (index: number): number => Number.parseInt(hex.slice(index * size, index * size + size).repeat(3 - size), 16);
    return [part(0), part(1), part(2)];
  }
  const parts = /^rgba?\(\s*([\d.]+)[\s,]+([\d.]+)[\s,]+([\d.]+)/.exec(trimmed);
  return parts ? [Number(parts[1]), Number(parts[2]), Number(parts[3])] : null;
}

export function cssColour([red, green, blue]: Rgb): string {
  return `rgb(${Math.round(red)}, ${Math.round(green)}, ${Math.round(blue)})`;
}

/** As image data holds it on little-endian machines, which is all that browsers run on: opaque, blue, green, red. */
export function packed([red, green, blue]: Rgb): number {
  return (0xff000000 | (Math.round(blue) << 16) | (Math.round(green) << 8) | Math.round(red)) >>> 0;
}

/** `share` of the way from one colour to the other. */
export function mixed(one: Rgb, other: Rgb, share: number): Rgb {
  const at = (index: 0 | 1 | 2): number => one[index] + (other[index] - one[index]) * share;
  return [at(0), at(1), at(2)];
}

/** Relative luminance as WCAG 2.2 defines it. */
export function luminance(colour: Rgb): number {
  const [red = 0, green = 0, blue = 0] = colour.map((value) => {
    const share = value / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** Contrast ratio as WCAG 2.2 defines it, from 1 to 21. */
export function contrast(one: Rgb, other: Rgb): number {
  const a = luminance(one);
  const b = luminance(other);
  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
}

const black: Rgb = [0, 0, 0];
const white: Rgb = [255, 255, 255];

/**
 * Text for a fill: black or white, whichever contrasts more (never below 4.58, by the definition of contrast), softened towards the fill as far as
 * `wanted` allows.
 */
export function textOn(fill: Rgb, wanted: number): Rgb {
  const strong = contrast(fill, black) >= contrast(fill, white) ? black : white;
  for (const softness of [0.4, 0.3, 0.2, 0.1]) {
    const soft = mixed(strong, fill, softness);
    if (contrast(soft, fill) >= wanted) return soft;
  }
  return strong;
}
