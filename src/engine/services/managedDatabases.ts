import { hostname } from 'node:os';
import type pg from 'pg';
import * as z from 'zod';
import type { Step } from '../../model/domain/progress/stepKinds.ts';
import { failure } from '../../model/domain/failure.ts';
import type { ManagedDatabase } from '../../model/domain/userServer.ts';
import { parsedJson } from '../files/parsedJson.ts';
import { sha256 } from '../files/safeFiles.ts';
import { withClient } from './database.ts';
import { administer } from './databaseOwner.ts';
import { type DatabaseAddress, serverName } from './serverUrl.ts';

/** The comment that marks a database as Benchside's, so that no other database counts as one. */
const markSchema = z.object({ folder: z.string(), machine: z.string(), madeAt: z.string() });
type Mark = z.infer<typeof markSchema>;
const markPrefix = 'Benchside: ';

/** Which of our databases a target's tables are in. */
export interface ManagedDatabaseOwner {
  /** The name that the target gives it. */
  database: string;
  /** The folder of the file that declares the target. */
  folder: string;
}

/** The name on a server of the user's: one for each folder and machine, so that two clones of a repository do not share it. At most 51 characters. */
export function managedDatabaseName({ database, folder }: ManagedDatabaseOwner): string {
  return `benchside_${database}_${sha256(JSON.stringify([hostname(), folder, database])).slice(0, 8)}`;
}

/**
 * Makes a target's own database on a server of the user's unless it is there. It is known by its mark: one of the same name without it is refused, unless
 * nothing is in it.
 */
export async function ensureManagedDatabase(
  address: DatabaseAddress,
  owner: ManagedDatabaseOwner,
  onProgress: (step: Step) => void,
  signal?: AbortSignal,
): Promise<void> {
  const name = managedDatabaseName(owner);
  const found = await withClient(address, address.database, (client) => findDatabase(client, name), signal);
  if (found === null) await make(address, owner, { anew: false, onProgress }, signal);
  else if (found.mark === null) await adopt(address, name, markOf(owner), signal);
}

/** Makes it again, since its files have changed. */
export async function remakeManagedDatabase(
  address: DatabaseAddress,
  owner: ManagedDatabaseOwner,
  onProgress: (step: Step) => void,
  signal?: AbortSignal,
): Promise<void> {
  const [known] = (await listManagedDatabases(address, signal)).filter(({ name }) => name === managedDatabaseName(owner));
  if (known === undefined) {
    throw failure(
      'schema-changed',
      `The SQL files of database “${managedDatabaseName(owner)}” have changed, and it is not for this user to make it again.`,
      'Let its owner drop it, or drop its tables and the table benchside_schema; then run again.',
    );
  }
  await make(address, owner, { anew: true, onProgress }, signal);
}

async function make(
  address: DatabaseAddress,
  owner: ManagedDatabaseOwner,
  { anew, onProgress }: { anew: boolean; onProgress: (step: Step) => void },
  signal: AbortSignal | undefined,
): Promise<void> {
  const name = managedDatabaseName(owner);
  await administer(address, signal, async (client) => {
    if (anew) await dropDatabase(client, address, name);
    await createMarked(client, address, name, owner.folder);
  });
  await withClient(address, name, (client) => client.query('CREATE EXTENSION pg_stat_statements'), signal).catch((error: unknown) => {
    signal?.throwIfAborted();
    // The statements are then reported only where somebody else has given the database the extension.
    onProgress({ code: 'statements-not-counted', database: name, message: String(error) });
  });
}

function markOf({ folder }: Pick<ManagedDatabaseOwner, 'folder'>): Mark {
  return { folder, machine: hostname(), madeAt: new Date().toISOString() };
}

/** Makes a marked database unless it is there. Fails with a cure where the role may not. */
export async function createMarked(client: pg.Client, address: DatabaseAddress, name: string, folder: string): Promise<void> {
  try {
    await client.query(`CREATE DATABASE ${client.escapeIdentifier(name)}`);
  } catch (error) {
    const { code } = error as { code?: unknown };
    // Another window was quicker.
    if (code === '42P04') return;
    if (code !== '42501') throw error;
    const { user, database } = address;
    throw failure(
      'postgres-create',
      `The user ${user} may not create databases on ${serverName(address)}, and Benchside works there in databases of its own.`,
      `Let a superuser allow it (ALTER ROLE ${client.escapeIdentifier(user)} CREATEDB) or make this one (CREATE DATABASE ${name} OWNER ${client.escapeIdentifier(user)}); or measure on what is in “${database}” without applying anything: “benchside.postgres.mode”: read-only.`,
    );
  }
  await writeMark(client, name, markOf({ folder }));
}

