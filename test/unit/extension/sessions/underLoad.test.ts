import { describe, expect, it } from 'vitest';
import { UnderLoad } from '../../../../src/extension/sessions/underLoad.ts';
import { exampleTrial } from '../../../support/runRecords.ts';

const trials = [8, 16].map((pool) => exampleTrial({ settings: { pool } }));
const [small, large] = trials;
const node = exampleTrial({ target: 'node' });
const tick = (trialKey = '') => ({
  type: 'tick' as const,
  runId: 'r',
  tick: { timeMs: 1, windowMs: 1, trialKey, stage: 'warmUp' as const, throughput: 1, p50Ms: 1, p99Ms: 1, errors: 0 },
});

describe('what the tree says of a target in a run', () => {
  it('follows the load from the warm-up on, and ends with the run', () => {
    const load = new UnderLoad();
    expect(load.wordsOf('java')).toBeUndefined();
    expect(load.take({ type: 'started', runId: 'r', title: 't', trials: [...trials, node] })).toBe(true);
    expect(load.wordsOf('java')).toBe('in a run');
    expect(load.take(tick(small?.key))).toBe(true);
    expect(load.wordsOf('java')).toBe('under load');
    expect(load.wordsOf('node')).toBe('takes turns in the run');
    expect(load.wordsOf('another')).toBeUndefined();
    load.take(tick(node.key));
    expect(load.wordsOf('java')).toBe('takes turns in the run');
    load.clear();
    expect(load.wordsOf('java')).toBeUndefined();
  });

  it('changes nothing while the load switches between two settings of one target', () => {
    const load = new UnderLoad();
    load.take({ type: 'started', runId: 'r', title: 't', trials });
    load.take(tick(small?.key));
    expect([large, small, large].map((one) => load.take(tick(one?.key)))).toEqual([false, false, false]);
  });
});
