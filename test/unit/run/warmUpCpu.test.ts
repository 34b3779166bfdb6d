import { describe, expect, it } from 'vitest';
import { WarmUpCpu } from '../../../src/engine/run/warmUpCpu.ts';
import type { ClockReading, CpuBetween } from '../../../src/engine/load/slices/threadClocks.ts';

/** Threads of one process whose times are given. */
function clocksOf(used: { appUs: number; compilerUs: number; waitedUs?: number; compilerWaitedUs?: number }) {
  const read = (): ClockReading =>
    new Map([
      ['1/app', [used.appUs, used.waitedUs ?? 0]],
      ['1/compiler', [used.compilerUs, used.compilerWaitedUs ?? 0]],
    ]);
  const between = (before: ClockReading, after: ClockReading): CpuBetween => {
    const of = (name: string, field: 0 | 1 = 0): number => (after.get(name)?.[field] ?? 0) - (before.get(name)?.[field] ?? 0);
    const [busiestUs, busiestWaitedUs, compilerUs] = [of('1/app'), of('1/app', 1), of('1/compiler')];
    const compilerWaitedUs = of('1/compiler', 1);
    const all = { totalUs: busiestUs + compilerUs, waitedUs: busiestWaitedUs + compilerWaitedUs };
    return { ...all, compilerUs, compilerWaitedUs, busiestUs, busiestWaitedUs };
  };
  return { read, between };
}

describe('the CPU time of a request while processes are warmed', () => {
  it('is told from one tick to the next without that of compilers, and how much it has fallen', () => {
    const used = { appUs: 0, compilerUs: 0 };
    let nowMs = 0;
    const cpu = new WarmUpCpu([clocksOf(used)], 10, () => nowMs);
    cpu.tick({ throughput: 1000 });
    for (let tick = 0; tick < 14; tick += 1) {
      nowMs += 500;
      // In each tick half as much more CPU for a request in the beginning.
      used.appUs += tick < 7 ? 300_000 : 200_000;
      used.compilerUs += 50_000;
      cpu.tick({ throughput: 1000 });
    }
    expect(cpu.perSecond?.map(Math.round)).toEqual([...Array.from({ length: 7 }, () => 1667), ...Array.from({ length: 7 }, () => 2500)]);
    expect(cpu.fallsPercent).toBe(33);
    expect(cpu.compilerShare).toBeCloseTo(0.2);
  });

  it('forgets of a compiler what is longer ago than three seconds', () => {
    const used = { appUs: 0, compilerUs: 0 };
    let nowMs = 0;
    const cpu = new WarmUpCpu([clocksOf(used)], 10, () => nowMs);
    for (let tick = 0; tick < 14; tick += 1) {
      cpu.tick({ throughput: 1000 });
      nowMs += 500;
      used.appUs += 200_000;
      used.compilerUs += tick < 6 ? 200_000 : 0;
    }
    expect(cpu.compilerShare).toBe(0);
  });

  it('has the compilers of the one of several that compiles most', () => {
    const [done, late] = [
      { appUs: 0, compilerUs: 0 },
      { appUs: 0, compilerUs: 0 },
    ];
    let nowMs = 0;
    const cpu = new WarmUpCpu([clocksOf(done), clocksOf(late)], 10, () => nowMs);
    for (let tick = 0; tick < 8; tick += 1) {
      cpu.tick({ throughput: 1000 });
      nowMs += 500;
      done.appUs += 300_000;
      late.appUs += 150_000;
      late.compilerUs += 50_000;
    }
    // Together they take a tenth.
    expect(cpu.compilerShare).toBeCloseTo(0.25);
    expect(cpu.perSecond?.every((one) => Math.round(one) === 1111)).toBe(true);
  });

  it('shows that a further start is as warm as the first, long before it has levelled off', () => {
    const used = { appUs: 0, compilerUs: 0 };
    let nowMs = 0;
    const cpu = new WarmUpCpu([clocksOf(used)], 10, () => nowMs);
    const tick = (usPerRequest: number): void => {
      nowMs += 500;
      used.appUs += 500 * usPerRequest;
      cpu.tick({ throughput: 1000 });
    };
    for (let count = 0; count < 6; count += 1) tick(1000);
    expect(cpu.level).toBeNull();
    tick(1000);
    expect(cpu.level).toBe(1000);
    expect(cpu.hasReached(1000)).toBe(true);
    expect(cpu.hasReached(1100)).toBe(false);
    for (let count = 0; count < 6; count += 1) tick(930);
    expect(cpu.hasReached(1100)).toBe(true);
  });

  it('is a part of the time of a request, longer by the queue before the thread that is busiest', () => {
    const used = { appUs: 0, compilerUs: 0, waitedUs: 0 };
    let nowMs = 0;
    const cpu = new WarmUpCpu([clocksOf(used)], 10, () => nowMs);
    for (let tick = 0; tick < 8; tick += 1) {
      cpu.tick({ throughput: 400 });
      if (tick < 6) expect(cpu.partOfRequest).toBeNull();
      nowMs += 500;
      used.appUs += 75_000;
      used.waitedUs += 25_000;
      used.compilerUs += 20_000;
    }
    // Ten requests last 500 ms each tick; 100 ms of it are CPU or wait for a core, and the thread is busy for a fifth of the time.
    expect(cpu.partOfRequest).toBeCloseTo(100 / 5000 / 0.8);
  });

  it('joins ticks that an engine without a core for them reads at once', () => {
    const used = { appUs: 0, compilerUs: 0 };
    let nowMs = 0;
    const cpu = new WarmUpCpu([clocksOf(used)], 10, () => nowMs);
    cpu.tick({ throughput: 1000 });
    // The kernel has not added what the thread used since the last tick yet.
    for (const [ms, us] of [
      [500, 250_000],
      [3, 0],
      [2, 10],
      [495, 249_990],
    ] as const) {
      nowMs += ms;
      used.appUs += us;
      cpu.tick({ throughput: 1000 });
    }
    expect(cpu.perSecond?.map(Math.round)).toEqual([2000, 2000]);
  });

  it('is not known where the platform does not tell it, nor before a second reading', () => {
    const untold = new WarmUpCpu([{ read: () => new Map(), between: () => null }], 10);
    untold.tick({ throughput: 1000 });
    expect(untold.perSecond).toBeNull();
    const first = new WarmUpCpu([clocksOf({ appUs: 5, compilerUs: 0 })], 10);
    expect(first.perSecond).toBeNull();
    first.tick({ throughput: 1000 });
    expect(first.perSecond).toEqual([]);
    expect(first.fallsPercent).toBeNull();
    expect(first.compilerShare).toBe(0);
    expect(first.partOfRequest).toBeNull();
    expect(untold.partOfRequest).toBeNull();
  });
});
