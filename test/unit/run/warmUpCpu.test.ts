import { describe, expect, it } from 'vitest';
import { WarmUpCpu } from '../../../src/engine/run/warmUpCpu.ts';

describe('the CPU time of a request while processes are warmed', () => {
  it('is told from one tick to the next, and how much it has fallen', async () => {
    let [usedUs, nowMs] = [0, 0];
    const cpu = new WarmUpCpu(
      () => Promise.resolve(usedUs),
      () => nowMs,
    );
    await cpu.tick({ throughput: 1000 });
    for (let tick = 0; tick < 14; tick += 1) {
      nowMs += 500;
      // In each tick half as much more CPU for a request in the beginning.
      usedUs += tick < 7 ? 300_000 : 200_000;
      await cpu.tick({ throughput: 1000 });
    }
    expect(cpu.perSecond?.map(Math.round)).toEqual([...Array.from({ length: 7 }, () => 1667), ...Array.from({ length: 7 }, () => 2500)]);
    expect(cpu.fallsPercent).toBe(33);
  });

  it('is not known where the platform does not tell it, nor before a second reading', async () => {
    const untold = new WarmUpCpu(() => Promise.resolve(null));
    await untold.tick({ throughput: 1000 });
    expect(untold.perSecond).toBeNull();
    const first = new WarmUpCpu(() => Promise.resolve(5));
    expect(first.perSecond).toBeNull();
    await first.tick({ throughput: 1000 });
    expect(first.perSecond).toEqual([]);
    expect(first.fallsPercent).toBeNull();
  });
});
