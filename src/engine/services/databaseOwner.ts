import { createHmac, pbkdf2Sync, randomBytes, createHash } from 'node:crypto';
import type pg from 'pg';
import type { Step } from '../../model/domain/progress/stepKinds.ts';
import { failure } from '../../model/domain/failure.ts';
import { sha256 } from '../files/safeFiles.ts';
import { setUp, withClient } from './database.ts';
import type { DatabaseAddress } from './serverUrl.ts';

/** Where raw samples of runs are, on whichever server is in use. */
export const rawDatabaseName = 'benchside_raw';
/** What no target has: the server's own, and those of the engine. */
const reserved: ReadonlySet<string> = new Set(['postgres', 'template0', 'template1', rawDatabaseName]);

/** On our own server, the database of a target by the name that it declares. */
export function nameOnOurServer(declared: string): string {
  return reserved.has(declared) ? `${declared}_app` : declared;
}

/**
 * The address as an app gets it: on our own server with a role that owns this database and may do nothing else, whose password says nothing of the
 * administrator's. On a server of the user's it is the user of the URL.
 */
export function ownerAddress(address: DatabaseAddress, database: string): DatabaseAddress {
  const { administers, side, ...rest } = address;
  if (administers !== true) return { ...rest, database };
  const user = side === undefined ? `benchside_${database}` : `benchside_${database}_${side}`;
  const password = createHmac('sha256', address.password).update(user).digest('base64url');
  return { ...rest, user, password, database };
}

/**
 * Makes the role and the database that it owns on our own server unless they are there, and sets the role back to what it may do. What everybody may do on a
 * new database is revoked: the roles of other databases have no business there. One that was made for the administrator, as earlier versions did, is made
 * again.
 */
export async function ensureOwnedDatabase(
  address: DatabaseAddress,
  database: string,
  onProgress: (step: Step) => void,
  signal?: AbortSignal,
): Promise<void> {
  const owner = ownerAddress(address, database);
  address.onLogin?.(owner.password);
  await administer(address, signal, async (client) => {
    const [role, name] = [client.escapeIdentifier(owner.user), client.escapeIdentifier(database)];
    // Targets that are prepared at the same time may share it.
    await client.query('SELECT pg_advisory_lock(727002)');
    await ensureRole(client, owner);
    const open = await client.query<{ name: string }>(
      `SELECT datname AS name FROM pg_database WHERE has_database_privilege('public', oid, 'CONNECT') AND (datname = ANY($1) OR starts_with(datname, 'template'))`,
      [[...reserved]],
    );
    for (const one of open.rows) await client.query(`REVOKE ALL ON DATABASE ${client.escapeIdentifier(one.name)} FROM PUBLIC`);
    const found = await client.query<{ owner: string }>('SELECT pg_get_userbyid(datdba) AS owner FROM pg_database WHERE datname = $1', [
      database,
    ]);
    if (found.rows[0]?.owner === address.user) {
      onProgress({ code: 'making-again', database, why: 'owner' });
      await client.query(`DROP DATABASE ${name} WITH (FORCE)`);
    } else if (found.rowCount !== 0) return;
    await client.query(`CREATE DATABASE ${name} OWNER ${role}`);
    await client.query(`REVOKE ALL ON DATABASE ${name} FROM PUBLIC`);
  });
}

/** Runs statements in the database that is always there: on our own server as its administrator, and where no app can put anything. */
export function administer<T>(
  address: DatabaseAddress,
  signal: AbortSignal | undefined,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  return withClient(address, address.database, work, signal, setUp);
}

/** What a role may do beyond owning its database, as attributes of CREATE ROLE, from little to everything. */
export const moreRights = [
  { rights: 'roles', attributes: 'CREATEROLE CREATEDB' },
  { rights: 'everything', attributes: 'SUPERUSER' },
] as const;
export type MoreRights = (typeof moreRights)[number];

/**
 * Does `work` while the owner of a database has more rights, and takes them back whatever happens. `alone`: by a password that holds for that time only, and
 * with the sessions ended that it has already, so that an app that still runs gets nothing of it.
 */
export async function withRights<T>(
  address: DatabaseAddress,
  database: string,
  { rights: { attributes }, alone, signal }: { rights: MoreRights; alone: { but: number } | null; signal: AbortSignal | undefined },
  work: (login: DatabaseAddress) => Promise<T>,
): Promise<T> {
  const owner = ownerAddress(address, database);
  const login = alone !== null ? { ...owner, password: randomBytes(32).toString('base64url') } : owner;
  address.onLogin?.(login.password);
  try {
    await administer(address, signal, async (client) => {
      await client.query(
        `ALTER ROLE ${client.escapeIdentifier(owner.user)} PASSWORD ${client.escapeLiteral(scramVerifier(login.password))}`,
      );
      if (alone !== null)
        await client.query('SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE usename = $1 AND pid <> $2', [
          owner.user,
          alone.but,
        ]);
      await client.query(`ALTER ROLE ${client.escapeIdentifier(owner.user)} ${attributes}`);
    });
    return await work(login);
  } finally {
    await administer(address, undefined, (client) => restrict(client, owner));
  }
}

