import { describe, expect, it } from 'vitest';
import { diagnose } from '../../../src/engine/diagnose/diagnose.ts';
import { looksIn } from '../../../src/engine/observe/statementLooks.ts';
import { mergeStatements } from '../../../src/engine/observe/statementMeter.ts';
import type { Signals } from '../../../src/engine/diagnose/signals.ts';
import { explanationOf } from '../../../src/model/domain/diagnosis.ts';
import { type StatementLooks, type StatementUse, heaviestStatement } from '../../../src/model/domain/statement.ts';
import { wordedVerdict } from '../../support/wordedVerdict.ts';
import { pool, signals } from './exampleSignals.ts';

const seen = (looks: Partial<StatementLooks>): StatementLooks => ({ cpu: 0, lock: 0, io: 0, other: 0, ...looks });

/** A statement with so many percent of the time of all. */
function use(sql: string, percent: number, looks: StatementLooks | null, more: Partial<StatementUse> = {}): StatementUse {
  const counted = { calls: 100, totalMs: 200 * percent, meanMs: 2 * percent, share: percent / 100, rows: 100, blocksRead: 0, walBytes: 0 };
  return { sql, database: 'shop', ...counted, plan: null, bypassed: null, looks, ...more };
}

const sleeps = use('SELECT pg_sleep($1)', 72, seen({ other: 60 }));
const search = use('SELECT id FROM ads WHERE body LIKE $1', 20, seen({ cpu: 15, other: 1 }));
const update = use('UPDATE stock SET n = n - 1', 8, seen({ lock: 6, cpu: 1 }));
const all = [sleeps, search, update];

describe('the heaviest statement', () => {
  it('is the one that computes most, not one that sleeps for longer', () => {
    const most = heaviestStatement(all, 'cpu');
    expect(most?.statement.sql).toBe(search.sql);
    expect(most?.share).toBeGreaterThan(0.8);
    expect(heaviestStatement(all, 'time')).toMatchObject({ statement: sleeps, share: 0.72 });
  });

  it('is the one that waits most for a lock', () => {
    expect(heaviestStatement(all, 'lock')).toMatchObject({ statement: update, share: 1, by: 'lock' });
  });

  it('is the longest where no look found any, or none so', () => {
    const unseen = all.map((one) => ({ ...one, looks: null }));
    expect(heaviestStatement(unseen, 'cpu')).toMatchObject({ statement: { sql: sleeps.sql }, share: 0.72, by: 'time' });
    expect(heaviestStatement(all, 'io')).toMatchObject({ statement: sleeps, by: 'time' });
    expect(heaviestStatement([], 'cpu')).toBeNull();
  });

  it('may be one that no look found: too short to be met, it may compute all the time', () => {
    const short = use('SELECT 1', 20, null);
    expect(heaviestStatement([sleeps, short], 'cpu')?.statement).toBe(short);
  });
});

describe('a verdict on the database', () => {
  const busy = signals({ pgCpuPercent: 185, appCpuPercent: 10, pool: pool({ holdMs: 10 }) });

  it('opens the statement that computes where the database’s CPU is full', () => {
    const diagnosis = diagnose({ ...busy, statements: all });
    expect(diagnosis.kind).toBe('database-cpu');
    expect(diagnosis.actions[0]).toMatchObject({ kind: 'sql', label: { code: 'open-sql', by: 'cpu', sql: search.sql } });
    expect(wordedVerdict(diagnosis).actions[0]?.label).toMatch(
      /^Open the SQL: one statement takes about 8\d % of the time in which statements compute$/,
    );
  });

  it('opens the one that waits where sessions wait for locks', () => {
    const sessions = { active: 8, onCpu: 1, lock: 6, io: 0, idleInTransaction: 0, samples: 8 };
    const diagnosis = diagnose(signals({ sessions, statements: all }));
    expect(diagnosis.kind).toBe('database-lock');
    expect(diagnosis.actions[0]).toMatchObject({ label: { by: 'lock', sql: update.sql, share: 1 } });
  });

  it('says of the one that computes which index it cannot use', () => {
    const bypassed = { table: 'ads', index: 'ads_body', column: 'body', condition: '(body ~~ $1)', how: 'pattern' } as const;
    const said = (statements: StatementUse[]): string => explanationOf(diagnose({ ...busy, statements }));
    expect(said([sleeps, { ...search, bypassed }, update])).toContain('reads all rows of ads');
    expect(said([{ ...sleeps, looks: seen({ cpu: 60 }) }, { ...search, bypassed }, update])).not.toContain('reads all rows of ads');
  });
});

