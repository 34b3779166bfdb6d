import pg from 'pg';
import { type DatabaseAddress, connectionOf } from './serverUrl.ts';

const everyMs = 2_000;

const holderQuery = `
  SELECT pid, coalesce(usename, 'unknown') AS role, nullif(application_name, '') AS program, coalesce(state, 'unknown') AS state,
         coalesce(extract(epoch FROM clock_timestamp() - xact_start), 0)::float8 AS "openS", left(coalesce(query, ''), 200) AS query
    FROM pg_stat_activity WHERE pid = ANY(pg_blocking_pids($1)) ORDER BY xact_start LIMIT 1`;

interface Holder {
  pid: number;
  role: string;
  program: string | null;
  state: string;
  openS: number;
  query: string;
}

/** Looks from a second connection, while a session works, at who keeps it waiting for a lock: afterwards that is unknown. Never throws. */
export class LockWatch {
  #holder: Holder | null = null;
  #client: pg.Client | null = null;
  #timer: NodeJS.Timeout | null = null;
  #stopped = false;

  /** @param pid of the session's process on the server */
  constructor(
    private readonly address: DatabaseAddress,
    private readonly pid: number,
  ) {
    this.#next();
  }

  /** Who held the lock that was waited for last, as a sentence with the session's number; null when nobody was seen. */
  get sentence(): string | null {
    const holder = this.#holder;
    if (holder === null) return null;
    const program = holder.program === null ? '' : ` (${holder.program})`;
    const text = holder.query.replace(/\s+/g, ' ').trim();
    return `It is held by session ${holder.pid} of ${holder.role}${program}, ${holder.state}, whose transaction began ${Math.round(holder.openS)} s before${text === '' ? '' : `; its last statement: ${text}`}.`;
  }

  get holderPid(): number | null {
    return this.#holder?.pid ?? null;
  }

  stop(): void {
    this.#stopped = true;
    if (this.#timer !== null) clearTimeout(this.#timer);
    void this.#client?.end().catch(() => undefined);
  }

  #next(): void {
    if (!this.#stopped) this.#timer = setTimeout(() => void this.#look(), everyMs);
  }

  async #look(): Promise<void> {
    try {
      const client = this.#client ?? (await this.#connect());
      const [holder] = (await client.query<Holder>(holderQuery, [this.pid])).rows;
      if (holder !== undefined) this.#holder = holder;
    } catch {
      // It is only for the words of a failure.
    }
    this.#next();
  }

  async #connect(): Promise<pg.Client> {
    const client = new pg.Client({
      ...connectionOf(this.address),
      database: this.address.database,
      application_name: 'benchside locks',
      connectionTimeoutMillis: everyMs,
      query_timeout: everyMs,
    });
    client.on('error', () => undefined);
    this.#client = client;
    await client.connect();
    return client;
  }
}