/**
 * Lets the owner of a database act as the roles that its SQL has made, or gives something to, and lets these in: a role belongs to the whole server, and nobody
 * but the owner of a database is let into it. Those that may do everything stay apart.
 */
export async function adoptRoles(
  address: DatabaseAddress,
  database: string,
  before: readonly string[],
  signal?: AbortSignal,
): Promise<void> {
  const owner = ownerAddress(address, database);
  await administer(address, signal, async (client) => {
    const { rows } = await client.query<{ name: string }>(
      `SELECT rolname AS name FROM pg_roles r
        WHERE NOT rolsuper AND rolname !~ '^pg_' AND rolname <> $1 AND NOT EXISTS (SELECT FROM pg_database WHERE datdba = r.oid AND datname <> $2)
          AND (rolname <> ALL($3) OR EXISTS (
                SELECT FROM pg_shdepend s JOIN pg_database d ON d.oid = s.dbid
                 WHERE d.datname = $2 AND s.refclassid = 'pg_authid'::regclass AND s.refobjid = r.oid))`,
      [owner.user, database, before],
    );
    for (const { name } of rows) {
      const role = client.escapeIdentifier(name);
      // One of which the owner is a part already cannot be a part of it.
      await client.query(`GRANT ${role} TO ${client.escapeIdentifier(owner.user)}`).catch((error: unknown) => {
        if ((error as { code?: unknown }).code !== '0LP01') throw error;
      });
      await client.query(`GRANT CONNECT, TEMPORARY ON DATABASE ${client.escapeIdentifier(database)} TO ${role}`);
    }
  });
}

/** Lets the owner of a database change a role that another database's SQL has made. */
export async function lendRole(address: DatabaseAddress, database: string, role: string, signal?: AbortSignal): Promise<void> {
  const { user } = ownerAddress(address, database);
  // The role as written in the SQL text: one identifier.
  await administer(address, signal, (client) => client.query(`GRANT ${role} TO ${client.escapeIdentifier(user)} WITH ADMIN OPTION`));
}

export async function roleNames(address: DatabaseAddress, signal?: AbortSignal): Promise<string[]> {
  return administer(address, signal, async (client) => {
    const { rows } = await client.query<{ name: string }>('SELECT rolname AS name FROM pg_roles');
    return rows.map(({ name }) => name);
  });
}

/** Makes the role that signs in so unless it is there, and sets it back to what it may do. */
export async function ensureRole(client: pg.Client, login: DatabaseAddress): Promise<void> {
  const known = await client.query('SELECT FROM pg_roles WHERE rolname = $1', [login.user]);
  if (known.rowCount === 0) await client.query(`CREATE ROLE ${client.escapeIdentifier(login.user)}`);
  await restrict(client, login);
}

async function restrict(client: pg.Client, owner: DatabaseAddress): Promise<void> {
  await client.query(
    `ALTER ROLE ${client.escapeIdentifier(owner.user)} LOGIN NOSUPERUSER NOCREATEROLE NOCREATEDB NOREPLICATION NOBYPASSRLS
       PASSWORD ${client.escapeLiteral(scramVerifier(owner.password))}`,
  );
}

/**
 * Makes, on our own server, the role of one side: it acts as the owner of the database and has these settings in all of its sessions, so that two sides share
 * the data and nothing else. `side` of the address that is given names it. Fails with `variant-database` where PostgreSQL does not take a value, or takes the
 * setting for the whole server only.
 */
