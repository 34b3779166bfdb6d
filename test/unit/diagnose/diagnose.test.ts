import type { Finding } from '../../../src/model/domain/findingKinds.ts';
import { describe, expect, it } from 'vitest';
import { diagnosisSchema, explanationOf, headlineOf } from '../../../src/model/domain/diagnosis.ts';
import { type DiagnosisKind, diagnosisKindSchema } from '../../../src/model/domain/diagnosisKind.ts';
import { noErrors } from '../../../src/model/domain/run.ts';
import { diagnose } from '../../../src/engine/diagnose/diagnose.ts';
import type { Signals } from '../../../src/engine/diagnose/signals.ts';
import { type WordedVerdict, wordedVerdict } from '../../support/wordedVerdict.ts';
import { knob, noCauses, nodeSignals, oneCore, pool, sampleKnobs, signals, starvedMachine } from './exampleSignals.ts';

const idle = { appCpuPercent: 20, pgCpuPercent: 10 };
const sleeping = { active: 2, onCpu: 0, lock: 0, io: 0, idleInTransaction: 0, samples: 8 };

/** A full pool of two before a database that waits: 100 requests a second of 160 ms. */
const poolLimited = (more: Partial<Signals> = {}): Signals =>
  signals({
    ...idle,
    throughput: 98,
    attempts: 800,
    meanMs: 163,
    pool: pool({ max: 2, busy: 1.99, pending: 13.8, waitMs: 141, holdMs: 20.5 }),
    sessions: sleeping,
    knobs: { ...sampleKnobs, pool: knob('pool', 2) },
    ...more,
  });

/** An app of 32 connections before a PgBouncer of 8, whose statements take 5 ms each. */
function behindBouncer(more: Partial<NonNullable<Signals['bouncer']>>): Signals {
  return signals({
    ...idle,
    connections: 64,
    throughput: 1560,
    meanMs: 41,
    pool: pool({ max: 32, busy: 31.9, pending: 31, waitMs: 20, holdMs: 20.5 }),
    sessions: { ...sleeping, active: 7.9 },
    bouncer: { mode: 'transaction', poolSize: 8, busy: 7.95, waiting: 0, waitMs: 0, clients: 32, cpuPercent: 12, ...more },
    knobs: { ...sampleKnobs, bouncerPool: knob('bouncerPool', 8) },
  });
}

