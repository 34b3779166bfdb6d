import { describe, expect, it } from 'vitest';
import { partOfRequest, stillWarming, warmPasses } from '../../../src/engine/run/warmPasses.ts';
import type { Slice } from '../../../src/engine/load/slices/sliceProtocol.ts';

function slice(side: number, pass: number, perRequest: { appUs: number | null; compilerUs?: number }): Slice & { pass: number } {
  const answered = 100;
  const of = (us: number | null): number | null => (us === null ? null : us * answered);
  return {
    side,
    pass,
    atMs: 0,
    windowMs: 100,
    requests: answered,
    wholeMs: 110,
    answered,
    appUs: of(perRequest.appUs),
    compilerUs: of(perRequest.compilerUs ?? 0),
    busiestUs: null,
    busiestWaitedUs: null,
    databaseUs: null,
    otherUs: null,
    generatorUs: 0,
    appWaitedUs: null,
    compilerWaitedUs: null,
    servicesWaitedUs: null,
  };
}

/** Two values, of which the second takes twice the CPU, in passes of so much for each request of the first. */
function turned(cpuUs: readonly number[], compilerShare = 0) {
  return [1, 2].map((factor, side) => ({
    connections: 8,
    slices: cpuUs.map((us, index) => slice(side, index + 1, { appUs: factor * us, compilerUs: factor * us * compilerShare })),
  }));
}

const verdict = (cpuUs: readonly number[], compilerShare = 0) => stillWarming(warmPasses(turned(cpuUs, compilerShare)));

describe('a process whose load turns from value to value', () => {
  it('is warm once the CPU time of a request has levelled off', () => {
    expect(verdict([500, 495])).toBeNull();
    expect(verdict([900, 700, 500, 490, 505, 498])).toBeNull();
  });

  it('is not warm while the CPU time of a request falls', () => {
    expect(verdict([800, 600])).toEqual({ code: 'between-halves', change: expect.closeTo(0.25, 6) as number });
    expect(verdict([500, 500, 300, 300])?.code).toBe('between-halves');
  });

  it('is not warm on a plateau on which compilers work', () => {
    expect(verdict([650, 650, 655, 650], 0.6)).toEqual({ code: 'compiling', share: expect.closeTo(0.6, 6) as number });
    expect(verdict([210, 205, 208, 207], 0.03)).toBeNull();
  });

  it('is not judged by one pass', () => {
    expect(verdict([500])).toEqual({ code: 'few-ticks', value: 1, limit: 2 });
  });

  it('shows no pass of which a CPU time is not known, or in which a value was not asked', () => {
    const connections = 8;
    const known = { slices: [slice(1, 1, { appUs: 100 })], connections };
    expect(warmPasses([{ slices: [slice(0, 1, { appUs: null })], connections }, known])).toEqual([]);
    expect(warmPasses([known, { slices: [], connections }])).toEqual([]);
    expect(warmPasses([{ slices: undefined, connections }])).toEqual([]);
  });

  it('spends a part of each request on CPU, by the value of which it is largest', () => {
    // 100 requests of 8 connections in 100 ms: each lasts 8 ms.
    // No request waits for the compilers, which wait for a core as well.
    const used = { busiestUs: 11_000, busiestWaitedUs: 0, appWaitedUs: 90_000, compilerWaitedUs: 80_000 };
    const slices = (side: number, appUs: number) => [1, 2].map((pass) => ({ ...slice(side, pass, { appUs }), ...used }));
    const passes = warmPasses([
      { slices: slices(0, 300), connections: 8 },
      { slices: slices(1, 100), connections: 8 },
    ]);
    expect(partOfRequest(passes)).toBeCloseTo(400 / 8000 / 0.9);
    expect(partOfRequest(warmPasses(turned([500, 495])))).toBe(1);
    expect(partOfRequest([])).toBeNull();
  });
});
