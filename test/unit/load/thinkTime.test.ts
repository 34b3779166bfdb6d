import { describe, expect, it } from 'vitest';
import { ThinkTime } from '../../../src/engine/load/thinkTime.ts';

describe('a think time', () => {
  it('is drawn from half to one and a half of it, by the seed alone', () => {
    const drawn = (seed: number): number[] => {
      const time = new ThinkTime(40, seed);
      return Array.from({ length: 2000 }, () => time.begin(0));
    };
    expect(drawn(3)).toEqual(drawn(3));
    expect(drawn(3)).not.toEqual(drawn(4));
    expect(Math.min(...drawn(3))).toBeGreaterThanOrEqual(20);
    expect(Math.max(...drawn(3))).toBeLessThan(60);
    expect(drawn(3).reduce((sum, one) => sum + one, 0) / 2000).toBeCloseTo(40, 0);
  });

  it('counts what of the pauses was within the window', () => {
    const time = new ThinkTime(10, 1);
    time.begin(0);
    time.beginWindow(4);
    time.end(12, 0, 12);
    time.begin(20);
    time.endWindow(26);
    expect(time.windowMs).toBe(8 + 6);
    // The one that goes on belongs to the next window with what is left of it.
    time.beginWindow(26);
    time.end(30, 20, 10);
    time.endWindow(40);
    expect(time.windowMs).toBe(4);
  });

  it('counts a pause only as long as it was drawn: what came late is the generator’s', () => {
    const time = new ThinkTime(10, 1);
    time.beginWindow(0);
    time.begin(0);
    time.end(30, 0, 10);
    time.endWindow(40);
    expect(time.windowMs).toBe(11);
  });
});
