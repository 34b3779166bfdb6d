import { describe, expect, it } from 'vitest';
import { type WorkEdge, machineResolution } from '../../../src/engine/observe/measureResolvingPower.ts';
import { machineResolutionSchema } from '../../../src/model/domain/machineFacts.ts';

/** Edges of windows of 250 ms on a machine of two cores, of which so much was taken by other programs in each window. */
function edges(taken: readonly number[]): WorkEdge[] {
  let units = 0;
  let idle = 0;
  return [0, ...taken].map((share, index) => {
    units += index === 0 ? 0 : 10_000 * (1 - share);
    idle += index === 0 ? 0 : 50 * (1 - share);
    return {
      reading: { index, atMs: 250 * index, units },
      host: {
        atMs: 250 * index,
        ticks: { processes: 50 * index - idle, user: 0, interrupts: 0, idle, ioWait: 0, steal: 0 },
        cores: 2,
        allowedCores: 2,
        limitUsedUs: null,
        runTimeNs: new Map(),
        ours: { uptimeTicks: 0, processes: new Map(), trees: new Map() },
      },
    };
  });
}

describe('measuring what a machine can tell apart', () => {
  it('takes work and interference between the edges, and finds what it can tell apart', () => {
    const found = machineResolutionSchema.parse(
      machineResolution(edges(Array.from({ length: 40 }, (_, index) => (index % 20 < 6 ? 0.5 : 0)))),
    );
    expect(found.interference?.takenPercent).toBeCloseTo(15);
    expect(found.interference?.otherPercent).toBeCloseTo(15);
    expect(found.measuredS).toBeCloseTo(10);
    // What others use for longer than a window, they take from both of a pair alike.
    expect(found.differencePercent).toBeLessThan(0.1);
  });

  it('is nothing of readings that broke off', () => {
    expect(machineResolution(edges([0, 0, 0]))).toBeNull();
    expect(machineResolution([])).toBeNull();
  });
});
