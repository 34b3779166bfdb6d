import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { BlockMeter } from '../../../src/engine/load/blockMeter.ts';
import type { LoadTick } from '../../../src/engine/load/loadProtocol.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'Date'] });
  vi.spyOn(performance, 'now').mockImplementation(() => Date.now());
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

function meterOf(byIntendedTime: boolean): { meter: BlockMeter; ticks: LoadTick[] } {
  const ticks: LoadTick[] = [];
  const meter = new BlockMeter({ stage: 'settle', tickMs: 100, byIntendedTime, onTick: (tick) => ticks.push(tick) });
  return { meter, ticks };
}

describe('the meter of a block', () => {
  it('shares all answers and errors of a window out to its laps, and tells them once in its ticks, whenever the laps are', () => {
    // What happens every 10 ms: an answer of so many ms, an error, or a lap.
    const happening = fc.oneof(
      { weight: 10, arbitrary: fc.integer({ min: 1, max: 500 }) },
      { weight: 2, arbitrary: fc.constant('error' as const) },
      { weight: 2, arbitrary: fc.constant('lap' as const) },
    );
    fc.assert(
      fc.property(fc.array(happening, { minLength: 1, maxLength: 60 }), (happenings) => {
        const { meter, ticks } = meterOf(false);
        meter.beginStage('settle', performance.now());
        meter.openWindow('measure', performance.now());
        const windows: { count: number; inHistogram: number; sumUs: number; errors: number; windowMs: number }[] = [];
        const began = performance.now();
        const read = (totals: ReturnType<BlockMeter['closeWindow']>): void => {
          if (totals === null) throw new Error('no window was open');
          const { sums, histogram, errors, windowMs, requests } = totals;
          expect(requests).toBe(sums.count);
          windows.push({ count: sums.count, inHistogram: histogram.totalCount, sumUs: sums.sumUs, errors: errors.total, windowMs });
        };
        for (const what of happenings) {
          vi.advanceTimersByTime(10);
          if (what === 'lap') meter.lap(performance.now(), read);
          else if (what === 'error') meter.lost('reset');
          else meter.answered('', 100, what);
        }
        // To the end of a tick, so that none is left untold.
        vi.advanceTimersByTime(100 - ((10 * happenings.length) % 100) + 1);
        read(meter.closeWindow(performance.now()));
        const answers = happenings.filter((what) => typeof what === 'number');
        const errors = happenings.filter((what) => what === 'error').length;
        const sum = (of: (window: (typeof windows)[number]) => number): number => windows.reduce((total, window) => total + of(window), 0);
        expect(sum(({ count }) => count)).toBe(answers.length);
        for (const { count, inHistogram } of windows) expect(inHistogram).toBe(count);
        expect(sum(({ sumUs }) => sumUs)).toBe(answers.reduce((total, ms) => total + ms * 1000, 0));
        expect(sum((window) => window.errors)).toBe(errors);
        expect(sum(({ windowMs }) => windowMs)).toBeCloseTo(performance.now() - began, 6);
        const inTicks = ticks.reduce((total, tick) => total + (tick.throughput * tick.windowMs) / 1000, 0);
        expect(Math.round(inTicks)).toBe(answers.length);
        expect(ticks.reduce((total, tick) => total + tick.errors, 0)).toBe(errors);
        // A tick's percentiles are of all of it, a lap within it or not.
        const inFirst = happenings.slice(0, 9).filter((what) => typeof what === 'number');
        if (happenings.length >= 9 && inFirst.length > 0) expect((ticks[0]?.p99Ms ?? 0) / Math.max(...inFirst)).toBeGreaterThan(0.99);
      }),
      { numRuns: 60 },
    );
  });

  it('counts nothing of before its window', () => {
    const { meter } = meterOf(false);
    meter.beginStage('settle', performance.now());
    meter.answered('', 10, 5);
    meter.lost('timeout');
    meter.openWindow('measure', performance.now());
    vi.advanceTimersByTime(50);
    meter.answered('', 10, 7);
    const totals = meter.closeWindow(performance.now());
    expect(totals).toMatchObject({ requests: 1, bytes: 10, sums: { count: 1, sumUs: 7000 }, errors: { total: 0 } });
    expect(meter.closeWindow(performance.now())).toBeNull();
    expect([meter.answeredInAll, meter.lostInAll]).toEqual([2, 1]);
  });

  it('by intended time takes latency from where it is told, also after the window, and requests from their answers', () => {
    const { meter, ticks } = meterOf(true);
    meter.beginStage('settle', performance.now());
    meter.openWindow('measure', performance.now());
    // Was to be sent before the window.
    meter.answered('', 10, 300);
    meter.answered('', 10, 5);
    meter.recordIntended(5);
    vi.advanceTimersByTime(101);
    const totals = meter.closeWindow(performance.now());
    meter.answered('', 10, 400);
    meter.recordIntended(400);
    meter.lost('reset');
    expect(totals).toMatchObject({ requests: 2, sums: { count: 2, sumUs: 405_000 }, errors: { total: 1, reset: 1 } });
    expect(totals?.histogram.totalCount).toBe(2);
    expect(ticks[0]?.p99Ms).toBeGreaterThan(299);
  });
});
