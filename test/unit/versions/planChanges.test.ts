import { describe, expect, it } from 'vitest';
import { planChangeText } from '../../../src/model/domain/planChangeKinds.ts';
import { planChange } from '../../../src/engine/versions/planChanges.ts';

const byIndex = 'Index Scan using items_by_group on items  (cost=0.29..8.46 rows=10 width=17)\n  Index Cond: (group_id = $1)';
const whole = 'Seq Scan on items  (cost=0.00..359.00 rows=10 width=17)\n  Filter: (group_id = $1)';
const nested = `Nested Loop  (cost=0.57..16.75 rows=1 width=8)
  ->  Index Scan using orders_pkey on orders o  (cost=0.29..8.30 rows=1 width=4)
        Index Cond: (id = $1)
  ->  Seq Scan on items i  (cost=0.00..359.00 rows=10 width=17)
        Filter: (note = 'Seq Scan on prices')`;
const hashed = `Sort  (cost=1.0..2.0 rows=1 width=8)
  Sort Key: o.id
  ->  Hash Left Join  (cost=0.57..16.75 rows=1 width=8)
        ->  Index Scan using orders_pkey on orders o  (cost=0.29..8.30 rows=1 width=4)
        ->  Hash  (cost=10.00..10.00 rows=100 width=4)
              ->  Seq Scan on items i  (cost=0.00..359.00 rows=10 width=17)`;

describe('what of a plan changed', () => {
  it('is how a table is read', () => {
    expect(planChange(byIndex, whole)).toEqual([{ code: 'scans', table: 'items', from: ['Index Scan'], to: ['Seq Scan'] }]);
    expect(planChange(byIndex, byIndex.replace('items_by_group', 'items_pkey'))).toEqual([
      { code: 'indexes', table: 'items', scans: ['Index Scan'], from: ['items_by_group'], to: ['items_pkey'] },
    ]);
    expect(planChangeText(planChange(byIndex, byIndex.replace(/^Index Scan using items_by_group/, 'Bitmap Heap Scan')))).toBe(
      'index scan → bitmap scan on items',
    );
  });

  it('is how tables are joined, and a sort', () => {
    expect(planChangeText(planChange(nested, hashed))).toBe('nested loop → hash left join, a sort more');
  });

  it('is nothing where only costs differ, or what is compared with', () => {
    expect(planChange(byIndex, byIndex.replaceAll('8.46', '9.99'))).toEqual([]);
    expect(planChange(nested, nested.replace('Seq Scan on prices', 'Index Scan on prices'))).toEqual([]);
  });
});
