import { describe, expect, it } from 'vitest';
import { acrossProcesses } from '../../../src/engine/statistics/acrossProcesses.ts';
import { blockStatistics } from '../../../src/engine/statistics/blockStatistics.ts';
import type { CountedBlock, Difference } from '../../../src/engine/statistics/blockStatistics.ts';
import { normal, seeded } from '../strategies/noiseModel.ts';

type Side = 'a' | 'b';

/** Two programs in two starts of eight rounds: what others take of the CPU, and what a process has of its own (a logarithm), by start. */
function compared({
  others,
  own,
}: {
  others: (side: Side, start: number) => number;
  own: (side: Side, start: number) => number;
}): Difference {
  const gauss = normal(seeded(7));
  const blocks = (side: Side): CountedBlock[] =>
    Array.from({ length: 16 }, (_, index) => {
      const [round, start] = [index + 1, index < 8 ? 1 : 2];
      const taken = index % 2 === 0 ? others(side, start) : 0;
      return { round, start, throughput: 1000 * (1 - taken) * Math.exp(own(side, start) + 0.02 * gauss()), taken: 0, others: taken };
    });
  return differenceOf(blocks('a'), blocks('b'));
}

function differenceOf(a: readonly CountedBlock[], b: readonly CountedBlock[]): Difference {
  const difference = blockStatistics(
    [
      { key: 'a', blocks: a },
      { key: 'b', blocks: b },
    ],
    { othersApart: true },
  ).difference('b', 'a');
  if (difference === null) throw new Error('blocks of common rounds have a difference');
  return acrossProcesses(difference, b, a);
}

type RecordedRound = readonly [start: number, a: number, othersBesideA: number, b: number, othersBesideB: number];

/** Two copies of an Express service, compared for two minutes in bursts of other programs: requests/s of each in each round, and percent of the CPU that the others used meanwhile. */
const copiesBesideBursts: readonly RecordedRound[] = [
  [1, 1077, 19, 1029, 18],
  [1, 1091, 17, 950, 43],
  [1, 1291, 2, 849, 41],
  [1, 1192, 20, 912, 47],
  [1, 1275, 0, 1110, 15],
  [1, 1127, 12, 994, 44],
  [1, 1238, 1, 1002, 41],
  [1, 1145, 22, 1282, 8],
  [2, 1218, 1, 792, 45],
  [2, 801, 47, 1132, 4],
  [2, 870, 46, 1285, 1],
  [2, 1041, 40, 1406, 1],
  [3, 1283, 1, 1079, 27],
  [3, 880, 41, 1205, 8],
  [3, 1134, 21, 1209, 26],
  [3, 1044, 43, 1209, 12],
  [4, 1106, 14, 1360, 1],
  [4, 1226, 17, 1231, 7],
  [4, 906, 41, 1291, 12],
  [4, 1009, 44, 1368, 3],
  [5, 1293, 0, 884, 51],
  [5, 1182, 8, 1019, 44],
];

/** A Jetty service of which the second version computes 2 % more: the bursts hit it in each round, and the first in one. */
const hitInEachRound: readonly RecordedRound[] = [
  [1, 235, 34, 273, 24],
  [1, 349, 6, 184, 46],
  [1, 316, 1, 188, 42],
  [1, 341, 4, 193, 46],
  [1, 348, 2, 248, 28],
  [1, 349, 2, 211, 37],
  [1, 318, 11, 231, 38],
  [1, 357, 2, 229, 36],
  [2, 367, 1, 196, 47],
  [2, 352, 1, 277, 20],
];

const sideOf = (rounds: readonly RecordedRound[], throughputAt: 1 | 3): CountedBlock[] =>
  rounds.map((row, index) => ({
    round: index + 1,
    start: row[0],
    throughput: row[throughputAt],
    taken: 0,
    others: row[throughputAt === 1 ? 2 : 4] / 100,
  }));

const reach = ({ ciLow, ciHigh }: Difference): number => Math.log(ciHigh / ciLow) / 2;
const none = (): number => 0;

describe('the difference of two programs by several starts', () => {
  it('does not take others that hit one of them in a start for what its processes differ in', () => {
    const quiet = compared({ others: none, own: none });
    const hit = compared({ others: (side, start) => ((side === 'a') === (start === 1) ? 0.45 : 0), own: none });
    expect(hit.ciLow).toBeLessThan(1);
    expect(hit.ciHigh).toBeGreaterThan(1);
    expect(reach(hit)).toBeLessThan(2 * reach(quiet));
  });

  it('is known of copies in bursts of others as well as what scatters lets, without what each would do where it is quiet', () => {
    const copies = differenceOf(sideOf(copiesBesideBursts, 1), sideOf(copiesBesideBursts, 3));
    expect(copies.ciLow).toBeLessThan(1);
    expect(copies.ciHigh).toBeGreaterThan(1);
    expect(reach(copies)).toBeLessThan(0.06);
  });

  it('is none for bursts that hit the same one in each round', () => {
    const { ciLow, ciHigh, ratio } = differenceOf(sideOf(hitInEachRound, 1), sideOf(hitInEachRound, 3));
    expect(ciLow).toBeLessThan(0.95);
    expect(ciHigh).toBeGreaterThan(1);
    expect(ratio).toBeGreaterThan(0.94);
  });

  it('is wider where processes of one program differ, beside others as without them', () => {
    const own = (side: Side, start: number): number => ((side === 'a') === (start === 1) ? 0.1 : 0);
    const alike = compared({ others: none, own: none });
    expect(reach(compared({ others: none, own }))).toBeGreaterThan(2 * reach(alike));
    expect(reach(compared({ others: (_, start) => (start === 1 ? 0.45 : 0.2), own }))).toBeGreaterThan(2 * reach(alike));
  });
});
