import { describe, expect, it } from 'vitest';
import { minuteOfBlocks, resolvingPower } from '../../../src/engine/statistics/resolvingPower.ts';
import type { SteadyWindow } from '../../../src/engine/statistics/resolvingPower.ts';
import { SeededRandom } from '../../../src/engine/statistics/seededRandom.ts';
import { studentTQuantile } from '../../../src/engine/statistics/studentT.ts';

const windowMs = 250;

function normal(random: SeededRandom): number {
  return Math.sqrt(-2 * Math.log(1 - random.nextFraction())) * Math.cos(2 * Math.PI * random.nextFraction());
}

/** A machine whose windows vary by `noise`, and from which CPU is taken in episodes of `episodeMs` on average. */
function machine(
  random: SeededRandom,
  { noise, taken, episodeMs }: { noise: number; taken: number; episodeMs: number },
): () => SteadyWindow {
  let now = 0;
  return () => {
    if (random.nextFraction() < windowMs / episodeMs) now = random.nextFraction() < 0.3 ? 2 * taken * random.nextFraction() : 0;
    return { throughput: 1000 * (1 - now) * Math.exp(noise * normal(random)), takenPercent: 100 * now };
  };
}

const measured = (next: () => SteadyWindow, count: number): SteadyWindow[] => Array.from({ length: count }, next);

/** The difference that a minute of mirrored blocks of the same setting shows, with the taken CPU as covariate, as log ratio. */
function minuteOfPairs(next: () => SteadyWindow): number {
  const perBlock = minuteOfBlocks.blockMs / windowMs;
  const blocks = Array.from({ length: 40 }, () => {
    measured(next, minuteOfBlocks.gapMs / windowMs);
    const windows = measured(next, perBlock);
    const mean = (of: (window: SteadyWindow) => number): number => windows.reduce((sum, window) => sum + of(window), 0) / perBlock;
    return { log: Math.log(mean(({ throughput }) => throughput)), left: Math.log(1 - mean(({ takenPercent }) => takenPercent ?? 0) / 100) };
  });
  const pairs = Array.from({ length: 20 }, (_, pair) => {
    const [first, second] = [blocks[2 * pair], blocks[2 * pair + 1]];
    if (first === undefined || second === undefined) throw new Error('no such block');
    const sign = pair % 2 === 0 ? 1 : -1;
    return { y: sign * (second.log - first.log), x: sign * (second.left - first.left) };
  });
  const mean = (of: (pair: { x: number; y: number }) => number): number => pairs.reduce((sum, pair) => sum + of(pair), 0) / pairs.length;
  const [x, y] = [mean((pair) => pair.x), mean((pair) => pair.y)];
  const spread = mean((pair) => (pair.x - x) ** 2);
  const slope = spread === 0 ? 0 : mean((pair) => (pair.x - x) * (pair.y - y)) / spread;
  return y - slope * x;
}

describe('what a machine can tell apart', () => {
  it('is t · sd ÷ √pairs of blocks of a second', () => {
    const random = new SeededRandom(1);
    const results = Array.from({ length: 300 }, () => {
      const found = resolvingPower(measured(machine(random, { noise: 0.02, taken: 0, episodeMs: 1000 }), 40), windowMs);
      if (found === null) throw new Error('nothing found');
      return found;
    });
    const mean = (of: (one: (typeof results)[number]) => number): number => results.reduce((sum, one) => sum + of(one), 0) / results.length;
    // Windows that vary by 2 % make blocks of four that vary by 1 % and pairs that vary by √2 %.
    expect(Math.sqrt(mean(({ pairSdPercent }) => pairSdPercent ** 2))).toBeCloseTo(Math.SQRT2, 1);
    const [{ degreesOfFreedom, pairs }] = results as [(typeof results)[number]];
    expect(pairs).toBe(20);
    expect(mean(({ differencePercent }) => differencePercent)).toBeCloseTo(
      (studentTQuantile(0.975, degreesOfFreedom) * Math.SQRT2) / Math.sqrt(20),
      1,
    );
  });

  it('knows how little ten seconds tell: its variance spreads as that of its degrees of freedom', () => {
    const random = new SeededRandom(2);
    const found = Array.from({ length: 2000 }, () =>
      resolvingPower(measured(machine(random, { noise: 0.01, taken: 0, episodeMs: 1000 }), 40), windowMs),
    );
    const variances = found.map((one) => (one?.pairSdPercent ?? Number.NaN) ** 2);
    const mean = variances.reduce((sum, one) => sum + one, 0) / variances.length;
    const variance = variances.reduce((sum, one) => sum + (one - mean) ** 2, 0) / (variances.length - 1);
    const degreesOfFreedom = found[0]?.degreesOfFreedom ?? Number.NaN;
    expect(degreesOfFreedom).toBeGreaterThan(6);
    // Of a χ² with k degrees of freedom: mean² ÷ variance = k ÷ 2.
    expect((2 * mean ** 2) / variance / degreesOfFreedom).toBeGreaterThan(0.85);
    expect((2 * mean ** 2) / variance / degreesOfFreedom).toBeLessThan(1.15);
  });

  it.each([
    ['quiet', { noise: 0.01, taken: 0, episodeMs: 1000 }],
    ['with a tenth of its CPU taken in bursts of 2 s', { noise: 0.02, taken: 0.3, episodeMs: 2000 }],
    ['with long episodes', { noise: 0.02, taken: 0.3, episodeMs: 8000 }],
  ])('is not exceeded by equal settings in a minute more than it says, on a machine that is %s', (_, kind) => {
    const random = new SeededRandom(3);
    const runs = 400;
    let exceeded = 0;
    for (let run = 0; run < runs; run += 1) {
      const next = machine(random, kind);
      const found = resolvingPower(measured(next, 40), windowMs);
      if (Math.abs(minuteOfPairs(next)) > Math.log1p((found?.differencePercent ?? 0) / 100)) exceeded += 1;
    }
    expect(exceeded / runs).toBeLessThanOrEqual(0.075);
  });

  it('is finer where the CPU that was taken is known', () => {
    const windows = measured(machine(new SeededRandom(4), { noise: 0.01, taken: 0.4, episodeMs: 2000 }), 40);
    const known = resolvingPower(windows, windowMs);
    const unknown = resolvingPower(
      windows.map((window) => ({ ...window, takenPercent: null })),
      windowMs,
    );
    expect(known?.differencePercent).toBeLessThan(0.5 * (unknown?.differencePercent ?? 0));
  });

  it('is not told from too little, nor where nothing was done', () => {
    const steady = { throughput: 1, takenPercent: 0 };
    expect(resolvingPower(new Array(29).fill(steady), windowMs)).toBeNull();
    expect(resolvingPower(new Array(30).fill(steady), windowMs)?.differencePercent).toBe(0);
    expect(resolvingPower(new Array(30).fill({ throughput: 0, takenPercent: 0 }), windowMs)).toBeNull();
  });
});
