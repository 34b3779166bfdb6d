import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type StatementCounters,
  countersBetween,
  isExplainable,
  mergeStatements,
  unexplained,
} from '../../../src/engine/observe/statementMeter.ts';
import type { StatementUse } from '../../../src/model/domain/statement.ts';
import { cpuMsSince } from '../../support/cpuMsSince.ts';

const counters = (calls: number, totalMs: number): StatementCounters => ({
  calls,
  totalMs,
  rows: calls,
  blocksRead: 0,
  blocksUsed: 2 * calls,
  tempBlocks: 0,
  walBytes: 10 * calls,
});

describe('what was called between two readings', () => {
  it('is the difference of the counters, the longest first, without what was not called', () => {
    const before = new Map([
      ['1/idle', counters(5, 50)],
      ['1/short', counters(5, 50)],
    ]);
    const after = new Map([
      ['1/idle', counters(5, 50)],
      ['1/short', counters(15, 52)],
      ['1/new', counters(2, 40)],
    ]);
    expect(countersBetween(before, after)).toEqual([
      { key: '1/new', ...counters(2, 40) },
      { key: '1/short', calls: 10, totalMs: 2, rows: 10, blocksRead: 0, blocksUsed: 20, tempBlocks: 0, walBytes: 100 },
    ]);
  });

  it('counts from nothing where the server forgot a statement in between', () => {
    expect(countersBetween(new Map([['1/a', counters(500, 900)]]), new Map([['1/a', counters(3, 6)]]))).toEqual([
      { key: '1/a', ...counters(3, 6) },
    ]);
  });
});

describe('EXPLAIN', () => {
  it.each(['SELECT 1', '  select 1; ', 'WITH a AS (SELECT 1) SELECT * FROM a', 'INSERT INTO a VALUES ($1)'])(
    'may stand before %j',
    (sql) => {
      expect(isExplainable(sql)).toBe(true);
    },
  );
  it.each(['COMMIT', 'SELECT 1; DROP TABLE ads', 'selection', 'CREATE TABLE a ()', '', ';'])('is not put before %j', (sql) => {
    expect(isExplainable(sql)).toBe(false);
  });

  it('is decided at once of a text that goes on and on', () => {
    const started = process.cpuUsage();
    for (const text of ['/**/'.repeat(50_000), ' '.repeat(50_000), 'SELECT '.repeat(50_000)]) isExplainable(`${text}DROP`);
    expect(cpuMsSince(started)).toBeLessThan(1_000);
  });
});

describe('the statements of several windows', () => {
  const use = (sql: string, calls: number, totalMs: number): StatementUse => ({
    sql,
    database: 'app',
    calls,
    totalMs,
    meanMs: totalMs / calls,
    share: 1,
    rows: 2 * calls,
    blocksRead: 0,
    blocksUsed: 0,
    tempBlocks: 0,
    walBytes: 0,
    bypassed: null,
    looks: null,
    plan: sql === 'COMMIT' ? null : `Plan of ${sql}`,
  });

  it('are added up by text and database, with their share of all that the server did', () => {
    const merged = mergeStatements([
      { totalMs: 100, top: [use('SELECT 1', 10, 60), use('COMMIT', 10, 20)] },
      { totalMs: 300, top: [use('SELECT 1', 30, 140)] },
    ]);
    expect(merged).toEqual([
      { ...use('SELECT 1', 40, 200), meanMs: 5, share: 0.5 },
      { ...use('COMMIT', 10, 20), meanMs: 2, share: 0.05 },
    ]);
    expect(mergeStatements([])).toEqual([]);
  });

  it('lose no call and no time, and never have more than all of it', () => {
    const windows = fc.array(
      fc
        .array(fc.tuple(fc.constantFrom('a', 'b', 'c'), fc.integer({ min: 1, max: 50 }), fc.integer({ min: 1, max: 1000 })), {
          maxLength: 3,
        })
        .map((rows) => rows.map(([sql, calls, totalMs]) => use(sql, calls, totalMs)))
        .chain((top) => fc.nat(500).map((others) => ({ top, totalMs: others + top.reduce((sum, one) => sum + one.totalMs, 0) }))),
    );
    fc.assert(
      fc.property(windows, (all) => {
        const merged = mergeStatements(all);
        const sum = (of: readonly StatementUse[], field: 'calls' | 'totalMs'): number => of.reduce((total, one) => total + one[field], 0);
        const given = all.flatMap(({ top }) => top);
        for (const field of ['calls', 'totalMs'] as const) expect(sum(merged, field)).toBe(sum(given, field));
        expect(merged.reduce((total, { share }) => total + share, 0)).toBeLessThanOrEqual(1 + 1e-9);
      }),
    );
  });
});

describe('the text of a statement', () => {
  it('is the app’s where PostgreSQL first saw it in our question for its plan', () => {
    expect(unexplained('EXPLAIN (GENERIC_PLAN) select 1')).toBe('select 1');
    expect(unexplained('EXPLAIN select 1')).toBe('EXPLAIN select 1');
  });
});
