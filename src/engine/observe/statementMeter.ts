import type pg from 'pg';
import { shortened } from '../../model/domain/plainText.ts';
import type { StatementUse, UnindexedReference } from '../../model/domain/statement.ts';
import { pause } from '../supervise/pause.ts';
import { type LeadingColumn, bypassedIndex, filteredTables, leadingColumnsQuery } from './bypassedIndex.ts';
import { type FunctionCounts, type FunctionUse, functionCounts, functionsBetween } from './functionTimes.ts';
import { type LooksByStatement, addedLooks } from './statementLooks.ts';
import { deletedTable, unindexedReferencesQuery } from './unindexedReference.ts';
import { type ObserverConnection, observerClient, ownStatement, QuietClient } from './postgresSessions.ts';

const counterNames = ['calls', 'totalMs', 'rows', 'blocksRead', 'blocksUsed', 'tempBlocks', 'walBytes'] as const;

/** What PostgreSQL has counted of one statement since its counters began; `blocksUsed`: of the cache or not. */
export type StatementCounters = Record<(typeof counterNames)[number], number>;

export function countersOf(value: (name: keyof StatementCounters) => number): StatementCounters {
  return Object.fromEntries(counterNames.map((name) => [name, value(name)])) as StatementCounters;
}

/** By database and statement, as `StatementMeter` names them. */
type CountersByKey = ReadonlyMap<string, StatementCounters>;

/** What the server had counted at one time. */
export interface StatementCounts {
  statements: CountersByKey;
  functions: FunctionCounts;
}

/** The statements that took most of a window, the longest first, and the time of all of them; and the functions that they called. */
export interface StatementsWindow {
  totalMs: number;
  top: readonly StatementUse[];
  functions?: readonly FunctionUse[];
}

/** More than is shown in the end: what is among the first in one block may not be in the next. */
const kept = 25;
const explain = 'EXPLAIN (GENERIC_PLAN) ';
const longestSql = 20_000;
const longestPlan = 20_000;
/** What EXPLAIN takes; others, such as COMMIT, have no plan. The server leaves out comments before the first word. */
const planned = /^\s*(?:select|insert|update|delete|merge|with|values)\b/i;

/** Whether EXPLAIN may be put before a text: one statement, to be sure that no second one is run. A semicolon in a name costs a plan. */
export function isExplainable(sql: string): boolean {
  const end = sql.trimEnd().replace(/;$/, '');
  return planned.test(end) && !end.includes(';');
}

/** Without the texts: those are read once per statement. Statements within functions are part of the call. */
const countsQuery = `
  ${ownStatement} dbid || '/' || queryid AS key, sum(calls)::float8 AS calls, sum(total_exec_time)::float8 AS "totalMs", sum(rows)::float8 AS rows,
         sum(shared_blks_read)::float8 AS "blocksRead",
         sum(shared_blks_hit + shared_blks_read)::float8 AS "blocksUsed", sum(temp_blks_written)::float8 AS "tempBlocks",
         sum(wal_bytes)::float8 AS "walBytes"
    FROM pg_stat_statements(false) WHERE toplevel AND queryid IS NOT NULL
     AND (userid = (SELECT oid FROM pg_roles WHERE rolname = current_user)) = $2 AND dbid IN (SELECT oid FROM pg_database WHERE datname = ANY($1))
   GROUP BY 1`;

const textsQuery = `
  ${ownStatement} DISTINCT ON (1) dbid || '/' || queryid AS key, query AS sql, datname AS database
    FROM pg_stat_statements JOIN pg_database d ON d.oid = dbid WHERE dbid || '/' || queryid = ANY($1)
     AND (userid = (SELECT oid FROM pg_roles WHERE rolname = current_user)) = $2`;

type StatementPlan = Pick<StatementUse, 'plan' | 'bypassed' | 'unindexed'>;
const noPlan: StatementPlan = { plan: null, bypassed: null };

type StatementText = Pick<StatementUse, 'sql' | 'database'>;
/** How the counters are polled until they no longer change: on a busy machine an app may send its last statement some 20 ms after it has answered. */
const restLook = { everyMs: 20, quiet: 3, most: 25 } as const;

/**
 * Reads what PostgreSQL counts of each statement (the extension `pg_stat_statements`), over a connection of its own that changes nothing: of those that its own
 * role runs in the named databases, since on a shared server there are others, whose texts we may not plan. Never throws; where the server does not count them,
 * it knows nothing.
 */
