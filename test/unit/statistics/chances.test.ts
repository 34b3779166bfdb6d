import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type SettingBlocks, blockStatistics } from '../../../src/engine/statistics/blockStatistics.ts';
import { type Chance, type ChanceOptions, chancesOf } from '../../../src/engine/statistics/chances.ts';
import { normal, seeded } from '../strategies/noiseModel.ts';

/** Pools with a throughput each, in rounds with so much noise (standard deviation of the logarithm). */
function pools(throughput: Readonly<Record<number, number>>, rounds: number, noise: number, seed = 1): SettingBlocks[] {
  const gauss = normal(seeded(seed));
  return Object.entries(throughput).map(([key, value]) => ({
    key,
    blocks: Array.from({ length: rounds }, (_, index) => ({ round: index + 1, throughput: value * Math.exp(noise * gauss()) })),
  }));
}

function chances(settings: readonly SettingBlocks[], more: Partial<ChanceOptions<SettingBlocks>> = {}): Map<string, Chance> {
  const statistics = blockStatistics(settings);
  const best = settings.reduce((leader, one) => (statistics.meanOf(one.key) > statistics.meanOf(leader.key) ? one : leader));
  const isFarBelow = (smaller: SettingBlocks, one: SettingBlocks): boolean => Number(one.key) > 2 * Number(smaller.key);
  const found = chancesOf(settings, best, statistics, { delta: 0.05, isFarBelow, isBound: () => false, ...more });
  return new Map([...found].map(([{ key }, chance]) => [key, chance]));
}

const right = (found: Map<string, Chance>, key: number): number => found.get(String(key))?.right ?? Number.NaN;
const enough = (found: Map<string, Chance>, key: number): number => found.get(String(key))?.enough ?? Number.NaN;

describe('the probabilities of values', () => {
  const knee = { 2: 2000, 4: 4000, 8: 8000, 16: 8000, 32: 8000 };

  it('are certain where the figures are: right is what is enough, unless one of less than half its size is, too', () => {
    const found = chances(pools(knee, 8, 0.004));
    expect([2, 4, 8, 16, 32].map((key) => enough(found, key))).toEqual([0, 0, 1, 1, 1].map((share) => expect.closeTo(share, 6)));
    expect([2, 4, 8, 16, 32].map((key) => right(found, key))).toEqual([0, 0, 1, 1, 0].map((share) => expect.closeTo(share, 6)));
  });

  it('promise nothing of figures that say nothing', () => {
    for (const seed of [1, 2, 3, 4, 5]) {
      const found = chances(pools({ 2: 8000, 4: 8000, 8: 8000, 16: 8000, 32: 8000 }, 3, 0.4, seed));
      expect(Math.max(...[...found.values()].map((one) => one.right))).toBeLessThan(0.8);
    }
  });

  it('make nothing of which of several equals is the best by luck', () => {
    for (const seed of [1, 2, 3, 4, 5]) expect(enough(chances(pools(knee, 12, 0.04, seed)), 8)).toBeGreaterThan(0.8);
  });

  it('hold as often as they say, of values that differ as those of services do', () => {
    const [gauss, uniform] = [normal(seeded(7)), seeded(8)];
    let [claimed, held, expected] = [0, 0, 0];
    for (let trial = 0; trial < 300; trial += 1) {
      const truth = [0.5, 0.8, 0.93, 1, 1, 1].map((share) => share * Math.exp(0.02 * gauss()));
      const least = 0.95 * Math.max(...truth);
      const settings = pools(Object.fromEntries(truth.map((share, index) => [2 ** index, 1000 * share])), 6, 0.05, 1 + 1e6 * uniform());
      for (const [key, chance] of chances(settings)) {
        const index = Math.log2(Number(key));
        if (chance.right < 0.7) continue;
        claimed += 1;
        expected += chance.right;
        if ((truth[index] ?? 0) >= least && !truth.slice(0, Math.max(0, index - 1)).some((share) => share >= least)) held += 1;
      }
    }
    expect(claimed).toBeGreaterThan(200);
    expect(held / claimed).toBeGreaterThanOrEqual(expected / claimed - 0.05);
  });

  it('leave larger values no more than δ above one that is bound', () => {
    const noisy = pools({ 4: 7000, 8: 7500, 16: 8000 }, 4, 0.05);
    const bound = chances(noisy, { isBound: ({ key }) => key === '8' });
    expect(enough(chances(noisy), 8)).toBeLessThan(0.9);
    expect(enough(bound, 8)).toBeGreaterThan(0.9);
  });

  it('are between 0 and 1, no greater for right than for enough, and the same each time', () => {
    const throughput = fc.integer({ min: 500, max: 9000 });
    fc.assert(
      fc.property(fc.array(fc.array(throughput, { minLength: 2, maxLength: 5 }), { minLength: 2, maxLength: 6 }), (all) => {
        const settings = all.map((blocks, index) => ({
          key: String(2 ** index),
          blocks: blocks.map((value, round) => ({ round: round + 1, throughput: value })),
        }));
        const found = chances(settings);
        for (const one of found.values()) {
          expect(one.right).toBeGreaterThanOrEqual(0);
          expect(one.right).toBeLessThanOrEqual(one.enough);
          expect(one.enough).toBeLessThanOrEqual(1);
        }
        expect(chances(settings)).toEqual(found);
      }),
    );
  });
});
