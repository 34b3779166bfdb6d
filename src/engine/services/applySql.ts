import { compacted } from '../../model/domain/plainText.ts';
import pg from 'pg';
import { failure } from '../../model/domain/failure.ts';
import type { SqlRemark } from '../../model/domain/sqlRemark.ts';
import { databaseFailure, setUp, withClient } from './database.ts';
import { type MoreRights, adoptRoles, lendRole, moreRights, ownerAddress, roleNames, withRights } from './databaseOwner.ts';
import type { DatabaseAddress } from './serverUrl.ts';
import type { SqlFile } from './sqlFiles.ts';
import { sqlStatements } from './sqlStatements.ts';

export interface Applying {
  /** In one transaction, with this statement at its end; otherwise as the file says. */
  noted: { text: string; values: unknown[] } | null;
  /** No app may be connected meanwhile, and nobody else as the owner but the session of this number; null: apps may. */
  alone: { but: number } | null;
  signal: AbortSignal | undefined;
}

/** PostgreSQL's codes: insufficient_privilege, duplicate_object, dependent_objects_still_exist. */
const wantsRights = '42501';
const isThere = '42710';
const isUsed = '2BP01';
/** A larger file is not looked through for the statement that was refused. */
const searchedChars = 16 * 1024 * 1024;
const shownChars = 200;

/** What the server said of a text that it refused, and how many of its statements it had done before. */
interface Refusal {
  error: Error & { code: string };
  done: number;
}

/**
 * Applies an SQL file as the owner of a database. On our own server it gets more rights only where PostgreSQL refuses a statement for want of them: first to
 * make roles, then all. A role that is there already is no failure, since roles belong to the whole server. Returns what was done otherwise than by its app's
 * own rights.
 */
export async function applySql(
  address: DatabaseAddress,
  database: string,
  file: SqlFile,
  { noted, alone, signal }: Applying,
): Promise<SqlRemark[]> {
  const remarks = new Map<string, SqlRemark>();
  const ours = address.administers === true;
  const ladder: readonly (MoreRights | null)[] = ours ? [null, ...moreRights] : [null];
  const before = ours && noted !== null ? await roleNames(address, signal) : null;
  let { text } = file;
  for (let step = 0; ;) {
    const rights = ladder[step] ?? null;
    const attempt = (login: DatabaseAddress): Promise<Refusal | null> =>
      withClient(
        login,
        database,
        (client, locks) =>
          inOrder(client, text, { noted, ours }).catch((error: unknown) => {
            throw sqlFailure(file, error, databaseFailure(error, login, database, locks, file.name));
          }),
        signal,
        setUp,
      );
    const owner = ownerAddress(address, database);
    const refusal = rights === null ? await attempt(owner) : await withRights(address, database, { rights, alone, signal }, attempt);
    if (refusal === null) break;
    const { error, done } = refusal;
    const span = text.length > searchedChars ? undefined : sqlStatements(text)[done];
    const statement = span === undefined ? '' : text.slice(span.start, span.end);
    const next = ladder[step + 1];
    const instead = insteadOf(statement, error.code, ours);
    if (error.code === wantsRights && next != null) {
      step += 1;
      remarks.set('rights', { file: file.name, kind: next.rights, reason: error.message, statement: compacted(statement, shownChars) });
    } else if (span !== undefined && instead !== null) {
      if (rights?.rights === 'roles') await lendRole(address, database, instead.role, signal);
      text = text.slice(0, span.start) + instead.text + text.slice(span.end);
      remarks.set(`role ${instead.role}`, {
        file: file.name,
        kind: instead.kind,
        reason: instead.role,
        statement: compacted(statement, shownChars),
      });
    } else throw sqlFailure(file, error, error);
  }
  if (before !== null) await adoptRoles(address, database, before, signal);
  return [...remarks.values()];
}

/** Runs a text as it is; what it was refused for, where something else can be tried. */
async function inOrder(
  client: pg.Client,
  text: string,
  { noted, ours }: { noted: Applying['noted']; ours: boolean },
): Promise<Refusal | null> {
  // A role that may make a role is to be able to act as it, as a superuser is. Servers before 16 know no such setting, and need none.
  if (ours) await client.query(`SELECT set_config(name, 'set, inherit', false) FROM pg_settings WHERE name = 'createrole_self_grant'`);
  let done = 0;
  let under = true;
  try {
    if (noted !== null) await client.query('BEGIN');
    await new Promise<void>((resolve, reject) => {
      const query = new pg.Query(text, (error) => (error == null ? resolve() : reject(error)));
      const submit = query.submit.bind(query);
      query.submit = (connection) => {
        connection.on('commandComplete', () => (under ? (done += 1) : undefined));
        submit(connection);
      };
      client.query(query);
    });
    if (noted === null) return null;
    await client.query(noted.text, noted.values);
    await client.query('COMMIT');
    return null;
  } catch (error) {
    under = false;
    if (noted !== null) await client.query('ROLLBACK').catch(() => undefined);
    if (error instanceof Error && 'code' in error && [wantsRights, isThere, isUsed].includes(String(error.code)))
      return { error: error as Refusal['error'], done };
    throw error;
  }
}

const roleName = String.raw`(?<name>"(?:[^"]|"")+"|[\w$\u0080-\uffff]+)`;
const makesRole = new RegExp(
  String.raw`^create\s+(?<kind>role|user|group)\s+(?!mapping\s+for\b)${roleName}(?:\s+with\b)?(?<options>[^]*)$`,
  'i',
);
const dropsRole = /^drop\s+(?:role|user|group)\s+(?:if\s+exists\s+)?(?<names>[^]+)$/i;
/** Options of CREATE ROLE that ALTER ROLE does not know. */
const onlyWhenMade = /\b(?:in\s+(?:role|group)|role|admin|user|sysid)\b/i;

/**
 * What is done in place of a statement about a role that is there already, or that another database uses; null where it is another statement. One statement
 * again.
 */
function insteadOf(statement: string, code: string, ours: boolean): { text: string; role: string; kind: SqlRemark['kind'] } | null {
  const nothing = 'SELECT 1';
  if (code === isUsed) {
    const role = dropsRole.exec(statement)?.groups?.['names'];
    return role === undefined ? null : { text: nothing, role, kind: 'role-kept' };
  }
  const { kind, name, options = '' } = (code === isThere ? makesRole.exec(statement)?.groups : undefined) ?? {};
  if (name === undefined) return null;
  // On a server of the user's a role may be anybody's.
  if (!ours || onlyWhenMade.test(options)) return { text: nothing, role: name, kind: 'role-left' };
  const login = kind?.toLowerCase() === 'user' && !/\b(?:no)?login\b/i.test(options) ? ' LOGIN' : '';
  return { text: `ALTER ROLE ${name} WITH${login} ${options}`, role: name, kind: 'role-changed' };
}

function sqlFailure(file: SqlFile, error: unknown, known: unknown): unknown {
  if (known !== error) return known;
  const { position, message } = error as { position?: string; message?: string };
  if (message === undefined) return error;
  const line = position === undefined ? '' : `, line ${file.text.slice(0, Number(position)).split('\n').length}`;
  return failure('sql-failed', `${file.name}${line}: ${message}.`, 'Correct the SQL file; nothing of it was applied.');
}
