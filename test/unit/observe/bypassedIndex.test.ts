import { describe, expect, it } from 'vitest';
import { bypassedIndex, filteredTables } from '../../../src/engine/observe/bypassedIndex.ts';
import { wrappedColumns } from '../../../src/engine/observe/planExpression.ts';

const cost = '(cost=0.00..2185.00 rows=500 width=40)';
const indexes = [
  { table: 'customers', index: 'customers_email_key', column: 'email', type: 'character varying' },
  { table: 'customers', index: 'customers_pkey', column: 'id', type: 'integer' },
  { table: 'customers', index: 'customers_city_idx', column: 'city', type: 'text' },
];
const scanned = (condition: string): string => `Limit  ${cost}\n  ->  Seq Scan on customers c  ${cost}\n        Filter: ${condition}`;
const forced = (condition: string): string =>
  `Limit  ${cost}\n  Output: id\n  ->  Seq Scan on public.customers c  ${cost}\n        Output: id, email\n        Disabled: true\n        Filter: ${condition}`;

describe('an index that a condition cannot use', () => {
  it('is that of a column which a function is called of, which is converted, or which is matched with a pattern', () => {
    expect(bypassedIndex(scanned('(lower(email) = $1)'), forced('(lower((c.email)::text) = $1)'), indexes)).toEqual({
      table: 'customers',
      index: 'customers_email_key',
      column: 'email',
      condition: '(lower((c.email)::text) = $1)',
      how: 'expression',
    });
    expect(bypassedIndex(scanned('((id)::text = $1)'), forced('((c.id)::text = $1)'), indexes)).toMatchObject({
      index: 'customers_pkey',
      how: 'cast',
    });
    expect(bypassedIndex(scanned('(city ~~ $1)'), forced('(c.city ~~ $1)'), indexes)).toMatchObject({
      index: 'customers_city_idx',
      how: 'pattern',
    });
    expect(bypassedIndex(scanned('((id + 1) > $1)'), forced('((c.id + 1) > $1)'), indexes)).toMatchObject({
      index: 'customers_pkey',
      how: 'expression',
    });
  });

  it('is none where a conversion changes nothing, where there is no index, or where PostgreSQL could use one', () => {
    expect(bypassedIndex(scanned('((email)::text = $1)'), forced('((c.email)::text = $1)'), indexes)).toBeNull();
    expect(bypassedIndex(scanned('(lower(name) = $1)'), forced('(lower(c.name) = $1)'), indexes)).toBeNull();
    const usable = `Index Scan using customers_lower_idx on public.customers c  ${cost}\n  Output: id\n  Index Cond: (lower((c.email)::text) = $1)`;
    expect(bypassedIndex(scanned('(lower(email) = $1)'), usable, indexes)).toBeNull();
    const either = '((lower((c.email)::text) = $1) OR (c.id = $2))';
    expect(bypassedIndex(scanned(either), forced(either), indexes)).toBeNull();
  });

  it('is looked for in tables that are read as a whole, by the alias of each', () => {
    const join = `Hash Join  ${cost}\n  Hash Cond: (o.customer = c.id)\n  ->  Seq Scan on orders o  ${cost}\n  ->  Parallel Seq Scan on "Customers" c  ${cost}\n        Filter: (lower(c.email) = $1)`;
    expect(filteredTables(join)).toEqual(['Customers']);
    const other = forced('(lower((c.email)::text) = $1)').replaceAll('public.customers c', 'public.orders c');
    expect(bypassedIndex(scanned('(lower(email) = $1)'), other, indexes)).toBeNull();
  });

  it('has its column under all that a condition does with it', () => {
    expect(wrappedColumns("((date_trunc('day'::text, o.placed) = $1) AND (o.state = 'open'::text) AND (o.id > $2))")).toEqual([
      { alias: 'o', column: 'placed', how: 'expression', to: '' },
    ]);
    expect(wrappedColumns('((o.code)::character varying = $1)')).toEqual([
      { alias: 'o', column: 'code', how: 'cast', to: 'character varying' },
    ]);
    expect(wrappedColumns('(o.code = ($1)::integer)')).toEqual([]);
  });
});
