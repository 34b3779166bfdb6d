import { describe, expect, it } from 'vitest';
import type { AskedRun } from '../../../src/engine/run/runBenchmark.ts';
import { asSides } from '../../../src/engine/sides/asSides.ts';
import { loadProfileSchema } from '../../../src/model/domain/loadProfile.ts';
import { runRequestSchema } from '../../../src/model/domain/run.ts';

const gc = ['G1', 'ZGC', 'Serial', 'Parallel'];

function asked(request: object, load: object = {}, names = ['jvm.gc']): AskedRun {
  return {
    request: runRequestSchema.parse({ targets: ['java'], settings: { 'jvm.gc': gc.slice(0, 2) }, ...request }),
    load: loadProfileSchema.parse({ name: 'mine', connections: 8, rounds: 2, ...load }),
    names,
  };
}

describe('a run of values of the catalogue', () => {
  it('compares two of them as sides, p99 at a fixed rate included, for two minutes', () => {
    expect(asSides(asked({}))).toMatchObject({ budgetS: 120, versus: { of: 'values', p99: 'mix' } });
  });

  it('compares more of them without that, with as much time for each after the first', () => {
    expect(asSides(asked({ settings: { 'jvm.gc': gc } }))).toMatchObject({ budgetS: 360, versus: { of: 'values', p99: 'none' } });
    expect(asSides(asked({ settings: { 'jvm.gc': gc, pool: [2, 4] } }))).toMatchObject({ budgetS: 840 });
  });

  it.each([
    ['values of settings that the target declares', asked({ settings: { pool: [2, 4] } }, {}, [])],
    ['one value', asked({ settings: { 'jvm.gc': ['ZGC'] } })],
    ['more than eight sides', asked({ settings: { 'jvm.gc': gc, pool: [2, 4, 8] } })],
    ['two targets', asked({ targets: ['java', 'node'] })],
    ['a number of rounds', asked({ rounds: 3 })],
    ['raw samples', asked({ raw: {} })],
    ['a share of the CPU', asked({ topology: { cpuShare: 1 } })],
    ['a fixed rate', asked({}, { ratePerS: 100 })],
    ['several numbers of connections', asked({}, { connections: [4, 8] })],
  ])('measures rounds as of any other run where it has %s', (_what, run) => {
    expect(asSides(run)).toEqual({ says: expect.any(Function) as unknown });
  });
});
