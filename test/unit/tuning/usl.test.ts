import { describe, expect, it } from 'vitest';
import { fitUsl, uslPeak, uslThroughput } from '../../../src/engine/strategies/search/usl.ts';
import type { UslParameters, UslPoint } from '../../../src/engine/strategies/search/usl.ts';
import { normal, seeded } from '../strategies/noiseModel.ts';

function measured(truth: UslParameters, at: readonly number[], rounds: number, sd: number, seed: number): UslPoint[] {
  const gauss = normal(seeded(seed));
  const drift = Array.from({ length: rounds }, () => 0.03 * gauss());
  return at.map((busy) => ({
    busy,
    blocks: drift.map((shift, round) => ({ round: round + 1, throughput: uslThroughput(truth, busy) * Math.exp(shift + sd * gauss()) })),
  }));
}

const declining: UslParameters = { lambda: 1000, sigma: 0.03, kappa: 0.003 };

describe('the fit of the Universal Scalability Law', () => {
  it('finds the parameters of noiseless figures exactly', () => {
    const found = fitUsl(
      measured(declining, [1, 2, 4, 8, 16, 32], 1, 0, 1).map((point) => ({
        ...point,
        blocks: [{ round: 1, throughput: uslThroughput(declining, point.busy) }],
      })),
      1,
    );
    expect(found?.lambda).toBeCloseTo(1000, 4);
    expect(found?.sigma).toBeCloseTo(0.03, 6);
    expect(found?.kappa).toBeCloseTo(0.003, 7);
    expect(found?.peak?.mean).toBeCloseTo(uslPeak(declining), 4);
  });

  it('holds the true peak in its interval nine times in ten, when it was passed', () => {
    let held = 0;
    for (let seed = 1; seed <= 20; seed += 1) {
      const peak = fitUsl(measured(declining, [1, 2, 4, 8, 16, 32], 5, 0.02, seed), seed)?.peak;
      if (peak != null && peak.ciLow <= uslPeak(declining) && uslPeak(declining) <= peak.ciHigh) held += 1;
    }
    expect(held).toBeGreaterThanOrEqual(17);
  });

  it('claims no peak where throughput never declined', () => {
    const contended: UslParameters = { lambda: 1000, sigma: 0.08, kappa: 0 };
    let claimed = 0;
    for (let seed = 1; seed <= 20; seed += 1)
      if (fitUsl(measured(contended, [1, 2, 4, 8, 16, 32], 5, 0.02, seed), seed)?.peak !== null) claimed += 1;
    expect(claimed).toBeLessThanOrEqual(2);
    const found = fitUsl(measured(contended, [1, 2, 4, 8, 16, 32], 5, 0.005, 3), 3);
    expect(found?.sentence).toMatch(/^No decline was observed up to 32 busy connections; .* \d\.\d+ % of the work/);
  });

  it('has no negative contention when throughput rises faster than the size', () => {
    const found = fitUsl(
      [1, 2, 4, 8].map((busy) => ({ busy, blocks: [{ round: 1, throughput: 100 * busy ** 1.1 }] })),
      1,
    );
    expect(found?.sigma).toBe(0);
    expect(found?.kappa).toBe(0);
    expect(found?.peak).toBeNull();
  });

  it('is the same every time for the same seed, and needs four points', () => {
    const points = measured(declining, [1, 2, 4, 8, 16, 32], 4, 0.02, 5);
    expect(fitUsl(points, 7)).toEqual(fitUsl(points, 7));
    expect(fitUsl(points.slice(0, 3), 7)).toBeNull();
  });
});
