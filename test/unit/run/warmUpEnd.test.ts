import { describe, expect, it } from 'vitest';
import { type WarmUpSoFar, levelsOff, throughputOfEach } from '../../../src/engine/run/warmUpEnd.ts';

const flat = (ticks: number, value = 1000): number[] => Array.from({ length: ticks }, () => value);
const climbing = (ticks: number): number[] => Array.from({ length: ticks }, (_, index) => 500 + 50 * index);
const options = { tickMs: 500, minMs: 10_000, lastLook: false };
const soFar = (more: Partial<WarmUpSoFar>): WarmUpSoFar => ({
  throughput: flat(24),
  perSecond: flat(24),
  compiles: false,
  littleCpu: false,
  together: false,
  ...more,
});

describe('the end of a warm-up', () => {
  it('is where the CPU time of a request has levelled off, whatever the throughput does', () => {
    expect(levelsOff(soFar({}), options)).toBe(true);
    expect(levelsOff(soFar({ throughput: climbing(24) }), options)).toBe(true);
    expect(levelsOff(soFar({ perSecond: climbing(24) }), options)).toBe(false);
    expect(levelsOff(soFar({ compiles: true }), options)).toBe(false);
  });

  it('is not before the least time', () => {
    expect(levelsOff(soFar({ throughput: flat(19), perSecond: flat(19) }), options)).toBe(false);
    expect(levelsOff(soFar({ throughput: flat(20), perSecond: flat(20) }), options)).toBe(true);
  });

  it('is where throughput is steady when CPU is not known', () => {
    expect(levelsOff(soFar({ perSecond: null }), options)).toBe(true);
    expect(levelsOff(soFar({ perSecond: null, throughput: climbing(24) }), options)).toBe(false);
  });

  it('is where throughput is steady, whatever a compiler does, when CPU is next to nothing of a request', () => {
    const waiting = { littleCpu: true, compiles: true, perSecond: climbing(24) };
    expect(levelsOff(soFar({ ...waiting, throughput: flat(24) }), options)).toBe(true);
    expect(levelsOff(soFar({ ...waiting, throughput: climbing(24) }), options)).toBe(false);
    expect(levelsOff(soFar({ ...waiting, throughput: flat(19) }), options)).toBe(false);
  });

  it('does not wait for the throughput of several at once, which share the cores, when each needs little CPU', () => {
    const together = { together: true, littleCpu: true, throughput: climbing(8), perSecond: climbing(8) };
    expect(levelsOff(soFar(together), options)).toBe(true);
    expect(levelsOff(soFar({ ...together, throughput: climbing(7) }), options)).toBe(false);
    expect(levelsOff(soFar({ ...together, littleCpu: false, throughput: climbing(24), perSecond: climbing(24) }), options)).toBe(false);
  });
});

describe('the speed of each of several processes that are warmed at once', () => {
  const tick = (elapsedMs: number, answeredBy?: number[]) => ({
    stage: 'warmUp' as const,
    elapsedMs,
    windowMs: 500,
    throughput: 0,
    p50Ms: null,
    p99Ms: null,
    errors: 0,
    ...(answeredBy === undefined ? {} : { answeredBy }),
  });

  it('is that of the last second and a half, all ports of a process together', () => {
    const ticks = [
      tick(500, [900, 0, 0]),
      tick(1000, [1000, 10, 20]),
      tick(1500, [1100, 20, 30]),
      tick(2000, [1150, 30, 40]),
      tick(2500, [1300, 40, 50]),
    ];
    expect(throughputOfEach(ticks, [1, 2])).toEqual([200, 40]);
  });

  it('is not known without ticks that counted by port', () => {
    expect(throughputOfEach([], [1, 1])).toEqual([]);
    expect(throughputOfEach([tick(500), tick(1000)], [1, 1])).toEqual([]);
    expect(throughputOfEach([tick(500, [1, 2])], [1, 1])).toEqual([]);
  });
});
