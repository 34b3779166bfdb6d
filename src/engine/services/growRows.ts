import type pg from 'pg';
import * as z from 'zod';
import { failure } from '../../model/domain/failure.ts';
import { setUp, withClient } from './database.ts';
import { administer, ownerAddress } from './databaseOwner.ts';
import { type ColumnKind, type GrowthPlan, type ReferenceFacts, type ShiftedKey, type TableFacts, growthPlan } from './growthPlan.ts';
import type { DatabaseAddress } from './serverUrl.ts';

export interface GrownRows {
  tables: number;
  /** In all tables, afterwards. */
  rows: number;
  /** Names of tables that were left as they are. */
  left: string[];
}

/** More than a comparison on one machine is made for. */
const mostRows = 50_000_000;

const tableRow = z.object({
  id: z.number(),
  name: z.string(),
  columns: z.array(z.object({ name: z.string(), type: z.string(), category: z.string(), base: z.string(), stored: z.boolean() })),
  unique: z.array(z.array(z.string())),
});
type TableRow = z.infer<typeof tableRow>;
const referenceRow = z.object({ from: z.number(), to: z.number(), pairs: z.array(z.tuple([z.string(), z.string()])) });

/** Tables of the app’s, but for parts of others and those of extensions and of Benchside. An index over an expression has the columns that it depends on. */
const tablesQuery = `
  SELECT c.oid AS id, format('%I.%I', n.nspname, c.relname) AS name,
    (SELECT json_agg(json_build_object('name', a.attname, 'type', format_type(a.atttypid, a.atttypmod), 'category', t.typcategory,
              'base', CASE WHEN t.typbasetype = 0 THEN t.typname ELSE (SELECT typname FROM pg_type b WHERE b.oid = t.typbasetype) END,
              'stored', a.attgenerated = '') ORDER BY a.attnum)
       FROM pg_attribute a JOIN pg_type t ON t.oid = a.atttypid WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped) AS columns,
    COALESCE((SELECT json_agg(COALESCE((SELECT json_agg(a.attname) FROM pg_attribute a WHERE a.attrelid = i.indrelid AND a.attnum > 0
                AND (a.attnum = ANY(string_to_array(i.indkey::text, ' ')::int2[]) OR i.indexprs IS NOT NULL AND EXISTS (
                  SELECT FROM pg_depend d WHERE d.classid = 'pg_class'::regclass AND d.objid = i.indexrelid
                     AND d.refclassid = 'pg_class'::regclass AND d.refobjid = i.indrelid AND d.refobjsubid = a.attnum))), '[]'))
       FROM pg_index i WHERE i.indrelid = c.oid AND (i.indisunique OR i.indisexclusion)), '[]') AS "unique"
  FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
  WHERE c.relkind IN ('r', 'p') AND NOT c.relispartition AND c.relpersistence <> 't' AND n.nspname <> 'information_schema' AND n.nspname !~ '^pg_' AND c.relname <> 'benchside_schema'
    AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.classid = 'pg_class'::regclass AND d.objid = c.oid AND d.deptype = 'e')
  ORDER BY 2`;

const referencesQuery = `
  SELECT f.conrelid AS "from", f.confrelid AS "to",
    (SELECT json_agg(json_build_array(a.attname, b.attname))
       FROM unnest(f.conkey, f.confkey) AS k(one, other)
       JOIN pg_attribute a ON a.attrelid = f.conrelid AND a.attnum = k.one
       JOIN pg_attribute b ON b.attrelid = f.confrelid AND b.attnum = k.other) AS pairs
  FROM pg_constraint f WHERE f.contype = 'f' AND f.conparentid = 0`;

