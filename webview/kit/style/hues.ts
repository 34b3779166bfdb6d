import { targetHueCount } from '../../../src/model/presentation/palette.ts';

/** The CSS colour of a target's mark (see `targetMarkOf`). */
export function hueColor(mark: number): string {
  return `var(--bs-hue-${mark % targetHueCount})`;
}
