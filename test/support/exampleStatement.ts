import type { StatementUse } from '../../src/model/domain/statement.ts';

/** A statement that was called once, read one row in 1 ms and has no plan. */
export const exampleStatement = (more: Partial<StatementUse> = {}): StatementUse => ({
  sql: 'SELECT 1',
  database: 'shop',
  calls: 1,
  totalMs: 1,
  meanMs: 1,
  share: 0.5,
  rows: 1,
  blocksRead: 0,
  walBytes: 0,
  bypassed: null,
  looks: null,
  plan: null,
  ...more,
});
