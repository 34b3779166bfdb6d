import type { Finding } from '../../../src/model/domain/findingKinds.ts';
import { describe, expect, it } from 'vitest';
import { explanationOf, headlineOf } from '../../../src/model/domain/diagnosis.ts';
import type { DiagnosisKind } from '../../../src/model/domain/diagnosisKind.ts';
import { noErrors } from '../../../src/model/domain/run.ts';
import { diagnose } from '../../../src/engine/diagnose/diagnose.ts';
import type { Signals } from '../../../src/engine/diagnose/signals.ts';
import { wordedVerdict } from '../../support/wordedVerdict.ts';
import { idle, noCauses, nodeSignals, pool, poolLimited, signals, sleeping } from './exampleSignals.ts';
import { exampleStatement } from '../../support/exampleStatement.ts';

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
    const statements = [exampleStatement({ calls: 1500, totalMs: 15_000, meanMs: 10, share: 0.97, rows: 9 })];
    const limited = poolLimited({ pgCpuPercent: 190, appCpuPercent: 8 });
    expect(wordedVerdict(diagnose({ ...limited, statements })).actions[0]).toEqual({
      kind: 'sql',
      label: 'Open the SQL: one statement took 97 % of the database’s time',
    });
    expect(diagnose(limited).actions[0]?.kind).toBe('advice');
  });

  it('names the statement that connections of a full pool are mostly held for', () => {
    const named = (more: Partial<Signals>, meanMs = 18): string => {
      const sql = 'UPDATE stock SET left = left - 1';
      const one = exampleStatement({ sql, calls: 800, totalMs: 800 * meanMs, meanMs, share: 0.97, rows: 9 });
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

  it('takes callers that left a pool for requests that it failed only where it was full, or where requests did fail', () => {
    const left = pool({ max: 100, busy: 12.8, pending: 0, timeouts: 7, waitMs: 6, holdMs: 75 });
    expect(kindOf(signals({ pool: left, attempts: 866 }))).not.toBe('pool-exhausted');
    const failed = { ...noErrors, total: 7, status5xx: 7 };
    expect(kindOf(signals({ pool: left, attempts: 866, errors: failed }))).toBe('pool-exhausted');
  });

  it('names what is nearly full, without confidence, where nothing is full', () => {
    expect(diagnose(signals({ appCpuPercent: 100, pgCpuPercent: 45 }))).toMatchObject({ kind: 'cpu', confident: false });
    // As measured of the Node sample: the loop counts as busy while it waits for a core that PostgreSQL has.
    const loop = { eventLoop: 0.91, appCpuPercent: 61, pgCpuPercent: 94, interferenceShare: 0 };
    expect(diagnose(nodeSignals({ ...loop, allWantedPercent: 221 }))).toMatchObject({ kind: 'cpu', confident: false });
    expect(diagnose(nodeSignals({ ...loop, allWantedPercent: 190 }))).toMatchObject({ kind: 'event-loop', confident: false });
  });

  it('bounds what a processor that is nearly full can carry more, and looks for what takes the time before it asks for more load', () => {
    const { said, why, actions } = diagnose(signals({ appCpuPercent: 100, pgCpuPercent: 48, interferenceShare: 0 }));
    expect(said).toEqual({ code: 'nearly-full', most: 'machine-cpu', share: 0.84 });
    expect(why[0]).toEqual({ code: 'nearly-full-processor', gain: expect.closeTo(0.19, 2) as unknown });
    expect(actions.map(({ kind }) => kind).slice(0, 2)).toEqual(['record', 'connections']);
  });

  it('says that all of it is in use where it is full and nothing else shows that it limits', () => {
    const full = {
      appCpuPercent: 94,
      pgCpuPercent: 60,
      eventLoop: 0.94,
      interferenceShare: 0,
      connections: 32,
      generator: { cpuPercent: 18, loop: 0.3, littleRatio: 1 },
    };
    const queue = { max: 10, busy: 10, pending: 8, waitMs: 0.7, holdMs: 0.9, perRequest: 1 };
    expect(diagnose(nodeSignals({ ...full, pool: pool(queue) }))).toMatchObject({
      kind: 'pool-limited',
      confident: false,
      said: { code: 'used-up', most: 'pool' },
      why: expect.arrayContaining([{ code: 'used-up-why' }]) as unknown,
    });
  });

  it('calls a load at a fixed rate healthy that leaves room, and a closed loop that leaves as much too small', () => {
    const few = { connections: 4, meanMs: 2.5, appCpuPercent: 30, pgCpuPercent: 20, threads: null };
    expect(kindOf(signals({ ...few, load: 'paced' }))).toBe('healthy');
    expect(kindOf(signals(few))).toBe('client-limited');
  });
});
