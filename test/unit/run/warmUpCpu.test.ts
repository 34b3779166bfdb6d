import { describe, expect, it } from 'vitest';
import { WarmUpCpu } from '../../../src/engine/run/warmUpCpu.ts';
import type { ClockReading, CpuBetween } from '../../../src/engine/load/slices/threadClocks.ts';

/** Threads of one process whose times are given. */
function clocksOf(used: { appUs: number; compilerUs: number }) {
  const read = (): ClockReading =>
    new Map([
      ['1/app', [used.appUs, 0]],
      ['1/compiler', [used.compilerUs, 0]],
    ]);
  const between = (before: ClockReading, after: ClockReading): CpuBetween => {
    const of = (name: string): number => (after.get(name)?.[0] ?? 0) - (before.get(name)?.[0] ?? 0);
    const compilerUs = of('1/compiler');
    return { totalUs: of('1/app') + compilerUs, waitedUs: 0, compilerUs, busiestUs: 0, busiestWaitedUs: 0 };
  };
  return { read, between };
}

describe('the CPU time of a request while processes are warmed', () => {
  it('is told from one tick to the next without that of compilers, and how much it has fallen', () => {
    const used = { appUs: 0, compilerUs: 0 };
    let nowMs = 0;
    const cpu = new WarmUpCpu(clocksOf(used), () => nowMs);
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
    const cpu = new WarmUpCpu(clocksOf(used), () => nowMs);
    for (let tick = 0; tick < 14; tick += 1) {
      cpu.tick({ throughput: 1000 });
      nowMs += 500;
      used.appUs += 200_000;
      used.compilerUs += tick < 6 ? 200_000 : 0;
    }
    expect(cpu.compilerShare).toBe(0);
  });

  it('is not known where the platform does not tell it, nor before a second reading', () => {
    const untold = new WarmUpCpu({ read: () => new Map(), between: () => null });
    untold.tick({ throughput: 1000 });
    expect(untold.perSecond).toBeNull();
    const first = new WarmUpCpu(clocksOf({ appUs: 5, compilerUs: 0 }));
    expect(first.perSecond).toBeNull();
    first.tick({ throughput: 1000 });
    expect(first.perSecond).toEqual([]);
    expect(first.fallsPercent).toBeNull();
    expect(first.compilerShare).toBe(0);
  });
});