/** One planted bottleneck for each verdict. */
const planted: Record<DiagnosisKind, Signals> = {
  invalid: signals({ discardReasons: [{ code: 'generator-cpu', value: 95, limit: 90 }] }),
  healthy: signals(),
  'client-limited': signals({
    connections: 1,
    throughput: 1000,
    meanMs: 1,
    appCpuPercent: 30,
    pgCpuPercent: 20,
    pool: pool({ busy: 0.3, holdMs: 0.3 }),
    threads: { name: 'qtp', max: 50, busy: 4, queue: 0 },
  }),
  'pool-limited': poolLimited(),
  'pool-exhausted': signals({
    ...idle,
    throughput: 3,
    attempts: 100,
    errors: { ...noErrors, total: 90, status5xx: 90 },
    pool: pool({ max: 4, busy: 3.9, pending: 10, timeouts: 90, holdMs: 480, perRequest: 0.4 }),
    sessions: { ...sleeping, active: 0.1 },
    knobs: { ...sampleKnobs, pool: knob('pool', 4), poolTimeoutMs: knob('poolTimeoutMs', 500) },
  }),
  'connection-leak': nodeSignals({
    ...idle,
    throughput: 0,
    pool: pool({ busy: 10, pending: 16, completions: 0, outlived: { held: 10, grew: 3, cameBack: 0 } }),
    sessions: { ...sleeping, active: 0 },
  }),
  pgbouncer: behindBouncer({ waiting: 24, waitMs: 15.3 }),
  'held-connection': signals({
    ...idle,
    throughput: 180,
    meanMs: 88,
    pool: pool({ max: 4, busy: 3.98, pending: 12, waitMs: 66, holdMs: 22 }),
    sessions: { ...sleeping, active: 0.3, idleInTransaction: 3.6 },
  }),
  'database-lock': signals({
    ...idle,
    throughput: 150,
    meanMs: 100,
    pool: pool({ max: 16, busy: 15.9, holdMs: 99 }),
    sessions: { active: 16, onCpu: 0.1, lock: 14.6, io: 0.2, idleInTransaction: 0, samples: 8 },
  }),
  'database-cpu': signals({
    appCpuPercent: 12,
    pgCpuPercent: 182,
    throughput: 100,
    meanMs: 155,
    pool: pool({ max: 8, busy: 7.9, pending: 7.8, holdMs: 78 }),
    sessions: { active: 8, onCpu: 7.9, lock: 0, io: 0, idleInTransaction: 0, samples: 8 },
  }),
  'database-io': signals({
    ...idle,
    throughput: 400,
    meanMs: 40,
    pool: pool({ busy: 9.9, pending: 6, holdMs: 25 }),
    sessions: { active: 9, onCpu: 1, lock: 0, io: 7.5, idleInTransaction: 0, samples: 8 },
  }),
  'event-loop': nodeSignals({
    eventLoop: 0.998,
    appCpuPercent: 101,
    pgCpuPercent: 0,
    pool: pool({ busy: 0 }),
    throughput: 200,
    meanMs: 80,
  }),
  gc: nodeSignals({ eventLoop: 1, appCpuPercent: 120, gc: { pauseShare: 0.42, maxPauseMs: 180 } }),
  'one-core': oneCore(),
  cpu: signals({
    appCpuPercent: 190,
    pgCpuPercent: 0,
    throughput: 380,
    meanMs: 42,
    pool: pool({ busy: 0 }),
    generator: { cpuPercent: 4, loop: 0.05, littleRatio: 0.99 },
  }),
  'thread-pool': signals({
    ...idle,
    connections: 32,
    throughput: 150,
    meanMs: 210,
    pool: pool({ max: 32, busy: 3, holdMs: 20 }),
    threads: { name: 'qtp', max: 6, busy: 6, queue: 12 },
    sessions: sleeping,
  }),
  'application-lock': signals({
    ...idle,
    throughput: 190,
    meanMs: 84,
    pool: pool({ busy: 0, holdMs: null, perRequest: 0 }),
    blocked: { threads: 15, of: 16, where: 'bulletin.limits.SharedLock.waitFor' },
  }),
  oversubscribed: signals({
    connections: 400,
    appCpuPercent: 190,
    pgCpuPercent: 0,
    throughput: 380,
    meanMs: 1050,
    pressurePercent: 99,
    threads: { name: 'qtp', max: 400, busy: 398, queue: 2 },
    pool: pool({ busy: 0, perRequest: 0 }),
  }),
  'outbound-pool': signals({
    ...idle,
    throughput: 95,
    meanMs: 165,
    outbound: pool({ name: 'documents', max: 2, busy: 1.98, pending: 13.7, waitMs: 144, holdMs: 20.8 }),
  }),
  'outbound-service': signals({
    ...idle,
    throughput: 155,
    meanMs: 103,
    pool: pool({ busy: 0, perRequest: 0 }),
    outbound: pool({ max: 64, busy: 15.6, pending: 0, holdMs: 101 }),
  }),
  proxy: nodeSignals({
    appCpuPercent: 25,
    pgCpuPercent: 10,
    eventLoop: 0.2,
    meanMs: 40,
    inFlight: 1,
    proxy: { cpuPercent: 98, workers: 1 },
  }),
  descriptors: signals({ descriptors: { open: 1020, limit: 1024 }, errors: { ...noErrors, total: 900, refused: 900 } }),
  'network-or-payload': signals({ throughput: 300, bytesPerSecond: 300 * 3_200_000, appCpuPercent: 150, pool: pool({ busy: 0 }) }),
  'unknown-wait': nodeSignals({
    ...idle,
    eventLoop: 0.04,
    throughput: 190,
    meanMs: 84,
    pool: pool({ busy: 0, holdMs: null, perRequest: 0 }),
  }),
  'busy-machine': starvedMachine(),
};

