import { describe, expect, it } from 'vitest';
import { deletedTable } from '../../../src/engine/observe/unindexedReference.ts';

describe('the table whose rows a plan deletes', () => {
  it.each([
    [
      'Delete on customers  (cost=0.28..8.30 rows=0 width=0)\n  ->  Index Scan using customers_pkey on customers  (cost=0.28..8.30 rows=1)',
      'customers',
    ],
    ['Delete on shop."Old orders" o  (cost=0.28..8.30 rows=0 width=0)', 'Old orders'],
    ['CTE Scan on gone  (cost=1.0..2.0 rows=1)\n  CTE gone\n    ->  Delete on carts c  (cost=0.00..1.0 rows=9)', 'carts'],
    ['Update on customers  (cost=0.28..8.30 rows=0 width=0)', null],
  ])('is read from %j', (plan, table) => {
    expect(deletedTable(plan)).toBe(table);
  });
});
