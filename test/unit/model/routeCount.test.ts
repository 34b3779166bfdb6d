import { describe, expect, it } from 'vitest';
import { aboveBudget } from '../../../src/model/domain/routeBudget.ts';
import { costsOf, countPhrase, oncePerRow } from '../../../src/model/domain/routeCount.ts';

const sent = (sql: string, calls: number, rows: number) => ({ sql, calls, rows, plan: null });
const plain = { statements: [sent('SELECT * FROM orders WHERE id = $1', 1, 1), sent('UPDATE orders SET seen = true', 2, 7)] };
const perRow = { statements: [sent('SELECT * FROM orders', 1, 10), sent('select * from items where "order" = $1', 10, 10)] };

describe('what one request takes', () => {
  it('is the sum of its statements and of their rows', () => {
    expect(costsOf(plain)).toEqual({ statements: 3, rows: 8 });
    expect(countPhrase(plain)).toBe('3 statements, 8 rows');
    expect(countPhrase({ statements: [] })).toBe('0 statements');
  });

  it('is not known where nobody counts', () => {
    expect(costsOf({ statements: null })).toEqual({ statements: null, rows: null });
    expect(countPhrase({ statements: null })).toBe('');
    expect(aboveBudget(costsOf({ statements: null }), { statements: 0 })).toEqual([]);
  });

  it('names a statement that looks as if it were sent for each row of another, and no repeated change', () => {
    expect(oncePerRow(perRow)).toMatchObject({ calls: 10 });
    expect(countPhrase(perRow)).toBe('11 statements, 10 of them the same, 20 rows');
    expect(oncePerRow(plain)).toBeNull();
    expect(oncePerRow({ statements: [sent('INSERT INTO seen VALUES ($1)', 10, 10)] })).toBeNull();
  });

  it('is above a budget by each part of it that it takes more of', () => {
    expect(aboveBudget(costsOf(perRow), { statements: 3, rows: 20 })).toEqual(['11 statements, budget 3']);
    expect(aboveBudget(costsOf(perRow), { statements: 10, rows: 19 })).toEqual(['11 statements, budget 10', '20 rows, budget 19']);
    expect(aboveBudget(costsOf(perRow), { statements: 11, rows: 20 })).toEqual([]);
  });
});
