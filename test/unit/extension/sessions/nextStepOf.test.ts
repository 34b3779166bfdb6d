import { describe, expect, it } from 'vitest';
import { isPossible, nextStepRow, readStep, type Step } from '../../../../src/extension/sessions/nextStepOf.ts';

describe('the next step', () => {
  it.each<[Step, string, string, readonly string[]]>([
    [{ kind: 'measure', targetId: 'shop', label: 'Shop' }, 'Next: measure Shop', 'benchside.runBenchmark', ['shop']],
    [{ kind: 'read', runId: 'r1', answer: 'Use pool size 4' }, 'Next: look at the answer', 'benchside.openRun', ['r1']],
    [{ kind: 'apply', runId: 'r1', answer: 'Use pool size 4' }, 'Next: apply the answer', 'benchside.applyTuning', ['r1']],
    [{ kind: 'again', of: 'tune', because: 'window' }, 'Next: measure again', 'benchside.runBenchmarkAgain', ['tune']],
    [{ kind: 'again', of: 'run', because: 'failed' }, 'Next: measure again', 'benchside.runBenchmarkAgain', ['run']],
  ])('is kept and does what it says: %o', (step, label, command, args) => {
    expect(readStep(JSON.parse(JSON.stringify(step)))).toEqual(step);
    expect(nextStepRow(step)).toMatchObject({ label, command, args });
  });

  it('is possible while its target is declared, or its run is kept', () => {
    const measure: Step = { kind: 'measure', targetId: 'shop', label: 'Shop' };
    const catalog = (id: string) => ({ targets: [{ id }] });
    expect([undefined, catalog('shop'), catalog('node')].map((known) => isPossible(measure, known, []))).toEqual([true, true, false]);
    const read: Step = { kind: 'read', runId: 'r1', answer: 'Use pool size 4' };
    expect([[{ id: 'r1' }], []].map((runs) => isPossible(read, catalog('shop'), runs))).toEqual([true, false]);
    expect(isPossible({ kind: 'again', of: 'tune', because: 'window' }, catalog('node'), [])).toBe(true);
  });

  it('is nothing where something else was stored', () => {
    for (const stored of [
      undefined,
      null,
      3,
      {},
      { kind: 'measure', targetId: 'shop' },
      { kind: 'again', of: 'dance' },
      { kind: 'read', runId: 4 },
    ])
      expect(readStep(stored)).toBeNull();
  });
});
