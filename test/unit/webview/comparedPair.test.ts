import { describe, expect, it } from 'vitest';
import { comparisonToAsk, obviousPair } from '../../../webview/workbench/comparedPair.ts';
import { exampleRun, trialWith } from './examples.ts';

describe('what Compare shows before anything was chosen', () => {
  const trials = [2, 8, 32].map((pool) => trialWith({ key: `pool=${pool}`, settings: { pool } }));
  const [first, second] = trials;
  const whole = exampleRun;
  const [told] = whole.recommendations;
  if (first === undefined || second === undefined || told === undefined) throw new Error('the example recommends something');
  const run = { ...whole, trials, recommendations: [{ ...told, target: first.target, setting: 'pool', value: 8 }] };
  const listed = [{ kind: 'run' as const, id: run.id }] as never;

  it('is the setting that the only run recommends, against another that it measured', () => {
    const pair = obviousPair({ runs: listed, run });
    expect(pair).toEqual({ a: run.id, b: run.id, trialA: first.key, trialB: second.key });
    expect(comparisonToAsk(null, pair)).not.toBeNull();
  });

  it('is left to the person where the only run recommends nothing', () => {
    const pair = obviousPair({ runs: listed, run: { ...run, recommendations: [] } });
    expect(pair).toEqual({ a: '', b: run.id });
    expect(comparisonToAsk(null, pair)).toBeNull();
  });
});