export async function ensureSide(
  address: DatabaseAddress,
  database: string,
  settings: Readonly<Record<string, string>>,
  signal?: AbortSignal,
): Promise<DatabaseAddress> {
  if (address.administers !== true)
    throw failure(
      'variant-database',
      'Settings of PostgreSQL are varied on Benchside’s own server only, where each side signs in as a role of its own.',
      'Leave the URL of your server out, or set the value there yourself and compare two runs.',
    );
  const sided = { ...address, side: sha256(JSON.stringify(Object.entries(settings))).slice(0, 8) };
  const [owner, login] = [ownerAddress(address, database), ownerAddress(sided, database)];
  address.onLogin?.(login.password);
  await administer(address, signal, async (client) => {
    await client.query('SELECT pg_advisory_lock(727002)');
    for (const [setting, value] of Object.entries(settings)) await assertOfSession(client, setting, value);
    const [role, whole, name] = [login.user, owner.user, database].map((one) => client.escapeIdentifier(one)) as [string, string, string];
    await ensureRole(client, login);
    await client.query(`GRANT ${whole} TO ${role}`);
    await client.query(`ALTER ROLE ${role} IN DATABASE ${name} RESET ALL`);
    await client.query(`ALTER ROLE ${role} SET role TO ${whole}`);
    for (const [setting, value] of Object.entries(settings))
      await client.query(
        `ALTER ROLE ${role} IN DATABASE ${name} SET ${client.escapeIdentifier(setting)} TO ${client.escapeLiteral(value)}`,
      );
  });
  return sided;
}

/** What a session of a side is shown of a setting, and how PostgreSQL writes the value that was asked for. */
export async function shownToSide(
  address: DatabaseAddress,
  database: string,
  setting: string,
  value: string,
  signal?: AbortSignal,
): Promise<{ shown: string; meant: string }> {
  const show = async (client: pg.Client): Promise<string> => {
    // Our own connections set limits of their own: what a session begins with comes back.
    await client.query(`RESET ${client.escapeIdentifier(setting)}`);
    return (await client.query<{ value: string }>('SELECT current_setting($1) AS value', [setting])).rows[0]?.value ?? '';
  };
  const shown = await withClient(ownerAddress(address, database), database, show, signal);
  const meant = await administer(address, signal, (client) => writtenAs(client, setting, value));
  return { shown, meant };
}

/** Whether an app is in a database that nobody but it is given. */
export function hasSession(address: DatabaseAddress, database: string, signal?: AbortSignal): Promise<boolean> {
  return administer(address, signal, async (client) => {
    // The first look may come before a pool has opened a connection again.
    for (let look = 0; look < sessionLooks; look += 1) {
      const { rows } = await client.query<{ found: boolean }>(
        `SELECT EXISTS (SELECT FROM pg_stat_activity WHERE datname = $1 AND backend_type = 'client backend' AND application_name NOT LIKE 'benchside%') AS found`,
        [database],
      );
      if (rows[0]?.found === true) return true;
      await client.query('SELECT pg_sleep(0.1)');
    }
    return false;
  });
}

/** A value as PostgreSQL writes it itself, such as 64MB of 65536kB. */
async function writtenAs(client: pg.Client, setting: string, value: string): Promise<string> {
  const { rows } = await client.query<{ written: string }>('SELECT set_config($1, $2, false) AS written', [setting, value]);
  return rows[0]?.written ?? '';
}

/** How often it is looked for an app’s session, a tenth of a second apart. */
const sessionLooks = 20;

/** Which contexts of `pg_settings` a role can have a value of its own in. */
const ofSession: readonly string[] = ['user', 'superuser'];

async function assertOfSession(client: pg.Client, setting: string, value: string): Promise<void> {
  const { rows } = await client.query<{ context: string }>('SELECT context FROM pg_settings WHERE name = lower($1)', [setting]);
  const context = rows[0]?.context;
  if (context === undefined)
    throw failure('variant-database', `PostgreSQL has no setting “${setting}”.`, 'Look it up: SELECT name FROM pg_settings.');
  if (!ofSession.includes(context))
    throw failure(
      'variant-database',
      `${setting} is no setting of a session (context “${context}”): both sides would have the same.`,
      'It needs a server for each value: set it on a server of yours, give its URL, and compare two runs.',
    );
  await writtenAs(client, setting, value).catch((error: unknown) => {
    throw failure(
      'variant-database',
      `PostgreSQL does not take ${setting} = ${value}.`,
      'Look at its documentation for the values that it takes.',
      error instanceof Error ? error.message : String(error),
    );
  });
  await client.query(`RESET ${client.escapeIdentifier(setting)}`);
}

/** What PostgreSQL stores of a password (RFC 5803): given in its place, the password is in no log and in no counter of statements. */
function scramVerifier(password: string): string {
  const iterations = 4096;
  const salt = randomBytes(16);
  const salted = pbkdf2Sync(password, salt, iterations, 32, 'sha256');
  const keyed = (text: string): Buffer => createHmac('sha256', salted).update(text).digest();
  const stored = createHash('sha256').update(keyed('Client Key')).digest('base64');
  return `SCRAM-SHA-256$${iterations}:${salt.toString('base64')}$${stored}:${keyed('Server Key').toString('base64')}`;
}
