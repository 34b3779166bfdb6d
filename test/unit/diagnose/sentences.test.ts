import { describe, expect, it } from 'vitest';
import { diagnose } from '../../../src/engine/diagnose/diagnose.ts';
import { signalsOf } from '../../../src/engine/diagnose/gather.ts';
import type { Signals } from '../../../src/engine/diagnose/signals.ts';
import { settingSpecsSchema } from '../../../src/model/domain/setting.ts';
import type { Trial } from '../../../src/model/domain/run.ts';
import { exampleTrial } from '../../support/runRecords.ts';
import { wordedVerdict } from '../../support/wordedVerdict.ts';
import { knob, oneCore, pool, sampleKnobs, signals } from './exampleSignals.ts';

const idle = { appCpuPercent: 20, pgCpuPercent: 10 };
const sleeping = (active: number): NonNullable<Signals['sessions']> => ({
  active,
  onCpu: 0,
  lock: 0,
  io: 0,
  idleInTransaction: 0,
  samples: 8,
});

describe('a pool that is as large as the load', () => {
  const asLarge = signals({
    ...idle,
    throughput: 770,
    meanMs: 20.8,
    sessions: sleeping(15.8),
    knobs: { ...sampleKnobs, pool: knob('pool', 16) },
    pool: pool({ max: 16, busy: 15.9, holdMs: 20.6 }),
  });

  it('is not the limit, and more load alone would bring nothing', () => {
    const { kind, confident, headline, explanation } = wordedVerdict(diagnose(asLarge));
    expect([kind, confident]).toEqual(['client-limited', true]);
    expect(headline).toContain('16 of the 16 connections of the pool were in use, and no request waited');
    expect(explanation).toContain('more connections of the load alone would soon wait for the pool');
    expect(`${headline} ${explanation}`).not.toMatch(/nothing in the app is full|would bring more throughput/);
  });

  it('is never said to be too small, even if something seems to wait for it', () => {
    const seen = { ...asLarge, pool: pool({ max: 16, busy: 15.9, pending: 3, waitMs: 4, holdMs: 20.6 }) };
    expect(diagnose(seen).kind).not.toBe('pool-limited');
    expect(diagnose({ ...seen, connections: 24 }).kind).toBe('pool-limited');
    expect(diagnose({ ...seen, pool: pool({ max: 16, busy: 15.9, pending: 3, perRequest: 2, waitMs: 4, holdMs: 10 }) }).kind).toBe(
      'pool-limited',
    );
  });

  it('does not account for the time of requests that hold their connections for nothing', () => {
    const held = { ...asLarge, throughput: 190, meanMs: 84, pool: pool({ max: 16, busy: 15.9, holdMs: 83.6 }) };
    const { kind, headline, actions } = wordedVerdict(diagnose({ ...held, sessions: { ...sleeping(0.5), idleInTransaction: 15.3 } }));
    expect(kind).toBe('unknown-wait');
    expect(headline).toMatch(/^Requests wait for something while they hold a connection: for \d/);
    expect(actions[0]).toMatchObject({ kind: 'record', event: 'wall' });
    expect(diagnose({ ...held, sessions: sleeping(15.9) }).kind).toBe('client-limited');
  });
});

describe('a program on one core', () => {
  const one = oneCore({ cores: 4, appCores: 4 });

  it('is limited by it, with more processes to do about it and no thread dump', () => {
    const { kind, confident, headline, actions } = wordedVerdict(diagnose(one));
    expect([kind, confident]).toEqual(['one-core', true]);
    expect(headline).toContain('98.0 % of a core');
    expect(actions[0]).toEqual({ kind: 'instances', label: 'Add an instance: 2 in place of 1', instances: 2 });
    expect(actions.filter(({ kind: what }) => what === 'record')).toEqual([]);
  });

  it('is offered nothing that cannot be done there: only Java and Node processes can be recorded', () => {
    const waits = { ...one, appCpuPercent: 10, appCpuRange: { low: 9, high: 11 } };
    const kinds = (runtime: Signals['runtime']): string[] => diagnose({ ...waits, runtime }).actions.map(({ kind }) => kind);
    expect(diagnose(waits).kind).toBe('unknown-wait');
    expect(kinds('other')).toEqual(['connections', 'advice']);
    expect(kinds('node')).toEqual(['record', 'connections']);
  });

  it('is not one whose threads add up to more, or that a full machine keeps from it', () => {
    expect(diagnose({ ...one, appCpuPercent: 130, appCpuRange: { low: 120, high: 140 } }).kind).not.toBe('one-core');
    expect(diagnose({ ...one, appCpuRange: { low: 60, high: 150 } }).kind).not.toBe('one-core');
    expect(diagnose({ ...one, cores: 2, appCores: 2, pgCpuPercent: 80 }).kind).toBe('cpu');
  });

  it('is still seen while other programs take their share of that core', () => {
    expect(diagnose({ ...one, appCpuPercent: 76, appCpuRange: { low: 70, high: 82 }, interferenceShare: 0.25 })).toMatchObject({
      kind: 'one-core',
      confident: false,
    });
  });

  it('is surely one where its threads are ready for one core all the time and others take their turns, and not where they ask for more', () => {
    const two = { cores: 2, appCores: 2, appCpuPercent: 72, appCpuRange: { low: 66, high: 79 }, pgCpuPercent: 0, interferenceShare: 0.57 };
    const asks = (appWantedPercent: number | null, allWantedPercent: number | null): Signals =>
      oneCore({ ...two, generator: { cpuPercent: 9, loop: 0.1, littleRatio: 1 }, appWantedPercent, allWantedPercent });
    const { kind, confident, headline } = wordedVerdict(diagnose(asks(99, 112)));
    expect([kind, confident]).toEqual(['one-core', true]);
    expect(headline).toContain('used 72.0 % of a core and waited for the rest of it, which others took');
    expect(diagnose(asks(190, 205)).kind).toBe('cpu');
    expect(diagnose(asks(null, null)).kind).toBe('cpu');
    expect(diagnose({ ...asks(99, 112), appCpuPercent: 20, appWantedPercent: 30 }).kind).not.toBe('one-core');
  });

  it('speaks of each process where there are several', () => {
    const three = { ...one, appCpuPercent: 292, appCpuRange: { low: 288, high: 296 }, cores: 8, appCores: 8 };
    const workers = { ...sampleKnobs, workers: knob('workers', 3) };
    const { kind, headline, actions } = wordedVerdict(diagnose({ ...three, knobs: workers }));
    expect(kind).toBe('one-core');
    expect(headline).toContain('3 processes');
    expect(actions[0]).toMatchObject({ kind: 'set', setting: 'workers', value: 4 });
  });
});

