import { describe, expect, it } from 'vitest';
import type { VersionDiff } from '../../../src/model/domain/versionDiff.ts';
import { type World, comparedVersions } from '../../support/simulatedVersions.ts';

interface Shares {
  different: number;
  /** Of the other figures any. */
  anyFigure: number;
  worse: number;
  same: number;
}

function shares(world: World, trials: number, budgetS?: number): Shares {
  const all = Array.from({ length: trials }, (_, index) => comparedVersions(world, 104_729 * (index + 1), budgetS).diff);
  const share = (holds: (diff: VersionDiff) => boolean): number => all.filter(holds).length / trials;
  const differs = (verdict: VersionDiff['verdict'] | null): boolean => verdict === 'worse' || verdict === 'better';
  return {
    different: share(({ verdict }) => differs(verdict)),
    anyFigure: share(({ metrics }) => metrics.some(({ name, verdict }) => name !== 'throughput' && differs(verdict))),
    worse: share(({ verdict }) => verdict === 'worse'),
    same: share(({ verdict }) => verdict === 'same'),
  };
}

const few = 60;
const quiet: World = { theft: 0.2, ofProcesses: 0.015, scatter: 0.03, slower: 0 };
const inBursts: World = { ...quiet, theft: 'bursts' };
const asItIs: World = { ...quiet, theft: 1, scatter: 0.05 };

describe('the whole verdict on two versions', () => {
  it('calls two copies different in at most 5 % of cases, and any other figure of theirs', () => {
    const { different, anyFigure } = shares(asItIs, few);
    expect(different).toBeLessThanOrEqual(0.05);
    expect(anyFigure).toBeLessThanOrEqual(0.05);
  });

  it('calls copies different no more often beside bursts of others, and finds a fifth more work there', () => {
    const { different, anyFigure } = shares(inBursts, few);
    expect(different).toBeLessThanOrEqual(0.05);
    expect(anyFigure).toBeLessThanOrEqual(0.05);
    expect(shares({ ...inBursts, slower: 0.2 }, few).worse).toBeGreaterThan(0.9);
  });

  it('finds 5 % more work within four minutes though a compiler of each is done at a time of its own, and calls copies different no more often', () => {
    const compiled: World = { ...quiet, compiles: 0.4 };
    expect(shares({ ...compiled, slower: 0.05 }, few, 240).worse).toBeGreaterThan(0.7);
    expect(shares(compiled, few).different).toBeLessThanOrEqual(0.05);
  });

  it('goes on where a difference within δ is likely, and finds the direction of 2 % more often than not, of copies hardly ever', () => {
    const known = (slower: number): number => {
      const all = Array.from(
        { length: few },
        (_, index) => comparedVersions({ ...quiet, ofProcesses: 0.01, slower }, 104_729 * (index + 1)).diff,
      );
      const intervals = all.map(({ metrics }) => metrics.find(({ id }) => id === 'throughput')?.ratio ?? null);
      return (
        intervals.filter(
          (ratio) => ratio !== null && ratio.ciLow !== null && ratio.ciHigh !== null && (ratio.ciHigh < 1 || ratio.ciLow > 1),
        ).length / few
      );
    };
    expect(known(0.02)).toBeGreaterThan(0.6);
    expect(known(0)).toBeLessThanOrEqual(0.05);
  });

  it('finds 10 % more work for each request in nine of ten cases, and says of copies more often than not that they are the same', () => {
    expect(shares({ ...quiet, slower: 0.1 }, few).worse).toBeGreaterThan(0.9);
    expect(shares(quiet, few).same).toBeGreaterThan(0.5);
  });
});
