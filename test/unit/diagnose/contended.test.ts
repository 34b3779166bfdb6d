import { describe, expect, it } from 'vitest';
import { diagnose } from '../../../src/engine/diagnose/diagnose.ts';
import type { Signals } from '../../../src/engine/diagnose/signals.ts';
import { explanationOf } from '../../../src/model/domain/diagnosis.ts';
import type { StatementUse } from '../../../src/model/domain/statement.ts';
import { noCauses, nodeSignals, pool, signals } from './exampleSignals.ts';

const statement = (more: Partial<StatementUse>): StatementUse => ({
  sql: 'SELECT id FROM events ORDER BY body',
  database: 'a',
  calls: 800,
  totalMs: 72_000,
  meanMs: 90,
  share: 1,
  rows: 800,
  blocksRead: 0,
  walBytes: 0,
  plan: null,
  bypassed: null,
  looks: null,
  ...more,
});

describe('a collector on a full CPU', () => {
  const collecting = (more: Partial<Signals>) =>
    diagnose(
      nodeSignals({
        throughput: 46,
        meanMs: 312,
        attempts: 800,
        eventLoop: 0.9,
        interferenceShare: 0.32,
        allWantedPercent: 700,
        gc: { pauseShare: 0.38, maxPauseMs: 161 },
        heap: { usedMb: 77, maxMb: 4144 },
        pool: pool({ busy: 9.1, pending: 0.5, holdMs: 195 }),
        sessions: { active: 4, onCpu: 4, lock: 0, io: 0, idleInTransaction: 0, samples: 8 },
        ...more,
      }),
    ).kind;

  it('is not the limit where the database computes most, and its pauses are mostly the wait for a turn', () => {
    expect(collecting({ appCpuPercent: 29, pgCpuPercent: 98, generator: { cpuPercent: 2.5, loop: 0.02, littleRatio: 0.97 } })).toBe(
      'database-cpu',
    );
  });

  it('is the limit where the app computes most, however much others use', () => {
    expect(collecting({ appCpuPercent: 98, pgCpuPercent: 20, sessions: null })).toBe('gc');
  });

  it('is the limit of an app that leaves much of the CPU idle', () => {
    expect(collecting({ appCpuPercent: 29, pgCpuPercent: 30, interferenceShare: 0, allWantedPercent: 70 })).toBe('gc');
  });
});

describe('an event loop that a synchronous call blocks', () => {
  const blocked = nodeSignals({
    throughput: 2564,
    meanMs: 6,
    eventLoop: 0.994,
    interferenceShare: 0.3,
    allWantedPercent: 198,
    appCpuPercent: 50,
    pgCpuPercent: 27,
    generator: { cpuPercent: 14, loop: 0.13, littleRatio: 1 },
    pool: pool({ busy: 6.7, pending: 0.3, holdMs: 2.4 }),
  });

  it('is the limit, although all threads that are ready for a turn would fill the CPU', () => {
    const diagnosis = diagnose({ ...blocked, appWantedPercent: 84 });
    expect(diagnosis.kind).toBe('event-loop');
    expect(diagnosis.actions[0]).toMatchObject({ kind: 'record', event: 'wall' });
  });

  it('is so however much others use, as long as it does not ask for more of the CPU than it gets', () => {
    const beside = { ...blocked, interferenceShare: 0.6, appCpuPercent: 22, pgCpuPercent: 10, allWantedPercent: 60 };
    const diagnosis = diagnose({ ...beside, appWantedPercent: 30 });
    expect(diagnosis.kind).toBe('event-loop');
    expect(diagnosis.actions[0]).toMatchObject({ kind: 'record', event: 'wall' });
    expect(diagnose({ ...beside, appWantedPercent: 95 }).actions[0]).not.toMatchObject({ event: 'wall' });
  });

  it('shares a full CPU where it waits for its turn', () => {
    expect(diagnose({ ...blocked, appWantedPercent: 120 }).kind).toBe('cpu');
  });
});

describe('a database whose CPU is not the execution of statements', () => {
  const planning = (statements: StatementUse[], more: Partial<Signals> = {}) =>
    diagnose(
      signals({
        throughput: 400,
        attempts: 800,
        meanMs: 37,
        pgCpuPercent: 185,
        appCpuPercent: 12,
        statements,
        pool: pool({ holdMs: 10 }),
        ...more,
      }),
    );

  it('is to be sent fewer statements, or prepared ones', () => {
    const diagnosis = planning([statement({ calls: 16_000, totalMs: 160, meanMs: 0.01 })]);
    expect(diagnosis.kind).toBe('database-cpu');
    expect(explanationOf(diagnosis)).toContain('The statements of a request (20) take 0.200 ms while they execute');
    expect(diagnosis.actions[0]).toMatchObject({ label: { code: 'fewer-statements' } });
  });

  it('is said as well where the CPU of all is full, or nearly the pool, and the database has much of it', () => {
    const short = [statement({ calls: 16_000, totalMs: 160, meanMs: 0.01 })];
    const shared = planning(short, { pgCpuPercent: 90, appCpuPercent: 100 });
    expect(shared.kind).toBe('cpu');
    expect(shared.why.map(({ code }) => code)).toContain('database-cpu-apart');
    expect(shared.actions[0]).toMatchObject({ label: { code: 'fewer-statements' } });
    const little = planning(short, { pgCpuPercent: 40, appCpuPercent: 150 });
    expect(little.why.map(({ code }) => code)).not.toContain('database-cpu-apart');
    const full = { max: 2, busy: 2, pending: 12, waitMs: 30, perRequest: 1 };
    const waits = (holdMs: number) => planning(short, { pgCpuPercent: 60, appCpuPercent: 5, pool: pool({ ...full, holdMs }) });
    expect([waits(2), waits(20)].map(({ kind }) => kind)).toEqual(['pool-limited', 'pool-limited']);
    expect(waits(2).actions[0]).toMatchObject({ label: { code: 'fewer-statements' } });
    expect(waits(20).why.map(({ code }) => code)).not.toContain('database-cpu-apart');
  });

  it('is that of heavy statements, of connections, or not known', () => {
    const codes = (...given: Parameters<typeof planning>) => planning(...given).why.map(({ code }) => code);
    expect(codes([statement({ calls: 800, totalMs: 3200, meanMs: 4 })])).not.toContain('database-cpu-apart');
    expect(codes([])).not.toContain('database-cpu-apart');
    const connects = { ...noCauses.connects, database: 1 };
    expect(codes([statement({ totalMs: 160 })], { causes: { ...noCauses, connects } })).not.toContain('database-cpu-apart');
  });
});

describe('answers that wait for a delayed acknowledgement', () => {
  const delayed = (delayedAcks: number, p90: number, meanMs = 49) =>
    diagnose(
      signals({
        throughput: 326,
        attempts: 3000,
        meanMs,
        appCpuPercent: 31,
        pgCpuPercent: 50,
        interferenceShare: 0,
        pool: pool({ busy: 1.9, holdMs: 3 }),
        sessions: { active: 1.8, onCpu: 0.5, lock: 0, io: 0, idleInTransaction: 0, samples: 8 },
        causes: { ...noCauses, delayedAcks, quantiles: { p50: 47.9, p90 } },
      }),
    ).kind;

  it('have a time of their own besides, where the kernel counts one for each', () => {
    expect(delayed(1, 53.3)).toBe('network-or-payload');
    expect(delayed(0, 53.3)).toBe('unknown-wait');
    expect(delayed(0, 48)).toBe('network-or-payload');
  });

  it('wait no longer than one delay', () => {
    expect(delayed(1, 90, 80)).toBe('unknown-wait');
  });
});
