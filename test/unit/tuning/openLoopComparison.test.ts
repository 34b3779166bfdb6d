import { describe, expect, it } from 'vitest';
import { compareP99, openRateOf } from '../../../src/engine/strategies/search/openLoopComparison.ts';
import { openWindow, openWindows, waitsOf } from '../../support/openWindows.ts';

const best = openWindows('16', [9.8, 10.1, 10.0, 9.9, 10.2]);

describe('the comparison of p99 at a fixed rate', () => {
  it('gives p99 of the merged windows in ms, with the lower limit below the upper', () => {
    const { figures } = compareP99(6000, [...best, ...openWindows('8', [4, 9, 6, 6, 6])], '16');
    const figure = figures.get('8');
    // 2 % of each window are slow: of all, 20 of 5,000 took 9 ms, and 60 more 6 ms.
    expect(figure?.p99Ms).toBeCloseTo(6, 1);
    expect(figure?.ciLow).toBeLessThan(figure?.p99Ms ?? 0);
    expect(figure?.ciHigh).toBeGreaterThan(figure?.p99Ms ?? Infinity);
    expect(figures.get('16')?.ratioToBest).toEqual({ mean: 1, ciLow: null, ciHigh: null });
    expect(figure).toMatchObject({ rate: 6000, blocks: 5, windows: 5, windowsMeasured: 5, carried: true });
  });

  it.each([
    { name: 'no worse', p99s: [10.0, 10.2, 10.1, 9.8, 10.4] },
    { name: 'no worse', p99s: [5, 5.2, 5.1, 5, 4.9] },
    { name: 'worse', p99s: [17, 17.9, 17.2, 17.1, 17.8] },
    { name: 'unknown', p99s: [8, 14, 9, 13, 11] },
  ])('says $name of $p99s ms against 10 ms', ({ name, p99s }) => {
    expect(compareP99(6000, [...best, ...openWindows('8', p99s)], '16').verdicts.get('8')).toBe(name);
  });

  it('has a ratio of one setting over the best, not the other way round', () => {
    const ratio = compareP99(6000, [...best, ...openWindows('8', [20, 20.4, 19.8, 20.1, 19.9])], '16').figures.get('8')?.ratioToBest;
    expect(ratio?.mean).toBeCloseTo(2, 1);
    expect(ratio?.ciLow).toBeGreaterThan(1.8);
  });

  it('says that a smaller size is no worse by its waits alone, with the p99 that no larger one can go below', () => {
    const waiting = (waitedMs: number | null): ReturnType<typeof compareP99> =>
      compareP99(6000, openWindows('8', [10, 10.2, 10.1, 9.8, 10.4], { acquisitions: waitedMs === null ? null : waitsOf(waitedMs) }), '16');
    expect(waiting(0.1).verdicts.get('8')).toBe('no worse');
    expect(waiting(0.1).floors.get('8')?.leastMs).toBeCloseTo(10.1, 0);
    expect(waiting(0.1).figures.has('16')).toBe(false);
    expect(waiting(2).verdicts.get('8')).toBe('unknown');
    expect(waiting(null).verdicts.get('8')).toBe('unknown');
    // What the figures prove is not explained away.
    expect(
      compareP99(6000, [...best, ...openWindows('8', [17, 17.9, 17.2, 17.1, 17.8], { acquisitions: waitsOf(0) })], '16').verdicts.get('8'),
    ).toBe('worse');
  });

  it('allows a few requests to wait for long, as a stall of the machine makes them, and no more than half of those above p99', () => {
    const stalled = (count: number): ReturnType<typeof compareP99> =>
      compareP99(6000, openWindows('8', [10, 10.2, 10.1, 9.8, 10.4], { acquisitions: waitsOf(9, count, 1_000 - count) }), '16');
    expect(stalled(4).floors.get('8')).toMatchObject({ unbounded: 0.005, waitedMs: 0 });
    expect(stalled(8).verdicts.get('8')).toBe('unknown');
    // Windows are put together: one that was hit, of five.
    const one = openWindows('8', [10, 10.2, 10.1, 9.8, 10.4]).map((window) => ({
      ...window,
      acquisitions: waitsOf(9, window.round === 2 ? 20 : 0, window.round === 2 ? 980 : 1_000),
    }));
    expect(compareP99(6000, one, '16').verdicts.get('8')).toBe('no worse');
  });

  it('believes waits before figures that a burst can explain, and never calls worse what could not carry the rate though nobody waited', () => {
    const verdict = (waitedMs: number | null, more = {}): string | undefined =>
      compareP99(
        6000,
        [...best, ...openWindows('8', [12, 14, 17, 12.5, 15], { acquisitions: waitedMs === null ? null : waitsOf(waitedMs), ...more })],
        '16',
      ).verdicts.get('8');
    expect([verdict(null), verdict(0)]).toEqual(['worse', 'no worse']);
    expect([verdict(null, { carriedShare: 0.8 }), verdict(0, { carriedShare: 0.8 })]).toEqual(['worse', 'unknown']);
  });

  it('leaves out the pairs of windows that were disturbed, and says how many are left', () => {
    const spoiled = [
      openWindow('8', 6, 80, { takenPercent: 40 }),
      openWindow('16', 6, 10),
      openWindow('8', 7, 10),
      openWindow('16', 7, 90, { takenPercent: 45 }),
    ];
    const { figures, verdicts } = compareP99(6000, [...best, ...openWindows('8', [10.0, 10.2, 10.1, 9.8, 10.4]), ...spoiled], '16');
    expect(figures.get('8')).toMatchObject({ windows: 5, windowsMeasured: 7 });
    expect(figures.get('8')?.p99Ms).toBeLessThan(11);
    // The best was quiet in the sixth round too, and has a figure of its own for it.
    expect(figures.get('16')).toMatchObject({ windows: 6, windowsMeasured: 7 });
    expect(verdicts.get('8')).toBe('no worse');
  });

  it('merges neighbouring windows where one has too few requests for a p99 of its own', () => {
    const few = { requests: 200 };
    const rounds = Array.from({ length: 12 }, (_, index) => index);
    const [own, other] = [
      openWindows(
        '8',
        rounds.map((round) => 20 + (round % 3)),
        few,
      ),
      openWindows(
        '16',
        rounds.map((round) => 10 + (round % 2)),
        few,
      ),
    ];
    const { figures, verdicts } = compareP99(200, [...own, ...other], '16');
    expect(figures.get('8')).toMatchObject({ windows: 12 });
    // Four groups of three windows.
    expect(figures.get('8')?.ratioToBest?.ciLow).toBeGreaterThan(1.5);
    expect(verdicts.get('8')).toBe('worse');
    // Nobody reports less than 20 requests above p99 in all.
    expect(compareP99(200, [...own.slice(0, 9), ...other.slice(0, 9)], '16').figures.size).toBe(0);
  });

  it('calls a setting worse that cannot carry the rate, and knows nothing when the best cannot', () => {
    const slow = openWindows('4', [900, 950, 910], { carriedShare: 0.8 });
    const comparison = compareP99(6000, [...best, ...slow], '16');
    expect(comparison.verdicts.get('4')).toBe('worse');
    expect(comparison.figures.get('4')?.carried).toBe(false);
    const unable = openWindows('16', [900, 950], { carriedShare: 0.8 });
    expect(compareP99(6000, [...unable, ...openWindows('4', [10, 11])], '16').verdicts.get('4')).toBe('unknown');
  });

  it('does not call a rate too high of which bursts delay a few answers beyond the end of a window', () => {
    const shares = [1, 0.99, 0.93, 1, 0.98, 0.94, 1];
    const p99s = [10.0, 10.2, 10.1, 9.8, 10.4, 10, 9.9];
    const ofBest = openWindows('16', p99s);
    const own = (less: number) =>
      shares.flatMap((carriedShare, index) => openWindow('8', index + 1, p99s[index] ?? 0, { carriedShare: carriedShare - less }));
    const [hit, slow] = [compareP99(6000, [...ofBest, ...own(0)], '16'), compareP99(6000, [...ofBest, ...own(0.05)], '16')];
    expect(hit.figures.get('8')?.carried).toBe(true);
    expect(hit.verdicts.get('8')).toBe('no worse');
    expect(slow.figures.get('8')?.carried).toBe(false);
    expect(slow.verdicts.get('8')).toBe('worse');
  });

  it('knows nothing from a single window, and has no figure without any request', () => {
    const windows = [...best, openWindow('8', 1, 10, { requests: 3_000 }), ...openWindows('4', [1, 1], { requests: 0 })];
    const comparison = compareP99(6000, windows, '16');
    expect(comparison.verdicts.get('8')).toBe('unknown');
    expect(comparison.figures.get('8')).toMatchObject({ ciLow: null, ciHigh: null, blocks: 1 });
    expect(comparison.figures.has('4')).toBe(false);
    expect(comparison.verdicts.get('4')).toBe('unknown');
  });

  it('is made at three quarters of the best throughput', () => {
    expect(openRateOf(8000)).toBe(6000);
    expect(openRateOf(0.2)).toBe(1);
  });
});
