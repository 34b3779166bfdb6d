/**
 * What is on show: a stretch of the whole width as fractions of the total, so that it outlives a new layout, and how far the picture is scrolled
 * away from the root's edge, in CSS pixels.
 */
export interface Viewport {
  fromX: number;
  toX: number;
  scrollY: number;
}

export const wholeWidth: Viewport = { fromX: 0, toX: 1, scrollY: 0 };

/** The narrowest stretch: still a hundred steps of a double per pixel, so nothing jumps at the deepest zoom. */
export const minSpan = 2e-11;

/** Moves and narrows a stretch until it is within [0, 1] and is not narrower than {@link minSpan}. */
export function withinBounds(viewport: Viewport): Viewport {
  const asked = viewport.toX - viewport.fromX;
  // Also for NaN, which `Math.max` would return.
  const scrollY = Math.max(0, viewport.scrollY || 0);
  if (!Number.isFinite(asked) || asked <= 0) return { ...wholeWidth, scrollY };
  const span = Math.min(1, Math.max(minSpan, asked));
  const centred = span === asked ? viewport.fromX : viewport.fromX - (span - asked) / 2;
  const fromX = Math.min(1 - span, Math.max(0, centred));
  return { fromX, toX: span === 1 ? 1 : fromX + span, scrollY };
}

/** Zooms by `factor` (above 1: closer) so that what is at the fraction `at` of the visible width stays there. */
export function zoomedAt(viewport: Viewport, at: number, factor: number): Viewport {
  const span = viewport.toX - viewport.fromX;
  const nextSpan = Math.min(1, Math.max(minSpan, span / factor));
  const fixed = viewport.fromX + span * at;
  const fromX = fixed - nextSpan * at;
  return withinBounds({ ...viewport, fromX, toX: fromX + nextSpan });
}

/** Moves by a share of the visible width; positive: towards the right end. */
export function pannedBy(viewport: Viewport, share: number): Viewport {
  const span = viewport.toX - viewport.fromX;
  if (!Number.isFinite(share)) return viewport;
  const fromX = Math.min(1 - span, Math.max(0, viewport.fromX + span * share));
  return { ...viewport, fromX, toX: fromX + span };
}

/** Between two viewports, `share` of the way; the ends exactly. */
export function between(from: Viewport, to: Viewport, share: number): Viewport {
  if (share >= 1) return to;
  const mix = (a: number, b: number): number => a + (b - a) * share;
  return { fromX: mix(from.fromX, to.fromX), toX: mix(from.toX, to.toX), scrollY: mix(from.scrollY, to.scrollY) };
}

export function sameStretch(one: Viewport, other: Viewport): boolean {
  return one.fromX === other.fromX && one.toX === other.toX;
}
