import type pg from 'pg';
import type { Route, RouteParameter } from '../../model/domain/target.ts';

export type Client = Pick<pg.Client, 'query' | 'escapeIdentifier'>;

/** What can fill a parameter of a path. */
export interface ParameterRows {
  /** The column that has its values; null: the service answers them, from the first to the last. */
  of: { table: string; column: string } | null;
  /** What the parameter is filled with: of whole numbers the range, of texts some of them. */
  parameter: RouteParameter;
  /** How many different values there are; of numbers fewer than those of the range have gaps between them. */
  rows: number;
}

/** What is known of the parameters of a service’s paths. */
export interface RowRanges {
  /** By path and name of a parameter. */
  readonly known: Map<string, ParameterRows>;
  /** Looks for those of these paths, too. */
  look: (paths: readonly string[]) => Promise<void>;
}

interface Column {
  schema: string;
  table: string;
  column: string;
  isText: boolean;
}

/** Of a column of texts so many are written down: enough that one row is not asked for all the time, few enough to be read. */
const mostTexts = 20;

/** For each parameter of a path the column that it most likely names, with what is in it; those for which there is none, or no row, are left out. */
export async function parameterRows(client: Client, paths: readonly string[]): Promise<Map<string, ParameterRows>> {
  const { rows: columns } = await client.query<Column>(
    `SELECT table_schema AS schema, table_name AS table, column_name AS column, data_type NOT IN ('smallint', 'integer', 'bigint') AS "isText"
     FROM information_schema.columns
     WHERE data_type IN ('smallint', 'integer', 'bigint', 'uuid', 'text', 'character varying', 'character')
       AND table_schema NOT IN ('pg_catalog', 'information_schema')
       AND table_name <> 'benchside_schema' ORDER BY table_schema, table_name, ordinal_position`,
  );
  const found = new Map<string, ParameterRows>();
  for (const path of paths)
    for (const { name, before } of parametersOf(path)) {
      const chosen = likelyColumn(columns, name, before);
      const rows = chosen === null ? null : await (chosen.isText ? textsOf(client, chosen) : rangeOf(client, chosen));
      if (rows !== null) found.set(`${path} ${name}`, rows);
    }
  return found;
}

/** A route whose parameters have what was found for them. */
export function filled(route: Route, rows: ReadonlyMap<string, ParameterRows>): Route {
  const parameters = Object.fromEntries(
    Object.entries(route.parameters).map(([name, given]) => [name, rows.get(`${route.path} ${name}`)?.parameter ?? given]),
  );
  return { ...route, parameters };
}

/** How many numbers there are between the first and the last, where fewer rows than that exist; null where each has one. */
export function numbersWithGaps({ rows, parameter }: ParameterRows): number | null {
  if ('values' in parameter) return null;
  const numbers = parameter.max - parameter.min + 1;
  return rows < numbers ? numbers : null;
}

/** Where what fills a parameter is from. */
export function rowsPhrase(name: string, { of, parameter, rows }: ParameterRows): string {
  const start = of === null ? `:${name} as it answers` : `:${name} from ${of.table}.${of.column}`;
  if (!('values' in parameter)) return `${start}, ${parameter.min} to ${parameter.max}`;
  const { length } = parameter.values;
  return `${start}, ${rows > length ? `${length} of its values` : length === 1 ? 'its only value' : `its ${length} values`}`;
}

/** The parameters of a path, each with the part of the path before it. */
export function parametersOf(path: string): { name: string; before: string | null }[] {
  const parts = (path.split('?')[0] ?? '').split('/').filter((part) => part !== '');
  return parts.flatMap((part, index) => {
    const name = /^:(\w+)$/.exec(part)?.[1];
    return name === undefined ? [] : [{ name, before: parts.slice(0, index).findLast((one) => !one.startsWith(':')) ?? null }];
  });
}

/** Those of these paths with a parameter of which nothing is known. */
export function unknownRows(paths: readonly string[], known: ReadonlyMap<string, ParameterRows>): string[] {
  return paths.filter((path) => parametersOf(path).some(({ name }) => !known.has(`${path} ${name}`)));
}

/** `/orders/:id` names orders.id, `/x/:orderId` orders.id or a column order_id; null where nothing says which. */
export function likelyColumn<C extends Pick<Column, 'table' | 'column'> & Partial<Pick<Column, 'isText'>>>(
  columns: readonly C[],
  name: string,
  before: string | null,
): C | null {
  const snake = name.replace(/([a-z0-9])([A-Z])/g, '$1_$2').toLowerCase();
  const thing = /^(.+)_(?:id|no|number|key)$/.exec(snake)?.[1] ?? null;
  const called = before === null ? null : singular(before.toLowerCase().replaceAll('-', '_'));
  const of = (table: string | null): C[] => (table === null ? [] : columns.filter((one) => singular(one.table.toLowerCase()) === table));
  const plain = /^(?:id|pk|key|number|no|p\d+)$/.test(snake);
  const own = (table: string | null): C | undefined =>
    of(table).find(({ column }) => column === 'id') ?? of(table).find(({ column }) => column === `${table ?? ''}_id`);
  return (
    of(called).find(({ column }) => column.toLowerCase() === snake) ??
    (plain ? own(called) : own(thing)) ??
    // A name or a state is a column of many tables.
    (plain ? undefined : columns.find(({ column, isText }) => isText !== true && column.toLowerCase() === snake)) ??
    null
  );
}

export function singular(word: string): string {
  return word
    .replace(/ies$/, 'y')
    .replace(/(?<=s|x|ch|sh)es$/, '')
    .replace(/(?<!s)s$/, '');
}

/** A column as SQL has it. */
export function quoted(
  client: Client,
  { schema, table, column }: Pick<Column, 'schema' | 'table' | 'column'>,
): { from: string; name: string } {
  return { from: `${client.escapeIdentifier(schema)}.${client.escapeIdentifier(table)}`, name: client.escapeIdentifier(column) };
}

async function rangeOf(client: Client, of: Column): Promise<ParameterRows | null> {
  const { from, name } = quoted(client, of);
  const { rows } = await client.query<{ min: string | null; max: string | null; rows: string }>(
    `SELECT min(${name}) AS min, max(${name}) AS max, count(DISTINCT ${name}) AS rows FROM ${from}`,
  );
  const [found] = rows;
  if (found === undefined || found.min === null || found.max === null) return null;
  const [min, max] = [Number(found.min), Number(found.max)];
  if (!Number.isSafeInteger(min) || !Number.isSafeInteger(max)) return null;
  return { of, parameter: { min, max }, rows: Number(found.rows) };
}

/** Texts that a part of a path can be, of the first thousand rows. */
async function textsOf(client: Client, of: Column): Promise<ParameterRows | null> {
  const { from, name } = quoted(client, of);
  const { rows } = await client.query<{ value: string }>(
    `SELECT DISTINCT value FROM (SELECT ${name}::text AS value FROM ${from} WHERE ${name} IS NOT NULL LIMIT 1000) AS first_rows
     WHERE value ~ '^[^/[:cntrl:]]{1,200}$' ORDER BY value`,
  );
  const values = rows.slice(0, mostTexts).map(({ value }) => value);
  return values.length === 0 ? null : { of, parameter: { values }, rows: rows.length };
}
