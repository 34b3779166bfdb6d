import { describe, expect, it } from 'vitest';
import { studentTProbability, studentTQuantile } from '../../../src/engine/statistics/studentT.ts';

/** Published quantiles (to the digits of the usual printed tables, and for 1 and 2 degrees the closed forms). */
const tabulated: readonly (readonly [degreesOfFreedom: number, p95: number, p975: number, p995: number])[] = [
  [1, 6.313751515, 12.70620474, 63.65674116],
  [2, 2.91998558, 4.30265273, 9.924843201],
  [3, 2.353363435, 3.182446305, 5.84090931],
  [4, 2.131846786, 2.776445105, 4.604094871],
  [5, 2.015048373, 2.570581836, 4.032142984],
  [8, 1.859548038, 2.306004135, 3.355387331],
  [10, 1.812461123, 2.228138852, 3.169272673],
  [20, 1.724718243, 2.085963447, 2.84533971],
  [30, 1.697260887, 2.042272456, 2.749995654],
  [120, 1.657650899, 1.979930405, 2.617421145],
];

describe('quantiles of Student’s t', () => {
  it.each(tabulated)('agree with the printed tables for %d degrees of freedom', (degreesOfFreedom, p95, p975, p995) => {
    expect(studentTQuantile(0.95, degreesOfFreedom)).toBeCloseTo(p95, 6);
    expect(studentTQuantile(0.975, degreesOfFreedom)).toBeCloseTo(p975, 6);
    expect(studentTQuantile(0.995, degreesOfFreedom)).toBeCloseTo(p995, 6);
  });

  it('agree with the closed form for one degree of freedom, far into the tail', () => {
    for (const p of [0.6, 0.9, 0.999, 0.999999]) {
      const exact = Math.tan(Math.PI * (p - 0.5));
      expect(Math.abs(studentTQuantile(p, 1) / exact - 1)).toBeLessThan(1e-9);
    }
  });

  it('are symmetric, and zero in the middle', () => {
    expect(studentTQuantile(0.5, 7)).toBeCloseTo(0, 12);
    expect(studentTQuantile(0.025, 7)).toBeCloseTo(-studentTQuantile(0.975, 7), 12);
  });

  it('tend to the normal distribution', () => {
    expect(studentTQuantile(0.975, 1e7)).toBeCloseTo(1.959964, 6);
  });

  it('take degrees of freedom that are not whole, between their neighbours', () => {
    const between = studentTQuantile(0.975, 4.5);
    expect(between).toBeLessThan(studentTQuantile(0.975, 4));
    expect(between).toBeGreaterThan(studentTQuantile(0.975, 5));
  });

  it('are the inverse of the distribution', () => {
    for (const degreesOfFreedom of [1, 2.5, 6, 40]) {
      for (const t of [-8, -1, -0.01, 0.3, 2, 4]) {
        expect(studentTQuantile(studentTProbability(t, degreesOfFreedom), degreesOfFreedom)).toBeCloseTo(t, 6);
      }
    }
  });

  it('refuse what has no quantile', () => {
    expect(() => studentTQuantile(1, 4)).toThrow(RangeError);
    expect(() => studentTQuantile(0.9, 0)).toThrow(RangeError);
    expect(() => studentTQuantile(Number.NaN, 4)).toThrow(RangeError);
  });
});
