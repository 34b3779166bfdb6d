import type { FailureCode } from '../../../src/model/domain/failureCodes.ts';
import { findingText, findingTexts } from '../../../src/model/domain/findings.ts';
import { recorded } from '../../support/recorded.ts';
import { describe, expect, it } from 'vitest';
import { namingLog, trialFailure } from '../../../src/engine/run/trialFailure.ts';
import { type Trial, type TrialFailure, noErrors } from '../../../src/model/domain/run.ts';
import { exampleTrial } from '../../support/runRecords.ts';

const quiet = { ended: null, postgresRestarted: false };

/** A trial whose blocks are discarded, with so many errors among 1,000 good answers each. */
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
  it('is nothing where it is discarded for another cause than the program', () => {
    expect(trialFailure({ blocks: [quiet], problems: [] }, voidTrial(0))).toBeNull();
    expect(
      trialFailure(
        { blocks: [quiet], problems: [{ code: 'setting-refused', setting: 'pool', value: 32, why: null, round: null }] },
        voidTrial(1),
      ),
    ).toBeNull();
  });

  it('are its errors above the limit, not below', () => {
    expect(trialFailure({ blocks: [quiet], problems: [] }, voidTrial(2))).toBe('errors');
    expect(trialFailure({ blocks: [quiet], problems: [] }, exampleTrial())).toBeNull();
  });

  it('is its end, even where enough blocks are left for figures', () => {
    expect(trialFailure({ blocks: [quiet, { ...quiet, ended: { code: 'app-restarted' } }], problems: [] }, exampleTrial())).toBe('ended');
    expect(trialFailure({ blocks: [], problems: [{ code: 'has-ended', name: 'Node · pool 2' }] }, voidTrial(0))).toBe('ended');
  });

  it('is told apart from a start that failed, and from a restart of the database', () => {
    // Neither the words nor the cure decide: only the failure’s code.
    const ofStart = (failure: FailureCode): TrialFailure | null =>
      trialFailure(
        { blocks: [], problems: [{ code: 'not-started', failure, message: 'Look at its log.', remedy: '', round: null }] },
        voidTrial(0),
      );
    for (const failure of ['target-exited', 'target-not-ready', 'route-fails'] as const) expect(ofStart(failure)).toBe('not-started');
    expect(ofStart('postgres-not-ready')).toBeNull();
    expect(trialFailure({ blocks: [{ ...quiet, postgresRestarted: true }], problems: [] }, voidTrial(0))).toBe('database-restarted');
  });
});

describe('the first reason of a trial whose program failed', () => {
  const log = { file: 'process-1.log', lastLine: 'fatal: out of handles' };

  it('names its log and the last line', () => {
    const { reasons } = namingLog({ ...voidTrial(5), failed: 'errors', reasons: recorded('5 requests failed.', 'other') }, log);
    expect(findingTexts(reasons)).toEqual([
      '5 requests failed. Its log is process-1.log in the run’s folder. The last line that it printed is “fatal: out of handles”.',
      'other',
    ]);
  });

  it('does not name a line twice, nor a log where nothing failed', () => {
    const told = { code: 'ended-in-round', name: 'It', exit: { code: 1, signal: null }, round: 1, lastLine: log.lastLine } as const;
    expect(findingTexts(namingLog({ ...voidTrial(0), failed: 'ended', reasons: [told] }, log).reasons)).toEqual([
      `${findingText(told)} Its log is process-1.log in the run’s folder.`,
    ]);
    expect(namingLog(voidTrial(0), log).reasons).toEqual(recorded('void'));
  });
});
