import { describe, expect, it } from 'vitest';
import { growthKind } from '../../../src/engine/sides/statementGrowth.ts';
import type { StatementUse } from '../../../src/model/domain/statement.ts';

const use = (meanMs: number, blocks: number, plan: string | null = null): StatementUse => ({
  sql: 'SELECT',
  database: 'shop',
  calls: 10,
  totalMs: 10 * meanMs,
  meanMs,
  share: 1,
  rows: 10,
  blocksRead: 0,
  blocksUsed: 10 * blocks,
  walBytes: 0,
  bypassed: null,
  looks: null,
  plan,
});
const index = 'Index Scan using items_pkey on items  (cost=0.29..8.30 rows=1 width=4)';
const scan = 'Seq Scan on items  (cost=0.00..8.30 rows=1 width=4)';

describe('how a statement grows', () => {
  it.each([
    ['a search in an index, deeper by a block', use(0.03, 3, index), use(0.034, 4, index), 'logarithmic'],
    ['a search in an index of the same depth', use(0.03, 3, index), use(0.03, 3, index), 'logarithmic'],
    ['the first rows of a table', use(0.03, 1, scan), use(0.031, 1, scan), 'constant'],
    ['a scan whose first time is mostly that of the call', use(0.05, 10, scan), use(0.2, 100, scan), 'linear'],
    ['a sort of all rows in memory', use(1, 100, scan), use(12.4, 1000, scan), 'linear'],
    ['computing over all rows of which few blocks are used', use(1, 4, index), use(9, 5, index), 'linear'],
    ['each row with each', use(1, 10, scan), use(95, 1000, scan), 'worse than linear'],
    ['half of it a search', use(1, 10, scan), use(3.2, 30, scan), 'less than linear'],
  ])('%s', (_name, base, other, kind) => expect(growthKind(base, other, 10)).toBe(kind));
});
