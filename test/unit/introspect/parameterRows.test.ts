import { describe, expect, it } from 'vitest';
import { likelyColumn, parametersOf } from '../../../src/engine/introspect/parameterRows.ts';

const columns = [
  'customers.id',
  'orders.id',
  'orders.customer_id',
  'order_lines.order_id',
  'order_lines.line_no',
  'categories.category_id',
  'boxes.id',
].map((name) => ({ table: name.split('.')[0] ?? '', column: name.split('.')[1] ?? '' }));

function named(path: string): string[] {
  return parametersOf(path).map(({ name, before }) => {
    const found = likelyColumn(columns, name, before);
    return found === null ? 'none' : `${found.table}.${found.column}`;
  });
}

describe('which column a parameter of a path names', () => {
  it('takes the table that the path speaks of', () => {
    expect(named('/orders/:id')).toEqual(['orders.id']);
    expect(named('/api/v1/customers/:id/orders/:id?x=1')).toEqual(['customers.id', 'orders.id']);
    expect(named('/boxes/:id')).toEqual(['boxes.id']);
    expect(named('/categories/:id')).toEqual(['categories.category_id']);
  });

  it('takes the thing that the parameter names', () => {
    expect(named('/reports/:customerId')).toEqual(['customers.id']);
    expect(named('/orders/:orderId/lines/:line_no')).toEqual(['orders.id', 'order_lines.line_no']);
  });

  it('takes none where nothing says which', () => {
    expect(named('/reports/:id')).toEqual(['none']);
    expect(named('/things/:name')).toEqual(['none']);
  });
});
