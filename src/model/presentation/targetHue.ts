import { targetHueCount } from './palette.ts';

/** Those of the samples, which everybody sees first, are far apart. */
const ofSamples: Readonly<Record<string, number>> = { java: 0, node: 1 };

/**
 * The mark of a target, for ever: in every view, run, comparison, report and theme, whatever else is shown there. It follows from the id alone.
 * Its hue is `mark % targetHueCount`; of several targets with one hue the shapes differ, nearly always, and their names are next to them.
 */
export function targetMarkOf(id: string): number {
  const known = Object.hasOwn(ofSamples, id) ? ofSamples[id] : undefined;
  if (known !== undefined) return known;
  // FNV-1a, with its last bits mixed: neighbours such as “shop-1” and “shop-2” have nothing in common.
  let hash = 0x811c9dc5;
  for (const character of id) hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
  return ((hash ^ (hash >>> 13)) >>> 0) % markCount;
}

/** The outline of each shape in a square of 10. */
const outlines = {
  circle: 'M5 .8a4.2 4.2 0 1 0 0 8.4a4.2 4.2 0 1 0 0-8.4z',
  diamond: 'M5 0 9 5 5 10 1 5z',
  triangle: 'M5 .6 9.6 9H.4z',
  square: 'M1 1h8v8H1z',
  star: 'm5 0 1.2 3.5H10L7 5.8 8.1 9.6 5 7.3 1.9 9.6 3 5.8 0 3.5h3.8z',
  wye: 'M3.6 10V6.2L.4 4.3l1.4-2.4L5 3.8l3.2-1.9 1.4 2.4-3.2 1.9V10z',
} as const;

/** Marks in charts and lists; in addition to the hue, so that targets are distinguishable without colour. */
export type Shape = keyof typeof outlines;
export const shapes = Object.keys(outlines) as readonly Shape[];

/** The number of marks: combinations of a hue and a shape. */
const markCount = targetHueCount * shapes.length;

/** The shape of a target's mark (see {@link targetMarkOf}). */
export function hueShape(mark: number): Shape {
  return shapes[((mark % targetHueCount) + Math.floor(mark / targetHueCount)) % shapes.length] ?? 'circle';
}

/** The outline of a target's mark, as the path of an SVG of 10 by 10. */
export function markPath(mark: number): string {
  return outlines[hueShape(mark)];
}
