import { describe, expect, it } from 'vitest';
import { diagnose } from '../../../src/engine/diagnose/diagnose.ts';
import { explanationOf } from '../../../src/model/domain/diagnosis.ts';
import type { BypassedIndex } from '../../../src/model/domain/statement.ts';
import { pool, signals } from './exampleSignals.ts';

const bypassed: BypassedIndex = {
  table: 'users',
  index: 'users_email_key',
  column: 'email',
  condition: '(lower(users.email) = $1)',
  how: 'expression',
};
const sql = 'SELECT id FROM users WHERE lower(email) = $1';

describe('a statement that cannot use an index', () => {
  const { attempts } = signals();
  const judged = (meanMs: number, found: BypassedIndex | null) => {
    const one = { sql, database: 'shop', calls: attempts, totalMs: meanMs * attempts, meanMs, share: 0.98, rows: attempts };
    const use = { ...one, blocksRead: 0, walBytes: 0, plan: null, bypassed: found, looks: null };
    return diagnose(signals({ pgCpuPercent: 185, appCpuPercent: 10, statements: [use], pool: pool({ holdMs: 10, perRequest: 1 }) }));
  };

  it('is named with the index and the condition, and what to do', () => {
    const diagnosis = judged(9, bypassed);
    expect(diagnosis.kind).toBe('database-cpu');
    expect(explanationOf(diagnosis)).toContain('reads all rows of users: the index users_email_key is of email');
    expect(diagnosis.actions.map(({ label }) => label)).toContainEqual({ code: 'use-index', how: 'expression' });
  });

  it('is not worth a word where connections are held for something else, or where there is no such index', () => {
    expect(explanationOf(judged(1, bypassed))).not.toContain('reads all rows');
    expect(explanationOf(judged(9, null))).not.toContain('reads all rows');
  });
});
