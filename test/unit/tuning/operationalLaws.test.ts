import { describe, expect, it } from 'vitest';
import {
  connectionsNeeded,
  holdMsOf,
  holdReason,
  lawParameters,
  predictThroughput,
} from '../../../src/engine/strategies/search/operationalLaws.ts';
import type { Trial } from '../../../src/model/domain/run.ts';
import { reasonsText } from '../../../src/model/domain/answerReason.ts';
import { type SeenTrial, seenTrial } from './tuningEvidence.ts';

function said(one: Trial): string {
  const hold = holdReason(one);
  return hold === null ? '' : reasonsText([hold]);
}

const full = (max: number, throughput: number, more: Partial<SeenTrial> = {}): Trial =>
  seenTrial(throughput, { pool: { max, busy: max, pending: 20, holdMs: null, perRequest: 1 }, ...more });

describe('the operational laws', () => {
  it('know the hold time from busy connections and throughput, else from the holds of a request', () => {
    expect(holdMsOf(full(8, 8000))).toBeCloseTo(1, 9);
    expect(holdMsOf(seenTrial(null, { pool: { holdMs: 2, perRequest: 3 } }))).toBe(6);
    expect(holdMsOf(seenTrial(100, { pool: null }))).toBeNull();
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
    const crowded = seenTrial(8000, { pool: { max: 32, busy: 24, pending: 0, holdMs: null, perRequest: 1 } });
    expect(lawParameters([full(2, 2000), crowded])?.holdMs).toBeCloseTo(1, 9);
    expect(lawParameters([])).toBeNull();
  });

  it('do not take threads that wait for the pool for busy ones', () => {
    const threads = { max: 50, busy: 50 };
    expect(lawParameters([full(2, 2000, { threads })])?.threadMs).toBeNull();
    const free = seenTrial(8000, { threads, pool: { max: 32, busy: 8, pending: 0, holdMs: null, perRequest: 1 } });
    expect(lawParameters([full(2, 2000, { threads }), free])?.threadMs).toBeCloseTo(6.25, 9);
  });

  it('speak of all processes together where each has a pool', () => {
    const pool = { max: 8, busy: 7.9, pending: 0, holdMs: 10, perRequest: 1, processes: 2 };
    const two = seenTrial(790, { pool });
    expect(said(two)).toMatch(/keep 8 connections in all 2 processes together busy\./);
  });

  it('say how many connections are kept busy, and nothing of what was not seen', () => {
    expect(said(full(8, 7940))).toBe('A request holds its connection 1.01 ms, so 7,940 req/s keep 8 connections busy.');
    expect(said(seenTrial(8000, { pool: null }))).toBe('');
    expect(said(seenTrial(null))).toBe('');
  });
});
