import { describe, expect, it } from 'vitest';
import { namingLog, trialFailure } from '../../../src/engine/run/trialFailure.ts';
import { noErrors } from '../../../src/model/run.ts';
import type { Trial } from '../../../src/model/run.ts';
import { exampleTrial } from '../../support/runRecords.ts';

const quiet = { appEnded: null, postgresRestarted: false };

/** A trial whose blocks are void, with so many errors beside 1,000 good answers each. */
function voidTrial(errors: number): Trial {
  const trial = exampleTrial({ valid: false, reasons: ['void'] });
  const blocks = trial.blocks.map((block) => ({
    ...block,
    valid: false,
    requests: 1_000,
    errors: { ...noErrors, total: errors, status5xx: errors },
  }));
  return { ...trial, blocks };
}

describe('what of a program failed in a trial', () => {
  it('is nothing where it is void for another cause than the program', () => {
    expect(trialFailure({ blocks: [quiet], problems: [] }, voidTrial(0))).toBeNull();
    expect(trialFailure({ blocks: [quiet], problems: ['pool 32: the app did not take it.'] }, voidTrial(1))).toBeNull();
  });

  it('are its errors above the limit, not below', () => {
    expect(trialFailure({ blocks: [quiet], problems: [] }, voidTrial(2))).toBe('errors');
    expect(trialFailure({ blocks: [quiet], problems: [] }, exampleTrial())).toBeNull();
  });

  it('is its end, even where enough blocks are left for figures', () => {
    expect(trialFailure({ blocks: [quiet, { ...quiet, appEnded: 'It exited.' }], problems: [] }, exampleTrial())).toBe('ended');
    expect(trialFailure({ blocks: [], problems: ['Node · pool 2 has ended. Look at its log.'] }, voidTrial(0))).toBe('ended');
  });

  it('is told apart from a start that failed, and from a restart of the database', () => {
    const problems = ['Jetty exited with code 1 before it was ready. Look at its last output; correct the command.'];
    expect(trialFailure({ blocks: [], problems }, voidTrial(0))).toBe('not-started');
    expect(trialFailure({ blocks: [{ ...quiet, postgresRestarted: true }], problems: [] }, voidTrial(0))).toBe('database-restarted');
  });
});

describe('the first reason of a trial whose program failed', () => {
  const log = { file: 'process-1.log', lastLine: 'fatal: out of handles' };

  it('names its log and the last line', () => {
    const { reasons } = namingLog({ ...voidTrial(5), failed: 'errors', reasons: ['5 requests failed.', 'other'] }, log);
    expect(reasons).toEqual([
      '5 requests failed. Its log is process-1.log in the run’s folder. The last line that it printed is “fatal: out of handles”.',
      'other',
    ]);
  });

  it('does not name a line twice, nor a log where nothing failed', () => {
    const told = 'It exited; its last line is: fatal: out of handles.';
    expect(namingLog({ ...voidTrial(0), failed: 'ended', reasons: [told] }, log).reasons).toEqual([
      `${told} Its log is process-1.log in the run’s folder.`,
    ]);
    expect(namingLog(voidTrial(0), log).reasons).toEqual(['void']);
  });
});
