import { describe, expect, it } from 'vitest';
import { sliceColumns } from '../../../src/engine/run/sliceColumns.ts';

describe('slices as they are recorded', () => {
  const slice = {
    side: 0,
    pass: 1,
    atMs: 5,
    windowMs: 100,
    requests: 100,
    wholeMs: 100,
    answered: 100,
    appUs: 90_000,
    compilerUs: 40_000,
    busiestUs: 20_000,
    busiestWaitedUs: 10_000,
    databaseUs: 30_000,
    otherUs: null,
    generatorUs: 10_000,
    appWaitedUs: 60_000,
    compilerWaitedUs: 0,
    servicesWaitedUs: 0,
  };

  it('tell the CPU of a request without compilers, and how full the machine was with them', () => {
    const [own, without] = [slice, { ...slice, compilerUs: null }].map((one) => sliceColumns([one], 2));
    expect(own).toMatchObject({ appUs: [500], compilerUs: [400], servingUs: [800], allUs: [900], used: [0.65], demand: [0.95] });
    expect(without).toMatchObject({ appUs: [900], compilerUs: [null], servingUs: [1200], allUs: [1300], used: [0.65], demand: [0.95] });
  });
});
