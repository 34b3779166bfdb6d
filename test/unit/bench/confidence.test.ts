import { describe, expect, it } from 'vitest';
import { atLeast } from '../../bench/truth/confidence.ts';

describe('the share that is reached at the least', () => {
  it('is known where all went as wished: so many in a row come about in 5 % of cases', () => {
    for (const n of [1, 10, 59, 300]) expect(atLeast(n, n) ** n).toBeCloseTo(0.05, 6);
    expect(atLeast(58, 58)).toBeLessThan(0.95);
    expect(atLeast(59, 59)).toBeGreaterThan(0.95);
  });

  it('is that of the published tables where some did not', () => {
    expect(atLeast(9, 10)).toBeCloseTo(0.6058, 4);
    expect(atLeast(19, 20)).toBeCloseTo(0.7839, 4);
    expect(atLeast(0, 10)).toBe(0);
  });
});
