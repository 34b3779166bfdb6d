import { describe, expect, it } from 'vitest';
import {
  connectionsNeeded,
  holdMsOf,
  lawParameters,
  limitOf,
  predictThroughput,
  whyLine,
} from '../../../src/engine/strategies/search/operationalLaws.ts';
import type { SettingEvidence } from '../../../src/engine/strategies/search/operationalLaws.ts';
import { evidence } from './tuningEvidence.ts';

const full = (max: number, throughput: number, more: Partial<SettingEvidence> = {}): SettingEvidence =>
  evidence(`pool=${max}`, throughput, { pool: { max, busy: max, pending: 20, holdMs: null, perRequest: 1 }, ...more });

describe('the operational laws', () => {
  it('know the hold time from busy connections and throughput, else from the holds of a request', () => {
    expect(holdMsOf(full(8, 8000))).toBeCloseTo(1, 9);
    expect(holdMsOf({ throughput: null, pool: { max: 8, busy: 0, pending: 0, holdMs: 2, perRequest: 3 } })).toBe(6);
    expect(holdMsOf({ throughput: 100, pool: null })).toBeNull();
    expect(connectionsNeeded(7940, 1)).toBeCloseTo(7.94, 9);
  });

  it('predict X = min(pool, threads, connections)/W for a request that only waits', () => {
    const wait = [2, 4, 8, 16].map((pool) => full(pool, pool / 0.02, { connections: 32 }));
    const laws = lawParameters(wait);
    expect(laws?.holdMs).toBeCloseTo(20, 9);
    if (laws === null) throw new Error('no laws');
    const unlimited = { ...laws, threadMs: 20, xMax: Infinity };
    expect(predictThroughput(unlimited, { pool: 6, threads: 50, connections: 32 })).toBeCloseTo(300, 6);
    expect(predictThroughput(unlimited, { pool: 64, threads: 10, connections: 32 })).toBeCloseTo(500, 6);
    expect(predictThroughput(unlimited, { pool: 64, threads: 50, connections: 32 })).toBeCloseTo(1600, 6);
    expect(predictThroughput(laws, { pool: 64, threads: null, connections: null })).toBeCloseTo(800, 6);
  });

  it('take the hold time where the pool is full, not where the database is crowded', () => {
    const crowded = evidence('pool=32', 8000, { pool: { max: 32, busy: 24, pending: 0, holdMs: null, perRequest: 1 } });
    expect(lawParameters([full(2, 2000), crowded])?.holdMs).toBeCloseTo(1, 9);
    expect(lawParameters([])).toBeNull();
  });

  it('do not take threads that wait for the pool for busy ones', () => {
    const threads = { max: 50, busy: 50, queue: 5 };
    expect(lawParameters([full(2, 2000, { threads })])?.threadMs).toBeNull();
    const free = evidence('pool=32', 8000, { threads, pool: { max: 32, busy: 8, pending: 0, holdMs: null, perRequest: 1 } });
    expect(lawParameters([full(2, 2000, { threads }), free])?.threadMs).toBeCloseTo(6.25, 9);
  });

  it.each([
    {
      kind: 'event loop',
      more: { eventLoopUtilisation: 0.98, pool: { max: 8, busy: 4.9, pending: 0, holdMs: null, perRequest: 1 } },
      says: 'Beyond 8, the event loop is the limit (utilisation 0.98), not the pool: connections are busy 61 % of the time. More instances',
    },
    {
      kind: 'threads',
      more: { threads: { max: 50, busy: 50, queue: 12 } },
      says: 'Beyond 8, the request threads are the limit (50.0 of 50 busy',
    },
    { kind: 'locks', more: { sessions: { active: 10, lock: 6 } }, says: 'Beyond 8, locks in PostgreSQL are the limit: 60 % of' },
    {
      kind: 'PostgreSQL',
      more: { postgresCpuPercent: 186 },
      says: 'Beyond 8, PostgreSQL’s CPU is the limit (186 % of a core, the machine has 2).',
    },
    { kind: 'app CPU', more: { appCpuPercent: 180 }, says: 'Beyond 8, the app’s CPU is the limit (180 % of a core' },
    {
      kind: 'machine',
      more: { hostCpuPercent: 97, postgresCpuPercent: 93, appCpuPercent: 70 },
      says: 'Beyond 8, the machine’s CPU is the limit, all 2 cores being busy (PostgreSQL 93 % of a core, the app 70 %).',
    },
    {
      kind: 'pool',
      more: { pool: { max: 8, busy: 7.9, pending: 12, holdMs: null, perRequest: 1 } },
      says: 'Beyond 8, the pool is still the limit: 99 % of',
    },
    {
      kind: 'hold',
      more: { pool: { max: 32, busy: 20, pending: 0, holdMs: null, perRequest: 1 } },
      says: 'Beyond 8, each request holds its connection longer (2.50 ms instead of 1.00 ms)',
    },
    {
      kind: 'load',
      more: { connections: 32, latencyMs: 4, pool: { max: 64, busy: 8, pending: 0, holdMs: null, perRequest: 1 } },
      says: 'Beyond 8, the load itself is the limit: all of its 32 connections',
    },
  ])('name what limits throughput: $kind', ({ kind, more, says }) => {
    const found = limitOf(evidence('best', 8000, more), full(2, 2000), 2, 'Beyond 8, ');
    expect(found?.kind).toBe(kind);
    expect(found?.sentence.startsWith(says)).toBe(true);
  });

  it('see behind a full pool what its connections wait for, where few of them brought as much', () => {
    const few = full(2, 190, { connections: 16 });
    const found = limitOf(full(16, 192, { connections: 16 }), few, 2, '');
    expect(found?.kind).toBe('hold');
    expect(limitOf(full(8, 750, { connections: 16 }), few, 2, '')?.kind).toBe('pool');
  });

  it('do not take what other programs use for the limit of an app that waits, and name them where they take its CPU', () => {
    const crowded = { hostCpuPercent: 95, appCpuPercent: 20, postgresCpuPercent: 10 };
    expect(limitOf(full(8, 390, crowded), null, 2, '')?.kind).toBe('pool');
    const busy = evidence('best', 2000, { hostCpuPercent: 95, appCpuPercent: 60, postgresCpuPercent: 30 });
    expect(limitOf(busy, null, 2, '')).toMatchObject({
      kind: 'machine',
      sentence: expect.stringMatching(/other programs \d+ % of a core, the app 60 %/) as string,
    });
  });

  it('speak of all processes together where each has a pool', () => {
    const pool = { max: 8, busy: 7.9, pending: 0, holdMs: 10, perRequest: 1, processes: 2 };
    const two = evidence('pool=4', 790, { pool });
    const line = whyLine({ recommended: two, best: two, smallest: two, recommendedName: '4', cores: 2 });
    expect(line).toMatch(/keep 8 connections in all 2 processes together busy\./);
  });

  it('name nothing that was not seen', () => {
    expect(limitOf(evidence('best', 8000, { pool: null }), null, 2, '')).toBeNull();
    const blind = evidence('best', 8000, { pool: null });
    expect(whyLine({ recommended: blind, best: blind, smallest: blind, recommendedName: '8', cores: 2 })).toBeNull();
  });

  it('explain an answer in two sentences', () => {
    const best = evidence('pool=16', 8300, {
      postgresCpuPercent: 170,
      pool: { max: 16, busy: 11, pending: 0, holdMs: null, perRequest: 1 },
    });
    const line = whyLine({ recommended: full(8, 7940), best, smallest: full(2, 2000), recommendedName: '8', cores: 2 });
    expect(line).toBe(
      'A request holds its connection 1.01 ms, so 7,940 req/s keep 8 connections busy. Beyond 8, PostgreSQL’s CPU is the limit (170 % of a core, the machine has 2).',
    );
  });
});