/** All databases on the server that Benchside made and this role may remove, newest first. */
export async function listManagedDatabases(address: DatabaseAddress, signal?: AbortSignal): Promise<ManagedDatabase[]> {
  interface Row {
    name: string;
    mark: string;
    bytes: string;
    sessions: number;
  }
  const query = `
    SELECT datname AS name, shobj_description(d.oid, 'pg_database') AS mark, pg_database_size(d.oid) AS bytes,
           (SELECT count(*)::int FROM pg_stat_activity a WHERE a.datid = d.oid) AS sessions
      FROM pg_database d WHERE starts_with(datname, 'benchside_') AND pg_has_role(datdba, 'MEMBER')
       AND starts_with(shobj_description(d.oid, 'pg_database'), $1)`;
  const { rows } = await withClient(address, address.database, (client) => client.query<Row>(query, [markPrefix]), signal);
  return rows
    .flatMap(({ name, mark, bytes, sessions }): ManagedDatabase[] => {
      const read = readMark(mark);
      return read === null ? [] : [{ name, ...read, bytes: Number(bytes), sessions }];
    })
    .sort((a, b) => b.madeAt.localeCompare(a.madeAt));
}

/** Removes databases that Benchside made; fails on one that is not, and on one with open connections. */
export async function removeManagedDatabases(address: DatabaseAddress, names: readonly string[], signal?: AbortSignal): Promise<string[]> {
  const known = new Set((await listManagedDatabases(address, signal)).map(({ name }) => name));
  const foreign = names.find((name) => !known.has(name));
  if (foreign !== undefined) {
    throw failure(
      'postgres-database',
      `There is no database “${foreign}” of Benchside’s on ${serverName(address)}.`,
      known.size === 0 ? 'There is none at all.' : `Choose among ${[...known].join(', ')}.`,
    );
  }
  await administer(address, signal, async (client) => {
    for (const name of names) await dropDatabase(client, address, name);
  });
  return [...names];
}

async function dropDatabase(client: pg.Client, address: DatabaseAddress, name: string): Promise<void> {
  try {
    await client.query(`DROP DATABASE ${client.escapeIdentifier(name)}`);
  } catch (error) {
    const { code, detail } = error as { code?: unknown; detail?: string };
    if (code !== '55006') throw error;
    throw failure(
      'postgres-in-use',
      `The database “${name}” on ${serverName(address)} cannot be removed while somebody is connected to it.`,
      'Stop the app or the run that uses it, then try again.',
      detail,
    );
  }
}

async function findDatabase(client: pg.Client, name: string): Promise<{ mark: Mark | null } | null> {
  const { rows } = await client.query<{ mark: string | null }>(
    `SELECT shobj_description(oid, 'pg_database') AS mark FROM pg_database WHERE datname = $1`,
    [name],
  );
  const [row] = rows;
  return row === undefined ? null : { mark: readMark(row.mark ?? '') };
}

/** An administrator may have made it for us, or we were ended before it was marked: then there is nothing in it yet. */
async function adopt(address: DatabaseAddress, name: string, mark: Mark, signal: AbortSignal | undefined): Promise<void> {
  const markOwn = async (client: pg.Client): Promise<void> => {
    const { rows } = await client.query<{ foreign: boolean; mine: boolean }>(
      `SELECT to_regclass('benchside_schema') IS NULL AND EXISTS (
                SELECT FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
                 WHERE c.relkind IN ('r', 'p', 'm', 'f', 'S') AND n.nspname !~ '^pg_' AND n.nspname <> 'information_schema') AS foreign,
              (SELECT pg_has_role(datdba, 'MEMBER') FROM pg_database WHERE datname = current_database()) AS mine`,
    );
    if (rows[0]?.foreign !== false) {
      throw failure(
        'postgres-create',
        `There is a database “${name}” on ${serverName(address)} that was not made by Benchside.`,
        'Rename it; Benchside makes its own under that name.',
      );
    }
    if (rows[0].mine) await writeMark(client, name, mark);
  };
  await withClient(address, name, markOwn, signal);
}

async function writeMark(client: pg.Client, name: string, mark: Mark): Promise<void> {
  await client.query(`COMMENT ON DATABASE ${client.escapeIdentifier(name)} IS ${client.escapeLiteral(markPrefix + JSON.stringify(mark))}`);
}

function readMark(text: string): Mark | null {
  if (!text.startsWith(markPrefix)) return null;
  return markSchema.safeParse(parsedJson(text.slice(markPrefix.length))).data ?? null;
}
