import type { TrafficIds } from '../../model/domain/traffic.ts';
import { type Client, likelyColumn, quoted } from '../introspect/parameterRows.ts';
import type { DraftParameter } from './trafficDraft.ts';

/** A column whose values name one row each. */
interface KeyColumn {
  schema: string;
  table: string;
  column: string;
  type: string;
}

export type WeightedValues = readonly (readonly [value: string, weight: number])[];

export interface LocalIds {
  values: WeightedValues;
  ids: TrafficIds;
}

/** The number of values of a parameter that identify its column. */
const asked = 100;
/** The share of the requested values that must exist to identify a column by them alone. */
const enough = 0.5;
/** The number of keys that are read where nothing was asked for. */
const someKeys = 200;
const whole = new Set(['int2', 'int4', 'int8']);
const texts = new Set(['text', 'varchar', 'bpchar', 'uuid']);

/**
 * Replaces keys of rows that do not exist by keys of rows that do. The column is the one that holds most of what was asked for, or else the one that the path
 * names. Existing keys stay unchanged; of the others, the commonest gets one key, the next the next, so that the skew stays.
 */
export async function localIds(client: Client, parameters: readonly DraftParameter[]): Promise<Map<string, LocalIds>> {
  const columns = await keyColumns(client);
  const found = new Map<string, LocalIds>();
  for (const parameter of parameters) {
    const column = await columnOf(client, columns, parameter);
    if (column === null) continue;
    const local = await moved(client, column, parameter);
    if (local !== null) found.set(parameter.hole, local);
  }
  return found;
}

/** The recorded keys, where nothing is known of the local data. */
export function recordedIds({ route, name, values, distinct }: DraftParameter): LocalIds {
  return { values, ids: { route, parameter: name, values: distinct, column: null, existing: 0, moved: 0, written: values.length } };
}

async function keyColumns(client: Client): Promise<KeyColumn[]> {
  const { rows } = await client.query<KeyColumn>(
    `SELECT n.nspname AS schema, c.relname AS table, a.attname AS column, t.typname AS type
       FROM pg_index i JOIN pg_class c ON c.oid = i.indrelid JOIN pg_namespace n ON n.oid = c.relnamespace
       JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum = i.indkey[0] JOIN pg_type t ON t.oid = a.atttypid
      WHERE i.indisunique AND i.indisvalid AND i.indnkeyatts = 1 AND i.indpred IS NULL AND c.relkind IN ('r', 'p')
        AND n.nspname NOT IN ('pg_catalog', 'information_schema') AND c.relname <> 'benchside_schema' AND t.typname = ANY($1)
      ORDER BY i.indisprimary DESC, n.nspname, c.relname, a.attnum`,
    [[...whole, ...texts]],
  );
  const seen = new Set<string>();
  return rows.filter(({ schema, table, column }) => {
    const name = `${schema}.${table}.${column}`;
    return !seen.has(name) && seen.add(name) !== undefined;
  });
}

async function columnOf(client: Client, columns: readonly KeyColumn[], parameter: DraftParameter): Promise<KeyColumn | null> {
  const fitting = columns.filter((column) => fits(column, parameter));
  // `/users/:userId` is written `/users/:id` as often; the word before it says more than a name that was made of it.
  const named =
    parameter.kind === 'path'
      ? (likelyColumn(fitting, 'id', parameter.before) ?? anyKeyOf(fitting, parameter.before))
      : likelyColumn(fitting, parameter.name, null);
  if (parameter.values.length === 0) return named;
  const values = parameter.values.slice(0, asked).map(([value]) => value);
  if (named !== null && (await existing(client, named, values)).size >= values.length * enough) return named;
  // A number of a page is a key of something, too.
  if (parameter.kind === 'query') return named;
  let best: { column: KeyColumn; count: number } | null = null;
  for (const column of fitting) {
    if (!isDistinctive(values)) break;
    const { size } = await existing(client, column, values);
    if (size >= values.length * enough && size > (best?.count ?? 0)) best = { column, count: size };
  }
  return best?.column ?? named;
}

/** A key of the table that the path names, whatever it is called. */
function anyKeyOf(columns: readonly KeyColumn[], before: string | null): KeyColumn | null {
  return (
    likelyColumn(
      columns.map((key) => ({ table: key.table, column: 'id', key })),
      'id',
      before,
    )?.key ?? null
  );
}

/** Small numbers are keys of every table; names and UUIDs only of one. */
function isDistinctive(values: readonly string[]): boolean {
  return values.some((value) => !/^\d+$/.test(value));
}

function fits({ type }: KeyColumn, { values }: DraftParameter): boolean {
  const known = values.slice(0, asked).map(([value]) => value);
  if (whole.has(type)) return known.every((value) => /^\d{1,18}$/.test(value));
  if (type === 'uuid') return known.every((value) => /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i.test(value));
  return true;
}

async function existing(client: Client, column: KeyColumn, values: readonly string[]): Promise<Set<string>> {
  const { from, name } = quoted(client, column);
  const type = whole.has(column.type) ? 'int8' : column.type === 'uuid' ? 'uuid' : 'text';
  const { rows } = await client.query<{ key: string }>(`SELECT ${name}::text AS key FROM ${from} WHERE ${name} = ANY($1::${type}[])`, [
    values,
  ]);
  return new Set(rows.map(({ key }) => key));
}

async function moved(
  client: Client,
  column: KeyColumn,
  { route, name: parameter, values, distinct }: DraftParameter,
): Promise<LocalIds | null> {
  const there = await existing(
    client,
    column,
    values.map(([value]) => value),
  );
  const isThere = (value: string): boolean => there.has(value) || there.has(value.toLowerCase());
  const missing = values.filter(([value]) => !isThere(value));
  const { from, name } = quoted(client, column);
  const wanted = values.length === 0 ? someKeys : missing.length + there.size;
  const { rows } =
    missing.length === 0 && values.length > 0
      ? { rows: [] }
      : await client.query<{ key: string }>(
          `SELECT ${name}::text AS key FROM ${from} WHERE ${name} IS NOT NULL ORDER BY ${name} LIMIT $1`,
          [wanted],
        );
  const free = rows.map(({ key }) => key).filter((key) => !there.has(key));
  const filled = new Map<string, number>();
  const add = (key: string, weight: number): void => void filled.set(key, (filled.get(key) ?? 0) + weight);
  for (const [value, count] of values) if (isThere(value)) add(value, count);
  const pool = free.length > 0 ? free : [...there];
  if (pool.length === 0) return null;
  missing.forEach(([, count], index) => add(pool[index % pool.length] ?? '', count));
  if (values.length === 0) for (const key of free) add(key, 1);
  const written = [...filled].sort((a, b) => b[1] - a[1]);
  return {
    values: written,
    ids: {
      route,
      parameter,
      values: distinct,
      column: `${column.schema}.${column.table}.${column.column}`,
      existing: written.length,
      moved: missing.length,
      written: written.length,
    },
  };
}
