import { describe, expect, it } from 'vitest';
import type { PlannedTrial } from '../../../src/engine/run/plan.ts';
import { TrialStore } from '../../../src/engine/run/trialStore.ts';
import type { BlockMeasurement } from '../../../src/engine/run/trialRecord.ts';
import { declared } from '../../support/declaredTarget.ts';
import { exampleBlock } from './exampleBlock.ts';

const requests = 1000;

/** A block in which every request took so long; `failed` discards it. */
function block(round: number, latencyUs: number, failed = 0): BlockMeasurement {
  return {
    round,
    startMs: 1000 * round,
    endMs: 1000 * round + 1000,
    probe: null,
    ended: null,
    postgresRestarted: false,
    cpuUs: { appCpuUs: null, postgresCpuUs: null, generatorCpuUs: null },
    result: exampleBlock(requests, latencyUs, failed),
  };
}

function planned(key: string): PlannedTrial {
  const process = { key, name: key, declared: declared('go'), settings: {}, asked: {}, instances: 1 };
  return { key, name: key, connections: 16, process };
}

const blocks = [block(1, 10_000), block(2, 500_000, 900), block(3, 20_000), block(4, 30_000)];

describe('what was seen of the trials of a run', () => {
  it('is the same looked at after every block as at the end, discarded blocks left out', () => {
    const [often, once] = [new TrialStore([planned('a')], []), new TrialStore([planned('a')], [])];
    for (const one of blocks) {
      often.of('a').blocks.push(one);
      often.recorded('a');
    }
    once.of('a').blocks.push(...blocks);
    expect(often.recorded('a')).toEqual(once.recorded('a'));
    expect(often.final()).toEqual(once.final());
    expect(once.recorded('a').trial).toMatchObject({ requests: 3 * requests, latencyMs: { mean: 20, max: 30 } });
    expect(once.recorded('a').trial.latencyMs?.p50).toBeCloseTo(20, 1);
  });

  it('shows the figures of discarded blocks until one is valid', () => {
    const store = new TrialStore([planned('a')], []);
    store.of('a').blocks.push(block(1, 500_000, 900));
    expect(store.recorded('a').trial).toMatchObject({ valid: false, latencyMs: { max: 500 } });
    store.of('a').blocks.push(block(2, 10_000), block(3, 10_000));
    expect(store.recorded('a').trial).toMatchObject({ valid: true, latencyMs: { max: 10 } });
  });

  it('is put together again only where something was added', () => {
    const store = new TrialStore([planned('a'), planned('b')], []);
    store.of('a').blocks.push(block(1, 10_000));
    const [first] = store.tried();
    store.of('b').problems.push({ code: 'has-ended', name: 'a' });
    expect(store.tried()).toHaveLength(2);
    expect(store.tried()[0]).toBe(first);
    store.of('a').blocks.push(block(2, 10_000));
    expect(store.tried()[0]).not.toBe(first);
  });

  it('takes in trials that a search adds, and knows no others', () => {
    const store = new TrialStore([planned('a')], []);
    expect(store.has('b')).toBe(false);
    store.add(planned('b'));
    expect(store.measurements.map((one) => one.planned.key)).toEqual(['a', 'b']);
    expect(() => store.of('c')).toThrow(RangeError);
  });
});
