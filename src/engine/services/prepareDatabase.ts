import type pg from 'pg';
import type { Step } from '../../model/domain/progress/stepKinds.ts';
import { failure } from '../../model/domain/failure.ts';
import type { RunNote } from '../../model/domain/runNoteKinds.ts';
import { type SqlRemark, sqlRemarkSchema } from '../../model/domain/sqlRemark.ts';
import { applySql } from './applySql.ts';
import { setUp, withClient } from './database.ts';
import { administer, ensureOwnedDatabase, nameOnOurServer, ownerAddress } from './databaseOwner.ts';
import { ensureManagedDatabase, managedDatabaseName, remakeManagedDatabase } from './managedDatabases.ts';
import type { DatabaseAddress } from './serverUrl.ts';
import { type SqlFile, readSqlFiles } from './sqlFiles.ts';

const remarksTable = `CREATE TABLE IF NOT EXISTS benchside_remarks (database text NOT NULL, remark jsonb NOT NULL)`;

/** What a target wants from the database, with absolute paths. */
export interface DatabaseWants {
  database: string;
  /** The folder of the file that declares the target. */
  folder: string;
  sqlFiles: readonly string[];
  prepareFiles: readonly string[];
}

/** The database in which a target's tables are: by its own name on our server; on the user's one of our making, or the one in the URL where that was chosen. */
export function databaseName(address: DatabaseAddress, wants: Pick<DatabaseWants, 'database' | 'folder'>): string {
  if (!address.external) return nameOnOurServer(wants.database);
  return address.mode === 'own' ? managedDatabaseName(wants) : address.database;
}

/** Queries the database of a target with the rights of its app: its contents are the app's doing. */
export function withOwner<T>(
  address: DatabaseAddress,
  wants: Pick<DatabaseWants, 'database' | 'folder'>,
  signal: AbortSignal,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const database = databaseName(address, wants);
  return withClient(ownerAddress(address, database), database, work, signal);
}

export function appliesSql({ external, mode }: Pick<DatabaseAddress, 'external' | 'mode'>): boolean {
  return !external || mode !== 'read-only';
}

/**
 * Brings a database to the state that its SQL files describe. Each file is applied once, in a transaction together with the note that it was (table
 * `benchside_schema`: file, sha256), so that the second time costs one query. When a file has changed since, a database that Benchside made is made again; in
 * one of the user's nothing is dropped and the failure says so. Where nothing may be applied, it only has to be there. On our own server it belongs to a role
 * of its own, as which its app signs in. Returns what a person should know of how the files were applied, each once.
 */
export async function prepareDatabase(
  address: DatabaseAddress,
  wants: DatabaseWants,
  onProgress: (step: Step) => void,
  signal?: AbortSignal,
): Promise<RunNote[]> {
  const database = databaseName(address, wants);
  if (!appliesSql(address)) {
    await withClient(address, database, async () => undefined, signal);
    return [];
  }
  const files = agreedFiles(address, wants.sqlFiles);
  if (address.administers === true) await ensureOwnedDatabase(address, database, onProgress, signal);
  else if (address.mode === 'own') await ensureManagedDatabase(address, wants, onProgress, signal);
  if (files.length === 0) return [];
  const login = ownerAddress(address, database);
  let applied = await readApplied(login, signal);
  if (files.some((file) => applied.has(file.name) && applied.get(file.name) !== file.sha256)) {
    if (!isRemakeable(address)) {
      throw failure(
        'schema-changed',
        `The SQL files of database “${database}” have changed since they were applied there.`,
        'Drop its tables and the table benchside_schema, or name another database in the URL; then run again.',
      );
    }
    onProgress({ code: 'making-again', database, why: 'schema' });
    await remakeDatabase(address, wants, onProgress, signal);
    applied = new Map();
  }
  if (applied.size === 0 && address.administers === true) await forgetRemarks(address, database, signal);
  const missing = files.filter((file) => !applied.has(file.name));
  const said = missing.length === 0 ? [] : await applyMissing(address, database, missing, onProgress, signal);
  const known = address.administers === true ? await readRemarks(address, database, signal) : [];
  return [...new Map([...known.map((remark) => remarked(remark, true)), ...said].map((note) => [JSON.stringify(note), note])).values()];
}

/** Whether the database of a target is of Benchside’s making, so that it may be made again. */
export function isRemakeable({ external, mode }: Pick<DatabaseAddress, 'external' | 'mode'>): boolean {
  return !external || mode === 'own';
}

/** Drops a database of Benchside’s making, and makes it again without a table. */
export async function remakeDatabase(
  address: DatabaseAddress,
  wants: Pick<DatabaseWants, 'database' | 'folder'>,
  onProgress: (step: Step) => void,
  signal?: AbortSignal,
): Promise<void> {
  if (address.external) return remakeManagedDatabase(address, wants, onProgress, signal);
  const database = databaseName(address, wants);
  await administer(address, signal, (client) => client.query(`DROP DATABASE ${client.escapeIdentifier(database)} WITH (FORCE)`));
  await ensureOwnedDatabase(address, database, onProgress, signal);
}

