import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { costOf } from '../../../src/engine/record/recordingCost.ts';

const cpuUs = fc.double({ min: 1, max: 1e6, noNaN: true });

describe('the cost of recording', () => {
  it('is the geometric mean of the pairs’ ratios, with an interval around it', () => {
    const cost = costOf([100, 100, 100], [104, 110, 107]);
    expect(cost?.ratio).toBeCloseTo(Math.cbrt(1.04 * 1.1 * 1.07), 10);
    expect(cost?.low).toBeLessThan(cost?.ratio ?? 0);
    expect(cost?.high).toBeGreaterThan(cost?.ratio ?? 0);
    expect(cost).toMatchObject({ withoutUs: 100, withUs: 107, pairs: 3 });
  });

  it('matches Student’s t of the logarithms for three pairs', () => {
    // t(0.975, 2) = 4.302653; logs 0, ln 1.1, ln 1.21: mean ln 1.1, standard deviation ln 1.1.
    const cost = costOf([1, 1, 1], [1, 1.1, 1.21]);
    const half = (4.302653 * Math.log(1.1)) / Math.sqrt(3);
    expect(cost?.high).toBeCloseTo(Math.exp(Math.log(1.1) + half), 5);
    expect(cost?.low).toBeCloseTo(Math.exp(Math.log(1.1) - half), 5);
  });

  it('has no interval from a single pair', () => {
    expect(costOf([100], [103])).toMatchObject({ low: null, high: null, pairs: 1 });
  });

  it('is not known when a window is missing or had no CPU time', () => {
    expect(costOf([], [])).toBeNull();
    expect(costOf([100, 100], [100])).toBeNull();
    expect(costOf([100, 0], [100, 100])).toBeNull();
  });

  it('does not depend on the unit, and turns over when the sides do', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(cpuUs, cpuUs), { minLength: 2, maxLength: 6 }),
        fc.double({ min: 0.01, max: 100, noNaN: true }),
        (pairs, unit) => {
          const without = pairs.map(([one]) => one);
          const withIt = pairs.map(([, other]) => other);
          const cost = costOf(without, withIt);
          const scaled = costOf(
            without.map((value) => value * unit),
            withIt.map((value) => value * unit),
          );
          const turned = costOf(withIt, without);
          expect(scaled?.ratio).toBeCloseTo(cost?.ratio ?? 0, 6);
          expect((turned?.ratio ?? 0) * (cost?.ratio ?? 0)).toBeCloseTo(1, 6);
        },
      ),
    );
  });
});
