import { createHash } from 'node:crypto';
import path from 'node:path';
import pg from 'pg';
import { failure } from '../../model/failure.ts';
import { readBoundedText } from '../files/boundedFile.ts';
import type { DatabaseAddress } from './postgresServer.ts';

/** What one statement batch may hold: it goes to the server as one text. */
const largestSqlBytes = 256 * 1024 * 1024;

/** Reads the address in a `postgres://` URL of the user's. */
export function parsePostgresUrl(text: string): DatabaseAddress {
  const cure = 'Write it as postgres://user:password@127.0.0.1:5432/database.';
  let url: URL;
  try {
    url = new URL(text);
  } catch (error) {
    throw failure('postgres-url', 'The PostgreSQL URL cannot be read.', cure, String(error));
  }
  if (url.protocol !== 'postgres:' && url.protocol !== 'postgresql:')
    throw failure('postgres-url', `The PostgreSQL URL starts with ${url.protocol} instead of postgres:.`, cure);
  return {
    host: url.hostname === '' ? '127.0.0.1' : url.hostname,
    port: url.port === '' ? 5432 : Number(url.port),
    user: decodeURIComponent(url.username),
    password: decodeURIComponent(url.password),
    database: url.pathname.length > 1 ? decodeURIComponent(url.pathname.slice(1)) : 'postgres',
    external: true,
  };
}

/** The address as a URL, with its password: for an app's environment only. */
export function postgresUrl(address: DatabaseAddress, database: string): string {
  const user = encodeURIComponent(address.user);
  return `postgres://${user}:${encodeURIComponent(address.password)}@${address.host}:${address.port}/${encodeURIComponent(database)}`;
}

/** Runs `work` on a connection of its own, which is closed whatever happens. An abort cuts the connection. */
export async function withClient<T>(
  address: DatabaseAddress,
  database: string,
  work: (client: pg.Client) => Promise<T>,
  signal?: AbortSignal,
): Promise<T> {
  signal?.throwIfAborted();
  const client = new pg.Client({
    host: address.host,
    port: address.port,
    user: address.user,
    password: address.password,
    database,
    application_name: 'benchside',
    connectionTimeoutMillis: 10_000,
  });
  client.on('error', () => undefined);
  let cut: () => void = () => undefined;
  const aborted = new Promise<never>((_resolve, reject) => {
    cut = () => reject(signal?.reason as Error);
  });
  signal?.addEventListener('abort', cut, { once: true });
  try {
    await Promise.race([client.connect(), aborted]);
    return await Promise.race([work(client), aborted]);
  } catch (error) {
    signal?.throwIfAborted();
    throw databaseFailure(error, address, database);
  } finally {
    signal?.removeEventListener('abort', cut);
    const closed = client.end().catch(() => undefined);
    // A server that does not answer must not hold up who has cancelled.
    if (signal?.aborted !== true) await closed;
  }
}

function databaseFailure(error: unknown, address: DatabaseAddress, database: string): unknown {
  const code = (error as { code?: unknown }).code;
  const where = `${address.host}:${address.port}`;
  if (code === 'ECONNREFUSED' || code === 'ENOTFOUND' || code === 'ETIMEDOUT') {
    return failure(
      'postgres-unreachable',
      `There is no PostgreSQL at ${where}.`,
      address.external ? 'Start it, or correct “benchside.postgres.url”.' : 'Run it again; see the log if it happens again.',
    );
  }
  if (code === '28P01' || code === '28000')
    return failure(
      'postgres-login',
      `PostgreSQL at ${where} refused the user ${address.user}.`,
      'Correct user and password in “benchside.postgres.url”.',
    );
  if (code === '3D000')
    return failure(
      'postgres-database',
      `PostgreSQL at ${where} has no database “${database}”.`,
      'Create it, or name another one in the URL.',
    );
  return error;
}

/** What a server says of itself. */
export interface ServerFacts {
  version: string;
  maxConnections: number;
  settings: Record<string, string>;
}

const settingsOfInterest = [
  'max_connections',
  'shared_buffers',
  'fsync',
  'full_page_writes',
  'synchronous_commit',
  'jit',
  'work_mem',
  'effective_cache_size',
  'random_page_cost',
];

/** Gives our own server the view of what it counts of each statement. Its counters run in any case; a server of the user's is left as it is. */
export async function countStatements(address: DatabaseAddress, signal?: AbortSignal): Promise<void> {
  const text = 'CREATE EXTENSION IF NOT EXISTS pg_stat_statements';
  await withClient(address, address.database, (client) => client.query(text), signal);
}

export async function readServerFacts(address: DatabaseAddress, signal?: AbortSignal): Promise<ServerFacts> {
  return withClient(
    address,
    address.database,
    async (client) => {
      const rows = await client.query<{ name: string; setting: string; unit: string | null }>(
        'SELECT name, setting, unit FROM pg_settings WHERE name = ANY($1)',
        [[...settingsOfInterest, 'server_version']],
      );
      const values = new Map(rows.rows.map((row) => [row.name, row.unit === null ? row.setting : `${row.setting} × ${row.unit}`]));
      return {
        version: (values.get('server_version') ?? 'unknown').split(' ')[0] ?? 'unknown',
        maxConnections: Number(values.get('max_connections') ?? 100),
        settings: Object.fromEntries(settingsOfInterest.flatMap((name) => (values.has(name) ? [[name, values.get(name) ?? '']] : []))),
      };
    },
    signal,
  );
}

