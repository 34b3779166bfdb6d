import { recorded } from '../../support/recorded.ts';
import { describe, expect, it } from 'vitest';
import { exitCode, runFailures } from '../../../src/cli/exitCode.ts';
import type { RunRecord, Trial } from '../../../src/model/domain/run.ts';
import { exampleRun } from '../../support/runRecords.ts';
import { exampleAnswer, exampleTuning } from '../../support/tuningRecords.ts';

/** The run with its first trial changed. */
function withFirst(run: RunRecord, change: Partial<Trial>): RunRecord {
  const [first, ...others] = run.trials;
  if (first === undefined) throw new Error('an example has trials');
  const log = { file: 'process-1.log', lastLine: 'fatal: out of handles' };
  const command = run.plan.commands[first.key];
  if (command === undefined) throw new Error('an example has commands');
  return {
    ...run,
    trials: [{ ...first, ...change }, ...others],
    plan: { ...run.plan, commands: { ...run.plan.commands, [first.key]: { ...command, log } } },
  };
}

function codeOf(run: RunRecord, outcome: 'complete' | 'cancelled' = 'complete'): { code: number; told: string[] } {
  const told: string[] = [];
  const code = exitCode(run, { outcome, failures: runFailures(run), slo: undefined, judged: () => run.trials }, (text) => told.push(text));
  return { code, told };
}

describe('the exit code of a run', () => {
  it('is 0 for a run that is disturbed, undecided, or discarded because of the load generator', () => {
    expect(codeOf(exampleRun()).code).toBe(0);
    const interference = { takenPercent: 60, stealPercent: 40, otherPercent: 20 };
    expect(codeOf(withFirst(exampleRun({ recommendations: [] }), { interference })).code).toBe(0);
    expect(codeOf(withFirst(exampleRun(), { valid: false, reasons: recorded('The load generator was saturated.') })).code).toBe(0);
  });

  it('is 1 for errors, for an app that ended and for a database that was restarted, with the last line and the log', () => {
    for (const failed of ['errors', 'ended', 'database-restarted'] as const) {
      const run = withFirst(exampleRun(), { failed, valid: false, reasons: recorded('It failed.') });
      const { code, told } = codeOf(run);
      expect({ failed, code }).toEqual({ failed, code: 1 });
      expect(told.join('\n')).toContain('fatal: out of handles');
      expect(told.join('\n')).toContain(`.benchside/runs/${run.id}/process-1.log`);
      expect(runFailures(run)).toMatchObject([{ kind: failed, trialKey: run.trials[0]?.key, lastLine: 'fatal: out of handles' }]);
    }
  });

  it('is 1 for one that was cancelled', () => {
    expect(codeOf(exampleRun(), 'cancelled').code).toBe(1);
  });

  it('is 1 for a value that could not be started only where the others gave no answer', () => {
    const failed = { failed: 'not-started', valid: false, reasons: recorded('It was not ready after 60 s.') } as const;
    expect(codeOf(withFirst(exampleRun(), { ...failed, reasons: [...failed.reasons] })).code).toBe(0);
    expect(codeOf(withFirst(exampleRun({ recommendations: [] }), { ...failed, reasons: [...failed.reasons] })).code).toBe(1);
  });
});

describe('the exit code of a tuning', () => {
  it('is 0 where a value’s requests fail and another is the answer, 1 where there is none', () => {
    const change = { failed: 'errors', valid: false, reasons: recorded('Errors.') } satisfies Partial<Trial>;
    expect(codeOf(withFirst(exampleTuning(), change)).code).toBe(0);
    expect(codeOf(withFirst(exampleTuning([exampleAnswer({ values: null, status: 'undecided' })]), change)).code).toBe(1);
  });

  it('is 1 where the app ended, whatever the answer', () => {
    expect(codeOf(withFirst(exampleTuning(), { failed: 'ended' })).code).toBe(1);
  });
});
