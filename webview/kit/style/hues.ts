import { targetHueCount } from '../../../src/model/targetHue.ts';

/** Marks in charts and lists; beside the hue, so that targets can be told apart without colour. */
export const shapes = ['circle', 'diamond', 'triangle', 'square', 'star', 'wye'] as const;
export type Shape = (typeof shapes)[number];

/** The CSS colour of a target's mark (see `targetMarkOf`). */
export function hueColor(mark: number): string {
  return `var(--bs-hue-${mark % targetHueCount})`;
}

/** The shape of a target's mark. */
export function hueShape(mark: number): Shape {
  return shapes[((mark % targetHueCount) + Math.floor(mark / targetHueCount)) % shapes.length] ?? 'circle';
}
