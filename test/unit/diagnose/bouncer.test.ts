import { describe, expect, it } from 'vitest';
import { noErrors } from '../../../src/model/domain/run.ts';
import { diagnose } from '../../../src/engine/diagnose/diagnose.ts';
import type { Signals } from '../../../src/engine/diagnose/signals.ts';
import { wordedVerdict } from '../../support/wordedVerdict.ts';
import { knob, pool, sampleKnobs, signals } from './exampleSignals.ts';

/** An app of 32 connections before a PgBouncer of 8 in transaction mode: statements of 5 ms, 64 users. */
function before(bouncer: Partial<NonNullable<Signals['bouncer']>>, more: Partial<Signals> = {}): Signals {
  return signals({
    connections: 64,
    throughput: 1560,
    attempts: 12_480,
    meanMs: 41,
    appCpuPercent: 20,
    pgCpuPercent: 10,
    pool: pool({ max: 32, busy: 31.9, pending: 31, waitMs: 20, holdMs: 20.5 }),
    sessions: { active: 7.9, onCpu: 0, lock: 0, io: 0, idleInTransaction: 0, samples: 8 },
    bouncer: { mode: 'transaction', poolSize: 8, busy: 7.95, waiting: 24, waitMs: 15.3, clients: 32, cpuPercent: 12, ...bouncer },
    knobs: { ...sampleKnobs, bouncerPool: knob('bouncerPool', 8) },
    ...more,
  });
}

describe('a PgBouncer before PostgreSQL', () => {
  it('is the limit while statements wait for its connections, and not the app’s pool that is full because of it', () => {
    const { kind, headline, confident, actions } = wordedVerdict(diagnose(before({})));
    expect(kind).toBe('pgbouncer');
    expect(headline).toBe(
      'PgBouncer’s pool of 8 is the limit: all 8 of its connections were always busy and 24 of the app’s connections waited for one.',
    );
    expect(confident).toBe(true);
    expect(actions[0]).toMatchObject({ kind: 'set', setting: 'bouncerPool' });
    expect(actions).toContainEqual(expect.objectContaining({ kind: 'tune', setting: 'bouncerPool' }));
  });

  it('is not the limit where nobody waits for it: then it is the app’s own pool', () => {
    const { kind } = diagnose(before({ poolSize: 64, busy: 31.5, waiting: 0, waitMs: 0 }, { sessions: { ...none, active: 31 } }));
    expect(kind).toBe('pool-limited');
  });

  it('does not take connections whose statements wait there for connections that are held idle', () => {
    // Of 31.9 connections in use 8 have a statement at work and 24 one that waits: without the second figure three quarters would look idle.
    expect(diagnose(before({ waiting: 24 })).kind).not.toBe('held-connection');
    expect(diagnose(before({ waiting: 0, busy: 7, poolSize: 32 })).kind).toBe('held-connection');
  });

  it('is full by its one thread, too', () => {
    const { kind, headline } = wordedVerdict(
      diagnose(before({ cpuPercent: 97, waiting: 0, busy: 3 }, { pool: pool({ max: 32, busy: 20 }) })),
    );
    expect(kind).toBe('pgbouncer');
    expect(headline).toContain('its one thread used 97 % of a core');
  });

  it('explains requests that gave up waiting for the app’s own pool', () => {
    const dry = before({}, { pool: pool({ max: 32, busy: 31.9, pending: 31, timeouts: 40, completions: 12_000 }) });
    const { kind, explanation } = wordedVerdict(diagnose(dry));
    expect(kind).toBe('pgbouncer');
    expect(explanation).toContain('(40)');
  });

  it('explains requests that fail in session mode, where connections beyond its pool never get one', () => {
    const starved = before(
      { mode: 'session', waiting: 24 },
      {
        errors: { ...noErrors, total: 400, timeout: 400 },
        discardReasons: [{ code: 'answers-missing', count: 48 }],
        pool: pool({ max: 32, busy: 31.9, pending: 31, timeouts: 30, completions: 12_000 }),
      },
    );
    const { kind, explanation } = wordedVerdict(diagnose(starved));
    expect(kind).toBe('pgbouncer');
    expect(explanation).toContain('of 32 connections of the app’s pools only 8 have one');
  });
});

const none = { active: 0, onCpu: 0, lock: 0, io: 0, idleInTransaction: 0, samples: 8 };
