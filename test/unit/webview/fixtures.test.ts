import { describe, expect, it } from 'vitest';
import { exampleCatalog, exampleRun } from './examples.ts';

describe('the examples that previews and tests are fed with', () => {
  it('hold two targets with five pool sizes each, and one invalid trial with its reason', () => {
    expect(exampleRun.trials).toHaveLength(10);
    const invalid = exampleRun.trials.filter((trial) => !trial.valid);
    expect(invalid).toHaveLength(1);
    expect(invalid[0]?.reasons).not.toEqual([]);
  });
  it('hold a target of each origin', () => {
    expect(new Set(exampleCatalog.targets.map((target) => target.origin))).toEqual(new Set(['sample', 'workspace']));
  });
});