/** Sequences with the column that takes its values from each, whether it owns the sequence or only names it. */
const sequencesQuery = `
  SELECT DISTINCT s.oid::regclass::text AS sequence, c.oid::regclass::text AS "table", quote_ident(a.attname) AS column
  FROM pg_class s
  JOIN pg_depend d ON d.refclassid = 'pg_class'::regclass AND d.refobjid = s.oid AND d.classid = 'pg_attrdef'::regclass
     OR d.classid = 'pg_class'::regclass AND d.objid = s.oid AND d.refobjsubid > 0 AND d.deptype IN ('a', 'i')
  LEFT JOIN pg_attrdef f ON d.classid = 'pg_attrdef'::regclass AND f.oid = d.objid
  JOIN pg_attribute a ON a.attrelid = COALESCE(f.adrelid, d.refobjid) AND a.attnum = COALESCE(f.adnum::int, d.refobjsubid)
  JOIN pg_class c ON c.oid = a.attrelid
  WHERE s.relkind = 'S'`;

/**
 * Multiplies the rows of a copy of a database by inserting copies of them. Keys of the copies are others and foreign keys follow them, each copy lies behind the
 * one before in the order of the original, and sequences go on behind the last. Triggers and checks of foreign keys do not run. All as the owner of the database.
 * Fails with `variant-database` where PostgreSQL refuses a copy, or for more rows than 50 million.
 */
export async function growRows(address: DatabaseAddress, database: string, factor: number, signal: AbortSignal): Promise<GrownRows> {
  const owner = ownerAddress(address, database);
  const parameter = 'SET ON PARAMETER session_replication_role';
  const role = (client: pg.Client): string => client.escapeIdentifier(owner.user);
  await administer(address, signal, (client) => client.query(`GRANT ${parameter} TO ${role(client)}`));
  try {
    return await withClient(owner, database, (client) => multiply(client, factor), signal, setUp);
  } finally {
    await administer(address, undefined, (client) => client.query(`REVOKE ${parameter} FROM ${role(client)}`));
  }
}

async function multiply(client: pg.Client, factor: number): Promise<GrownRows> {
  const found = z.array(tableRow).parse((await client.query(tablesQuery)).rows);
  const references: ReferenceFacts[] = z.array(referenceRow).parse((await client.query(referencesQuery)).rows);
  const facts: TableFacts[] = [];
  for (const table of found) {
    const { rows } = await client.query<{ count: string }>(`SELECT count(*) AS count FROM ${table.name}`);
    facts.push({
      id: table.id,
      rows: Number(rows[0]?.count ?? 0),
      columns: new Map(table.columns.map((column) => [column.name, kindOf(column)])),
      unique: table.unique,
    });
  }
  const plan = growthPlan(facts, references);
  const rows = facts.reduce((sum, table) => sum + table.rows * (plan.grown.has(table.id) ? factor : 1), 0);
  if (rows > mostRows)
    throw failure(
      'variant-database',
      `With ${factor} times the rows there would be ${rows} of them, and at most ${mostRows} are made.`,
      'Name a smaller factor.',
    );
  await client.query('SET session_replication_role = replica');
  const shifts = await shiftsOf(client, plan, new Map(found.map((table) => [table.id, table])), factor);
  for (const table of found) if (plan.grown.has(table.id)) await copyRows(client, table, shifts, factor);
  await moveSequences(client);
  return {
    tables: plan.grown.size,
    rows,
    left: found.filter(({ id }) => !plan.grown.has(id)).map(({ name }) => name.replace(/^public\./, '')),
  };
}

const numbers = new Set(['int2', 'int4', 'int8', 'numeric', 'float4', 'float8']);

function kindOf({ category, base, stored }: TableRow['columns'][number]): ColumnKind | null {
  if (!stored) return null;
  if (numbers.has(base)) return 'number';
  if (base === 'uuid') return 'uuid';
  if (base === 'date') return 'date';
  if (base === 'timestamp' || base === 'timestamptz') return 'time';
  return category === 'S' ? 'text' : null;
}

/** What the value of a column is in a copy, as SQL with `k` for the number of the copy; by table and column. */
type Shifts = ReadonlyMap<string, (column: string) => string>;

