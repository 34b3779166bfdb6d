import type pg from 'pg';
import { failure } from '../../model/failure.ts';
import { databaseFailure, setUp, withClient } from './database.ts';
import type { LockWatch } from './lockWatch.ts';
import { ensureOwnDatabase, ownDatabaseName, remakeOwnDatabase } from './ownDatabases.ts';
import type { DatabaseAddress } from './serverUrl.ts';
import { readSqlFiles } from './sqlFiles.ts';
import type { SqlFile } from './sqlFiles.ts';

/** What a target wants from the database, with absolute paths. */
export interface DatabaseWants {
  database: string;
  /** Of the file that declares the target. */
  folder: string;
  sqlFiles: readonly string[];
  prepareFiles: readonly string[];
}

/** The database in which a target's tables are: by its own name on our server; on the user's one of our making, or the one in the URL where that was chosen. */
export function databaseName(address: DatabaseAddress, wants: Pick<DatabaseWants, 'database' | 'folder'>): string {
  if (!address.external) return wants.database;
  return address.mode === 'own' ? ownDatabaseName(wants) : address.database;
}

/** Whether anything may be applied for a target at all. */
export function appliesSql({ external, mode }: Pick<DatabaseAddress, 'external' | 'mode'>): boolean {
  return !external || mode !== 'read-only';
}

/**
 * Brings a database to the state that its SQL files describe. Each file is applied once, in a transaction together with the note that it was
 * (table `benchside_schema`: file, sha256), so that the second time costs one query. When a file has changed since, a database of ours is made
 * anew; in one of the user's nothing is dropped and the failure says so. Where nothing may be applied, it only has to be there.
 */
export async function prepareDatabase(
  address: DatabaseAddress,
  wants: DatabaseWants,
  onProgress: (message: string) => void,
  signal?: AbortSignal,
): Promise<void> {
  const database = databaseName(address, wants);
  if (!appliesSql(address)) {
    await withClient(address, database, async () => undefined, signal);
    return;
  }
  const files = agreedFiles(address, wants.sqlFiles);
  if (!address.external) await createDatabase(address, database, signal);
  else if (address.mode === 'own') await ensureOwnDatabase(address, wants, onProgress, signal);
  if (files.length === 0) return;
  let applied = await readApplied(address, database, signal);
  if (files.some((file) => applied.has(file.name) && applied.get(file.name) !== file.sha256)) {
    if (address.external && address.mode !== 'own') {
      throw failure(
        'schema-changed',
        `The SQL files of database “${database}” have changed since they were applied there.`,
        'Drop its tables and the table benchside_schema, or name another database in the URL; then run again.',
      );
    }
    onProgress(`The schema of ${database} has changed: making it anew`);
    if (address.external) await remakeOwnDatabase(address, wants, onProgress, signal);
    else {
      await withClient(
        address,
        address.database,
        (client) => client.query(`DROP DATABASE ${client.escapeIdentifier(database)} WITH (FORCE)`),
        signal,
        setUp,
      );
      await createDatabase(address, database, signal);
    }
    applied = new Map();
  }
  const missing = files.filter((file) => !applied.has(file.name));
  if (missing.length === 0) return;
  await withClient(
    address,
    database,
    async (client, locks) => {
      await client.query(
        'CREATE TABLE IF NOT EXISTS benchside_schema (file text PRIMARY KEY, sha256 text NOT NULL, applied_at timestamptz NOT NULL DEFAULT now())',
      );
      // Two windows on one external server: the second waits here for as long as the first needs, and then finds the work done.
      await client.query('SET lock_timeout = 0');
      await client.query('SELECT pg_advisory_lock(727001)');
      await client.query(`SET lock_timeout = ${setUp.lockMs}`);
      const done = new Set((await client.query<{ file: string }>('SELECT file FROM benchside_schema')).rows.map((row) => row.file));
      for (const file of missing.filter((one) => !done.has(one.name))) {
        onProgress(`Applying ${file.name} to ${database}`);
        await applyFile(client, file, (error) => sqlFailure(file, error, address, database, locks));
      }
    },
    signal,
    setUp,
  );
}

async function applyFile(client: pg.Client, file: SqlFile, failureOf: (error: unknown) => unknown): Promise<void> {
  try {
    await client.query('BEGIN');
    await client.query(file.text);
    await client.query('INSERT INTO benchside_schema (file, sha256) VALUES ($1, $2)', [file.name, file.sha256]);
    await client.query('COMMIT');
  } catch (error) {
    await client.query('ROLLBACK').catch(() => undefined);
    throw failureOf(error);
  }
}

/** Applies the short SQL files that bring the data back to one state before a run. */
export async function resetData(address: DatabaseAddress, wants: DatabaseWants, signal?: AbortSignal): Promise<void> {
  if (!appliesSql(address)) return;
  const files = agreedFiles(address, wants.prepareFiles);
  if (files.length === 0) return;
  const database = databaseName(address, wants);
  await withClient(
    address,
    database,
    async (client, locks) => {
      for (const file of files) {
        try {
          await client.query(file.text);
        } catch (error) {
          throw sqlFailure(file, error, address, database, locks);
        }
      }
    },
    signal,
    setUp,
  );
}

/** The files as they are now: in a database of the user's only what was agreed to, whatever has become of them since. */
function agreedFiles(address: DatabaseAddress, paths: readonly string[]): SqlFile[] {
  const files = readSqlFiles(paths);
  if (!address.external || address.mode === 'own') return files;
  if (address.requireAgreed === undefined) throw failure('internal', 'Nobody was asked about SQL files for a database of the user’s.');
  address.requireAgreed(files);
  return files;
}

function sqlFailure(file: SqlFile, error: unknown, address: DatabaseAddress, database: string, locks: LockWatch): unknown {
  const known = databaseFailure(error, address, database, locks, file.name);
  if (known !== error) return known;
  const { position, message } = error as { position?: string; message?: string };
  if (message === undefined) return error;
  const line = position === undefined ? '' : `, line ${file.text.slice(0, Number(position)).split('\n').length}`;
  return failure('sql-failed', `${file.name}${line}: ${message}.`, 'Correct the SQL file; nothing of it was applied.');
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
    setUp,
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
