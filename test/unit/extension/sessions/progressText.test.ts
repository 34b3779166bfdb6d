import { describe, expect, it } from 'vitest';
import { shortStepText } from '../../../../src/model/domain/progress/stepKinds.ts';
import type { RunEvent } from '../../../../src/model/protocol/runEvent.ts';
import { percentDone, percentSpent, progressText, statusText, tuningText } from '../../../../src/extension/sessions/progressText.ts';

const phase = {
  type: 'phase',
  runId: 'r',
  phase: 'measure',
  doing: { code: 'measuring', name: 'java · pool 8', round: { code: 'planned', round: 2, of: 3, more: false } },
  step: 4,
  steps: 8,
  elapsedMs: 30_000,
  remainingMs: 30_000,
} as const;

describe('the status bar', () => {
  it('says what is measured, in short', () => {
    expect(statusText(shortStepText(phase.doing))).toBe('java · pool 8, round 2/3');
    expect(statusText(shortStepText({ ...phase.doing, round: { code: 'pair', round: 2, open: false } }))).toBe('java · pool 8, round 2');
    expect(statusText(shortStepText({ code: 'measuring-several', what: 'values', count: 4, round: phase.doing.round }))).toBe(
      '4 values, round 2/3',
    );
    expect(statusText(shortStepText({ code: 'starting-postgres' }))).toBe('Starting PostgreSQL');
  });

  it('leaves a name as it is', () => {
    const name = 'Measuring 2 of 3';
    expect(statusText(shortStepText({ ...phase.doing, name }))).toBe('Measuring 2 of 3, round 2/3');
    expect(statusText(shortStepText({ code: 'warming-up', name, processes: 1 }))).toBe('Warming up Measuring 2 of 3');
  });

  it('has room for a target’s long name, and shows no icon that the name asks for', () => {
    expect(statusText('x'.repeat(200))).toHaveLength(60);
    expect(statusText('$(flame) pool')).toBe('(flame) pool');
  });
});

describe('the progress notification', () => {
  it('says the phase, the time gone and the time left, counting on between two messages of the engine', () => {
    expect(progressText(phase, 0)).toBe('Measuring java · pool 8, round 2 of 3 · 30 s, about 30 s left');
    expect(progressText(phase, 12_400)).toBe('Measuring java · pool 8, round 2 of 3 · 42 s, about 18 s left');
    expect(progressText(phase, 45_000)).toContain('nearly done');
  });

  it('says only the time gone when the time left is unknown', () => {
    expect(progressText({ ...phase, doing: { code: 'starting-postgres' }, elapsedMs: 3_000, remainingMs: null }, 0)).toBe(
      'Starting PostgreSQL · 3 s',
    );
  });

  it('says of a tuning what is decided now and what is spent of its budget, which it does not exceed by waiting', () => {
    const tuning = {
      type: 'tuning',
      runId: 'r',
      doing: {
        code: 'round',
        round: { code: 'search', target: null, round: 3, values: ['4', '8', '16'], count: 4, best: true },
        name: null,
        route: null,
      },
      spentS: 48,
      budgetS: 120,
      answers: [],
    } satisfies Extract<RunEvent, { type: 'tuning' }>;
    const said = 'Round 3: 4, 8 and 16 against the best · 48 s of 2 min. Cancel keeps what was measured.';
    expect(tuningText(tuning, 0)).toBe(said);
    expect(tuningText(tuning, 12_000)).toContain('1 min of 2 min');
    expect(tuningText(tuning, 900_000)).toContain('2 min of 2 min');
    expect(percentSpent(tuning, 12_000)).toBe(50);
    expect(percentSpent(tuning, 900_000)).toBe(100);
  });

  it('fills by time, or by steps when the time left is unknown', () => {
    expect(percentDone(phase, 0)).toBe(50);
    expect(percentDone(phase, 15_000)).toBe(75);
    expect(percentDone(phase, 90_000)).toBe(100);
    expect(percentDone({ ...phase, remainingMs: null, step: 2 }, 0)).toBe(25);
  });
});
