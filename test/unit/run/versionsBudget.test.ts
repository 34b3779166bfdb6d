import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { besidesRounds, shareOut } from '../../../src/engine/run/versionsBudget.ts';

const all = { wanted: besidesRounds, recordingMs: 20_000, leastMs: 6_000 };

describe('the budget of a comparison', () => {
  it('has time for everything where there is much of it', () => {
    expect(shareOut(120_000, all)).toEqual({ roundsMs: 40_000, parts: { p99: 20_000, routes: 40_000, recording: 20_000 }, leftOut: [] });
  });

  it('leaves out p99 first, then routes, and last the recordings, so that rounds are measured', () => {
    expect(shareOut(45_000, all).leftOut).toEqual(['p99']);
    expect(shareOut(35_000, all).leftOut).toEqual(['p99', 'routes']);
    expect(shareOut(15_000, all)).toEqual({
      roundsMs: 15_000,
      parts: { p99: 0, routes: 0, recording: 0 },
      leftOut: ['p99', 'routes', 'recording'],
    });
  });

  it('is never exceeded by what is planned', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 600_000 }), fc.subarray([...besidesRounds]), (leftMs, wanted) => {
        const { roundsMs, parts } = shareOut(leftMs, { ...all, wanted });
        expect(roundsMs + parts.p99 + parts.routes + parts.recording).toBeLessThanOrEqual(leftMs + 1e-6);
      }),
    );
  });
});