describe('what the heaviest statement does', () => {
  const unindexed = { constraint: 'orders_customer_fkey', table: 'orders', column: 'customer', of: 'customers' };
  const remove = use('DELETE FROM customers WHERE id = $1', 90, seen({ cpu: 20 }), { unindexed, blocksUsed: 60_000 });
  const codes = (one: StatementUse, more: Partial<Signals> = {}): string[] =>
    diagnose(signals({ pgCpuPercent: 185, appCpuPercent: 10, pool: pool({ holdMs: 10 }), statements: [one], ...more })).why.map(
      ({ code }) => code,
    );

  it('is to look through a table that refers to what it deletes, where no index leads to those rows', () => {
    expect(codes(remove)).toContain('lacks-reference-index');
    expect(codes({ ...remove, blocksUsed: 900 })).not.toContain('lacks-reference-index');
    expect(codes({ ...remove, share: 0.2 }, { statements: [{ ...remove, looks: seen({ other: 30 }) }, search] })).not.toContain(
      'lacks-reference-index',
    );
  });

  it('is to sort more than fits into its memory', () => {
    const sorts = use('SELECT id FROM events ORDER BY body', 90, seen({ cpu: 20 }), { tempBlocks: 40_000 });
    expect(codes(sorts)).toContain('spills');
    expect(codes({ ...sorts, tempBlocks: 40 })).not.toContain('spills');
    expect(codes(sorts, { pgCpuPercent: 10, pool: pool({ busy: 1 }) })).not.toContain('spills');
  });
});

describe('what to do about a statement', () => {
  const labels = (given: Partial<Signals>): string[] => diagnose(signals(given)).actions.map(({ label }) => label.code);
  const unindexed = { constraint: 'orders_customer_fkey', table: 'orders', column: 'customer', of: 'customers' };
  const remove = use('DELETE FROM customers WHERE id = $1', 90, seen({ cpu: 20 }), { unindexed, blocksUsed: 60_000, totalMs: 4_000 });

  it('comes before a look at it, where it is most of what limits', () => {
    const full = { throughput: 100, attempts: 1000, pgCpuPercent: 185, appCpuPercent: 10, pool: pool({ holdMs: 10 }) };
    expect(labels({ ...full, statements: [{ ...remove, totalMs: 18_000 }] }).slice(0, 2)).toEqual(['index-reference', 'open-sql']);
    // Of the CPU of all, the database has a tenth.
    const computes = labels({ ...full, pgCpuPercent: 20, appCpuPercent: 170, statements: [remove] });
    expect(computes.indexOf('index-reference')).toBeGreaterThan(computes.indexOf('what-takes-time'));
  });

  it('comes before a larger pool, where a query for each row is what its connections are held for', () => {
    const waits = { throughput: 400, attempts: 1000, meanMs: 40, appCpuPercent: 20, pgCpuPercent: 20, connections: 16 };
    const full = { max: 2, busy: 2, pending: 10, waitMs: 30, holdMs: 5, perRequest: 1, completions: 1000 };
    const query = use('SELECT name FROM authors WHERE id = $1', 5, seen({}), { calls: 20_000, meanMs: 0.02, totalMs: 400 });
    const held = (ofAnother: number): string[] => {
      const another = use('SELECT * FROM posts', 95, seen({}), { calls: 1_000, meanMs: ofAnother, totalMs: 1_000 * ofAnother });
      return labels({ ...waits, pool: pool(full), statements: [another, query] });
    };
    // What a connection is held for is the round trip of each.
    expect(held(0.1)[0]).toBe('one-query');
    expect(held(4)[0]).not.toBe('one-query');
    expect(held(4)).toContain('one-query');
  });
});

describe('looks at sessions', () => {
  const look = (byStatement: Record<string, Record<string, number>>) => ({
    sessions: { total: 0, byState: {}, byWait: {}, byStatement },
  });

  it('are counted by statement, and by what the session waited for', () => {
    const looks = looksIn([
      look({ '5/1': { CPU: 2, 'Lock:tuple': 1, 'IPC:ExecuteGather': 1 }, '5/2': { 'Timeout:PgSleep': 3 } }),
      look({ '5/1': { 'LWLock:WALWrite': 1, 'IO:DataFileRead': 1 } }),
      { sessions: null },
    ]);
    expect(looks.get('5/1')).toEqual(seen({ cpu: 3, lock: 1, io: 2 }));
    expect(looks.get('5/2')).toEqual(seen({ other: 3 }));
    expect(looks.size).toBe(2);
  });

  it('are added up over the windows of a statement', () => {
    const merged = mergeStatements([
      { totalMs: 1000, top: [sleeps] },
      { totalMs: 1000, top: [sleeps] },
      { totalMs: 1000, top: [{ ...sleeps, looks: null }] },
    ]);
    expect(merged[0]?.looks).toEqual(seen({ other: 120 }));
  });
});