it('speaks of a pool in the unit of its setting, which is one of several processes', () => {
  const four = signals({
    ...idle,
    throughput: 390,
    meanMs: 82,
    connections: 32,
    sessions: sleeping(8),
    pool: pool({ max: 8, processes: 4, busy: 7.96, pending: 23.5, waitMs: 60, holdMs: 20.4 }),
    knobs: { ...sampleKnobs, pool: knob('pool', 2) },
  });
  const { headline, actions } = wordedVerdict(diagnose(four));
  expect(headline).toContain('all 8 of its connections were always busy (2 in each of 4 processes)');
  // 32 ÷ (82 − 60) ms × 20.4 ms = 30 in all, which is 8 in each.
  expect(actions[0]).toEqual({ kind: 'set', label: 'Raise “pool” from 2 to 8 in each of the 4 processes', setting: 'pool', value: 8 });
  expect(actions[1]).toMatchObject({ kind: 'tune', values: [2, 4, 8, 16] });
});

describe('what is said of a wait', () => {
  it('is the time that nothing accounts for, not that of the whole request', () => {
    const seen = signals({ ...idle, throughput: 190, meanMs: 84, pool: pool({ busy: 0, holdMs: null, perRequest: 0 }) });
    const { headline, explanation } = wordedVerdict(diagnose(seen));
    expect(headline).toMatch(/^Requests wait for something that nothing here watches: 81\.9 ms of the 84\.0 ms of a request/);
    expect(explanation).toContain('CPU of app and load generator 2.11 ms');
  });

  it('is that no limit stands out where nearly all of it is accounted for', () => {
    const known = signals({
      ...idle,
      appCpuPercent: 100,
      throughput: 600,
      meanMs: 26.7,
      connections: 16,
      sessions: sleeping(13),
      pool: pool({ max: 24, busy: 13, pending: 0.7, waitMs: 1.2, holdMs: 21 }),
      threads: { name: 'qtp', max: 50, busy: 16, queue: 0 },
    });
    const { kind, confident, headline } = wordedVerdict(diagnose(known));
    expect([kind, confident]).toEqual(['unknown-wait', false]);
    expect(headline).toBe(
      'No single limit stands out: of the 26.7 ms of a request, 24.2 ms are accounted for, and nothing that is watched is full.',
    );
  });
});

describe('signals', () => {
  const trial = (more: Partial<Trial> = {}): Trial => ({
    ...exampleTrial({ target: 'node', connections: 16, throughput: 100, p99Ms: 200 }),
    pool: { kind: 'pg', name: 'main', max: 2, busy: 2, pending: 21, waitMs: 140, waitP99Ms: 200, holdMs: 20, perRequest: 1, processes: 2 },
    ...more,
  });
  const sighted = { settings: {}, observations: [], probes: [], cores: 2, pgCores: 2 };
  const specs = settingSpecsSchema.parse({ pool: { min: 1, max: 64, default: 4, live: 'pool', env: 'POOL' } });

  it('hold no queue that is longer than a closed loop has connections', () => {
    expect(signalsOf({ ...sighted, specs, trial: trial() }).pool).toMatchObject({ pending: 16, processes: 2 });
    expect(signalsOf({ ...sighted, specs, trial: trial(), load: 'paced' }).pool?.pending).toBe(21);
  });

  it('take PostgreSQL’s sessions for the pool of an app without a probe, when all of them are at work', () => {
    const example = trial({ runtime: 'other', pool: null });
    const seen = (sessions: Record<string, number>): Signals =>
      signalsOf({
        ...sighted,
        specs,
        trial: {
          ...example,
          latencyMs: example.latencyMs === null ? null : { ...example.latencyMs, mean: 160 },
          resources: { ...example.resources, app: { ...example.resources.app, cpuPercent: 10 }, sessions },
        },
      });
    const full = seen({ active: 3.9, 'idle in transaction': 0.1, 'Timeout:PgSleep': 3.9 });
    expect(full.pool).toMatchObject({ max: 4, processes: 1, busy: 4, timeouts: null });
    // 100 requests a second keep 4 busy for 40 ms each; of 160 ms, 119 are left.
    expect(full.pool?.holdMs).toBeCloseTo(40, 6);
    expect(full.pool?.pending).toBeCloseTo(11.9, 6);
    expect(seen({ active: 1, idle: 3, CPU: 1 }).pool).toBeNull();
    expect(seen({ active: 8, 'Timeout:PgSleep': 8 }).pool).toMatchObject({ max: 8, processes: 2 });
  });
});