/** What a target wants from the database, with absolute paths. */
export interface DatabaseWants {
  database: string;
  sqlFiles: readonly string[];
  prepareFiles: readonly string[];
}

/** The database in which a target's tables are: by its own name on our server, the one in the URL on the user's. */
export function databaseName(address: DatabaseAddress, wants: DatabaseWants): string {
  return address.external ? address.database : wants.database;
}

/**
 * Brings a database to the state that its SQL files describe. Each file is applied once, in a transaction together with the note that it was
 * (table `benchside_schema`: file, sha256), so that the second time costs one query. When a file has changed since, our own database is made
 * anew; in the user's own nothing is dropped and the failure says so.
 */
export async function prepareDatabase(
  address: DatabaseAddress,
  wants: DatabaseWants,
  onProgress: (message: string) => void,
  signal?: AbortSignal,
): Promise<void> {
  const database = databaseName(address, wants);
  const files = wants.sqlFiles.map((file) => ({ name: path.basename(file), ...readSql(file) }));
  if (!address.external) await createDatabase(address, database, signal);
  if (files.length === 0) return;
  let applied = await readApplied(address, database, signal);
  if (files.some((file) => applied.has(file.name) && applied.get(file.name) !== file.sha256)) {
    if (address.external) {
      throw failure(
        'schema-changed',
        `The SQL files of database “${database}” have changed since they were applied there.`,
        'Drop its tables and the table benchside_schema, or name another database in the URL; then run again.',
      );
    }
    onProgress(`The schema of ${database} has changed: making it anew`);
    await withClient(
      address,
      address.database,
      (client) => client.query(`DROP DATABASE ${client.escapeIdentifier(database)} WITH (FORCE)`),
      signal,
    );
    await createDatabase(address, database, signal);
    applied = new Map();
  }
  const missing = files.filter((file) => !applied.has(file.name));
  if (missing.length === 0) return;
  await withClient(
    address,
    database,
    async (client) => {
      await client.query(
        'CREATE TABLE IF NOT EXISTS benchside_schema (file text PRIMARY KEY, sha256 text NOT NULL, applied_at timestamptz NOT NULL DEFAULT now())',
      );
      // Two windows on one external server: the second waits here and then finds the work done.
      await client.query('SELECT pg_advisory_lock(727001)');
      const done = new Set((await client.query<{ file: string }>('SELECT file FROM benchside_schema')).rows.map((row) => row.file));
      for (const file of missing.filter((one) => !done.has(one.name))) {
        onProgress(`Applying ${file.name} to ${database}`);
        await applyFile(client, file);
      }
    },
    signal,
  );
}

async function applyFile(client: pg.Client, file: { name: string; text: string; sha256: string }): Promise<void> {
  try {
    await client.query('BEGIN');
    await client.query(file.text);
    await client.query('INSERT INTO benchside_schema (file, sha256) VALUES ($1, $2)', [file.name, file.sha256]);
    await client.query('COMMIT');
  } catch (error) {
    await client.query('ROLLBACK').catch(() => undefined);
    throw sqlFailure(file.name, file.text, error);
  }
}

/** Applies the short SQL files that bring the data back to one state before a run. */
export async function resetData(address: DatabaseAddress, wants: DatabaseWants, signal?: AbortSignal): Promise<void> {
  const files = wants.prepareFiles.map((file) => ({ name: path.basename(file), ...readSql(file) }));
  if (files.length === 0) return;
  await withClient(
    address,
    databaseName(address, wants),
    async (client) => {
      for (const { name, text } of files) {
        try {
          await client.query(text);
        } catch (error) {
          throw sqlFailure(name, text, error);
        }
      }
    },
    signal,
  );
}

function sqlFailure(name: string, text: string, error: unknown): unknown {
  const { position, message } = error as { position?: string; message?: string };
  if (message === undefined) return error;
  const line = position === undefined ? '' : `, line ${text.slice(0, Number(position)).split('\n').length}`;
  return failure('sql-failed', `${name}${line}: ${message}.`, 'Correct the SQL file; nothing of it was applied.');
}

function readSql(file: string): { text: string; sha256: string } {
  let text: string;
  try {
    text = readBoundedText(file, { largestBytes: largestSqlBytes });
  } catch (error) {
    throw failure(
      'sql-missing',
      `The SQL file ${file} cannot be read.`,
      'Correct "postgres.sql" of the target in benchside.json.',
      error instanceof Error ? error.message : String(error),
    );
  }
  return { text, sha256: createHash('sha256').update(text).digest('hex') };
}

async function createDatabase(address: DatabaseAddress, database: string, signal: AbortSignal | undefined): Promise<void> {
  await withClient(
    address,
    address.database,
    async (client) => {
      const found = await client.query('SELECT 1 FROM pg_database WHERE datname = $1', [database]);
      if (found.rowCount === 0) await client.query(`CREATE DATABASE ${client.escapeIdentifier(database)}`);
    },
    signal,
  );
}

async function readApplied(address: DatabaseAddress, database: string, signal: AbortSignal | undefined): Promise<Map<string, string>> {
  return withClient(
    address,
    database,
    async (client) => {
      const table = await client.query<{ found: string | null }>(`SELECT to_regclass('benchside_schema')::text AS found`);
      if (table.rows[0]?.found == null) return new Map();
      const rows = await client.query<{ file: string; sha256: string }>('SELECT file, sha256 FROM benchside_schema');
      return new Map(rows.rows.map((row) => [row.file, row.sha256]));
    },
    signal,
  );
}
