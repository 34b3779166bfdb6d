import { describe, expect, it } from 'vitest';
import { askedColumns, sortKey } from '../../../src/engine/observe/planExpression.ts';
import { type KnownTables, type PlanNode, indexIdeas } from '../../../src/engine/advise/planIdeas.ts';

const scan = (more: Partial<PlanNode> = {}): PlanNode => ({
  'Node Type': 'Seq Scan',
  'Relation Name': 'orders',
  Schema: 'public',
  Alias: 'o',
  'Plan Rows': 10,
  'Total Cost': 2000,
  ...more,
});
const rows: KnownTables = {
  rowsOf: () => 100_000,
  columnsOf: (_schema, index) => (index === 'orders_newest' ? [{ name: 'placed', falls: true }] : []),
};

describe('columns that a condition of a plan asks something of', () => {
  it('are those of comparisons under AND, with what each is compared with', () => {
    expect(askedColumns(`((o.customer = $1) AND ((o.state)::text = 'open'::text) AND (o.total >= '10'::numeric))`)).toEqual([
      { alias: 'o', column: 'customer', how: 'equal', to: null },
      { alias: 'o', column: 'state', how: 'equal', to: null },
      { alias: 'o', column: 'total', how: 'range', to: null },
    ]);
    expect(askedColumns('(i.order_id = o.id)')).toEqual([
      { alias: 'i', column: 'order_id', how: 'equal', to: { alias: 'o', column: 'id' } },
      { alias: 'o', column: 'id', how: 'equal', to: { alias: 'i', column: 'order_id' } },
    ]);
  });

  it('are known by names in quotes, whatever stands in them and in texts', () => {
    expect(askedColumns(`("o""1"."AND (x" = 'a'' AND (o.b = 1)'::text)`)).toEqual([
      { alias: 'o"1', column: 'AND (x', how: 'equal', to: null },
    ]);
  });

  it('are none under OR and NOT, in functions, and where it is tested for null', () => {
    for (const condition of [
      '((o.a = 1) OR (o.b = 2))',
      '(NOT (o.a = 1))',
      '(lower(o.a) = $1)',
      '(o.a IS NULL)',
      '((o.a + 1) = $1)',
      '',
      '(((',
    ])
      expect(askedColumns(condition), condition).toEqual([]);
  });

  it('are read of a key of a sort with its direction', () => {
    expect(sortKey('o.created_at DESC')).toEqual({ alias: 'o', column: 'created_at', falls: true });
    expect(sortKey('(count(*)) DESC')).toBeNull();
    expect(sortKey('o.created_at DESC NULLS LAST')).toBeNull();
  });
});

describe('indexes that a plan looks as if it lacked', () => {
  const column = (name: string, falls = false): { name: string; falls: boolean } => ({ name, falls });

  it('are of the columns by which a sequential scan discards most rows, and then of the order', () => {
    const sorted: PlanNode = {
      'Node Type': 'Limit',
      'Plan Rows': 20,
      'Total Cost': 2100,
      Plans: [
        {
          'Node Type': 'Sort',
          'Sort Key': ['o.placed DESC', 'o.id'],
          'Plan Rows': 100,
          'Total Cost': 2100,
          Plans: [scan({ Filter: '((o.customer = $1) AND (o.total > $2))' })],
        },
      ],
    };
    expect(indexIdeas(sorted, rows)).toEqual([
      { schema: 'public', table: 'orders', columns: [column('customer'), column('total')] },
      { schema: 'public', table: 'orders', columns: [column('customer'), column('placed', true), column('id')] },
    ]);
  });

  it('are of columns that another table’s are given to from outside, as in a lateral join', () => {
    expect(indexIdeas(scan({ Filter: '((o.total >= this.total) AND (o.customer = this.customer))' }), rows)).toEqual([
      { schema: 'public', table: 'orders', columns: [column('customer'), column('total')] },
    ]);
  });

  it('are of what a scan discards most rows by that goes by an index for its order, and then of that order', () => {
    const newest = { 'Node Type': 'Index Scan', 'Index Name': 'orders_newest', Filter: '(o.customer = $1)' };
    expect(indexIdeas(scan(newest), rows)).toEqual([
      { schema: 'public', table: 'orders', columns: [column('customer')] },
      { schema: 'public', table: 'orders', columns: [column('customer'), column('placed', true)] },
    ]);
    expect(indexIdeas(scan({ ...newest, 'Index Cond': '(o.state = $2)' }), rows)).toEqual([
      { schema: 'public', table: 'orders', columns: [column('state'), column('customer')] },
    ]);
    expect(indexIdeas(scan({ 'Node Type': 'Index Scan', 'Index Name': 'orders_pkey', 'Index Cond': '(o.id = $1)' }), rows)).toEqual([]);
  });

  it('are of the column by which a scanned table is joined', () => {
    const join: PlanNode = {
      'Node Type': 'Hash Join',
      'Hash Cond': '(o.customer = c.id)',
      'Plan Rows': 5,
      'Total Cost': 3000,
      Plans: [scan({ 'Plan Rows': 100_000 }), scan({ 'Relation Name': 'customers', Alias: 'c', 'Node Type': 'Index Scan' })],
    };
    expect(indexIdeas(join, rows)).toEqual([{ schema: 'public', table: 'orders', columns: [column('customer')] }]);
  });

  it('are none where most rows are kept, where the table is small, and where nothing is asked', () => {
    expect(indexIdeas(scan({ Filter: '(o.customer = $1)', 'Plan Rows': 60_000 }), rows)).toEqual([]);
    expect(indexIdeas(scan({ Filter: '(o.customer = $1)' }), { ...rows, rowsOf: () => 50 })).toEqual([]);
    expect(indexIdeas(scan(), rows)).toEqual([]);
  });
});
