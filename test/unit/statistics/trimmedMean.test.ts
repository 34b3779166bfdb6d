import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { trimmedMean } from '../../../src/engine/statistics/trimmedMean.ts';
import { studentTQuantile } from '../../../src/engine/statistics/studentT.ts';
import { normal, seeded } from '../strategies/noiseModel.ts';

describe('a trimmed mean', () => {
  it('is the mean where nothing is cut off, and knows nothing of fewer than two values', () => {
    expect(trimmedMean([])).toBeNull();
    expect(trimmedMean([1])).toBeNull();
    expect(trimmedMean([1, 2, 3, 6])?.mean).toBe(3);
  });

  it('is moved by no outlier, however large', () => {
    fc.assert(
      fc.property(
        fc.array(fc.double({ min: -1, max: 1, noNaN: true }), { minLength: 10, maxLength: 60 }),
        fc.double({ min: 1e3, max: 1e9, noNaN: true }),
        (values, outlier) => {
          const hit = trimmedMean([...values.slice(1), outlier]);
          expect(hit?.mean).toBeLessThanOrEqual(Math.max(...values.slice(1)));
          expect(Number.isFinite(hit?.standardError)).toBe(true);
        },
      ),
    );
  });

  /** How often the 95 % interval of so many values holds the true mean. */
  function coverage(n: number, blockLength: number, draw: (gauss: () => number, length: number) => number[]): number {
    const gauss = normal(seeded(11));
    const trials = 1500;
    let held = 0;
    for (let trial = 0; trial < trials; trial += 1) {
      const found = trimmedMean(draw(gauss, n), blockLength);
      if (found === null) continue;
      const half = studentTQuantile(0.975, found.degreesOfFreedom) * found.standardError;
      if (Math.abs(found.mean) <= half) held += 1;
    }
    return held / trials;
  }

  it('has an interval that holds the truth in 95 of 100 cases, among normal values and among bursts', () => {
    const plain = (gauss: () => number, n: number): number[] => Array.from({ length: n }, gauss);
    const withBursts = (gauss: () => number, n: number): number[] =>
      plain(gauss, n).map((value) => (Math.abs(gauss()) > 1.5 ? value * 8 : value));
    for (const n of [8, 12, 40, 200])
      for (const draw of [plain, withBursts]) {
        const share = coverage(n, 1, draw);
        expect(share).toBeGreaterThan(0.92);
        expect(share).toBeLessThan(0.995);
      }
  });

  it('has one that holds it, too, where values that lie close together were disturbed together', () => {
    const correlated = (gauss: () => number, n: number): number[] => {
      let state = gauss();
      return Array.from({ length: n }, () => (state = 0.7 * state + Math.sqrt(1 - 0.49) * gauss()));
    };
    expect(coverage(120, 1, correlated)).toBeLessThan(0.75);
    expect(coverage(120, 12, correlated)).toBeGreaterThan(0.88);
  });
});
