import { describe, expect, it } from 'vitest';
import { blockStatistics } from '../../../src/engine/statistics/blockStatistics.ts';
import { studentTQuantile } from '../../../src/engine/statistics/studentT.ts';
import { seeded, simulateExperiment } from '../strategies/noiseModel.ts';

const blocksOf = (...throughputs: (number | null)[]): { round: number; throughput: number }[] =>
  throughputs.flatMap((throughput, index) => (throughput === null ? [] : [{ round: index + 1, throughput }]));

describe('statistics of blocks', () => {
  it('give the geometric mean, and no interval from a single block', () => {
    const { intervals, noiseFloorPercent, difference } = blockStatistics([
      { key: 'a', blocks: blocksOf(1000) },
      { key: 'b', blocks: blocksOf(900) },
    ]);
    expect(intervals.get('a')).toEqual({ mean: expect.closeTo(1000, 6), ciLow: null, ciHigh: null, blocks: [1000] });
    expect(noiseFloorPercent).toBeNull();
    expect(difference('a', 'b')).toBeNull();
  });

  it('give a lone setting the t interval of its own blocks', () => {
    const interval = blockStatistics([{ key: 'a', blocks: blocksOf(1000, 1100, 1210) }]).intervals.get('a');
    const halfWidth = (studentTQuantile(0.975, 2) * Math.log(1.1)) / Math.sqrt(3);
    expect(interval?.mean).toBeCloseTo(1100, 6);
    expect(interval?.ciLow).toBeCloseTo(1100 * Math.exp(-halfWidth), 6);
    expect(interval?.ciHigh).toBeCloseTo(1100 * Math.exp(halfWidth), 6);
  });

  it('do not take the machine’s drift for noise', () => {
    const drifting = blockStatistics([
      { key: 'a', blocks: blocksOf(1000, 800, 600) },
      { key: 'b', blocks: blocksOf(950, 760, 571) },
    ]);
    expect(drifting.noiseFloorPercent).toBeLessThan(1);
    const difference = drifting.difference('b', 'a');
    expect(difference?.ratio).toBeCloseTo(0.95, 2);
    expect(difference?.ciHigh).toBeLessThan(1);
  });

  it('for two complete settings are the paired t test', () => {
    const ratios = [1.02, 1.05, 1.01, 1.06].map(Math.log);
    const statistics = blockStatistics([
      { key: 'a', blocks: blocksOf(1020, 1155, 909, 1166) },
      { key: 'b', blocks: blocksOf(1000, 1100, 900, 1100) },
    ]);
    const mean = ratios.reduce((sum, value) => sum + value, 0) / 4;
    const sd = Math.sqrt(ratios.reduce((sum, value) => sum + (value - mean) ** 2, 0) / 3);
    const difference = statistics.difference('a', 'b');
    expect(difference?.logRatio).toBeCloseTo(mean, 10);
    expect(difference?.standardError).toBeCloseTo(sd / 2, 10);
    expect(difference?.degreesOfFreedom).toBe(3);
    expect(statistics.noiseFloorPercent).toBeCloseTo(100 * Math.expm1((studentTQuantile(0.975, 3) * sd) / 2), 8);
  });

  it('keep a setting below 80 % of the best out of the common variance', () => {
    const statistics = blockStatistics([
      { key: 'far', blocks: blocksOf(300, 700, 500) },
      { key: 'a', blocks: blocksOf(1000, 1010, 1005) },
      { key: 'b', blocks: blocksOf(1010, 1020, 1012) },
    ]);
    expect(statistics.noiseFloorPercent).toBeLessThan(2);
    const far = statistics.difference('far', 'b');
    expect(far?.degreesOfFreedom).toBe(2);
    expect(far?.ratio).toBeLessThan(0.6);
  });

  it('lose one block, not its round, when a block is left out', () => {
    const statistics = blockStatistics([
      { key: 'a', blocks: blocksOf(1000, null, 1010) },
      { key: 'b', blocks: blocksOf(1003, 1500, 1011) },
      { key: 'c', blocks: blocksOf(1001, 1498, 1013) },
    ]);
    expect(statistics.difference('a', 'b')?.ratio).toBeCloseTo(1, 2);
  });

  it('keep the means of settings comparable that were measured in different rounds of a machine that drifts', () => {
    const { intervals } = blockStatistics([
      { key: 'a', blocks: blocksOf(1000, 800, 600, 500) },
      { key: 'b', blocks: blocksOf(1010, 805, null, null) },
    ]);
    const [a = 0, b = 0] = ['a', 'b'].map((key) => intervals.get(key)?.mean);
    expect(b / a).toBeCloseTo(1.008, 2);
  });

  it('of slices never give a setting a larger mean than the best and have it lose against that', () => {
    const rates: Readonly<Record<string, (round: number) => number | null>> = {
      a: () => 400,
      b: (round) => (round > 8 ? null : round > 4 ? 410 : 460),
      c: (round) => (round < 5 ? null : 425),
    };
    const settings = Object.entries(rates).map(([key, rateOf]) => ({
      key,
      blocks: Array.from({ length: 12 }, (_, index) => index + 1).flatMap((round) => {
        const rate = rateOf(round);
        if (rate === null) return [];
        const slices = Array.from({ length: 6 }, (_pass, at) => ({ pass: at, atMs: 200 * at, value: rate + at, byCpu: null }));
        return [{ round, throughput: rate, slices }];
      }),
    }));
    const { meanOf, difference } = blockStatistics(settings);
    // Against `a`, which both were measured with, `b` was better; in the rounds that both were measured in `c` is.
    expect(difference('b', 'a')?.ratio).toBeGreaterThan(difference('c', 'a')?.ratio ?? Number.POSITIVE_INFINITY);
    expect(difference('c', 'b')?.ratio).toBeGreaterThan(1);
    expect(meanOf('c')).toBeGreaterThan(meanOf('b'));
    expect(meanOf('b')).toBeGreaterThan(meanOf('a'));
  });

  it('have an interval of each mean by slices, where two blocks alone would say next to nothing', () => {
    const sliced = (key: string, level: number) => ({
      key,
      blocks: [0.6, 1.4].map((burst, round) => ({
        round: round + 1,
        throughput: level * burst,
        slices: Array.from({ length: 20 }, (_, pass) => ({
          pass: pass + 1,
          atMs: 100 * pass,
          value: level * burst * (1 + 0.02 * Math.sin(7 * pass + level)),
          byCpu: null,
        })),
      })),
    });
    const { intervals } = blockStatistics([sliced('a', 1000), sliced('b', 900)]);
    for (const { mean, ciLow, ciHigh } of intervals.values()) expect((ciHigh ?? Infinity) / (ciLow ?? 0)).toBeLessThan(mean > 0 ? 1.1 : 0);
  });

  it('compare settings without a common round by Welch’s t', () => {
    const difference = blockStatistics([
      { key: 'a', blocks: blocksOf(1000, 1010, null, null) },
      { key: 'b', blocks: blocksOf(null, null, 900, 950) },
    ]).difference('a', 'b');
    expect(difference?.ratio).toBeGreaterThan(1);
    expect(difference?.degreesOfFreedom).toBeGreaterThanOrEqual(1);
    expect(difference?.degreesOfFreedom).toBeLessThan(2);
  });

  it('say nothing of a setting without blocks', () => {
    const statistics = blockStatistics([
      { key: 'a', blocks: [] },
      { key: 'b', blocks: blocksOf(10, 11) },
    ]);
    expect(statistics.intervals.get('a')).toEqual({ mean: 0, ciLow: null, ciHigh: null, blocks: [] });
    expect(statistics.difference('a', 'b')).toBeNull();
    expect(blockStatistics([]).noiseFloorPercent).toBeNull();
  });

  it.each([3, 5])('have intervals that hold the truth 95 times in 100 on a drifting machine, with %d rounds', (rounds) => {
    const uniform = seeded(11 + rounds);
    const truth = [2500, 4500, 4800, 5000, 5000];
    let covered = 0;
    let pairs = 0;
    let falseDifferences = 0;
    const experiments = 400;
    for (let i = 0; i < experiments; i += 1) {
      const blocks = simulateExperiment(truth, rounds, 4, uniform);
      const statistics = blockStatistics(
        truth.map((_, setting) => ({ key: String(setting), blocks: blocks.filter((block) => block.setting === setting) })),
      );
      for (let a = 0; a < truth.length; a += 1) {
        for (let b = a + 1; b < truth.length; b += 1) {
          const difference = statistics.difference(String(a), String(b));
          if (difference === null) continue;
          const ratio = (truth[a] ?? 0) / (truth[b] ?? 1);
          pairs += 1;
          if (ratio >= difference.ciLow && ratio <= difference.ciHigh) covered += 1;
        }
      }
      const same = statistics.difference('3', '4');
      if (same !== null && (same.ciLow > 1 || same.ciHigh < 1)) falseDifferences += 1;
    }
    expect(pairs).toBe(10 * experiments);
    expect(covered / pairs).toBeGreaterThanOrEqual(0.93);
    // 5 % and three times the sampling error of 400 experiments.
    expect(falseDifferences / experiments).toBeLessThanOrEqual(0.083);
  });
});
