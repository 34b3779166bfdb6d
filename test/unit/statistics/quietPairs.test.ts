import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type PairWithInterference, quietPairs } from '../../../src/engine/statistics/quietPairs.ts';

function pair(a: number | null, b: number | null, requests = 1_000): PairWithInterference {
  return { takenPercent: [a, b], requests };
}

describe('the pairs that count for p99', () => {
  it('are those with equal and small interference', () => {
    const pairs = [pair(0, 1), pair(9, 9), pair(3, 9), pair(40, 41), pair(2, 2), pair(11, 11)];
    expect(quietPairs(pairs, 2_000)).toEqual([pairs[0], pairs[1], pairs[4]]);
  });

  it('are all where nothing is known of the interference', () => {
    const pairs = [pair(null, null), pair(null, 2)];
    expect(quietPairs(pairs, 0)).toEqual(pairs);
  });

  it('are the quietest half on a machine that is never quiet', () => {
    const pairs = [30, 20, 60, 40, 25, 50, 35, 45].map((taken) => pair(taken, taken));
    expect(quietPairs(pairs, 2_000)).toEqual([pairs[0], pairs[1], pairs[4], pairs[6]]);
  });

  it('are so many that p99 can be told of them', () => {
    const pairs = [0, 1, 2, 30, 40, 50].map((taken) => pair(taken, taken, 500));
    expect(quietPairs(pairs, 2_000)).toHaveLength(4);
    expect(quietPairs(pairs, 1_000_000)).toHaveLength(6);
  });

  it('are never noisier than those that are left out', () => {
    const share = fc.integer({ min: 0, max: 100 });
    const anyPair = fc.tuple(share, share, fc.integer({ min: 0, max: 2_000 })).map(([a, b, requests]) => pair(a, b, requests));
    const unrest = ({ takenPercent: [a, b] }: PairWithInterference): number => Math.max(a ?? 0, b ?? 0, 2 * Math.abs((a ?? 0) - (b ?? 0)));
    fc.assert(
      fc.property(fc.array(anyPair, { minLength: 1, maxLength: 30 }), (pairs) => {
        const chosen = quietPairs(pairs, 2_000);
        const left = pairs.filter((one) => !chosen.includes(one));
        expect(chosen.length).toBeGreaterThan(0);
        expect(Math.max(...chosen.map(unrest))).toBeLessThanOrEqual(Math.min(Infinity, ...left.map(unrest)));
      }),
    );
  });
});
