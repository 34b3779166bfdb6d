import { createHash } from 'node:crypto';
import type pg from 'pg';
import type { StatementUse } from '../../model/domain/statement.ts';
import { isExplainable } from '../observe/statementMeter.ts';
import { setUp, withClient } from '../services/database.ts';
import { dropCopies, makeCopy } from '../services/databaseCopy.ts';
import { ownerAddress } from '../services/databaseOwner.ts';
import type { DatabaseAddress } from '../services/serverUrl.ts';
import { copyMark } from '../variants/varied.ts';
import { type IndexIdea, type KnownTables, type PlanNode, explainedSchema, indexIdeas } from './planIdeas.ts';

/** A statement of the app’s with the plan that holds for any value. */
export interface PlannedStatement {
  sql: string;
  share: number;
  plan: PlanNode;
}

/** An index that PostgreSQL uses for a statement of the app’s, as it was made once in a copy. */
export interface UsedIndex extends IndexIdea {
  name: string;
  /** Without a name of the index, so that it is as good in a migration. */
  create: string;
  statement: string;
  bytes: number;
  buildMs: number;
  /** By how much it makes the statement cheaper by the planner’s estimate, times the statement’s share of the database’s time. */
  promise: number;
}

/** Statements that take less of the database’s time have nothing to gain that could be measured. */
const leastShare = 0.05;
const mostStatements = 6;
const mostIdeas = 16;
/** By the planner’s estimate. */
const leastCheaper = 0.1;

/**
 * The plans of the heaviest statements, and the indexes that they lack: each idea is made in a copy of the database and asked for the plan again, and is forgotten at once. Only those that
 * PostgreSQL would use are worth a measurement; the others are given as `unused`.
 */
export async function triedIndexes(
  address: DatabaseAddress,
  database: string,
  statements: readonly StatementUse[],
  signal: AbortSignal,
): Promise<{ planned: PlannedStatement[]; used: UsedIndex[]; unused: IndexIdea[] }> {
  const copy = `${database.slice(0, 30)}${copyMark}00000000`;
  await makeCopy(address, { from: database, to: copy, sql: null, rows: 1 }, signal);
  try {
    return await withClient(ownerAddress(address, copy), copy, (client) => tried(client, statements), signal, setUp);
  } finally {
    await dropCopies(address, [copy]);
  }
}

async function tried(
  client: pg.Client,
  statements: readonly StatementUse[],
): Promise<{ planned: PlannedStatement[]; used: UsedIndex[]; unused: IndexIdea[] }> {
  const planned: PlannedStatement[] = [];
  for (const { sql, share } of statements.filter((one) => one.share >= leastShare).slice(0, mostStatements)) {
    const plan = await planOf(client, sql);
    if (plan !== null) planned.push({ sql, share, plan });
  }
  const known = await knownTables(client);
  const [used, unused] = [new Map<string, UsedIndex>(), new Map<string, IndexIdea>()];
  const ideas = planned.flatMap((one) => indexIdeas(one.plan, known).map((idea) => ({ ...one, idea })));
  for (const { sql, share, plan, idea } of ideas.slice(0, mostIdeas)) {
    const found = await madeOnce(client, sql, idea);
    const key = JSON.stringify(idea);
    const cheaper = found === null ? 0 : 1 - found.cost / Math.max(1e-9, plan['Total Cost']);
    if (found === null || !found.isUsed || cheaper < leastCheaper) {
      unused.set(key, idea);
      continue;
    }
    const { bytes, buildMs, create, name } = found;
    const promise = cheaper * share + (used.get(key)?.promise ?? 0);
    used.set(key, { ...idea, name, create, statement: sql, bytes, buildMs, promise });
  }
  for (const key of used.keys()) unused.delete(key);
  return { planned, used: [...used.values()].sort((a, b) => b.promise - a.promise), unused: [...unused.values()] };
}

async function planOf(client: pg.Client, sql: string): Promise<PlanNode | null> {
  return isExplainable(sql) ? takenBack(client, 'BEGIN READ ONLY', async () => (await explained(client, sql)).plan) : null;
}

/** Does something in a transaction that is taken back; null where the server refuses it. */
async function takenBack<T>(client: pg.Client, begin: string, work: () => Promise<T>): Promise<T | null> {
  await client.query(begin);
  try {
    return await work();
  } catch (error) {
    if ((error as { code?: unknown }).code === undefined) throw error;
    return null;
  } finally {
    await client.query('ROLLBACK');
  }
}