async function shiftsOf(client: pg.Client, plan: GrowthPlan, tables: ReadonlyMap<number, TableRow>, factor: number): Promise<Shifts> {
  const shifts = new Map<string, (column: string) => string>();
  for (const key of plan.shifted) {
    const shift = await shiftOf(client, key, tables, factor);
    for (const { table, column } of key.columns) shifts.set(`${table}.${column}`, shift);
  }
  return shifts;
}

const largest: Readonly<Record<string, number>> = { int2: 32_767, int4: 2_147_483_647 };

async function shiftOf(
  client: pg.Client,
  { kind, columns }: ShiftedKey,
  tables: ReadonlyMap<number, TableRow>,
  factor: number,
): Promise<(column: string) => string> {
  if (kind === 'uuid') return (column) => `md5(${column}::text || '~' || k)::uuid`;
  if (kind === 'text') return (column) => `${column} || '~' || k`;
  const value = (column: string): string => (kind === 'number' ? `${column}::numeric` : `extract(epoch FROM ${column})`);
  const ranges = columns.map(({ table, column }) => {
    const name = value(client.escapeIdentifier(column));
    return `SELECT min(${name}) AS least, max(${name}) AS most FROM ${tables.get(table)?.name ?? ''}`;
  });
  const { rows } = await client.query<{ least: string | null; most: string | null }>(
    `SELECT floor(min(least)) AS least, ceil(max(most)) AS most FROM (${ranges.join(' UNION ALL ')}) AS ranges`,
  );
  const [least, most] = [Number(rows[0]?.least ?? 0), Number(rows[0]?.most ?? 0)];
  if (kind !== 'number') {
    const days = Math.ceil((most - least + 1) / 86_400);
    return (column) => (kind === 'date' ? `${column} + k * ${days}` : `${column} + k * interval '${days} days'`);
  }
  const stride = most - least + 1;
  for (const { table, column } of columns) {
    const base = tables.get(table)?.columns.find(({ name }) => name === column)?.base ?? '';
    if (most + (factor - 1) * stride <= (largest[base] ?? Number.MAX_SAFE_INTEGER)) continue;
    throw failure(
      'variant-database',
      `The numbers in ${tables.get(table)?.name ?? ''}.${column} reach ${most}, and ${factor} times as many have no room in its type.`,
      'Name a smaller factor.',
    );
  }
  return (column) => `${column} + k * ${stride}`;
}

async function copyRows(client: pg.Client, table: TableRow, shifts: Shifts, factor: number): Promise<void> {
  const stored = table.columns.filter((column) => column.stored);
  if (stored.length === 0) return;
  const names = stored.map(({ name }) => client.escapeIdentifier(name));
  const values = stored.map(({ name, type }, at) => {
    const shift = shifts.get(`${table.id}.${name}`);
    return shift === undefined ? names[at] : `(${shift(`t.${names[at] ?? ''}`)})::${type}`;
  });
  const copied = `INSERT INTO ${table.name} (${names.join(', ')}) OVERRIDING SYSTEM VALUE
    SELECT ${values.join(', ')} FROM ${table.name} AS t CROSS JOIN generate_series(1, ${factor - 1}) AS k ORDER BY k, t.tableoid, t.ctid`;
  await client.query(copied).catch((error: unknown) => {
    const { code, message } = error as { code?: unknown; message?: unknown };
    if (typeof code !== 'string' || !/^2[23]/.test(code)) throw error;
    throw failure(
      'variant-database',
      `The rows of ${table.name} cannot be multiplied: ${String(message)}.`,
      'Compare data that you make yourself with --vary sql=none,FILE.',
    );
  });
}

/** So that the app’s next row has a key that none of the copies has. */
async function moveSequences(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ sequence: string; table: string; column: string }>(sequencesQuery);
  for (const { sequence, table, column } of rows)
    await client.query(
      `SELECT setval($1, greatest((SELECT max(${column})::bigint FROM ${table}), (SELECT last_value FROM ${sequence}))) WHERE EXISTS (SELECT FROM ${table})`,
      [sequence],
    );
}
