import { describe, expect, it } from 'vitest';
import { type CheckedRoute, checkedCode, checkedLines } from '../../../src/cli/checkRoutesCommand.ts';

const checked = (more: Partial<CheckedRoute>): CheckedRoute => ({
  target: 'shop',
  route: 'GET /orders',
  path: '/orders',
  status: 200,
  tookMs: 1.5,
  problem: null,
  statements: [{ sql: 'SELECT 1', calls: 2, rows: 2, plan: null }],
  uncounted: null,
  budget: {},
  above: [],
  place: { file: 'src/orders.ts', line: 12 },
  ...more,
});
const perRow = [
  { sql: 'SELECT * FROM items\n WHERE id = $1', calls: 10, rows: 10, plan: null },
  { sql: 'SELECT * FROM orders', calls: 1, rows: 10, plan: null },
];

describe('routes that were checked', () => {
  it('are a table and nothing else where all is within its budget', () => {
    const lines = checkedLines([checked({ budget: { statements: 2 } })], []);
    expect(lines).toHaveLength(1);
    expect(lines[0]).toMatch(/GET \/orders +2 +2 +1\.50 +2 statements/);
    expect(checkedCode([checked({ budget: { statements: 2 } })], 0)).toBe(0);
  });

  it('fail at the line of their handler where one takes more, with the statement that it repeats', () => {
    const route = checked({ statements: perRow, budget: { statements: 3 }, above: ['11 statements, budget 3'] });
    expect(checkedLines([route], []).at(-1)).toBe(
      'src/orders.ts:12: error: GET /orders: 11 statements, budget 3; 10 times the same: SELECT * FROM items WHERE id = $1',
    );
    expect(checkedCode([checked({}), route], 0)).toBe(1);
  });

  it('are warned of where one statement is sent for each row, within a budget or without', () => {
    const route = checked({ statements: perRow, place: null });
    expect(checkedLines([route], []).at(-1)).toMatch(
      /^benchside\.json:1: warning: GET \/orders: one statement for each row \(N\+1\)\? 10 times/,
    );
    expect(checkedCode([route], 0)).toBe(0);
  });

  it('fail where one is not answered well, whatever its budget', () => {
    const route = checked({ problem: 'was answered with 500', status: 500, statements: null });
    expect(checkedLines([route], []).at(-1)).toBe('src/orders.ts:12: error: GET /orders: was answered with 500');
    expect(checkedCode([route], 0)).toBe(1);
  });

  it('can’t be told where a budget is not counted, and pass where there is none', () => {
    const route = checked({ statements: null, uncounted: 'no-database', budget: { rows: 3 } });
    expect(checkedLines([route], []).at(-1)).toMatch(/warning: GET \/orders: its budget is not checked: its database/);
    expect(checkedCode([route], 0)).toBe(4);
    expect(checkedCode([checked({ statements: null, uncounted: 'no-database' })], 0)).toBe(0);
  });

  it('fail where one of several targets does not start, and name the target of each route then', () => {
    const failure = { code: 'target-exited', message: 'Users ended.', cure: 'Look at its log.' } as const;
    const lines = checkedLines([checked({})], [{ target: 'users', failure }]);
    expect(lines[0]).toMatch(/shop GET \/orders/);
    expect(lines.at(-1)).toBe('benchside.json:1: error: users: Users ended. Look at its log.');
    expect(checkedCode([checked({})], 1)).toBe(1);
  });

  it('carry nothing of others’ SQL beyond their line', () => {
    const sql = 'SELECT 1\n::error file=x::no\u001b[2J';
    const route = checked({ statements: [{ sql, calls: 5, rows: 5, plan: null }] });
    expect(checkedLines([route], []).at(-1)).toMatch(/5 times the same: SELECT 1 ::error file=x::no/);
    expect(checkedLines([route], []).join('')).not.toContain('\u001b');
  });
});