describe('diagnose', () => {
  it.each(diagnosisKindSchema.options)('names %s where it is planted, with evidence and something to do', (kind) => {
    const diagnosis = diagnose(planted[kind]);
    expect([diagnosis.kind, diagnosis.said]).toEqual([kind, diagnosis.said]);
    expect(diagnosis.evidence.filter(({ met }) => met).length).toBeGreaterThan(0);
    expect(diagnosis.actions.length).toBeGreaterThan(0);
    expect(() => diagnosisSchema.parse(diagnosis)).not.toThrow();
  });

  it.each(diagnosisKindSchema.options)('writes figures, not programs’ words, into the sentences of %s', (kind) => {
    const { headline, explanation, ruledOut, actions } = wordedVerdict(diagnose(planted[kind]));
    const sentences = [headline, explanation, ...ruledOut.map(({ because }) => because), ...actions.map(({ label }) => label)];
    for (const sentence of sentences) {
      expect(sentence).not.toMatch(/undefined|null|NaN|Infinity|\[object|an unknown (time|share)/);
      expect(sentence).toMatch(/^[A-Z0-9]/);
    }
    for (const sentence of [headline, explanation]) expect(sentence).toMatch(/[.?]$/);
  });

  it('never names anything but an invalid run where the figures are discarded', () => {
    for (const one of Object.values(planted)) {
      const diagnosis = diagnose({ ...one, discardReasons: [{ code: 'app-restarted' }] });
      expect(diagnosis).toMatchObject({ kind: 'invalid', confident: true, ruledOut: [] });
    }
  });

  it('does not count a signal as met that was not seen', () => {
    const blind: Partial<Signals> = {
      bouncer: null,
      sessions: null,
      pool: null,
      outbound: null,
      threads: null,
      eventLoop: null,
      gc: null,
      descriptors: null,
      proxy: null,
      blocked: null,
      appCpuPercent: null,
      pgCpuPercent: null,
      pressurePercent: null,
      switchesPerSecond: null,
    };
    for (const [kind, one] of Object.entries(planted)) {
      if (['invalid', 'network-or-payload'].includes(kind)) continue;
      const diagnosis = diagnose({ ...one, ...blind, errors: noErrors });
      expect(['unknown-wait', 'client-limited']).toContain(diagnosis.kind);
      expect(diagnosis.confident).toBe(false);
    }
  });
});

describe('confidence', () => {
  it('is there when every sign is seen and none is near its limit', () => {
    expect(diagnose(poolLimited())).toMatchObject({ kind: 'pool-limited', confident: true });
  });

  it('is not there when a sign was not seen', () => {
    expect(diagnose(poolLimited({ pgCpuPercent: null }))).toMatchObject({ kind: 'pool-limited', confident: false });
  });

  it('is not there when a sign is within 5 % of its limit', () => {
    expect(diagnose(poolLimited({ cores: 8, pgCpuPercent: 156 }))).toMatchObject({ kind: 'pool-limited', confident: false });
    expect(diagnose(nodeSignals({ ...planted['event-loop'], eventLoop: 0.952 }))).toMatchObject({ kind: 'event-loop', confident: false });
  });

  it('is not there when the probe gave no answer, or some requests failed', () => {
    const doubted = diagnose(poolLimited({ doubts: [{ code: 'probe-silent' }] }));
    expect(doubted).toMatchObject({ kind: 'pool-limited', confident: false });
    expect(explanationOf(doubted)).toContain('The probe in the app gave no answer, so that its pools and threads were not seen.');
    expect(diagnose(poolLimited({ errors: { ...noErrors, total: 4, reset: 4 } }))).toMatchObject({
      kind: 'pool-limited',
      confident: false,
    });
  });
});

describe('neighbours', () => {
  const kindOf = (one: Signals): DiagnosisKind => diagnose(one).kind;

  it('calls a full pool no limit when nobody waits for it', () => {
    expect(kindOf(poolLimited({ connections: 2, meanMs: 20.6, pool: pool({ max: 2, busy: 1.99, pending: 0, holdMs: 20.5 }) }))).toBe(
      'client-limited',
    );
  });

  it('calls the size of the answers the limit where what is collected is what was copied, up to a third of the time', () => {
    const collected = (pauseShare: number, bytesPerSecond: number) =>
      diagnose(
        signals({ throughput: 200, bytesPerSecond, appCpuPercent: 150, pool: pool({ busy: 0 }), gc: { pauseShare, maxPauseMs: 14 } }),
      ).kind;
    expect(collected(0.12, 6.5e8)).toBe('network-or-payload');
    expect(collected(0.12, 6.5e4)).toBe('gc');
    expect(collected(0.4, 6.5e8)).toBe('gc');
  });

  it('calls what is computed the limit, and not its collection, where the heap has room', () => {
    const collected = (pauseShare: number, usedMb: number) =>
      diagnose(
        nodeSignals({
          eventLoop: 1,
          appCpuPercent: 110,
          pgCpuPercent: 5,
          gc: { pauseShare, maxPauseMs: 9 },
          heap: { usedMb, maxMb: 4000 },
        }),
      );
    expect(collected(0.17, 100).kind).toBe('event-loop');
    expect(explanationOf(collected(0.17, 100))).toContain('17 % of the time, although only 2.5 % of the heap is in use');
    expect(collected(0.17, 3900).kind).toBe('gc');
    expect(collected(0.4, 100).kind).toBe('gc');
  });

  it('blames the database’s CPU, a lock or the client’s pool behind a full pool, and not the pool', () => {
    expect(kindOf(poolLimited({ pgCpuPercent: 190, appCpuPercent: 8 }))).toBe('database-cpu');
    expect(kindOf(poolLimited({ sessions: { ...sleeping, lock: 1.4 } }))).toBe('database-lock');
    expect(kindOf(poolLimited({ outbound: pool({ max: 2, busy: 2, pending: 5 }) }))).toBe('outbound-pool');
  });

  it('offers the SQL where the database is the limit and its statements are known', () => {
    const statements = [
      {
        sql: 'SELECT 1',
        database: 'a',
        calls: 9,
        totalMs: 97,
        meanMs: 10,
        share: 0.97,
        rows: 9,
        blocksRead: 0,
        walBytes: 0,
        bypassed: null,
        plan: null,
      },
    ];
    const limited = poolLimited({ pgCpuPercent: 190, appCpuPercent: 8 });
    expect(wordedVerdict(diagnose({ ...limited, statements })).actions[0]).toEqual({
      kind: 'sql',
      label: 'Open the SQL: one statement took 97 % of the database’s time',
    });
    expect(diagnose(limited).actions[0]?.kind).toBe('advice');
  });

  it('names the statement that connections of a full pool are mostly held for', () => {
    const named = (more: Partial<Signals>, meanMs = 18): string => {
      const [sql, calls, totalMs] = ['UPDATE stock SET left = left - 1', 800, 800 * meanMs];
      const one = {
        sql,
        database: 'a',
        calls,
        totalMs,
        meanMs,
        share: 0.97,
        rows: 9,
        blocksRead: 0,
        walBytes: 0,
        bypassed: null,
        plan: null,
      };
      return explanationOf(diagnose(poolLimited({ statements: [one], ...more })));
    };
    const said = 'held for one statement 88 % of that time, 18.0 ms each, 1 for each request: “UPDATE stock SET left = left - 1”.';
    expect(named({})).toContain(said);
    // A short part of what connections are held for, and a limit that no statement is.
    expect(named({}, 4)).not.toContain('UPDATE stock');
    expect(named({ appCpuPercent: 190, pool: pool({ busy: 0 }) })).not.toContain('UPDATE stock');
  });

  it('is not sure of work within a transaction where others used much of the CPU: between two statements an app waits for its turn, too', () => {
    const held = poolLimited({ sessions: { ...sleeping, active: 0, idleInTransaction: 1.9 } });
    expect(diagnose(held)).toMatchObject({ kind: 'held-connection', confident: true });
    expect(diagnose({ ...held, interferenceShare: 0.3 })).toMatchObject({ kind: 'held-connection', confident: true });
    expect(diagnose({ ...held, interferenceShare: 0.74 })).toMatchObject({ kind: 'held-connection', confident: false });
    const outbound = pool({ name: 'http://rates:8080', max: null, busy: 1.7, holdMs: 17 });
    expect(diagnose({ ...held, outbound, interferenceShare: 0.74 })).toMatchObject({ kind: 'held-connection', confident: true });
  });

  it('does not raise the size of one pool where half of all connections are free: another one is full', () => {
    const several = poolLimited({ pool: pool({ max: 11, busy: 1.3, pending: 15, waitMs: 90, holdMs: 8.4 }) });
    const diagnosis = diagnose(several);
    expect(diagnosis.kind).toBe('pool-limited');
    expect(headlineOf(diagnosis)).toBe(
      'One of the app’s connection pools is the limit: 15 requests waited, while 1.3 of 11 connections of all its pools were in use.',
    );
    expect(diagnosis.actions.map(({ label }) => label.code)).toEqual(['who-waits', 'which-pool']);
    expect(explanationOf(diagnosis)).not.toContain('Little’s law');
    // A shorter queue than there are connections, of which the load cannot ask for all; and hardly any wait.
    const few = poolLimited({
      connections: 16,
      meanMs: 170,
      pool: pool({ max: 52, busy: 2, pending: 10, waitMs: 51, perRequest: 2, holdMs: 10 }),
    });
    expect(diagnose(few)).toMatchObject({ kind: 'pool-limited', confident: false, said: { code: 'one-pool-full' } });
    expect(kindOf({ ...few, pool: pool({ max: 52, busy: 2, pending: 1.1, waitMs: 5, perRequest: 2, holdMs: 10 }) })).not.toBe(
      'pool-limited',
    );
    const one = diagnose(poolLimited({ pool: pool({ max: 11, busy: 10.8, pending: 15, waitMs: 90, holdMs: 8.4 }) }));
    expect(one.actions.map(({ kind }) => kind)).toContain('set');
  });

  it('is not sure of a pool whose transactions are rolled back, and says what that may mean', () => {
    const retried = (rolledBack: number) => poolLimited({ causes: { ...noCauses, rolledBack } });
    expect(diagnose(retried(0.02))).toMatchObject({ kind: 'pool-limited', confident: true });
    const diagnosis = diagnose(retried(3.4));
    expect(diagnosis).toMatchObject({ kind: 'pool-limited', confident: false });
    expect(explanationOf(diagnosis)).toContain('PostgreSQL rolled back 3.40 transactions for each request.');
    expect(diagnosis.actions.map(({ label }) => label.code)).toContain('fewer-conflicts');
    expect(explanationOf(diagnose(retried(0.02)))).not.toContain('rolled back');
  });

  it('names the service that a request waits for while it holds its connection, where that explains most of it', () => {
    const held = (outbound: Signals['outbound']) =>
      diagnose(poolLimited({ sessions: { ...sleeping, active: 0.1, idleInTransaction: 1.9 }, outbound }));
    const asked = pool({ name: 'http://rates:8080', max: null, busy: 1.7, holdMs: 17 });
    expect(held(asked)).toMatchObject({
      kind: 'held-connection',
      why: [{ elsewhere: { to: 'http://rates:8080', waitMs: 17 } }],
      actions: [{ label: { code: 'ask-apart', to: 'http://rates:8080' } }, {}, {}, {}],
    });
    const none = [{ code: 'connections-held-why', elsewhere: null }];
    expect(held(null).why).toMatchObject(none);
    // An app that waits for its turn with a connection in its hand looks alike, unless that service is what it waits for.
    const quiet = { sessions: { ...sleeping, active: 0.1 }, interferenceShare: 0.5 };
    expect(diagnose(poolLimited({ ...quiet, outbound: asked })).kind).toBe('held-connection');
    expect(kindOf(poolLimited(quiet))).not.toBe('held-connection');
    // Short calls, and longer ones than the connection is held, of which some have to be without it.
    expect(held({ ...asked, holdMs: 2 }).why).toMatchObject(none);
    expect(held({ ...asked, holdMs: 40 }).why).toMatchObject(none);
  });

  it('says that the calls of a request are sent one after another where their times add up to that of the request', () => {
    const asked = (perRequest: number, holdMs: number, busy = 15) => {
      const outbound = pool({ name: 'rates:8080', max: null, busy, perRequest, holdMs });
      return diagnose(signals({ ...idle, throughput: 180, meanMs: 88, pool: null, outbound }));
    };
    expect(asked(8, 10.5)).toMatchObject({
      kind: 'outbound-service',
      said: { to: 'rates:8080' },
      why: [{ inTurn: { calls: 8, eachMs: 10.5 } }],
      actions: [{ label: { code: 'at-the-same-time' } }, {}, {}],
    });
    // One call, and eight at the same time.
    expect(asked(1, 80).why).toMatchObject([{ inTurn: null }]);
    expect(asked(8, 80, 116).why).toMatchObject([{ inTurn: null }]);
    // Calls of requests that end after the window are counted, too.
    expect(asked(3, 36)).toMatchObject({ said: { meanMs: 88, waitMs: 88 }, why: [{ inTurn: { calls: 3 } }] });
  });

  it('supposes a limit in the app where always as many requests are past it, and the others wait', () => {
    const few = { busy: 2, holdMs: 14.8, always: 2 };
    const asking = (more: Partial<Signals>) =>
      diagnose(nodeSignals({ ...idle, eventLoop: 0.2, throughput: 135, meanMs: 118, pool: null, ...more }));
    expect(asking({ outbound: pool({ ...few, name: 'http://rates:8080', max: null }) })).toMatchObject({
      kind: 'application-lock',
      confident: false,
      said: { code: 'app-lets-few', few: 2, to: 'http://rates:8080', database: false },
    });
    expect(asking({ pool: pool(few) }).said).toMatchObject({ code: 'app-lets-few', database: true });
    // A number that varies, and as many as there are requests.
    expect(asking({ outbound: pool({ ...few, always: null, max: null }) }).kind).toBe('unknown-wait');
    expect(asking({ connections: 3, meanMs: 40, throughput: 70, outbound: pool({ ...few, max: null }) }).kind).not.toBe('application-lock');
  });

  it('blames the event loops of a JVM’s server where all of them work or are blocked all the time', () => {
    const loops = (busy: number, count: number, more: Partial<Signals> = {}, busiest = busy / count) =>
      diagnose(
        signals({
          ...idle,
          threads: null,
          throughput: 140,
          meanMs: 114,
          pool: pool({ busy: 0.9, holdMs: 7 }),
          serverLoops: { name: 'loop', count, busy, busiest },
          ...more,
        }),
      );
    expect(loops(0.99, 1)).toMatchObject({
      kind: 'event-loop',
      confident: true,
      said: { computes: false },
      actions: [{ kind: 'advice' }, { event: 'wall' }],
    });
    expect(loops(1.98, 2, { appCpuPercent: 130, pgCpuPercent: 5 })).toMatchObject({
      kind: 'event-loop',
      said: { computes: true },
      actions: [{ event: 'cpu' }, {}],
    });
    // One of two has all connections.
    expect(loops(1.02, 2, {}, 0.97).kind).toBe('event-loop');
    // However much of the CPU others take, blocked loops do not ask for it.
    expect(loops(0.99, 1, { appCpuPercent: 9, pgCpuPercent: 40, interferenceShare: 0.7 })).toMatchObject({
      kind: 'event-loop',
      said: { computes: false },
    });
    // Both have time to spare; the pool is what blocks them; the CPU is full.
    expect(loops(1.1, 2).kind).not.toBe('event-loop');
    expect(loops(0.99, 1, { pool: pool({ max: 1, busy: 1, pending: 2, holdMs: 7 }) }).kind).not.toBe('event-loop');
    expect(loops(1.99, 2, { appCpuPercent: 190 }).kind).toBe('cpu');
  });

  it('does not take a statement that few samples missed for a connection held for nothing', () => {
    const few = { active: 0.7, onCpu: 0, lock: 0, io: 0, idleInTransaction: 0 };
    expect(kindOf(poolLimited({ sessions: { ...few, samples: 3 } }))).toBe('pool-limited');
    expect(kindOf(poolLimited({ sessions: { ...few, samples: 300 } }))).toBe('held-connection');
  });

  it('blames the pool, and not the threads that stand in its queue', () => {
    expect(kindOf(poolLimited({ threads: { name: 'qtp', max: 16, busy: 16, queue: 3 } }))).toBe('pool-limited');
  });

  it('calls short holds round trips, not connections held for nothing', () => {
    const quick = pool({ max: 2, busy: 1.97, pending: 4, waitMs: 1, holdMs: 0.5 });
    expect(kindOf(poolLimited({ throughput: 3900, meanMs: 1.7, pool: quick, sessions: { ...sleeping, active: 0.5 } }))).toBe(
      'pool-limited',
    );
  });

  it('calls one full event loop the CPU when no core is idle', () => {
    expect(
      kindOf(
        nodeSignals({ eventLoop: 0.99, appCpuPercent: 104, pgCpuPercent: 48, generator: { cpuPercent: 44, loop: 0.5, littleRatio: 0.99 } }),
      ),
    ).toBe('cpu');
  });

  it('calls a full share of the CPU the CPU, though the machine has room', () => {
    const shared = nodeSignals({
      eventLoop: 0.99,
      appCpuPercent: 49,
      appCores: 0.5,
      isShared: true,
      generator: { cpuPercent: 5, loop: 0.1, littleRatio: 0.99 },
    });
    expect(diagnose(shared)).toMatchObject({
      kind: 'cpu',
      actions: [
        { kind: 'record', event: 'cpu' },
        { kind: 'instances', instances: 2 },
      ],
    });
  });

  it('says what speaks against the neighbour that was nearest', () => {
    const { ruledOut } = wordedVerdict(diagnose(poolLimited({ sessions: { ...sleeping, lock: 0.5 } })));
    expect(ruledOut.find(({ kind }) => kind === 'database-lock')?.because).toBe(
      'Active sessions that wait for a lock: 0.5 of 2.0, and ≥ 30 % would speak for it.',
    );
  });

  it('names failed requests before a load generator that they kept busy, and after a program that ended', () => {
    const errors = { ...noErrors, total: 35_486, status5xx: 35_486 };
    const failed = { attempts: 35_486, throughput: 0, meanMs: null, errors };
    const saturated = { code: 'generator-cpu', value: 95, limit: 90 } as const;
    const headline = (discardReasons: readonly Finding[]): string =>
      headlineOf(diagnose(signals({ ...failed, discardReasons, interferenceShare: 0.6 })));
    expect(headline([saturated])).toBe('100 % of the requests failed: 35,486 were answered with a server error.');
    expect(headline([])).toBe('100 % of the requests failed: 35,486 were answered with a server error.');
    expect(headline([{ code: 'app-restarted' }])).toContain('the app was restarted or died');
  });

  it('takes failed requests for the verdict where a full pool explains them, else for a discarded run', () => {
    const errors = { ...noErrors, total: 80, status5xx: 80 };
    expect(kindOf(poolLimited({ errors, pool: pool({ max: 2, busy: 2, pending: 14, timeouts: 80, waitMs: 240, holdMs: 100 }) }))).toBe(
      'pool-exhausted',
    );
    expect(kindOf(poolLimited({ errors }))).toBe('invalid');
  });

  it('names what is nearly full, without confidence, where nothing is full', () => {
    expect(diagnose(signals({ appCpuPercent: 100, pgCpuPercent: 45 }))).toMatchObject({ kind: 'cpu', confident: false });
    // As measured of the Node sample: the loop counts as busy while it waits for a core that PostgreSQL has.
    const loop = { eventLoop: 0.91, appCpuPercent: 61, pgCpuPercent: 94, interferenceShare: 0 };
    expect(diagnose(nodeSignals({ ...loop, allWantedPercent: 221 }))).toMatchObject({ kind: 'cpu', confident: false });
    expect(diagnose(nodeSignals({ ...loop, allWantedPercent: 190 }))).toMatchObject({ kind: 'event-loop', confident: false });
  });

  it('calls a load at a fixed rate healthy that leaves room, and a closed loop that leaves as much too small', () => {
    const few = { connections: 4, meanMs: 2.5, appCpuPercent: 30, pgCpuPercent: 20, threads: null };
    expect(kindOf(signals({ ...few, load: 'paced' }))).toBe('healthy');
    expect(kindOf(signals(few))).toBe('client-limited');
  });
});

describe('actions', () => {
  const first = (one: Signals): WordedVerdict['actions'][number] | undefined => wordedVerdict(diagnose(one)).actions[0];

  it('raises the pool to what the load needs by Little’s law, as a usual size, within its range', () => {
    // 16 connections ÷ (163 − 141) ms × 20.5 ms = 14.9
    expect(first(poolLimited())).toEqual({ kind: 'set', label: 'Raise “pool” from 2 to 16', setting: 'pool', value: 16 });
    expect(first(poolLimited({ knobs: { ...sampleKnobs, pool: knob('pool', 2, 12) } }))).toMatchObject({ value: 12 });
  });

  it('names only settings that the target has', () => {
    for (const kind of diagnosisKindSchema.options) {
      const none = {
        pool: null,
        poolTimeoutMs: null,
        threads: null,
        outboundPool: null,
        outboundClient: null,
        heapMb: null,
        workers: null,
        searchIn: null,
        bouncerPool: null,
      };
      for (const action of diagnose({ ...planted[kind], knobs: none }).actions) expect(['set', 'tune']).not.toContain(action.kind);
    }
  });

  it('raises a pool that blocks itself to the floor at which it cannot', () => {
    const { actions, explanation } = wordedVerdict(diagnose(planted['pool-exhausted']));
    expect(explanation).toContain('16 × (2 − 1) + 1 = 17');
    expect(actions).toContainEqual({ kind: 'set', label: 'Raise “pool” from 4 to 24', setting: 'pool', value: 24 });
  });

  it('raises the client’s pool, adds an instance, records what waits', () => {
    expect(first(planted['outbound-pool'])).toMatchObject({ kind: 'set', setting: 'documentPool', value: 16 });
    expect(wordedVerdict(diagnose(planted['event-loop'])).actions).toContainEqual({
      kind: 'instances',
      label: 'Add an instance: 2 in place of 1',
      instances: 2,
    });
    expect(first(planted['unknown-wait'])).toMatchObject({ kind: 'record', event: 'wall' });
    expect(first(planted['application-lock'])).toMatchObject({ kind: 'record', event: 'lock' });
    expect(first(planted['client-limited'])).toMatchObject({ kind: 'connections', connections: 2 });
    expect(first(planted.oversubscribed)).toMatchObject({ kind: 'set', setting: 'threads', value: 4 });
  });
});