export class StatementMeter {
  /** A server without the extension will not get it during a run; one that is late, as a busy one may be, may be in time for the next reading. */
  readonly #client = new QuietClient(
    () => this.#newClient(),
    Number.POSITIVE_INFINITY,
    (error) => (error as { code?: unknown }).code === '57014',
  );
  readonly #texts = new Map<string, StatementText>();
  readonly #plans = new Map<string, StatementPlan>();
  /** Databases without a function that is counted: they are not asked again. */
  readonly #withoutFunctions = new Set<string>();

  constructor(
    private readonly connection: ObserverConnection,
    private readonly databases: readonly string[],
  ) {}

  get #ofOwnRole(): boolean {
    return this.connection.appLogin === undefined;
  }

  /** Connects, so that the first window need not wait for it. */
  async open(): Promise<void> {
    await this.#statements();
  }

  /** The counters now; null where they are not known within half a second. */
  async counts(): Promise<StatementCounts | null> {
    const statements = await this.#statements();
    return statements && { statements, functions: await this.#functions() };
  }

  async #statements(): Promise<CountersByKey | null> {
    const rows = await this.#ask<StatementCounters & { key: string }>(countsQuery, [this.databases, this.#ofOwnRole]);
    return rows === null ? null : new Map(rows.map(({ key, ...counters }) => [key, counters]));
  }

  /** By a connection for each reading: one that stays would keep the database from being copied. */
  async #functions(): Promise<FunctionCounts> {
    const all: [string, FunctionUse][] = [];
    for (const database of this.databases.filter((one) => !this.#withoutFunctions.has(one))) {
      const once = new QuietClient(() => this.#newClient(database), Number.POSITIVE_INFINITY);
      const found = await once.ask((client) => functionCounts(client, database));
      await once.close();
      if (found === null || found.length === 0) this.#withoutFunctions.add(database);
      else all.push(...found);
    }
    return new Map(all);
  }

  /** The counters once no call has come for 60 ms, or after half a second of calls; null where they are not known. Rejects with the signal's reason. */
  async atRest(signal?: AbortSignal): Promise<StatementCounts | null> {
    let before = await this.#statements();
    let quiet = 0;
    for (let look = 0; look < restLook.most && quiet < restLook.quiet && before !== null; look += 1) {
      await pause(restLook.everyMs, signal);
      const now = await this.#statements();
      if (now === null) return null;
      const keys = countersBetween(before, now).map(({ key }) => key);
      await this.#learn(keys);
      before = now;
      quiet = keys.every((key) => isOwn(this.#texts.get(key))) ? quiet + 1 : 0;
    }
    return before && { statements: before, functions: new Map() };
  }

  /**
   * What came between two readings, of the `most` statements that took longest, with the `looks` of that time. Asks for texts and plans that are new to it: outside of measured windows only.
   */
  async between(
    before: StatementCounts | null,
    after: StatementCounts | null,
    { most = kept, looks = new Map() }: { most?: number; looks?: LooksByStatement } = {},
  ): Promise<StatementsWindow | null> {
    if (before === null || after === null) return null;
    const called = countersBetween(before.statements, after.statements);
    await this.#learn(called.slice(0, most).map(({ key }) => key));
    const others = called.filter(({ key }) => !isOwn(this.#texts.get(key)));
    const totalMs = others.reduce((sum, one) => sum + one.totalMs, 0);
    const top: StatementUse[] = [];
    for (const { key, ...counters } of others.slice(0, most)) {
      const text = this.#texts.get(key);
      if (text === undefined) continue;
      top.push({ ...text, ...(await this.#planOf(key, text)), ...counters, ...rates(counters, totalMs), looks: looks.get(key) ?? null });
    }
    return { totalMs, top, functions: functionsBetween(before.functions, after.functions) };
  }

  close(): Promise<void> {
    return this.#client.close();
  }

  async #learn(keys: readonly string[]): Promise<void> {
    const unknown = keys.filter((key) => !this.#texts.has(key));
    if (unknown.length === 0) return;
    const texts = (await this.#ask<{ key: string; sql: string; database: string }>(textsQuery, [unknown, this.#ofOwnRole])) ?? [];
    for (const { key, sql, database } of texts) this.#texts.set(key, { sql: shortened(unexplained(sql), longestSql), database });
  }

  async #planOf(key: string, { sql, database }: StatementText): Promise<StatementPlan> {
    const known = this.#plans.get(key);
    if (known !== undefined) return known;
    const plan = await this.#plan(sql, database);
    this.#plans.set(key, plan);
    return plan;
  }

  /** The plan that holds for any value; null where PostgreSQL (before 16) or the statement has none. */
  async #plan(sql: string, database: string): Promise<StatementPlan> {
    if (!isExplainable(sql)) return noPlan;
    const once = new QuietClient(() => this.#newClient(database), Number.POSITIVE_INFINITY);
    const found = await once.ask(async (client) => {
      const plan = await explained(client, `${explain}${sql}`);
      const [tables, deleted] = [filteredTables(plan), deletedTable(plan)];
      const references = deleted === null ? [] : (await client.query<UnindexedReference>(unindexedReferencesQuery, [deleted])).rows;
      const unindexed = references[0] === undefined ? {} : { unindexed: references[0] };
      if (tables.length === 0) return { plan, bypassed: null, ...unindexed };
      await client.query('SET enable_seqscan = off');
      const forced = await explained(client, `EXPLAIN (GENERIC_PLAN, VERBOSE) ${sql}`);
      const { rows } = await client.query<LeadingColumn>(leadingColumnsQuery, [tables]);
      return { plan, bypassed: bypassedIndex(plan, forced, rows), ...unindexed };
    });
    void once.close();
    return found === null ? noPlan : { ...found, plan: shortened(found.plan, longestPlan) };
  }

  async #ask<Row extends object>(text: string, values: unknown[]): Promise<Row[] | null> {
    return (await this.#client.ask((client) => client.query<Row>(text, values)))?.rows ?? null;
  }

  #newClient(database?: string): pg.Client {
    const { connectionString, appLogin, ...rest } = this.connection;
    return observerClient('statements', {
      ...(connectionString === undefined ? rest : { connectionString }),
      // A plan may run functions of the app's: with its own rights only.
      ...(database === undefined ? {} : { ...appLogin?.(database), database }),
      // The texts come from others: whatever one of them says, nothing is changed by asking for its plan.
      options: '-c default_transaction_read_only=on',
    });
  }
}

/** PostgreSQL keeps the text by which it first saw a statement: that may be our question for its plan, asked in an earlier run on the same database. */
export function unexplained(sql: string): string {
  return sql.startsWith(explain) ? sql.slice(explain.length) : sql;
}

async function explained(client: pg.Client, question: string): Promise<string> {
  const { rows } = await client.query<{ 'QUERY PLAN': string }>(question);
  return rows.map((row) => row['QUERY PLAN']).join('\n');
}

function isOwn(text: StatementText | undefined): boolean {
  return text?.sql.startsWith(ownStatement) === true;
}

function rates({ calls, totalMs }: StatementCounters, ofAllMs: number): Pick<StatementUse, 'meanMs' | 'share'> {
  return { meanMs: calls > 0 ? totalMs / calls : 0, share: ofAllMs > 0 ? totalMs / ofAllMs : 0 };
}

/** What was called between two readings, the longest first. A counter that was reset in between counts from its beginning. */
export function countersBetween(before: CountersByKey, after: CountersByKey): ({ key: string } & StatementCounters)[] {
  return [...after]
    .map(([key, now]) => {
      const earlier = before.get(key);
      const then = earlier === undefined || earlier.calls > now.calls ? null : earlier;
      const counters = countersOf((name) => now[name] - (then?.[name] ?? 0));
      return { key, ...counters, totalMs: Math.max(0, counters.totalMs) };
    })
    .filter(({ calls }) => calls > 0)
    .sort((a, b) => b.totalMs - a.totalMs);
}

/** The statements with the most time in several windows together, the longest first. */
export function mergeStatements(windows: readonly StatementsWindow[], most = 5): StatementUse[] {
  const totalMs = windows.reduce((sum, window) => sum + window.totalMs, 0);
  const merged = new Map<string, StatementUse>();
  for (const one of windows.flatMap(({ top }) => top)) {
    const key = `${one.database}/${one.sql}`;
    const sum = merged.get(key);
    const counters = countersOf((name) => (one[name] ?? 0) + (sum?.[name] ?? 0));
    merged.set(key, {
      ...one,
      ...counters,
      ...rates(counters, totalMs),
      plan: sum?.plan ?? one.plan,
      bypassed: sum?.bypassed ?? one.bypassed,
      looks: addedLooks(sum?.looks ?? null, one.looks),
    });
  }
  return [...merged.values()].sort((a, b) => b.totalMs - a.totalMs).slice(0, most);
}
