import { describe, expect, it } from 'vitest';
import { UnderLoad } from '../../../../src/extension/sessions/underLoad.ts';
import { exampleTrial } from '../../../support/runRecords.ts';

const trials = [exampleTrial({ settings: { pool: 8 } }), exampleTrial({ settings: { pool: 16 } })];
const tick = (trialKey: string) => ({
  type: 'tick' as const,
  runId: 'r',
  tick: { timeMs: 1, windowMs: 1, trialKey, stage: 'warmUp' as const, throughput: 1, p50Ms: 1, p99Ms: 1, errors: 0 },
});

describe('what the tree says of a target in a run', () => {
  it('follows the load from the warm-up on, and ends with the run', () => {
    const load = new UnderLoad();
    expect(load.wordsOf('java')).toBeUndefined();
    expect(load.take({ type: 'started', runId: 'r', title: 't', trials })).toBe(true);
    expect(load.wordsOf('java')).toBe('in a run');
    expect(load.take(tick(trials[1]?.key ?? ''))).toBe(true);
    expect(load.take(tick(trials[1]?.key ?? ''))).toBe(false);
    expect(load.wordsOf('java')).toBe('under load · pool 16');
    expect(load.wordsOf('node')).toBeUndefined();
    load.take(tick('another'));
    expect(load.wordsOf('java')).toBe('takes turns in the run');
    load.clear();
    expect(load.wordsOf('java')).toBeUndefined();
  });
});
