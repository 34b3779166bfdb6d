import { describe, expect, it } from 'vitest';
import type { Slices } from '../../../src/model/domain/run.ts';
import { type SlicedRound, cpuSlices, fullPartOf, sliceDifference, throughputSlices } from '../../../src/engine/statistics/sliceSeries.ts';
import { normal, seeded } from '../strategies/noiseModel.ts';

const passes = 20;
const versions = { alike: true, taken: 0 } as const;

interface Side {
  throughput: (pass: number) => number;
  us?: (pass: number) => number | null;
  busiestShare?: number;
  used?: number;
  demand?: number;
}

function slices({ throughput, us = () => 100, busiestShare = 0, used = 0, demand = 0 }: Side): Slices {
  const pass = Array.from({ length: passes }, (_, index) => index + 1);
  const column = pass.map(us);
  return {
    pass,
    atMs: pass.map((one) => 200 * one),
    wholeMs: pass.map(() => 100),
    throughput: pass.map(throughput),
    appUs: column,
    busiestUs: column,
    busiestShare: pass.map(() => busiestShare),
    servingUs: column,
    allUs: column,
    used: pass.map(() => used),
    demand: pass.map(() => demand),
  };
}

const rounds = (side: Side, comparability: Parameters<typeof throughputSlices>[1] = versions): SlicedRound[] =>
  [1, 2].map((round) => ({ round, slices: throughputSlices(slices(side), comparability) }));

describe('what is full', () => {
  it('is a thread before the cores where two versions are compared', () => {
    const { busiestShare, demand, used } = slices({ throughput: () => 1, busiestShare: 0.95, used: 0.8, demand: 1.4 });
    expect(fullPartOf({ busiestShare, demand, used }, versions)).toBe('thread');
    expect(fullPartOf({ busiestShare: busiestShare.map(() => 0.5), demand, used }, versions)).toBe('cores');
    expect(fullPartOf({ busiestShare: busiestShare.map(() => 0.5), demand: demand.map(() => 0.9), used }, versions)).toBeNull();
  });

  it('is nothing but cores without idle time where settings are compared, as much of them as others left', () => {
    const columns = slices({ throughput: () => 1, busiestShare: 1, used: 0.8, demand: 3 });
    expect(fullPartOf(columns, { alike: false, taken: 0 })).toBeNull();
    expect(fullPartOf(columns, { alike: false, taken: 0.15 })).toBe('cores');
  });

  it('is not known where CPU times are not', () => {
    const { busiestShare, demand, used } = slices({ throughput: () => 1 });
    const unknown = busiestShare.map(() => null);
    expect(fullPartOf({ busiestShare: unknown, demand: unknown, used: unknown }, versions)).toBeNull();
    expect([demand.length, used.length]).toEqual([passes, passes]);
  });
});

describe('the difference of two sides by their slices', () => {
  it('is that of the slices of the same passes, whatever the machine did to both', () => {
    const drift = (pass: number): number => Math.exp(Math.sin(pass));
    const found = sliceDifference(
      rounds({ throughput: (pass) => 900 * drift(pass) }),
      rounds({ throughput: (pass) => 1000 * drift(pass) }),
    );
    expect(found?.mean).toBeCloseTo(Math.log(0.9), 9);
    expect(found?.pairs).toHaveLength(2 * passes);
    expect(found?.cpuWeight).toBe(0);
  });

  it('leans on CPU time where that is full and scatters less, and not where nothing is full', () => {
    const gauss = normal(seeded(3));
    const side = (us: number, busiestShare: number): Side => ({
      throughput: () => (1e5 / us) * Math.exp(0.2 * gauss()),
      us: () => us * Math.exp(0.01 * gauss()),
      busiestShare,
    });
    const full = sliceDifference(rounds(side(105, 0.98)), rounds(side(100, 0.98)));
    expect(full?.cpuWeight).toBeGreaterThan(0.9);
    expect(full?.mean).toBeGreaterThan(Math.log(1 / 1.05) - 0.01);
    expect(full?.mean).toBeLessThan(Math.log(1 / 1.05) + 0.01);
    expect(full?.standardError).toBeLessThan(0.005);
    const idle = sliceDifference(rounds(side(105, 0.5)), rounds(side(100, 0.5)));
    expect(idle?.cpuWeight).toBe(0);
    expect(idle?.standardError).toBeGreaterThan(0.02);
  });

  it('is not known of rounds that only one of them was measured in', () => {
    const [first, second] = rounds({ throughput: () => 1000 });
    expect(sliceDifference([first as SlicedRound], [second as SlicedRound])).toBeNull();
    expect(sliceDifference([{ round: 1 }], [{ round: 1 }])).toBeNull();
  });

  it('of the CPU time of a request leaves out slices that it is not known of', () => {
    const known = cpuSlices(slices({ throughput: () => 1, us: (pass) => (pass % 2 === 0 ? 50 : null) }));
    expect(known.map(({ value }) => value)).toEqual(Array.from({ length: passes / 2 }, () => 20_000));
  });
});