async function applyMissing(
  address: DatabaseAddress,
  database: string,
  missing: readonly SqlFile[],
  onProgress: (step: Step) => void,
  signal: AbortSignal | undefined,
): Promise<RunNote[]> {
  const said: RunNote[] = [];
  const apply = async (client: pg.Client): Promise<void> => {
    await client.query(
      'CREATE TABLE IF NOT EXISTS benchside_schema (file text PRIMARY KEY, sha256 text NOT NULL, applied_at timestamptz NOT NULL DEFAULT now())',
    );
    // Two windows on one external server: the second waits here for as long as the first needs, and then finds the work done.
    await client.query('SET lock_timeout = 0');
    const { rows } = await client.query<{ pid: number }>('SELECT pg_advisory_lock(727001), pg_backend_pid() AS pid');
    const done = new Set((await client.query<{ file: string }>('SELECT file FROM benchside_schema')).rows.map((row) => row.file));
    for (const file of missing.filter((one) => !done.has(one.name))) {
      onProgress({ code: 'applying-sql', file: file.name, database });
      const noted = { text: 'INSERT INTO benchside_schema (file, sha256) VALUES ($1, $2)', values: [file.name, file.sha256] };
      const remarks = await applySql(address, database, file, { noted, alone: { but: rows[0]?.pid ?? 0 }, signal });
      if (address.administers === true) await keepRemarks(address, database, remarks, signal);
      for (const note of remarks.map((remark) => remarked(remark, true))) {
        said.push(note);
        onProgress(note);
      }
    }
  };
  await withClient(ownerAddress(address, database), database, apply, signal, setUp);
  return said;
}

/** Applies the short SQL files that bring the data back to one state before a run. Returns what a person should know of how. */
export async function resetData(address: DatabaseAddress, wants: DatabaseWants, signal?: AbortSignal): Promise<RunNote[]> {
  if (!appliesSql(address)) return [];
  const database = databaseName(address, wants);
  const said: RunNote[] = [];
  for (const file of agreedFiles(address, wants.prepareFiles)) {
    const remarks = await applySql(address, database, file, { noted: null, alone: null, signal });
    said.push(...remarks.map((remark) => remarked(remark, false)));
  }
  return said;
}

function remarked(remark: SqlRemark, alone: boolean): Extract<RunNote, { code: 'sql-remark' }> {
  return { code: 'sql-remark', ...remark, alone };
}

/** The files as they are now: in a database of the user's only what was agreed to, whatever has become of them since. */
function agreedFiles(address: DatabaseAddress, paths: readonly string[]): SqlFile[] {
  const files = readSqlFiles(paths);
  if (!address.external || address.mode === 'own') return files;
  if (address.requireAgreed === undefined) throw failure('internal', 'Nobody was asked about SQL files for a database of the user’s.');
  address.requireAgreed(files);
  return files;
}

async function readApplied(login: DatabaseAddress, signal: AbortSignal | undefined): Promise<Map<string, string>> {
  const read = async (client: pg.Client): Promise<Map<string, string>> => {
    const table = await client.query<{ found: string | null }>(`SELECT to_regclass('benchside_schema')::text AS found`);
    if (table.rows[0]?.found == null) return new Map();
    const { rows } = await client.query<{ file: string; sha256: string }>('SELECT file, sha256 FROM benchside_schema');
    return new Map(rows.map(({ file, sha256 }) => [file, sha256]));
  };
  return withClient(login, login.database, read, signal);
}

/** Keeps what was remarked on as a file was applied once, where no app can change it: it holds for each run on what the file made. */
async function keepRemarks(address: DatabaseAddress, database: string, remarks: readonly SqlRemark[], signal?: AbortSignal): Promise<void> {
  if (remarks.length === 0) return;
  await administer(address, signal, async (client) => {
    await client.query(remarksTable);
    for (const remark of remarks) await client.query('INSERT INTO benchside_remarks VALUES ($1, $2)', [database, JSON.stringify(remark)]);
  });
}

/** A database that is made again begins without. */
async function forgetRemarks(address: DatabaseAddress, database: string, signal?: AbortSignal): Promise<void> {
  await administer(address, signal, async (client) => {
    await client.query(remarksTable);
    await client.query('DELETE FROM benchside_remarks WHERE database = $1', [database]);
  });
}

async function readRemarks(address: DatabaseAddress, database: string, signal?: AbortSignal): Promise<SqlRemark[]> {
  return administer(address, signal, async (client) => {
    await client.query(remarksTable);
    const { rows } = await client.query<{ remark: unknown }>('SELECT remark FROM benchside_remarks WHERE database = $1', [database]);
    return rows.flatMap(({ remark }) => sqlRemarkSchema.safeParse(remark).data ?? []);
  });
}
