import { describe, expect, it } from 'vitest';
import { explanationOf, headlineOf } from '../../../src/model/domain/diagnosis.ts';
import { noErrors } from '../../../src/model/domain/run.ts';
import { diagnose } from '../../../src/engine/diagnose/diagnose.ts';
import { isLockedUp, isLockedUpIn } from '../../../src/engine/diagnose/lockUp.ts';
import { wordedVerdict } from '../../support/wordedVerdict.ts';
import { knob, pool, sampleKnobs, signals } from './exampleSignals.ts';

/** Four connections, each held by a request that waits for a second one. */
const figures = { max: 4, busy: 4, pending: 16, completions: 0, timeouts: 0, activeSessions: 0 };
const littleUsed = { code: 'generator-idle', value: 0, limit: 0.9 } as const;
const late = { code: 'answers-missing', count: 4 } as const;
const unanswered = { code: 'nothing-answered' } as const;

describe('a pool that has locked itself up', () => {
  it('is full, has a queue, and gives no connection back', () => {
    expect(isLockedUp(figures)).toBe(true);
    expect(isLockedUp({ ...figures, activeSessions: null })).toBe(true);
    expect(isLockedUp({ ...figures, busy: 3 })).toBe(false);
    expect(isLockedUp({ ...figures, pending: 0 })).toBe(false);
    expect(isLockedUp({ ...figures, completions: 40 })).toBe(false);
  });

  it('gives connections back only as waits run out, where they do', () => {
    expect(isLockedUp({ ...figures, completions: 8, timeouts: 30 })).toBe(true);
    expect(isLockedUp({ ...figures, completions: 30, timeouts: 8 })).toBe(false);
    expect(isLockedUp({ ...figures, completions: 8, timeouts: 30, activeSessions: null })).toBe(false);
  });

  it('is not one whose statements are slow', () => {
    expect(isLockedUp({ ...figures, activeSessions: 4 })).toBe(false);
    expect(isLockedUp({ ...figures, completions: 8, timeouts: 30, activeSessions: 3.5 })).toBe(false);
  });

  it('is seen in what the probes saw of a window', () => {
    const none = { count: 0, sumUs: 0, maxUs: 0, buckets: [] };
    const seen = {
      kind: 'pg',
      name: 'main',
      max: 4,
      total: 4,
      acquire: none,
      hold: none,
      timeouts: 0,
      busySampled: 4,
      pendingSampled: 12,
    };
    expect(isLockedUpIn({ pool: seen }, 0)).toBe(true);
    expect(isLockedUpIn({ pool: { ...seen, hold: { ...none, count: 3 } } })).toBe(false);
    expect(isLockedUpIn({ pool: null })).toBe(false);
  });

  const lockedUp = signals({
    throughput: 0,
    attempts: 0,
    meanMs: null,
    appCpuPercent: 1,
    pgCpuPercent: 0,
    generator: { cpuPercent: 1, loop: 0, littleRatio: null },
    pool: pool({ max: 4, busy: 4, pending: 12, waitMs: null, holdMs: null, perRequest: null, completions: 0 }),
    sessions: { active: 0, onCpu: 0, lock: 0, io: 0, idleInTransaction: 0, samples: 5 },
    knobs: { ...sampleKnobs, pool: knob('pool', 4) },
  });

  it('is the verdict, and not that the load generator did not use its connections', () => {
    for (const reason of [littleUsed, unanswered, late]) {
      const diagnosis = diagnose({ ...lockedUp, discardReasons: [reason] });
      expect(diagnosis).toMatchObject({ kind: 'pool-exhausted', confident: true });
      expect(headlineOf(diagnosis)).toBe(
        'The connection pool locked itself up: all of its 4 connections were held, 12 requests waited, and none was given back, because requests hold one connection while they wait for another.',
      );
      expect(explanationOf(diagnosis)).toContain('16 × (2 − 1) + 1 = 17');
      expect(wordedVerdict(diagnosis).actions).toContainEqual({
        kind: 'set',
        label: 'Raise “pool” from 4 to 24',
        setting: 'pool',
        value: 24,
      });
    }
    expect(diagnose({ ...lockedUp, discardReasons: [{ code: 'generator-cpu', value: 95, limit: 90 }] }).kind).toBe('invalid');
  });

  it('is the verdict where most blocks end before a wait runs out, though connections came back in one of them', () => {
    const failed = { attempts: 166, errors: { ...noErrors, total: 160, unanswered: 160 }, discardReasons: [littleUsed] };
    const between = (share: number) =>
      diagnose({
        ...lockedUp,
        ...failed,
        pool: pool({ max: 4, busy: 2.1, pending: 9, perRequest: 6.8, completions: 41, lockedUp: share }),
      });
    expect(between(0.8)).toMatchObject({ kind: 'pool-exhausted', said: { code: 'pool-locked-up', noneBack: false } });
    // Connections of requests that were never answered count, and those requests do not.
    expect(explanationOf(between(0.8))).toContain('16 requests at work that each take 2');
    expect(between(0.2).kind).toBe('invalid');
  });

  it('is the verdict though every request failed', () => {
    const failed = { attempts: 16, errors: { ...noErrors, total: 16, unanswered: 16 } };
    expect(diagnose({ ...lockedUp, ...failed }).kind).toBe('pool-exhausted');
    expect(diagnose({ ...lockedUp, ...failed, pool: pool({ max: 4, busy: 1, pending: 0 }) }).kind).toBe('invalid');
  });
});