async function explained(client: pg.Client, sql: string): Promise<{ plan: PlanNode | null; text: string }> {
  const { rows } = await client.query<{ 'QUERY PLAN': unknown }>(`EXPLAIN (GENERIC_PLAN, VERBOSE, FORMAT JSON) ${sql}`);
  return { plan: explainedSchema.safeParse(rows[0]?.['QUERY PLAN']).data?.[0]?.Plan ?? null, text: JSON.stringify(rows[0]) };
}

/** Rows of each table as the planner has them, and the columns of each index on columns alone. */
async function knownTables(client: pg.Client): Promise<KnownTables> {
  const key = (schema: string, name: string): string => JSON.stringify([schema, name]);
  const tables = await client.query<{ schema: string; name: string; rows: number }>(
    `SELECT nspname AS schema, relname AS name, reltuples::float8 AS rows FROM pg_class c JOIN pg_namespace n ON n.oid = relnamespace WHERE relkind IN ('r', 'm', 'p')`,
  );
  const indexes = await client.query<{ schema: string; name: string; columns: IndexIdea['columns'] }>(
    `SELECT nspname AS schema, relname AS name, json_agg(json_build_object('name', attname, 'falls', (indoption[k - 1] & 1) = 1) ORDER BY k) AS columns
       FROM pg_index x JOIN pg_class c ON c.oid = indexrelid JOIN pg_namespace n ON n.oid = relnamespace
       CROSS JOIN LATERAL generate_series(1, indnkeyatts) k JOIN pg_attribute a ON a.attrelid = x.indrelid AND a.attnum = indkey[k - 1]
      WHERE indexprs IS NULL GROUP BY 1, 2`,
  );
  const rows = new Map(tables.rows.map((one) => [key(one.schema, one.name), one.rows]));
  const columns = new Map(indexes.rows.map((one) => [key(one.schema, one.name), one.columns]));
  return {
    rowsOf: (schema, table) => rows.get(key(schema, table)) ?? 0,
    columnsOf: (schema, index) => columns.get(key(schema, index)) ?? [],
  };
}

const trialName = 'benchside_tried_index';

/** Makes an index, asks for the plan, and takes it back; null where it cannot be made. */
async function madeOnce(
  client: pg.Client,
  sql: string,
  { schema, table, columns }: IndexIdea,
): Promise<{ isUsed: boolean; cost: number; bytes: number; buildMs: number; create: string; name: string } | null> {
  const listed = columns.map(({ name, falls }) => `${quotedName(name)}${falls ? ' DESC' : ''}`).join(', ');
  const on = `${quotedName(schema)}.${quotedName(table)} (${listed})`;
  return takenBack(client, 'BEGIN', async () => {
    const startedMs = performance.now();
    await client.query(`CREATE INDEX ${trialName} ON ${on}`);
    const buildMs = performance.now() - startedMs;
    const size = await client.query<{ bytes: string }>('SELECT pg_relation_size($1::regclass) AS bytes', [
      `${quotedName(schema)}.${trialName}`,
    ]);
    const { plan, text } = await explained(client, sql);
    if (plan === null) return null;
    return {
      isUsed: text.includes(trialName),
      cost: plan['Total Cost'],
      bytes: Number(size.rows[0]?.bytes ?? 0),
      buildMs,
      create: `ON ${on}`,
      name: nameOf(table, columns),
    };
  });
}

/** PostgreSQL cuts names at 63 bytes. */
const longestName = 50;

/** As PostgreSQL would name it, and distinct from others of the same columns. */
function nameOf(table: string, columns: IndexIdea['columns']): string {
  const words = [table, ...columns.map(({ name, falls }) => `${name}${falls ? '_desc' : ''}`)].join('_');
  if (Buffer.byteLength(words) <= longestName) return `${words}_idx`;
  return `${words.slice(0, longestName / 2)}_${createHash('sha256').update(words).digest('hex').slice(0, 8)}_idx`;
}

/** Words of SQL that are likely names of columns and tables. */
const reservedWords: ReadonlySet<string> = new Set(
  'all analyse analyze and any array as asc both case cast check collate column constraint create current_date default desc distinct do else end except false fetch for foreign from grant group having in initially intersect into lateral leading limit not null offset on only or order placing primary references returning select some symmetric table then to trailing true union unique user using variadic when where window with'.split(
    ' ',
  ),
);

export function indexId({ table, columns }: Pick<UsedIndex, 'table' | 'columns'>): string {
  return `index ${table} (${columns.map(({ name, falls }) => `${name}${falls ? ' DESC' : ''}`).join(', ')})`;
}

/** As people write it: in quotes only where PostgreSQL needs them. */
export function quotedName(name: string): string {
  return /^[a-z_][a-z0-9_]*$/.test(name) && !reservedWords.has(name) ? name : `"${name.replaceAll('"', '""')}"`;
}
