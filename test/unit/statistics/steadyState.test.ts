import { describe, expect, it } from 'vitest';
import { median, medianSlope } from '../../../src/engine/statistics/moments.ts';
import { mserTruncation, scaledMad, steadyAtCap, steadyState } from '../../../src/engine/statistics/steadyState.ts';
import { normal, seeded, tickNoise } from '../strategies/noiseModel.ts';

/** Throughput of `seconds` 1-s ticks that warms up from 40 % of its plateau with the time constant `tauS` (0: flat). */
function warmUpCurve(seconds: number, tauS: number, gauss: () => number): number[] {
  return tickNoise(seconds, gauss).map(
    (noise, second) => 5000 * Math.exp(noise) * (tauS === 0 ? 1 : 1 - 0.6 * Math.exp(-(second + 0.5) / tauS)),
  );
}

/** Looks at every second from the fifth on, as the warm-up does; how often it became steady by the cap, after how long, and how far below the plateau. */
function simulateWarmUps(tauS: number, capS: number, noiseFactor = 1): { steadyShare: number; meanSeconds: number; meanBias: number } {
  const uniform = seeded(7);
  const gauss = normal(uniform);
  const runs = 200;
  let steady = 0;
  let seconds = 0;
  let bias = 0;
  for (let run = 0; run < runs; run += 1) {
    const curve = warmUpCurve(capS, tauS, () => gauss() * noiseFactor);
    for (let second = 5; second <= capS; second += 1) {
      if (!steadyState(curve.slice(0, second), 1000, { lastLook: second === capS }).steady) continue;
      steady += 1;
      seconds += second;
      bias += tauS === 0 ? 0 : -0.6 * Math.exp(-second / tauS);
      break;
    }
  }
  return { steadyShare: steady / runs, meanSeconds: seconds / steady, meanBias: bias / steady };
}

describe('robust figures', () => {
  it('take the middle of sorted values', () => {
    expect(median([9, 1, 5])).toBe(5);
    expect(median([4, 1, 3, 2])).toBe(2.5);
    expect(median([])).toBeNaN();
  });

  it('estimate the spread without heeding an outlier', () => {
    expect(scaledMad([1, 2, 3, 4, 1e9])).toBeCloseTo(1.4826, 10);
  });

  it('find the slope of a line in spite of outliers', () => {
    const values = Array.from({ length: 21 }, (_, i) => 10 + 3 * i);
    values[4] = 1e6;
    values[15] = -1e6;
    expect(medianSlope(values.map((value, tick) => [tick, value]))).toBeCloseTo(3, 10);
  });

  it('cut the initial transient and nothing else', () => {
    const flat = Array.from({ length: 20 }, (_, i) => 100 + (i % 2));
    expect(mserTruncation([10, 40, 70, ...flat])).toBe(3);
    expect(mserTruncation(flat)).toBe(0);
  });
});

describe('steady state', () => {
  it('is told of flat throughput, with nothing cut', () => {
    const flat = Array.from({ length: 12 }, (_, i) => 1000 + 10 * (i % 3));
    expect(steadyState(flat, 1000)).toEqual({ steady: true, reason: null, keptFrom: 0 });
  });

  it('keeps only what follows the warm-up', () => {
    const values = [100, 300, 600, 800, ...Array.from({ length: 20 }, (_, i) => 1000 + 10 * (i % 3))];
    const result = steadyState(values, 1000);
    expect(result.steady).toBe(true);
    expect(result.keptFrom).toBe(4);
  });

  it('is not told of fewer than eight ticks', () => {
    expect(steadyState([1000, 1000, 1000, 1000, 1000, 1000, 1000], 1000).reason).toEqual({ code: 'few-ticks', value: 7, limit: 8 });
    expect(steadyState([], 500).steady).toBe(false);
  });

  it('is not told of a steady climb', () => {
    const result = steadyState(
      Array.from({ length: 24 }, (_, i) => 1000 + 20 * i),
      1000,
    );
    expect(result.steady).toBe(false);
    expect(result.reason).not.toBeNull();
  });

  it('is not told of a late fall', () => {
    const result = steadyState([...new Array<number>(16).fill(1000), ...new Array<number>(8).fill(850)], 1000);
    expect(result.steady).toBe(false);
  });

  it('is not told when nothing was answered', () => {
    expect(steadyState(new Array<number>(20).fill(0), 1000).reason).toEqual({ code: 'no-answers' });
  });

  it('gives the index in the ticks it was given, although it joins short ones', () => {
    const ticks = [...new Array<number>(9).fill(200), ...Array.from({ length: 40 }, (_, i) => 1000 + 10 * (i % 3))];
    const result = steadyState(ticks, 500);
    expect(result.steady).toBe(true);
    expect(result.keptFrom).toBeGreaterThanOrEqual(9);
    expect(result.keptFrom).toBeLessThanOrEqual(11);
  });

  it('is wrongly denied to flat noisy throughput in at most 16 % of looks at 30 s', () => {
    const gauss = normal(seeded(3));
    const denied = Array.from({ length: 300 }, () => steadyState(warmUpCurve(30, 0, gauss), 1000).steady).filter(
      (steady) => !steady,
    ).length;
    expect(denied / 300).toBeLessThanOrEqual(0.16);
  });

  it('is given to flat throughput within seconds when looked for every second', () => {
    const flat = simulateWarmUps(0, 20);
    expect(flat.steadyShare).toBeGreaterThan(0.97);
    expect(flat.meanSeconds).toBeLessThan(12);
  });

  it('waits until an exponential warm-up of 5 s is within 2 % of its plateau', () => {
    const { steadyShare, meanBias } = simulateWarmUps(5, 45);
    expect(steadyShare).toBeGreaterThan(0.95);
    expect(meanBias).toBeGreaterThan(-0.02);
  });

  it('is mostly denied to a warm-up that is three times too slow for its cap', () => {
    expect(simulateWarmUps(10, 30).steadyShare).toBeLessThan(0.4);
  });

  it('is still given on a machine whose ticks vary by 12 %', () => {
    expect(simulateWarmUps(0, 20, 4).steadyShare).toBeGreaterThan(0.9);
  });
});

describe('a warm-up that has reached its cap', () => {
  const halfSeconds = (seconds: number, at: (second: number) => number): number[] => {
    const noise = tickNoise(seconds * 2, normal(seeded(11)));
    return noise.map((value, index) => 5000 * Math.exp(value) * at(index / 2));
  };

  it('is steady when it climbed for seven seconds and then held its plateau for eight', () => {
    const climbed = halfSeconds(15, (second) => Math.min(1, 0.2 + (0.8 * second) / 7));
    expect(steadyState(climbed, 500, { lastLook: true }).steady).toBe(false);
    expect(steadyAtCap(climbed, 500)).toMatchObject({ steady: true, reason: null });
    expect(steadyAtCap(climbed, 500).keptFrom).toBeGreaterThanOrEqual(14);
  });

  it('is not steady while it still climbs at its end, and says so', () => {
    const climbing = halfSeconds(15, (second) => 0.4 + (0.6 * second) / 15);
    expect(steadyAtCap(climbing, 500)).toMatchObject({ steady: false, reason: { change: expect.closeTo(0.2, 0) as unknown } });
  });
});
