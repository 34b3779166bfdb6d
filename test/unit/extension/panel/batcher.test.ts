import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Batcher } from '../../../../src/extension/panel/batcher.ts';

describe('events on their way to the panel', () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it('go out at once when none went out lately, then together at most once in the interval, in order', () => {
    const delivered: number[][] = [];
    const batcher = new Batcher<number>(100, (values) => delivered.push(values));
    for (const value of [1, 2, 3]) batcher.add(value);
    expect(delivered).toEqual([[1]]);
    vi.advanceTimersByTime(100);
    expect(delivered).toEqual([[1], [2, 3]]);
    vi.advanceTimersByTime(1_000);
    batcher.add(4);
    expect(delivered).toEqual([[1], [2, 3], [4]]);
  });

  it('are delivered before something that must come after them', () => {
    const delivered: number[][] = [];
    const batcher = new Batcher<number>(100, (values) => delivered.push(values));
    batcher.add(1);
    batcher.add(2);
    batcher.deliverNow();
    expect(delivered).toEqual([[1], [2]]);
    vi.advanceTimersByTime(500);
    expect(delivered).toEqual([[1], [2]]);
  });

  it('are not delivered once they are forgotten', () => {
    const delivered: number[][] = [];
    const batcher = new Batcher<number>(100, (values) => delivered.push(values));
    batcher.add(1);
    batcher.add(2);
    batcher.clear();
    vi.advanceTimersByTime(500);
    expect(delivered).toEqual([[1]]);
  });
});
