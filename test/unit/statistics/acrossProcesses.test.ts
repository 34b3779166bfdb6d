import { describe, expect, it } from 'vitest';
import { acrossProcesses, bestRounds } from '../../../src/engine/statistics/acrossProcesses.ts';
import { type CountedBlock, type Difference, blockStatistics } from '../../../src/engine/statistics/blockStatistics.ts';
import { normal, seeded } from '../strategies/noiseModel.ts';

type Side = 'a' | 'b';

/** Two programs in two starts of eight rounds: what others take of the CPU of both in every second round, and what a process has of its own (a logarithm), by start. */
function compared({ others, own }: { others: (start: number) => number; own: (side: Side, start: number) => number }): Difference {
  const gauss = normal(seeded(7));
  const blocks = (side: Side): CountedBlock[] =>
    Array.from({ length: 16 }, (_, index) => {
      const [round, start] = [index + 1, index < 8 ? 1 : 2];
      const taken = index % 2 === 0 ? others(start) : 0;
      return { round, start, throughput: 1000 * (1 - taken) * Math.exp(own(side, start) + 0.02 * gauss()) };
    });
  return differenceOf(blocks('a'), blocks('b'));
}

function differenceOf(a: readonly CountedBlock[], b: readonly CountedBlock[], options = {}): Difference {
  const difference = blockStatistics([
    { key: 'a', blocks: a },
    { key: 'b', blocks: b },
  ]).difference('b', 'a');
  if (difference === null) throw new Error('blocks of common rounds have a difference');
  return acrossProcesses(difference, b, options);
}

const reach = ({ ciLow, ciHigh }: Difference): number => Math.log(ciHigh / ciLow) / 2;
const none = (): number => 0;

describe('how many rounds of a start pay', () => {
  const gauss = normal(seeded(3));
  const side = (scatter: number): CountedBlock[] =>
    Array.from({ length: 16 }, (_, index) => ({
      round: index + 1,
      start: index < 8 ? 1 : 2,
      throughput: 1000 * Math.exp(scatter * gauss()),
    }));
  const best = (scatter: number, cost: { start: number; round: number }): number => {
    const [a, b] = [side(scatter), side(scatter)];
    const difference = blockStatistics([
      { key: 'a', blocks: a },
      { key: 'b', blocks: b },
    ]).difference('b', 'a');
    return difference === null ? 0 : bestRounds(difference, b, cost);
  };

  it('goes with the root of what a start costs, whatever the unit', () => {
    const [a, b] = [side(0.05), side(0.05)];
    const difference = blockStatistics([
      { key: 'a', blocks: a },
      { key: 'b', blocks: b },
    ]).difference('b', 'a');
    if (difference === null) throw new Error('blocks of common rounds have a difference');
    expect(bestRounds(difference, b, { start: 40, round: 3 }) / bestRounds(difference, b, { start: 10_000, round: 3_000 })).toBeCloseTo(2);
  });

  it('is more where a round scatters more', () => {
    expect(best(0.2, { start: 40, round: 3 })).toBeGreaterThan(2 * best(0.02, { start: 40, round: 3 }));
  });
});

describe('the difference of two programs by several starts', () => {
  it('is no difference yet where one start of processes that were not warm shows a fifth', () => {
    const gauss = normal(seeded(5));
    const side = (own: number): CountedBlock[] =>
      Array.from({ length: 9 }, (_, index) => ({ round: index + 1, start: 1, throughput: 1000 * Math.exp(own + 0.1 * gauss()) }));
    const [a, b] = [side(0), side(-0.24)];
    expect(differenceOf(a, b).ciHigh).toBeLessThan(1);
    expect(differenceOf(a, b, { isWarm: false }).ciHigh).toBeGreaterThan(1);
  });

  it('is wider where processes of one program differ, beside others as without them', () => {
    const own = (side: Side, start: number): number => ((side === 'a') === (start === 1) ? 0.1 : 0);
    const alike = compared({ others: none, own: none });
    expect(reach(compared({ others: none, own }))).toBeGreaterThan(2 * reach(alike));
    expect(reach(compared({ others: (start) => (start === 1 ? 0.45 : 0.2), own }))).toBeGreaterThan(2 * reach(alike));
  });
});
