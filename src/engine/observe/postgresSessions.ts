import pg from 'pg';
import type { PostgresSessions } from '../../model/domain/observation.ts';

/** How to reach the server; the same as for any `pg` client. */
export type ObserverConnection = Pick<pg.ClientConfig, 'host' | 'port' | 'user' | 'password' | 'database' | 'connectionString' | 'ssl'> & {
  /**
   * The login of an app in a database of our own server, where the connection itself is the administrator's: everybody but the administrator is observed.
   * Without it, on a server that others use too, what the connection's own role does.
   */
  appLogin?: (database: string) => { user: string; password: string };
};

/** Sessions that Benchside opens for itself carry an application name with this beginning, and are not counted. */
const ownApplicationPrefix = 'benchside ';

/** Statements of Benchside begin with this comment, which distinguishes them from the app's. PostgreSQL drops a comment before the first word. */
export const ownStatement = 'SELECT /* benchside */';

/** By way of JSON, since the number of a statement is there from PostgreSQL 14 on. */
const query = `
  ${ownStatement} coalesce(state, 'unknown') AS state,
         CASE WHEN state IS DISTINCT FROM 'active' THEN NULL
              WHEN wait_event IS NULL THEN 'CPU'
              ELSE wait_event_type || ':' || wait_event END AS wait,
         CASE WHEN state = 'active' THEN datid || '/' || (to_jsonb(a) ->> 'query_id') END AS statement,
         count(*)::int AS sessions
    FROM pg_stat_activity a
   WHERE backend_type = 'client backend' AND datname = ANY($1) AND (usename = current_user) = $2 AND pid <> pg_backend_pid() AND application_name NOT LIKE '${ownApplicationPrefix}%'
   GROUP BY 1, 2, 3`;

/** As above, of the column `sessions`. */
const countersQuery = `
  ${ownStatement} sum((to_jsonb(d) ->> 'sessions')::bigint)::float8 AS begun, sum(xact_rollback)::float8 AS "rolledBack",
         sum(tup_inserted + tup_updated + tup_deleted)::float8 AS "rowsChanged"
    FROM pg_stat_database d WHERE datname = ANY($1)`;

const counterNames = ['begun', 'rolledBack', 'rowsChanged'] as const;

/** What PostgreSQL has counted in the databases since its counters began; null where it does not count it. */
type Counters = Record<(typeof counterNames)[number], number | null>;

interface Row {
  state: string;
  wait: string | null;
  /** Its number in `pg_stat_statements`, after that of the database; null where it is not known. */
  statement: string | null;
  sessions: number;
}

/** A client for what only looks; a server that is busy must not keep it. */
export function observerClient(name: string, config: pg.ClientConfig): pg.Client {
  const limits = { statement_timeout: 500, query_timeout: 1000, connectionTimeoutMillis: 2000 };
  return new pg.Client({ ...config, ...limits, application_name: `${ownApplicationPrefix}${name}` });
}

/**
 * A connection of its own for what only looks, made by `make` when it is first needed. Never throws. After a failure that it does not `bear`, no new one is
 * tried for `retryMs`.
 */
export class QuietClient {
  #client: Promise<pg.Client | null> | null = null;
  #notBeforeMs = 0;

  constructor(
    private readonly make: () => pg.Client,
    private readonly retryMs: number,
    private readonly bears: (error: unknown) => boolean = () => false,
  ) {}

  /** What `work` reads over it; null where that fails. */
  async ask<T>(work: (client: pg.Client) => Promise<T>): Promise<T | null> {
    if (performance.now() < this.#notBeforeMs) return null;
    this.#client ??= this.#connect();
    const client = await this.#client;
    if (client === null) return null;
    try {
      return await work(client);
    } catch (error) {
      if (!this.bears(error)) this.#drop(client);
      return null;
    }
  }

  /** Closes the connection. Nothing is read after this. */
  async close(): Promise<void> {
    this.#notBeforeMs = Number.POSITIVE_INFINITY;
    const client = await this.#client;
    this.#client = null;
    await client?.end().catch(() => undefined);
  }

  async #connect(): Promise<pg.Client | null> {
    const client = this.make();
    // Without a listener, a server that is killed would end the engine.
    client.on('error', () => this.#drop(client));
    try {
      await client.connect();
      return client;
    } catch {
      this.#drop(client);
      return null;
    }
  }

  #drop(client: pg.Client): void {
    this.#client = null;
    this.#notBeforeMs = Math.max(this.#notBeforeMs, performance.now() + this.retryMs);
    void client.end().catch(() => undefined);
  }
}

/** A server that is down must not be asked every second. */
const retryMs = 5000;

/**
 * Counts PostgreSQL's client sessions over a connection of its own, so that it never waits for the app's pool: those of its own role in the named databases,
 * since a server may have others. Never throws.
 */
export class PostgresObserver {
  readonly #client = new QuietClient(() => {
    const { appLogin: _, ...connection } = this.connection;
    return observerClient('observer', connection);
  }, retryMs);
  #before: { counters: Counters; atMs: number } | null = null;

  constructor(
    private readonly connection: ObserverConnection,
    private readonly databases: readonly string[],
  ) {}

  /** Sessions by state, and the active ones by what they wait for; `null` while the server does not answer within 500 ms. */
  sessions(): Promise<PostgresSessions | null> {
    return this.#client.ask(async (client) => {
      const [{ rows }, counted] = await Promise.all([
        client.query<Row>(query, [this.databases, this.connection.appLogin === undefined]),
        client.query<Counters>(countersQuery, [this.databases]),
      ]);
      return { ...countSessions(rows), ...this.#perSecond(counted.rows[0]) };
    });
  }

  /** What came since the look before; nothing where there was none. */
  #perSecond(counters: Counters | undefined): Pick<PostgresSessions, `${keyof Counters}PerS`> {
    const [before, now] = [this.#before, counters === undefined ? null : { counters, atMs: performance.now() }];
    this.#before = now;
    if (before === null || now === null || now.atMs <= before.atMs) return {};
    const rates = counterNames.flatMap((name) => {
      const [then, since] = [before.counters[name], now.counters[name]];
      return then === null || since === null ? [] : [[`${name}PerS`, (1000 * Math.max(0, since - then)) / (now.atMs - before.atMs)]];
    });
    return Object.fromEntries(rates) as Pick<PostgresSessions, `${keyof Counters}PerS`>;
  }

  /** Closes the connection. No session is counted after this. */
  close(): Promise<void> {
    return this.#client.close();
  }
}

/** Sums rows of state, wait, statement and count. */
export function countSessions(rows: readonly Row[]): PostgresSessions {
  const counted: PostgresSessions = { total: 0, byState: {}, byWait: {} };
  for (const { state, wait, statement, sessions } of rows) {
    counted.total += sessions;
    counted.byState[state] = (counted.byState[state] ?? 0) + sessions;
    if (wait === null) continue;
    counted.byWait[wait] = (counted.byWait[wait] ?? 0) + sessions;
    if (statement === null) continue;
    counted.byStatement ??= {};
    const waits = (counted.byStatement[statement] ??= {});
    waits[wait] = (waits[wait] ?? 0) + sessions;
  }
  return counted;
}
