import { describe, expect, it } from 'vitest';
import { noErrors } from '../../../src/model/domain/run.ts';
import { explanationOf, headlineOf } from '../../../src/model/domain/diagnosis.ts';
import { diagnose } from '../../../src/engine/diagnose/diagnose.ts';
import { diagnoseWithDumps, wantsThreadDumps } from '../../../src/engine/diagnose/threadDumps.ts';
import type { Signals } from '../../../src/engine/diagnose/signals.ts';
import { knob, pool, sampleKnobs, signals } from './exampleSignals.ts';

/** 16 requests that take 84 ms, and nothing that is watched accounts for it. */
const unknown = signals({
  appCpuPercent: 20,
  pgCpuPercent: 5,
  throughput: 190,
  meanMs: 84,
  pool: pool({ busy: 0, holdMs: null, perRequest: 0 }),
});

const idle = { state: 'TIMED_WAITING', where: 'idle: waits for work', count: 30 };
const files = ['dump-1.txt', 'dump-2.txt', 'dump-3.txt'];

describe('thread dumps', () => {
  it('are wanted where it is not known what requests wait for', () => {
    const wants = (of: Signals): boolean => wantsThreadDumps(diagnose(of), of);
    expect(wants(unknown)).toBe(true);
    expect(wants(signals())).toBe(false);
    expect(wantsThreadDumps(null, unknown)).toBe(false);
    expect(wants({ ...unknown, interferenceShare: 0.3 })).toBe(true);
    expect(wants({ ...unknown, discardReasons: [{ code: 'generator-cpu', value: 95, limit: 90 }] })).toBe(false);
  });

  it('are wanted where other programs fill the machine, but not where the app does', () => {
    const filled = { ...unknown, meanMs: 20, connections: 3, appCpuPercent: 22, interferenceShare: 0.8 };
    expect(diagnose(filled).kind).toBe('busy-machine');
    expect(wantsThreadDumps(diagnose(filled), filled)).toBe(true);
    const busy = signals({ appCpuPercent: 190 });
    expect(diagnose(busy).kind).toBe('cpu');
    expect(wantsThreadDumps(diagnose(busy), busy)).toBe(false);
  });

  it('are wanted where connections are held and nothing is asked on them, and show the lock that they are held for', () => {
    const held = signals({
      appCpuPercent: 10,
      pgCpuPercent: 3,
      throughput: 190,
      meanMs: 84,
      knobs: { ...sampleKnobs, pool: knob('pool', 4) },
      pool: pool({ max: 4, busy: 3.99, pending: 12, waitMs: 63, holdMs: 21 }),
      sessions: { active: 0.1, onCpu: 0, lock: 0, io: 0, idleInTransaction: 3.9, samples: 8 },
    });
    expect(diagnose(held).kind).toBe('held-connection');
    expect(wantsThreadDumps(diagnose(held), held)).toBe(true);
    const locked = {
      threads: 50,
      groups: [
        idle,
        { state: 'TIMED_WAITING', where: 'HikariCP getConnection', count: 12 },
        { state: 'BLOCKED', where: 'monitor of app.Lock', count: 3 },
        { state: 'TIMED_WAITING', where: 'sleep in app.Pause', count: 1 },
      ],
    };
    const diagnosis = diagnoseWithDumps(held, [locked, locked, locked], files);
    expect(diagnosis).toMatchObject({ kind: 'application-lock', confident: true, threadDumps: files });
    expect(headlineOf(diagnosis)).toContain('3 of 4 request threads');
    expect(explanationOf(diagnosis)).toContain('hold a database connection while they wait');
    const sleeping = { threads: 50, groups: [idle, { state: 'TIMED_WAITING', where: 'sleep in app.Pause', count: 4 }] };
    expect(diagnoseWithDumps(held, [sleeping], files)).toMatchObject({ kind: 'held-connection', threadDumps: files });
    const where = 'answer of another service in Orders.pay, Orders.java:31';
    const groups = [
      { state: 'TIMED_WAITING', where: 'HikariCP getConnection', count: 12 },
      { state: 'WAITING', where, count: 4 },
    ];
    const paying = diagnoseWithDumps(held, [{ threads: 16, groups }], files);
    expect(paying.kind).toBe('held-connection');
    expect(explanationOf(paying)).toContain(`4 of 4 request threads that were not in the queue at: ${where}.`);
  });

  it('show the lock with a pool of two, of which one connection has it and one waits', () => {
    const two = signals({
      appCpuPercent: 10,
      pgCpuPercent: 3,
      throughput: 190,
      meanMs: 84,
      knobs: { ...sampleKnobs, pool: knob('pool', 2) },
      pool: pool({ max: 2, busy: 1.99, pending: 14, waitMs: 73, holdMs: 10.4 }),
      sessions: { active: 1, onCpu: 0, lock: 0, io: 0, idleInTransaction: 0, samples: 8 },
    });
    expect(diagnose(two).kind).toBe('pool-limited');
    expect(wantsThreadDumps(diagnose(two), two)).toBe(true);
    const locked = {
      threads: 50,
      groups: [
        { state: 'TIMED_WAITING', where: 'HikariCP getConnection', count: 14 },
        { state: 'BLOCKED', where: 'monitor of app.Lock', count: 1 },
        { state: 'RUNNABLE', where: 'socket read in app.Query', count: 1 },
      ],
    };
    expect(diagnoseWithDumps(two, [locked, locked, locked], files).kind).toBe('application-lock');
  });

  it('show the lock that most threads at work wait for; idle ones do not count', () => {
    const blocked = {
      threads: 46,
      groups: [
        idle,
        { state: 'BLOCKED', where: 'monitor of bulletin.limits.SharedLock', count: 15 },
        { state: 'TIMED_WAITING', where: 'sleep in bulletin.limits.Pause', count: 1 },
      ],
    };
    const diagnosis = diagnoseWithDumps(unknown, [blocked, blocked, blocked], files);
    expect(diagnosis).toMatchObject({ kind: 'application-lock', confident: true, threadDumps: files });
    expect(headlineOf(diagnosis)).toBe(
      'A lock in the app is the limit: 15 of 16 request threads waited for it (monitor of bulletin.limits.SharedLock).',
    );
  });

  it('show a pool that no probe watched', () => {
    const waiting = (where: string): Parameters<typeof diagnoseWithDumps>[1] => [
      { threads: 44, groups: [idle, { state: 'TIMED_WAITING', where, count: 14 }] },
    ];
    const unwatched = { ...unknown, pool: null, knobs: { ...sampleKnobs, pool: knob('pool', 2) } };
    expect(diagnoseWithDumps(unwatched, waiting('dbcp2 borrowObject'), files)).toMatchObject({ kind: 'pool-limited' });
    expect(diagnoseWithDumps(unwatched, waiting('HttpClient pool lease'), files)).toMatchObject({ kind: 'outbound-pool' });
  });

  it('show another service whose client no probe watches, and where it is asked', () => {
    const where = 'answer of another service in Users.profile, Users.java:14';
    const asking = { threads: 46, groups: [idle, { state: 'WAITING', where, count: 15 }] };
    const diagnosis = diagnoseWithDumps({ ...unknown, pool: null }, [asking, asking, asking], files);
    expect(diagnosis).toMatchObject({ kind: 'outbound-service', confident: true });
    expect(explanationOf(diagnosis)).toContain('15 of 15 request threads at: answer of another service in Users.profile, Users.java:14');
    // A client that each request makes has to start before it can ask.
    const making = { ...unknown, causes: { ...unknown.causes, startedThreads: 2.1 } };
    expect(diagnoseWithDumps(making, [asking], files).kind).toBe('unknown-wait');
  });

  it('show an executor of the app of which no thread is free, where more requests wait for it than it has threads', () => {
    const waiting = (threads: number, atWork = threads): Parameters<typeof diagnoseWithDumps>[1][number] => ({
      threads: 46,
      groups: [idle, { state: 'WAITING', where: 'result of another thread in Baskets.basket, Baskets.java:21', count: 16 }],
      workers: [{ name: 'prices', threads, atWork, waiting: atWork, where: 'answer of another service in Prices.load, Prices.java:19' }],
    });
    const verdict = (...dumps: Parameters<typeof diagnoseWithDumps>[1]): ReturnType<typeof diagnoseWithDumps> =>
      diagnoseWithDumps({ ...unknown, pool: null }, dumps, files);
    const diagnosis = verdict(waiting(4), waiting(4), waiting(4));
    expect(diagnosis).toMatchObject({ kind: 'thread-pool', confident: true });
    expect(headlineOf(diagnosis)).toBe(
      'A pool of threads in the app is the limit: all 4 threads of “prices” were at work, and 16 of 16 request threads waited for a result.',
    );
    expect(explanationOf(diagnosis)).toContain('Prices.load, Prices.java:19');
    expect(verdict(waiting(4), waiting(4, 3), waiting(4)).kind).toBe('unknown-wait');
    const beforeLoad = { threads: 46, groups: [idle], workers: [] };
    expect(verdict(beforeLoad, waiting(4), waiting(4))).toMatchObject({ kind: 'thread-pool', said: { waiting: 16, of: 16 } });
    expect(verdict(waiting(16)).kind).toBe('unknown-wait');
    expect(explanationOf(verdict(waiting(16)))).toContain('result of another thread in Baskets.basket');
  });

  it('are wanted where only what others left of the CPU is full, and a request’s time passes elsewhere', () => {
    const left = { ...unknown, pool: null, interferenceShare: 0.73, allWantedPercent: 198, appCpuPercent: 44, pgCpuPercent: null };
    const alone = diagnose(left);
    expect(alone).toMatchObject({ kind: 'cpu', confident: false });
    expect(wantsThreadDumps(alone, left)).toBe(true);
    const where = 'answer of another service in Users.profile, Users.java:14';
    const asking = { threads: 46, groups: [{ state: 'WAITING', where, count: 15 }] };
    expect(diagnoseWithDumps(left, [asking], files).kind).toBe('outbound-service');
    const results = (waiting: number): Parameters<typeof diagnoseWithDumps>[1][number] => ({
      threads: 46,
      groups: [{ state: 'WAITING', where: 'result of another thread in Baskets.basket, Baskets.java:21', count: 16 }],
      workers: [{ name: 'prices', threads: 4, atWork: 4, waiting, where: 'Prices.load, Prices.java:19' }],
    });
    expect(diagnoseWithDumps(left, [results(4)], files).kind).toBe('thread-pool');
    expect(diagnoseWithDumps(left, [results(0)], files).kind).toBe('cpu');
  });

  it('name where requests that hold a connection ask for another one', () => {
    const dry = signals({
      appCpuPercent: 5,
      pgCpuPercent: 2,
      errors: { ...noErrors, total: 40 },
      attempts: 400,
      pool: pool({ max: 4, busy: 4, pending: 12, timeouts: 40, holdMs: 900, perRequest: 2 }),
      sessions: { active: 0.1, onCpu: 0, lock: 0, io: 0, idleInTransaction: 3.9, samples: 8 },
    });
    expect(diagnose(dry).kind).toBe('pool-exhausted');
    expect(wantsThreadDumps(diagnose(dry), dry)).toBe(true);
    const dump = {
      threads: 16,
      groups: [{ state: 'TIMED_WAITING', where: 'HikariCP getConnection', count: 16 }],
      asking: [
        { where: 'Web.place, Web.java:9', count: 12, isFurther: false },
        { where: 'Orders.save, Orders.java:23', count: 4, isFurther: true },
      ],
    };
    const named = diagnoseWithDumps(dry, [dump, dump], files);
    expect(named.kind).toBe('pool-exhausted');
    expect(explanationOf(named)).toContain(
      '4 request threads that hold a connection and wait for another one, asked for in Orders.save, Orders.java:23',
    );
    const once = { ...dry, pool: pool({ max: 4, busy: 4, pending: 12, timeouts: 40, holdMs: 900, perRequest: 1 }), sessions: null };
    expect(wantsThreadDumps(diagnose(once), once)).toBe(false);
  });

  it('show that the holders of a full pool wait for another service, however many queue for it', () => {
    const full = signals({
      appCpuPercent: 52,
      pgCpuPercent: 3,
      interferenceShare: 0.7,
      throughput: 157,
      attempts: 1400,
      connections: 32,
      meanMs: 190,
      pool: pool({ max: 10, busy: 9.99, pending: 19, waitMs: 119, holdMs: 63.7 }),
      sessions: { active: 0.3, onCpu: 0, lock: 0, io: 0, idleInTransaction: 0, samples: 8 },
    });
    expect(diagnose(full).kind).toBe('pool-limited');
    const groups = [
      { state: 'TIMED_WAITING', where: 'HikariCP getConnection', count: 20 },
      { state: 'WAITING', where: 'answer of another service in Partner.score, Partner.java:15', count: 7 },
      { state: 'RUNNABLE', where: 'Web.answer, Web.java:9', count: 3 },
    ];
    const held = diagnoseWithDumps(full, [{ threads: 30, groups }], files);
    expect(held.kind).toBe('held-connection');
    expect(explanationOf(held)).toContain('Partner.score, Partner.java:15');
  });

  it('leave an unknown wait unknown where they show nothing, and are attached to it', () => {
    const sleeping = { threads: 46, groups: [idle, { state: 'TIMED_WAITING', where: 'sleep in app.Slow', count: 16 }] };
    expect(diagnoseWithDumps(unknown, [sleeping], files)).toMatchObject({ kind: 'unknown-wait', threadDumps: files });
    expect(diagnoseWithDumps(unknown, [], [])).toEqual(diagnose(unknown));
  });
});
