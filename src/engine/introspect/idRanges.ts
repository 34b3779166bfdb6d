import type pg from 'pg';
import type { Route } from '../../model/domain/target.ts';

/** A whole-number column whose values can fill a parameter of a path. */
export interface IdRange {
  table: string;
  column: string;
  min: number;
  max: number;
  /** How many there are from `min` to `max`; fewer than that many numbers have gaps between them. */
  rows: number;
}

/** What the rows of a service’s database say of the parameters of its paths. */
export interface RowRanges {
  /** By path and name of a parameter. */
  readonly known: ReadonlyMap<string, IdRange>;
  /** Looks for those of these paths, too. */
  look: (paths: readonly string[]) => Promise<void>;
}

interface Column {
  schema: string;
  table: string;
  column: string;
}

/** For each parameter of a path the column that it most likely names, with what is in it; those for which there is none, or no row, are left out. */
export async function idRanges(
  client: Pick<pg.Client, 'query' | 'escapeIdentifier'>,
  paths: readonly string[],
): Promise<Map<string, IdRange>> {
  const { rows: columns } = await client.query<Column>(
    `SELECT table_schema AS schema, table_name AS table, column_name AS column FROM information_schema.columns
     WHERE data_type IN ('smallint', 'integer', 'bigint') AND table_schema NOT IN ('pg_catalog', 'information_schema')
       AND table_name <> 'benchside_schema' ORDER BY table_schema, table_name, ordinal_position`,
  );
  const ranges = new Map<string, IdRange>();
  for (const path of paths)
    for (const { name, before } of parametersOf(path)) {
      const chosen = likelyColumn(columns, name, before);
      const range = chosen === null ? null : await rangeOf(client, chosen);
      if (range !== null) ranges.set(`${path} ${name}`, range);
    }
  return ranges;
}

/** A route whose parameters have the ranges that were found for them. */
export function filled(route: Route, ranges: ReadonlyMap<string, IdRange>): Route {
  const parameters = Object.fromEntries(
    Object.entries(route.parameters).map(([name, given]) => {
      const range = ranges.get(`${route.path} ${name}`);
      return [name, range === undefined ? given : { min: range.min, max: range.max }];
    }),
  );
  return { ...route, parameters };
}

/** Whether there are fewer rows than numbers between the first and the last. */
export function hasGaps({ rows, min, max }: IdRange): boolean {
  return rows < max - min + 1;
}

/** Where the numbers of a parameter are from. */
export function rangeWords(name: string, { table, column, min, max }: IdRange): string {
  return `:${name} from ${table}.${column}, ${min} to ${max}`;
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
export function unknownRows(paths: readonly string[], known: ReadonlyMap<string, IdRange>): string[] {
  return paths.filter((path) => parametersOf(path).some(({ name }) => !known.has(`${path} ${name}`)));
}

/** `/orders/:id` names orders.id, `/x/:orderId` orders.id or a column order_id; null where nothing says which. */
export function likelyColumn<C extends Pick<Column, 'table' | 'column'>>(
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
    (plain ? undefined : columns.find(({ column }) => column.toLowerCase() === snake)) ??
    null
  );
}

function singular(word: string): string {
  return word
    .replace(/ies$/, 'y')
    .replace(/(?<=s|x|ch|sh)es$/, '')
    .replace(/(?<!s)s$/, '');
}

async function rangeOf(client: Pick<pg.Client, 'query' | 'escapeIdentifier'>, { schema, table, column }: Column): Promise<IdRange | null> {
  const [of, name] = [`${client.escapeIdentifier(schema)}.${client.escapeIdentifier(table)}`, client.escapeIdentifier(column)];
  const { rows } = await client.query<{ min: string | null; max: string | null; rows: string }>(
    `SELECT min(${name}) AS min, max(${name}) AS max, count(DISTINCT ${name}) AS rows FROM ${of}`,
  );
  const [found] = rows;
  if (found === undefined || found.min === null || found.max === null) return null;
  const [min, max] = [Number(found.min), Number(found.max)];
  return Number.isSafeInteger(min) && Number.isSafeInteger(max) ? { table, column, min, max, rows: Number(found.rows) } : null;
}
