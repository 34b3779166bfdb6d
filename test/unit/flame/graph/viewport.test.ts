import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { between, minSpan, pannedBy, wholeWidth, withinBounds, zoomedAt } from '../../../../webview/flame/graph/viewport.ts';

const share = fc.double({ min: 0, max: 1, noNaN: true });
const stretch = fc
  .tuple(share, fc.double({ min: -10, max: 0, noNaN: true }))
  .map(([from, exponent]) => withinBounds({ fromX: from, toX: from + 10 ** exponent, scrollY: 0 }));

describe('the stretch on show', () => {
  it('keeps what is under the pointer in its place while zooming in', () => {
    fc.assert(
      fc.property(stretch, share, fc.double({ min: 1, max: 8, noNaN: true }), (viewport, at, factor) => {
        const before = viewport.fromX + (viewport.toX - viewport.fromX) * at;
        const zoomed = zoomedAt(viewport, at, factor);
        const span = zoomed.toX - zoomed.fromX;
        expect(Math.abs((before - zoomed.fromX) / span - at)).toBeLessThan(1e-3);
      }),
    );
  });

  it('never leaves the whole, whatever is asked for', () => {
    const any = fc.double();
    fc.assert(
      fc.property(any, any, any, fc.double(), (fromX, toX, scrollY, step) => {
        for (const viewport of [withinBounds({ fromX, toX, scrollY }), pannedBy(withinBounds({ fromX, toX, scrollY }), step)]) {
          expect(viewport.fromX).toBeGreaterThanOrEqual(0);
          expect(viewport.toX).toBeLessThanOrEqual(1 + 1e-15);
          expect(viewport.toX).toBeGreaterThan(viewport.fromX);
          expect(viewport.scrollY).toBeGreaterThanOrEqual(0);
        }
      }),
      { examples: [[0, 5e-324, NaN, 0]] },
    );
  });

  it('keeps its width while it moves, and stops at the ends', () => {
    const viewport = { fromX: 0.4, toX: 0.5, scrollY: 7 };
    expect(pannedBy(viewport, 0.5).fromX).toBeCloseTo(0.45, 12);
    expect(pannedBy(viewport, 100).fromX).toBeCloseTo(0.9, 12);
    expect(pannedBy(viewport, 100).scrollY).toBe(7);
    expect(pannedBy(viewport, -100).fromX).toBe(0);
  });

  it('comes back to the whole by zooming out', () => {
    expect(zoomedAt({ fromX: 0.3, toX: 0.6, scrollY: 0 }, 0.2, 0.01)).toEqual(wholeWidth);
  });

  it('zooms in until pixels are still a hundred steps of a double apart, and not further', () => {
    let viewport = wholeWidth;
    for (let step = 0; step < 200; step++) viewport = zoomedAt(viewport, 0.7, 2);
    const perPixel = (viewport.toX - viewport.fromX) / 1600;
    expect(viewport.toX - viewport.fromX).toBeLessThanOrEqual(minSpan * 1.01);
    expect(perPixel / (viewport.fromX * Number.EPSILON)).toBeGreaterThan(50);
  });

  it('ends a move exactly where it was to end', () => {
    const goal = { fromX: 0.1, toX: 0.3, scrollY: 12 };
    expect(between(wholeWidth, goal, 1)).toBe(goal);
    expect(between(wholeWidth, goal, 0)).toEqual(wholeWidth);
  });
});
