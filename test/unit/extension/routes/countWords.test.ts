import { describe, expect, it } from 'vitest';
import { countHover, countLabel } from '../../../../src/extension/routes/countWords.ts';
import { nearestFirst } from '../../../../src/extension/routes/nearestFirst.ts';
import type { RouteCount } from '../../../../src/model/domain/routeCount.ts';

const count = (more: Partial<RouteCount> = {}): RouteCount => ({
  route: 'GET /orders',
  path: '/orders',
  status: 200,
  tookMs: 2,
  problem: null,
  statements: [
    { sql: 'SELECT a', calls: 2, rows: 6, plan: 'Seq Scan on orders' },
    { sql: 'SELECT b', calls: 1, rows: 2, plan: null },
  ],
  uncounted: null,
  ...more,
});

describe('what was counted of a route, at its handler', () => {
  it('is its statements and rows, with a sign where they are above its budget or one is repeated', () => {
    expect(countLabel(count(), {})).toBe('3 statements, 8 rows');
    expect(countLabel(count(), { statements: 2 })).toBe('⚠ 3 statements, budget 2');
    const repeated = [{ sql: 'SELECT a', calls: 9, rows: 9, plan: null }];
    expect(countLabel(count({ statements: repeated }), {})).toBe('⚠ 9 statements, 9 of them the same, 9 rows');
  });

  it('is why nothing was counted, or nothing where nobody can', () => {
    expect(countLabel(count({ problem: 'was answered with 500', statements: null }), {})).toBe('⚠ was answered with 500');
    expect(countLabel(count({ statements: null, uncounted: 'no-database' }), {})).toBe('');
  });

  it('shows each statement with its plan as code, which no statement ends', () => {
    const hover = countHover(
      count({ statements: [{ sql: 'SELECT 1 -- ```\n[x](command:y)', calls: 1, rows: 1, plan: 'Result' }] }),
      new Date(0),
    );
    expect(hover).toContain('````sql\nSELECT 1 -- ```\n[x](command:y)\n````');
    expect(hover).toContain('```\nResult\n```');
    expect(hover).not.toMatch(/before this save/);
    expect(countHover(count(), new Date(0), false)).toMatch(/started before this save:/);
  });
});

describe('the routes of a file that was saved', () => {
  it('begin with the one that the cursor is in, then those above it, then those below', () => {
    const routes = [3, 10, 20, null, 40].map((line) => ({ line }));
    expect(nearestFirst(routes, 25).map(({ line }) => line)).toEqual([20, 10, 3, 40, null]);
    expect(nearestFirst(routes, 0).map(({ line }) => line)).toEqual([3, 10, 20, 40, null]);
  });
});
