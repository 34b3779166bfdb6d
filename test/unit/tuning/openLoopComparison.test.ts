import { describe, expect, it } from 'vitest';
import { compareP99, openRateOf } from '../../../src/engine/experiment/tuning/openLoopComparison.ts';
import type { OpenLoopBlock } from '../../../src/engine/experiment/tuning/openLoopComparison.ts';

function blocks(key: string, p99s: readonly (number | null)[], carriedShare = 1): OpenLoopBlock[] {
  return p99s.map((p99Ms, index) => ({ key, round: index + 1, p99Ms, carriedShare }));
}

const best = blocks('16', [9.8, 10.1, 10.0, 9.9, 10.2]);

describe('the comparison of p99 at a fixed rate', () => {
  it('gives geometric means in ms, with the lower limit below the upper', () => {
    const { figures } = compareP99(6000, [...best, ...blocks('8', [4, 9, 6, 6, 6])], '16');
    const figure = figures.get('8');
    expect(figure?.p99Ms).toBeCloseTo((4 * 9 * 6 * 6 * 6) ** (1 / 5), 6);
    expect(figure?.ciLow).toBeLessThan(figure?.p99Ms ?? 0);
    expect(figure?.ciHigh).toBeGreaterThan(figure?.p99Ms ?? Infinity);
    expect(figures.get('16')?.ratioToBest).toEqual({ mean: 1, ciLow: null, ciHigh: null });
    expect(figure).toMatchObject({ rate: 6000, blocks: 5, carried: true });
  });

  it.each([
    { name: 'no worse', p99s: [10.0, 10.2, 10.1, 9.8, 10.4] },
    { name: 'no worse', p99s: [5, 5.2, 5.1, 5, 4.9] },
    { name: 'worse', p99s: [17, 17.9, 17.2, 17.1, 17.8] },
    { name: 'unknown', p99s: [8, 14, 9, 13, 11] },
  ])('says $name of $p99s ms against 10 ms', ({ name, p99s }) => {
    expect(compareP99(6000, [...best, ...blocks('8', p99s)], '16').verdicts.get('8')).toBe(name);
  });

  it('has a ratio of one setting over the best, not the other way round', () => {
    const ratio = compareP99(6000, [...best, ...blocks('8', [20, 20.4, 19.8, 20.1, 19.9])], '16').figures.get('8')?.ratioToBest;
    expect(ratio?.mean).toBeCloseTo(2, 1);
    expect(ratio?.ciLow).toBeGreaterThan(1.8);
  });

  it('calls a setting worse that cannot carry the rate, and knows nothing when the best cannot', () => {
    const slow = blocks('4', [900, 950, 910], 0.8);
    const comparison = compareP99(6000, [...best, ...slow], '16');
    expect(comparison.verdicts.get('4')).toBe('worse');
    expect(comparison.figures.get('4')?.carried).toBe(false);
    expect(compareP99(6000, [...blocks('16', [900, 950], 0.8), ...blocks('4', [10, 11])], '16').verdicts.get('4')).toBe('unknown');
  });

  it('knows nothing from a single block, and has no figure without any', () => {
    const comparison = compareP99(6000, [...best, ...blocks('8', [10]), ...blocks('4', [null, null])], '16');
    expect(comparison.verdicts.get('8')).toBe('unknown');
    expect(comparison.figures.get('8')).toMatchObject({ ciLow: null, ciHigh: null, blocks: 1 });
    expect(comparison.figures.has('4')).toBe(false);
  });

  it('is made at three quarters of the best throughput', () => {
    expect(openRateOf(8000)).toBe(6000);
    expect(openRateOf(0.2)).toBe(1);
  });
});
