import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Pacer } from '../../../src/engine/load/open/pacer.ts';

interface Start {
  index: number;
  intendedMs: number;
  actualMs: number;
}

let starts: Start[];
let wakings: number[];

function pacer(ratePerS: number): Pacer {
  return new Pacer({
    ratePerS,
    onDue: (index, intendedMs) => {
      starts.push({ index, intendedMs, actualMs: performance.now() });
    },
    onWake: (now) => void wakings.push(now),
  });
}

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  starts = [];
  wakings = [];
});
afterEach(() => {
  vi.useRealTimers();
});

describe('the pacer', () => {
  it.each([7, 300, 1000, 4321])('starts %i requests a second, each within a millisecond of its time, and adds up no error', (ratePerS) => {
    const began = performance.now();
    const paced = pacer(ratePerS);
    paced.start();
    vi.advanceTimersByTime(2000);
    paced.stop();
    expect(Math.abs(starts.length - 2 * ratePerS)).toBeLessThanOrEqual(1 + ratePerS / 1000);
    expect(starts.map(({ index }) => index)).toEqual(starts.map((_, i) => i));
    expect(Math.max(...starts.map(({ intendedMs }, i) => Math.abs(intendedMs - began - (i * 1000) / ratePerS)))).toBeLessThan(1e-6);
    expect(Math.max(...starts.map(({ intendedMs, actualMs }) => Math.abs(actualMs - intendedMs)))).toBeLessThanOrEqual(1);
    expect(paced.next).toBe(starts.length);
  });

  it('after a stand-still starts all that has become due, each with its own time', () => {
    const paced = pacer(1000);
    paced.start();
    vi.advanceTimersByTime(30);
    const before = starts.length;
    const now = performance.now();
    // As its timer finds it when the process was kept from running for 50 ms.
    paced.catchUp(now + 50);
    const late = starts.slice(before);
    expect(late).toHaveLength(50);
    for (const [i, { intendedMs }] of late.entries()) expect(intendedMs - now).toBeCloseTo(i + 1, 6);
    paced.stop();
  });

  it('wakes for time-outs although nothing is due for a long time', () => {
    const paced = pacer(0.1);
    paced.start();
    vi.advanceTimersByTime(1000);
    paced.stop();
    expect(starts).toHaveLength(1);
    expect(wakings.length).toBeGreaterThanOrEqual(100);
  });

  it('starts nothing once it was stopped', () => {
    const paced = pacer(1000);
    paced.start();
    vi.advanceTimersByTime(10);
    paced.stop();
    const before = starts.length;
    paced.catchUp(performance.now() + 1000);
    vi.advanceTimersByTime(1000);
    expect(starts).toHaveLength(before);
    expect(vi.getTimerCount()).toBe(0);
  });
});
