import type { BypassedIndex } from '../../model/domain/statement.ts';
import { wrappedColumns } from './planExpression.ts';

/** The first column of an index, of all rows of its table. */
export interface LeadingColumn {
  table: string;
  index: string;
  column: string;
  type: string;
}

/** The first columns of the indexes of the tables named in `$1`. */
export const leadingColumnsQuery = `
  SELECT t.relname AS table, i.relname AS index, attname AS column, format_type(atttypid, NULL) AS type
    FROM pg_index x JOIN pg_class i ON i.oid = indexrelid JOIN pg_class t ON t.oid = indrelid
    JOIN pg_attribute a ON attrelid = indrelid AND attnum = indkey[0]
   WHERE indpred IS NULL AND indisvalid AND t.relname = ANY($1) AND pg_table_is_visible(t.oid)`;

const scan = /\b(Seq Scan|Index Scan|Index Only Scan|Bitmap Heap Scan)\b.*? on (.+?)\s+\(cost=/;

interface Scan {
  isSequential: boolean;
  table: string;
  alias: string;
  /** The conditions below it, by their names. */
  conditions: Map<string, string>;
}

/** A table as a plan writes it, “public.customers c”; null of no name. */
export function tableIn(named: string): { table: string; alias: string } | null {
  const names = named.match(/"(?:[^"]|"")*"|[^\s."]+/g) ?? [];
  const plain = names.map((name) => (name.startsWith('"') ? name.slice(1, -1).replaceAll('""', '"') : name));
  const isAliased = / /.test(named.replaceAll(/"[^"]*"/g, '"'));
  const alias = plain.at(-1);
  const table = isAliased ? plain.at(-2) : alias;
  return alias === undefined || table === undefined ? null : { table, alias };
}

/** The scans of a plan in text, with what each is asked. */
function scansIn(plan: string): Scan[] {
  const scans: Scan[] = [];
  let open: Scan | null = null;
  for (const line of plan.split('\n')) {
    if (line.includes('(cost=')) {
      const [, kind = '', named = ''] = scan.exec(line) ?? [];
      const of = tableIn(named);
      open = of === null ? null : { isSequential: kind === 'Seq Scan', ...of, conditions: new Map() };
      if (open !== null) scans.push(open);
      continue;
    }
    const [, name = '', condition = ''] = /^\s*(Filter|Index Cond|Recheck Cond): (.*)$/.exec(line) ?? [];
    if (name !== '') open?.conditions.set(name, condition);
  }
  return scans;
}

/** The tables that a plan reads from the first row to the last, and discards rows of. */
export function filteredTables(plan: string): string[] {
  return [
    ...new Set(scansIn(plan).flatMap(({ isSequential, table, conditions }) => (isSequential && conditions.has('Filter') ? [table] : []))),
  ];
}

/** Types that are compared as they are, whatever the plan writes. */
const alike: ReadonlySet<string> = new Set(['character varying', 'text']);

/**
 * An index that a statement cannot use since its condition converts the column, calls a function of it or matches it with a pattern; null where there is none.
 *
 * @param plan the statement's, which reads a table as a whole
 * @param forced its plan, with VERBOSE, where PostgreSQL uses any index that it can: what still has the condition as a filter has no index for it
 */
export function bypassedIndex(plan: string, forced: string, indexes: readonly LeadingColumn[]): BypassedIndex | null {
  const tables = new Set(filteredTables(plan));
  for (const { table, alias, conditions } of scansIn(forced)) {
    const filter = conditions.get('Filter');
    if (filter === undefined || !tables.has(table)) continue;
    for (const { alias: of, column, how, to } of wrappedColumns(filter)) {
      const index = indexes.find((one) => one.table === table && one.column === column);
      if (index === undefined || of !== alias || (how === 'cast' && alike.has(index.type) && alike.has(to))) continue;
      return { table, index: index.index, column, condition: filter, how };
    }
  }
  return null;
}
