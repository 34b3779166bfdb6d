import { failure } from '../../model/domain/failure.ts';
import type { RunNote } from '../../model/domain/runNoteKinds.ts';
import { applySql } from './applySql.ts';
import { setUp, withClient } from './database.ts';
import { administer, ensureRole, ownerAddress } from './databaseOwner.ts';
import { growRows } from './growRows.ts';
import type { DatabaseAddress } from './serverUrl.ts';
import { readSqlFiles } from './sqlFiles.ts';

/** A copy of a database on our own server, for one side of a comparison. */
export interface DatabaseCopy {
  from: string;
  to: string;
  /** Absolute; null: nothing is run in it. */
  sql: string | null;
  /** Times as many rows as the original has; 1: as it is. */
  rows: number;
}

/** PostgreSQL’s code: object_in_use. */
const inUse = '55006';

/** Fails with `variant-database` on a server of the user’s: databases there are not copied. */
export function requireManagedServer(address: DatabaseAddress): void {
  if (address.administers === true) return;
  throw failure(
    'variant-database',
    'A side has a copy of the database on Benchside’s own server only.',
    'Leave the URL of your server out: Benchside makes the database from the SQL files of the target then.',
  );
}

/**
 * Copies a database file by file (CREATE DATABASE … TEMPLATE) to a role of its own, which has the rights of the owner of the original, multiplies its rows and
 * runs the SQL of its side there. Each copy is vacuumed and analysed again, so that the planner's statistics and maps of visible pages are equal. Returns the
 * time and the bytes of what was done.
 */
export async function makeCopy(
  address: DatabaseAddress,
  { from, to, sql, rows: factor }: DatabaseCopy,
  signal: AbortSignal,
): Promise<RunNote[]> {
  requireManagedServer(address);
  const [original, owner] = [ownerAddress(address, from), ownerAddress(address, to)];
  address.onLogin?.(owner.password);
  await administer(address, signal, async (client) => {
    const [copy, role] = [client.escapeIdentifier(to), client.escapeIdentifier(owner.user)];
    await client.query('SELECT pg_advisory_lock(727002)');
    await client.query(`DROP DATABASE IF EXISTS ${copy} WITH (FORCE)`);
    await ensureRole(client, owner);
    await client.query(`GRANT ${client.escapeIdentifier(original.user)} TO ${role}`);
    await client.query(`CREATE DATABASE ${copy} TEMPLATE ${client.escapeIdentifier(from)} OWNER ${role}`).catch((error: unknown) => {
      if ((error as { code?: unknown }).code !== inUse) throw error;
      throw failure(
        'variant-database',
        `The database ${from} cannot be copied while an app is connected to it.`,
        'Stop the target that was started by hand, and run it again.',
      );
    });
    await client.query(`REVOKE ALL ON DATABASE ${copy} FROM PUBLIC`);
    // What ALTER DATABASE … SET has said of the original is not part of what a template gives.
    const { rows } = await client.query<{ name: string; value: string }>(
      `SELECT split_part(one, '=', 1) AS name, substr(one, strpos(one, '=') + 1) AS value
         FROM pg_db_role_setting s JOIN pg_database d ON d.oid = s.setdatabase, unnest(setconfig) AS one
        WHERE d.datname = $1 AND setrole = 0`,
      [from],
    );
    for (const { name, value } of rows)
      await client.query(`ALTER DATABASE ${copy} SET ${client.escapeIdentifier(name)} TO ${client.escapeLiteral(value)}`);
  });
  const notes: RunNote[] = [];
  if (factor > 1) {
    const { result, ...cost } = await costOf(address, to, signal, () => growRows(address, to, factor, signal));
    notes.push({ code: 'rows-grown', database: from, factor, ...result, ...cost });
  }
  const [file] = sql === null ? [] : readSqlFiles([sql]);
  if (file !== undefined) {
    const { result, ...cost } = await costOf(address, to, signal, () => applySql(address, to, file, { noted: null, alone: null, signal }));
    notes.push(...result.map((remark): RunNote => ({ code: 'sql-remark', ...remark, alone: false })));
    notes.push({ code: 'sql-of-side', file: file.name, database: from, ...cost });
  }
  await withClient(owner, to, (client) => client.query('VACUUM (ANALYZE)'), signal, setUp);
  return notes;
}

/** What work in a database gives, how long it takes, and by how much it makes the database larger. */
async function costOf<T>(
  address: DatabaseAddress,
  database: string,
  signal: AbortSignal,
  work: () => Promise<T>,
): Promise<{ result: T; tookMs: number; bytes: number }> {
  const before = await sizeOf(address, database, signal);
  const startedMs = performance.now();
  const result = await work();
  const tookMs = performance.now() - startedMs;
  return { result, tookMs, bytes: (await sizeOf(address, database, signal)) - before };
}

async function sizeOf(address: DatabaseAddress, database: string, signal: AbortSignal): Promise<number> {
  const { rows } = await administer(address, signal, (client) =>
    client.query<{ bytes: string }>('SELECT pg_database_size($1::text) AS bytes', [database]),
  );
  return Number(rows[0]?.bytes ?? 0);
}

/** Drops copies with their roles, whoever is connected to them. */
export function dropCopies(address: DatabaseAddress, names: readonly string[], signal?: AbortSignal): Promise<void> {
  return administer(address, signal, async (client) => {
    for (const name of names) {
      const { user } = ownerAddress(address, name);
      await client.query(`DROP DATABASE IF EXISTS ${client.escapeIdentifier(name)} WITH (FORCE)`);
      // A side with settings of PostgreSQL of its own has another role, which is part of this one.
      const { rows } = await client.query<{ role: string }>(
        `SELECT rolname AS role FROM pg_roles WHERE rolname = $1 OR (starts_with(rolname, $1 || '_') AND rolname ~ '_[0-9a-f]{8}$')`,
        [user],
      );
      for (const { role } of rows) await client.query(`DROP ROLE ${client.escapeIdentifier(role)}`);
    }
  });
}

/** Copies that a killed engine left behind: this server belongs to one engine at a time. */
export async function leftCopies(address: DatabaseAddress, mark: string, signal?: AbortSignal): Promise<string[]> {
  return administer(address, signal, async (client) => {
    const { rows } = await client.query<{ name: string }>(
      `SELECT datname AS name FROM pg_database JOIN pg_roles r ON r.oid = datdba WHERE datname ~ $1 AND rolname = 'benchside_' || datname`,
      [`${mark}[0-9a-f]{8}$`],
    );
    return rows.map(({ name }) => name);
  });
}
