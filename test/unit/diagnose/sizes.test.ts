import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { connectionsNeeded, deadlockFloor, roundedUp } from '../../../src/engine/diagnose/sizes.ts';

describe('roundedUp', () => {
  it('gives usual sizes', () => {
    expect([1, 2, 3, 4, 5, 7, 9, 13, 17, 25, 33].map(roundedUp)).toEqual([1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48]);
  });

  it('is never smaller than what is asked for, and never more than 1.5 times as large', () => {
    fc.assert(fc.property(fc.integer({ min: 2, max: 100_000 }), (size) => roundedUp(size) >= size && roundedUp(size) <= 1.5 * size));
  });
});

describe('connectionsNeeded', () => {
  const slow = { connections: 16, throughput: 100, meanMs: 160, waitMs: 140, holdMs: 20, perRequest: 1, cpuShare: 0.05, paced: false };

  it('is throughput without the wait, times the time for which a connection is held', () => {
    expect(connectionsNeeded(slow)).toBe(16);
    expect(connectionsNeeded({ ...slow, meanMs: 180 })).toBe(8);
  });

  it('is no more than what the CPU allows to be used', () => {
    // 85 % of the CPU allow 170 requests a second of 20 ms: 3.4
    expect(connectionsNeeded({ ...slow, cpuShare: 0.5 })).toBe(4);
  });

  it('counts on the pauses that the load makes between requests', () => {
    // 16 connections at 20 requests/s, of which each takes 400 ms: 400 ms of pause. Without the wait of 380 ms: 38 requests/s of 20 ms.
    const pausing = { ...slow, throughput: 20, meanMs: 400, waitMs: 380 };
    expect(connectionsNeeded(pausing)).toBe(16);
    expect(connectionsNeeded({ ...pausing, paced: true })).toBe(1);
    expect(connectionsNeeded({ ...pausing, throughput: 39, paced: true })).toBe(11);
  });

  it('is as many as requests ask for at the same time', () => {
    // 16 requests, each of 20 statements at once over 10 connections: 500 uses of 20 ms a second.
    const atOnce = { ...slow, throughput: 25, meanMs: 640, waitMs: 615, holdMs: 20, perRequest: 20, cpuShare: 0.1 };
    expect(connectionsNeeded(atOnce)).toBeGreaterThan(300);
    expect(connectionsNeeded(atOnce)).toBeLessThanOrEqual(16 * 20);
    // The same uses in turn.
    expect(connectionsNeeded({ ...atOnce, meanMs: 20 * 635 })).toBeLessThanOrEqual(16);
  });

  it('never exceeds the load, whatever the figures', () => {
    const time = fc.double({ min: 0.01, max: 1000, noNaN: true });
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 500 }), time, time, time, (connections, waitMs, holdMs, restMs) => {
        const needed = connectionsNeeded({ ...slow, connections, waitMs, holdMs, meanMs: waitMs + holdMs + restMs, cpuShare: null });
        return needed !== null && needed >= 1 && needed <= connections;
      }),
    );
  });

  it('is not known without the figures', () => {
    expect(connectionsNeeded({ ...slow, holdMs: null })).toBeNull();
  });
});

it('gives the floor above which requests that take several connections cannot block each other', () => {
  expect(deadlockFloor(16, 2)).toBe(17);
  expect(deadlockFloor(3, 4)).toBe(10);
});
