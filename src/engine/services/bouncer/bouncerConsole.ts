import pg from 'pg';

/** What `SHOW POOLS` says of one pool, now. */
export interface BouncerPoolNow {
  clientsActive: number;
  /** Clients whose statement waits for a server connection. */
  clientsWaiting: number;
  /** Server connections that belong to a client. */
  serversActive: number;
  /** All server connections, whatever they do. */
  servers: number;
}

/** What `SHOW STATS` has counted of one database since PgBouncer began. */
export interface BouncerTotals {
  transactions: number;
  /** µs that statements waited for a server connection, counted when they got one. */
  waitUs: number;
}

type Row = Readonly<Record<string, unknown>>;

/** The pool of a database, which is there from its first use on. Columns come and go with the version: what is not there counts as none. */
export function poolOfRows(rows: readonly Row[], database: string, user: string): BouncerPoolNow {
  const row = rows.find((one) => one['database'] === database && one['user'] === user) ?? {};
  const server = Object.keys(row).filter((name) => name.startsWith('sv_'));
  return {
    clientsActive: count(row, 'cl_active'),
    clientsWaiting: count(row, 'cl_waiting'),
    serversActive: count(row, 'sv_active'),
    servers: server.reduce((sum, name) => sum + count(row, name), 0),
  };
}

export function totalsOfRows(rows: readonly Row[], database: string): BouncerTotals {
  const row = rows.find((one) => one['database'] === database) ?? {};
  return {
    transactions: count(row, 'total_xact_count'),
    waitUs: count(row, 'total_wait_time'),
  };
}

function count(row: Row, name: string): number {
  const value = Number(row[name] ?? 0);
  return Number.isFinite(value) ? value : 0;
}

const timeoutMs = 2_000;

/** A connection to a PgBouncer of this machine, about to be opened, which waits no longer than this for anything. */
export function bouncerClient(port: number, login: { user: string; password: string }, database: string, withinMs: number): pg.Client {
  const { user, password } = login;
  return new pg.Client({ host: '127.0.0.1', port, user, password, database, connectionTimeoutMillis: withinMs, query_timeout: withinMs });
}

/** PgBouncer’s own console over one connection: it speaks the simple protocol only, and takes no parameters. */
export class BouncerConsole {
  #broken = false;

  private constructor(
    private readonly client: pg.Client,
    private readonly database: string,
    private readonly user: string,
  ) {
    // Without a listener, a PgBouncer that is killed would end the engine.
    client.on('error', () => (this.#broken = true));
  }

  /** Connects as the user of the console; it reports the pool of `database` and `user`. Rejects where nobody answers. */
  static async open(
    port: number,
    admin: { user: string; password: string },
    pool: { database: string; user: string },
  ): Promise<BouncerConsole> {
    const client = bouncerClient(port, admin, 'pgbouncer', timeoutMs);
    const console = new BouncerConsole(client, pool.database, pool.user);
    try {
      await client.connect();
      return console;
    } catch (error) {
      await console.close();
      throw error;
    }
  }

  /** What its pool does now; null where it does not answer. */
  async pool(): Promise<BouncerPoolNow | null> {
    const rows = await this.#show('SHOW POOLS');
    return rows === null ? null : poolOfRows(rows, this.database, this.user);
  }

  async totals(): Promise<BouncerTotals | null> {
    const rows = await this.#show('SHOW STATS');
    return rows === null ? null : totalsOfRows(rows, this.database);
  }

  /** Rejects with PgBouncer’s own words where it refuses. */
  async run(command: string): Promise<void> {
    await this.client.query(command);
  }

  async close(): Promise<void> {
    this.#broken = true;
    await this.client.end().catch(() => undefined);
  }

  async #show(command: string): Promise<Row[] | null> {
    if (this.#broken) return null;
    try {
      return (await this.client.query<Record<string, unknown>>(command)).rows;
    } catch {
      return null;
    }
  }
}
