import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type LeakJudgement, judgeLeak, smallestLeak } from '../../../src/engine/leak/leakVerdict.ts';
import { SeededRandom } from '../../../src/engine/statistics/seededRandom.ts';

const perCycle = 2_000;
const base = 20e6;

function cyclesOf(count: number, keptBytes: (requests: number, cycle: number) => number): { requests: number; keptBytes: number }[] {
  return Array.from({ length: count }, (_, cycle) => {
    const requests = perCycle * (cycle + 1);
    return { requests, keptBytes: base + keptBytes(requests, cycle) };
  });
}

/** As the command asks: after each cycle, until there is an answer or no more time. */
function firstAnswer(most: number, keptBytes: (requests: number, cycle: number) => number): LeakJudgement {
  const cycles = cyclesOf(most, keptBytes);
  for (let count = 1; count < most; count += 1) {
    const judged = judgeLeak(cycles.slice(0, count));
    if (judged.verdict !== 'undecided') return judged;
  }
  return judgeLeak(cycles);
}

describe('whether memory leaks', () => {
  it('is not said after a few cycles', () => {
    expect(judgeLeak(cyclesOf(5, (requests) => 1_000 * requests))).toMatchObject({ verdict: 'undecided', doubt: 'few-cycles', kept: null });
  });

  it('is a leak where it grows to the end, in bytes per request', () => {
    expect(judgeLeak(cyclesOf(9, (requests) => 100 * requests))).toEqual({
      verdict: 'leaks',
      doubt: null,
      settling: 3,
      kept: { mean: 100, low: 100, high: 100 },
    });
  });

  it('is none where a cache fills, whether it is full after the first cycles or approaches its bound', () => {
    expect(firstAnswer(30, (requests) => 1_000 * Math.min(requests, 3 * perCycle)).verdict).toBe('does-not-leak');
    expect(firstAnswer(30, (requests) => 8e6 * (1 - Math.exp(-requests / 6_000))).verdict).toBe('does-not-leak');
  });

  it('cannot be told while growth falls, nor where a few levels are far apart', () => {
    expect(judgeLeak(cyclesOf(9, (requests) => 8e6 * (1 - Math.exp(-requests / 4_000))))).toMatchObject({
      verdict: 'undecided',
      doubt: 'levels-off',
    });
    expect(judgeLeak(cyclesOf(9, (_, cycle) => (cycle % 2) * 2e6))).toMatchObject({ verdict: 'undecided', doubt: 'interval' });
  });

  it('stays the same answer whatever is there before the first request', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 0, max: 5_000_000 }), { minLength: 6, maxLength: 20 }),
        fc.integer({ min: 0, max: 1e9 }),
        (levels, more) => {
          const of = (added: number): string => judgeLeak(cyclesOf(levels.length, (_, cycle) => (levels[cycle] ?? 0) + added)).verdict;
          expect(of(more)).toBe(of(0));
        },
      ),
    );
  });

  it('finds at least 95 % of leaks from 100 bytes per request on, and calls no more than 2 % of what has none a leak', () => {
    const random = new SeededRandom(11);
    const series = 400;
    // What a heap varies by from collection to collection, and what stays of compiled code: up to 60 kB, each cycle's on top of the last.
    const wander = (): ((requests: number, cycle: number) => number) => {
      let stays = 0;
      const levels = Array.from({ length: 40 }, () => {
        stays += 10_000 * (random.nextFraction() - 0.4);
        return stays + 60_000 * random.nextFraction();
      });
      return (_, cycle) => levels[cycle] ?? 0;
    };
    const share = (grows: number, verdict: string): number => {
      let found = 0;
      for (let one = 0; one < series; one += 1) {
        const noise = wander();
        if (firstAnswer(25, (requests, cycle) => grows * requests + noise(requests, cycle)).verdict === verdict) found += 1;
      }
      return found / series;
    };
    expect(share(2 * smallestLeak, 'leaks')).toBeGreaterThanOrEqual(0.95);
    expect(share(20 * smallestLeak, 'leaks')).toBeGreaterThanOrEqual(0.95);
    expect(share(0, 'leaks')).toBeLessThanOrEqual(0.02);
  });
});
