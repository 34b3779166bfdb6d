import { describe, expect, it } from 'vitest';
import { diagnose } from '../../../src/engine/diagnose/diagnose.ts';
import type { OneOfPools, PoolSignals } from '../../../src/engine/diagnose/signals.ts';
import { explanationOf, headlineOf } from '../../../src/model/domain/diagnosis.ts';
import { exampleStatement } from '../../support/exampleStatement.ts';
import { idle, knob, pool, poolLimited, sampleKnobs, sleeping } from './exampleSignals.ts';

/** A pool of one connection for an audit, all of the time in use. */
const audit: OneOfPools = {
  name: 'shop at db:5432',
  madeAt: 'app.mjs:5',
  max: 1,
  busy: 0.98,
  pending: 14,
  waitMs: 140,
  holdMs: 8,
  perRequest: 1,
  isOnlyOfSize: true,
};
const main: OneOfPools = { ...audit, madeAt: 'app.mjs:4', max: 10, busy: 9.9, pending: 12 };

const judged = (sum: Partial<PoolSignals>, mostWaited: OneOfPools | null, more: Parameters<typeof poolLimited>[0] = {}) =>
  diagnose(
    poolLimited({
      ...idle,
      sessions: { ...sleeping, active: sum.busy ?? 0 },
      pool: pool({ ...sum, mostWaited }),
      knobs: { ...sampleKnobs, pool: knob('pool', 10) },
      ...more,
    }),
  );

describe('an app with several pools', () => {
  it.each([1.3, 7, 10.9])('is limited by the small one that is full, whatever the others have in use (%d of 11 in all)', (busy) => {
    const diagnosis = judged({ max: 11, busy, pending: 14, waitMs: 70, holdMs: 8, perRequest: 2 }, audit);
    expect(diagnosis).toMatchObject({ kind: 'pool-limited', said: { code: 'one-pool-full', max: 1, madeAt: 'app.mjs:5' } });
    expect(headlineOf(diagnosis)).toContain('made at app.mjs:5: its only connection was always busy and 14 requests waited');
    expect(explanationOf(diagnosis)).toContain('it is not the pool that “pool” sets');
    expect(diagnosis.actions[0]).toMatchObject({ kind: 'advice', label: { code: 'larger-of-several', max: 1, madeAt: 'app.mjs:5' } });
    expect(diagnosis.actions.map(({ kind }) => kind)).not.toContain('set');
  });

  it('gets the setting of the full one raised, where its size shows that the setting is its own', () => {
    const sum = { max: 20, busy: 11, pending: 12, waitMs: 70, holdMs: 8, perRequest: 2 };
    const diagnosis = judged(sum, main);
    expect(diagnosis).toMatchObject({ kind: 'pool-limited', said: { max: 10 } });
    expect(diagnosis.actions[0]).toMatchObject({ kind: 'set', setting: 'pool' });
    const unsure = judged(sum, { ...main, isOnlyOfSize: false });
    expect(explanationOf(unsure)).toContain('was not seen');
    expect(unsure.actions.map(({ kind }) => kind)).not.toContain('set');
  });

  it('has its full pool raised first, since it is not seen which of them a query for each row is sent through', () => {
    const sum = { max: 20, busy: 11, pending: 12, waitMs: 70, holdMs: 1, perRequest: 21 };
    const statements = [
      exampleStatement({ sql: 'SELECT name FROM author WHERE id = $1', calls: 20_000, totalMs: 1_000, meanMs: 0.05, share: 1 }),
    ];
    const labels = judged(sum, main, { attempts: 1_000, statements }).actions.map(({ label }) => label.code);
    expect(labels[0]).toBe('resize');
    expect(labels).toContain('one-query');
    const alone = judged({ ...sum, max: 10, busy: 9.9 }, null, { attempts: 1_000, statements }).actions;
    expect(alone[0]).toMatchObject({ label: { code: 'one-query' } });
  });

  it('is not limited by a pool that hardly anybody waits for', () => {
    expect(judged({ max: 11, busy: 1.3, pending: 0.4, waitMs: 2, holdMs: 8 }, { ...audit, pending: 0.4, busy: 0.6 }).kind).not.toBe(
      'pool-limited',
    );
  });

  it('holds connections idle only where the full pool does, and not another one that waits for it', () => {
    const held = { sessions: { ...sleeping, active: 1, idleInTransaction: 9.9 } };
    const sum = { max: 11, busy: 10.9, pending: 15, waitMs: 70, holdMs: 40, perRequest: 2 };
    expect(judged(sum, audit, held)).toMatchObject({ kind: 'pool-limited', said: { max: 1 } });
    expect(judged(sum, main, held)).toMatchObject({ kind: 'held-connection', said: { max: 10 } });
  });

  it('has one pool where requests use no other', () => {
    const diagnosis = judged({ max: 11, busy: 10.8, pending: 15, waitMs: 90, holdMs: 8.4 }, null);
    expect(diagnosis).toMatchObject({ kind: 'pool-limited', said: { code: 'pool-full' } });
    expect(diagnosis.actions.map(({ kind }) => kind)).toContain('set');
  });
});
