import { describe, expect, it } from 'vitest';
import { explanationOf, headlineOf } from '../../../src/model/domain/diagnosis.ts';
import { noErrors } from '../../../src/model/domain/run.ts';
import { diagnose } from '../../../src/engine/diagnose/diagnose.ts';
import type { PoolSignals, Signals } from '../../../src/engine/diagnose/signals.ts';
import { knob, nodeSignals, pool, sampleKnobs } from './exampleSignals.ts';

const quiet = { active: 0, onCpu: 0, lock: 0, io: 0, idleInTransaction: 0, samples: 5 };

/** A pool of ten that is full and gives nothing back. */
function dry(outlived: PoolSignals['outlived'], more: Partial<Signals> = {}, ofPool: Partial<PoolSignals> = {}): Signals {
  return nodeSignals({
    throughput: 0,
    attempts: 0,
    meanMs: null,
    eventLoop: 0,
    appCpuPercent: 1,
    pgCpuPercent: 0,
    generator: { cpuPercent: 1, loop: 0, littleRatio: null },
    discardReasons: [{ code: 'nothing-answered' }],
    pool: pool({ max: 10, busy: 10, pending: 16, waitMs: null, holdMs: null, perRequest: null, completions: 0, outlived, ...ofPool }),
    sessions: quiet,
    knobs: { ...sampleKnobs, pool: knob('pool', 10) },
    ...more,
  });
}

describe('a pool that is dry', () => {
  it('leaked where its connections outlived the requests that took them', () => {
    const diagnosis = diagnose(dry({ held: 10, grew: 0, cameBack: 0 }));
    expect(diagnosis).toMatchObject({ kind: 'connection-leak', confident: true });
    expect(headlineOf(diagnosis)).toBe(
      'Connections leak, and the pool is dry: 10 of its 10 connections were taken by requests that are over and never given back, and 16 requests waited.',
    );
    expect(diagnosis.actions.map(({ kind }) => kind)).toEqual(['advice']);
  });

  it('leaked at the places that are known, which then need not be logged by the pool', () => {
    const unknown = diagnose(dry({ held: 10, grew: 0, cameBack: 0 }, { runtime: 'jvm' }));
    expect(unknown.actions.map(({ label }) => label.code)).toContain('log-leaks');
    const places = [
      { at: 'shop.Orders.read (Orders.java:42)', count: 4 },
      { at: 'shop.Carts.read (Carts.java:7)', count: 1 },
    ];
    const known = diagnose(dry({ held: 10, grew: 0, cameBack: 0, places }, { runtime: 'jvm' }));
    expect(known).toMatchObject({ kind: 'connection-leak', confident: true, said: unknown.said });
    expect(explanationOf(known)).toContain(
      '4 of the 10 are known to have been taken at shop.Orders.read (Orders.java:42), 1 at shop.Carts.read (Carts.java:7).',
    );
    expect(known.actions.map(({ label }) => label.code)).not.toContain('log-leaks');
  });

  it('leaked though those who wait give up', () => {
    const failing = { attempts: 80, throughput: 0, discardReasons: [], errors: { ...noErrors, total: 80, status5xx: 80 } };
    const diagnosis = diagnose(dry({ held: 9, grew: 2, cameBack: 0 }, failing, { timeouts: 80 }));
    expect(diagnosis).toMatchObject({ kind: 'connection-leak', confident: true });
    expect(explanationOf(diagnosis)).toContain('25.0 of every 1,000 requests lost one');
  });

  it('leaked so many of all that were taken since the app began, where it was dry before it was measured', () => {
    expect(explanationOf(diagnose(dry({ held: 10, grew: 0, cameBack: 0, lentInAll: 400 })))).toContain(
      'Since it began, 10 of the 400 that were taken were lost, 25.0 of every 1,000.',
    );
  });

  it('has two causes where nobody knows whether the requests that took its connections are over', () => {
    const diagnosis = diagnose(dry({ held: 0, grew: 0, cameBack: 0, unsure: 8 }));
    expect(diagnosis).toMatchObject({ kind: 'pool-exhausted', confident: false });
    expect(headlineOf(diagnosis)).toMatch(/^The connection pool came to a stand/);
    expect(explanationOf(diagnosis)).toContain('of 8 it is not known');
    expect(diagnose(dry({ held: 0, grew: 0, cameBack: 0, unsure: 2 }))).toMatchObject({ kind: 'pool-exhausted', confident: true });
  });

  it('locked itself up where requests under way hold it', () => {
    const diagnosis = diagnose(dry({ held: 0, grew: 0, cameBack: 0 }));
    expect(diagnosis).toMatchObject({ kind: 'pool-exhausted', confident: true });
    expect(headlineOf(diagnosis)).toContain('because requests hold one connection while they wait for another');
  });

  it.each([null, { held: 3, grew: 1, cameBack: 0 }, { held: 6, grew: 6, cameBack: 40 }])(
    'is told with both causes where it is not known who holds it (%o)',
    (outlived) => {
      const diagnosis = diagnose(dry(outlived));
      expect(diagnosis.kind).toBe('pool-exhausted');
      expect(headlineOf(diagnosis)).not.toContain('because');
      expect(explanationOf(diagnosis)).toContain('or requests end without giving theirs back');
      expect(diagnosis.confident).toBe(outlived !== null);
    },
  );

  it('is no leak while statements run', () => {
    const slow = dry({ held: 6, grew: 6, cameBack: 0 }, { sessions: { ...quiet, active: 10 } });
    expect(diagnose(slow).kind).not.toBe('connection-leak');
  });
});

describe('a pool that loses connections and is not dry', () => {
  const losing = (outlived: PoolSignals['outlived']): Signals => nodeSignals({ pool: pool({ outlived }) });

  it('keeps the verdict on what limits the app, and says beside it when it will be dry', () => {
    const [whole, leaking] = [diagnose(losing({ held: 0, grew: 0, cameBack: 0 })), diagnose(losing({ held: 4, grew: 4, cameBack: 0 }))];
    expect(leaking).toMatchObject({ kind: whole.kind, confident: whole.confident, said: whole.said });
    expect(leaking.actions.slice(0, whole.actions.length)).toEqual(whole.actions);
    // 4 of 16,000 requests lost one, at 2,000 a second: one in 2 s.
    expect(explanationOf(leaking)).toContain(
      'Connections seem to leak, too: 4 were taken by requests that are over and were not given back, 0.250 of every 1,000 requests. At this rate the 6 that are left of 10 last for about 12.0 s of this load.',
    );
  });

  it('is not one that lent a connection to a job, or whose work goes on behind an answer', () => {
    for (const outlived of [
      { held: 1, grew: 1, cameBack: 0 },
      { held: 5, grew: 0, cameBack: 0 },
      { held: 4, grew: 4, cameBack: 9 },
    ])
      expect(explanationOf(diagnose(losing(outlived)))).not.toContain('leak');
  });
});
