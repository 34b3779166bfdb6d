import { tableIn } from './bypassedIndex.ts';

/** Foreign keys that refer to the table `$1` and whose columns no index begins with, that of the largest table first. Rows are `UnindexedReference`. */
export const unindexedReferencesQuery = `
  SELECT conname AS constraint, f.relname AS table, attname AS column, t.relname AS of
    FROM pg_constraint c JOIN pg_class t ON t.oid = confrelid JOIN pg_class f ON f.oid = conrelid
    JOIN pg_attribute a ON attrelid = conrelid AND attnum = conkey[1]
   WHERE contype = 'f' AND t.relname = $1 AND pg_table_is_visible(t.oid)
     AND NOT EXISTS (SELECT FROM pg_index WHERE indrelid = conrelid AND indisvalid AND indpred IS NULL AND indkey[0] = ANY(conkey))
   ORDER BY f.relpages DESC LIMIT 1`;

/** The table whose rows a plan deletes; null where it deletes none. */
export function deletedTable(plan: string): string | null {
  const [, named] = /\bDelete on (.+?)\s+\(cost=/.exec(plan) ?? [];
  return named === undefined ? null : (tableIn(named)?.table ?? null);
}
