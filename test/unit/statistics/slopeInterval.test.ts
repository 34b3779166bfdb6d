import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { SeededRandom } from '../../../src/engine/statistics/seededRandom.ts';
import type { Point } from '../../../src/engine/statistics/moments.ts';
import { slopeInterval } from '../../../src/engine/statistics/slopeInterval.ts';

const finite = fc.double({ min: -1e6, max: 1e6, noNaN: true });
const levels = fc.array(finite, { minLength: 6, maxLength: 14 });
const pointsOf = (values: readonly number[]): Point[] => values.map((y, x) => [x, y]);

describe('the interval of a slope', () => {
  it('takes as many points as its confidence needs', () => {
    expect(slopeInterval(pointsOf([0, 1, 2, 3, 4]), 0.99)).toBeNull();
    expect(slopeInterval(pointsOf([0, 1, 2, 3, 4]), 0.95)).not.toBeNull();
    expect(slopeInterval(pointsOf([0, 1, 2, 3, 4, 5]), 0.99)).toEqual({ slope: 1, low: 1, high: 1 });
    expect(slopeInterval([], 0.5)).toBeNull();
  });

  it('is that of Sen for seven points: of the 21 slopes 2 lie outside at either end for 0.95, and none but the extremes for 0.995', () => {
    // By the table of Kendall's S for n = 7: P(S ≥ 15) = 0.0151, P(S ≥ 13) = 0.0345, P(S ≥ 19) = 0.0014.
    const points = pointsOf([0, 1, 4, 9, 16, 25, 36]);
    const slopes = points.flatMap(([x, y], i) => points.slice(i + 1).map(([u, v]) => (v - y) / (u - x))).sort((a, b) => a - b);
    expect(slopeInterval(points, 0.95)).toMatchObject({ low: slopes[3], high: slopes[17] });
    expect(slopeInterval(points, 0.995)).toMatchObject({ low: slopes[1], high: slopes[19] });
  });

  it('holds the slope, moves with the line that is added, and turns with the sign', () => {
    fc.assert(
      fc.property(levels, fc.integer({ min: -1000, max: 1000 }), (values, added) => {
        const is = slopeInterval(pointsOf(values), 0.99);
        expect(is).not.toBeNull();
        if (is === null) return;
        expect(is.low).toBeLessThanOrEqual(is.slope);
        expect(is.high).toBeGreaterThanOrEqual(is.slope);
        const tilted = slopeInterval(pointsOf(values.map((y, x) => y + added * x)), 0.99);
        expect(tilted?.low).toBeCloseTo(is.low + added, 3);
        expect(tilted?.high).toBeCloseTo(is.high + added, 3);
        const turned = slopeInterval(pointsOf(values.map((y) => -y)), 0.99);
        expect(turned?.low).toBeCloseTo(-is.high, 6);
      }),
    );
  });

  it('misses the true slope in no more of many series than its confidence allows', () => {
    const random = new SeededRandom(7);
    const series = 4_000;
    let missed = 0;
    for (let one = 0; one < series; one += 1) {
      const is = slopeInterval(
        Array.from({ length: 9 }, (_, x): Point => [x, 3 * x + random.nextFraction() + random.nextFraction()]),
        0.95,
      );
      if (is === null || is.low > 3 || is.high < 3) missed += 1;
    }
    expect(missed / series).toBeLessThan(0.055);
    expect(missed / series).toBeGreaterThan(0.02);
  });
});
