import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { generatorHealth } from '../../../src/engine/load/generatorHealth.ts';
import { SideMeter } from '../../../src/engine/load/slices/sideMeter.ts';

/** Connections that each ask again at once, for `askedMs` in each slice; returns their share in use. */
function inUse(
  latenciesMs: readonly number[],
  { connections = 4, askedMs = 50, slices = 40, idleMs = 0, waits = true } = {},
): number | null {
  const meter = new SideMeter();
  let drawn = 0;
  for (let slice = 0; slice < slices; slice += 1) {
    const from = performance.now();
    meter.open(from);
    const answers = Array.from({ length: connections }, () => {
      const own: { at: number; latency: number }[] = [];
      for (let at = 0; at < askedMs;) {
        const latency = latenciesMs[(drawn += 1) % latenciesMs.length] ?? 1;
        own.push({ at: at + latency, latency });
        at += latency + idleMs;
      }
      return own;
    }).flat();
    const timeline = [...answers, { at: askedMs, latency: null }].sort((one, other) => one.at - other.at);
    let rested = false;
    for (const { at, latency } of timeline) {
      vi.advanceTimersByTime(from + at - performance.now());
      if (latency !== null) meter.answered('', 1, latency);
      else {
        meter.rest(performance.now());
        rested = true;
        if (waits) meter.shut(performance.now());
      }
    }
    expect(rested).toBe(true);
    if (!waits) meter.shut(performance.now());
    meter.close();
  }
  const { windowMs, requests, sums, inProgress } = meter.totals(0, 0);
  const meanMs = sums.count > 0 ? sums.sumUs / sums.count / 1000 : null;
  const use = {
    windowMs,
    cpuUs: 0,
    eventLoopUtilisation: 0,
    connections,
    requests,
    meanMs,
    agesMs: [],
    thoughtMs: 0,
  };
  return generatorHealth({ ...use, inProgress: inProgress ?? null }).littleRatio;
}

describe('the connections of a side', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }));
  afterEach(() => void vi.useRealTimers());
  const uneven = [1, 1, 1, 1, 1, 1, 1, 30];

  it.each([true, false])('are all in use where each asks again at once, however uneven the latencies are', (waits) => {
    expect(inUse(uneven, { waits })).toBeCloseTo(1, 6);
    expect(inUse([7], { waits, askedMs: 20 })).toBeCloseTo(1, 6);
  });

  it('are not where the generator lets them wait', () => {
    expect(inUse(uneven, { idleMs: 2 })).toBeLessThan(0.85);
    expect(inUse([4], { idleMs: 1, askedMs: 200 })).toBeCloseTo(0.8, 2);
  });
});
