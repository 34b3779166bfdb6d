import { compacted } from '../../model/domain/plainText.ts';
import pg from 'pg';
import { failure } from '../../model/domain/failure.ts';
import type { SqlRemark } from '../../model/domain/sqlRemark.ts';
import { databaseFailure, setUp, withClient } from './database.ts';
import { type MoreRights, adoptRoles, lendRole, moreRights, ownerAddress, roleNames, withRights } from './databaseOwner.ts';
import { serverText } from './psqlText.ts';
import type { DatabaseAddress } from './serverUrl.ts';
import type { SqlFile } from './sqlFiles.ts';
import { type SqlSpan, sqlStatements } from './sqlStatements.ts';

export interface Applying {
  /** In one transaction, with this statement at its end; otherwise as the file says. */
  noted: { text: string; values: unknown[] } | null;
  /** No app may be connected meanwhile, and nobody else as the owner but the session of this number; null: apps may. */
  alone: { but: number } | null;
  signal: AbortSignal | undefined;
}

/** PostgreSQL's codes: insufficient_privilege, duplicate_object, dependent_objects_still_exist, active_sql_transaction, invalid_catalog_name, undefined_object. */
const wantsRights = '42501';
const isThere = '42710';
const isUsed = '2BP01';
const standsAlone = '25001';
const noDatabase = '3D000';
const isMissing = '42704';
const answerable: readonly string[] = [wantsRights, isThere, isUsed, standsAlone, noDatabase, isMissing];
/** A larger file is not looked through for the statement that was refused. */
const searchedChars = 16 * 1024 * 1024;
const shownChars = 200;

/** What the server said of a text that it refused, and how many of its statements it had done before. */
interface Refusal {
  error: Error & { code: string };
  done: number;
}

/**
 * Applies an SQL file as the owner of a database, and reads it as psql does. On our own server it gets more rights only where PostgreSQL refuses a statement for
 * want of them: first to make roles, then all. A role that is there already is no failure, since roles belong to the whole server; nor is a statement that
 * makes a database, or gives to a role that is not there, since the database of the target is there and belongs to its app. Returns what was done otherwise
 * than the file says, or by more than its app's own rights.
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
  const { copied, left, refused, ...read } = serverText(file.text);
  if (refused !== null)
    throw failure(
      'sql-failed',
      `${file.name}, line ${refused.line}: “${compacted(refused.command, shownChars)}” is a command of psql, and no statement.`,
      'Put what it does into the file as SQL, or name the file that it reads in "postgres.sql" of the target; nothing of it was applied.',
    );
  if (left.length > 0)
    remarks.set('psql', { file: file.name, kind: 'psql-left', reason: compacted(left.join(' '), shownChars), statement: '' });
  let { text } = read;
  for (let step = 0; ;) {
    const rights = ladder[step] ?? null;
    const attempt = (login: DatabaseAddress): Promise<Refusal | null> =>
      withClient(
        login,
        database,
        (client, locks) =>
          inOrder(client, text, { noted, ours, copied }).catch((error: unknown) => {
            throw sqlFailure({ name: file.name, text }, error, databaseFailure(error, login, database, locks, file.name));
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
    const instead = insteadOf(text, statement, error, ours);
    if (error.code === wantsRights && next != null) {
      step += 1;
      remarks.set('rights', { file: file.name, kind: next.rights, reason: error.message, statement: compacted(statement, shownChars) });
    } else if (span !== undefined && instead !== null) {
      const { kind, reason, all = [] } = instead;
      if (rights?.rights === 'roles' && ofRoles.has(kind)) await lendRole(address, database, reason, signal);
      text = replaced(text, all.length === 0 ? [span] : all, instead.text);
      remarks.set(`${kind} ${reason}`, { file: file.name, kind, reason, statement: compacted(statement, shownChars) });
    } else throw sqlFailure({ name: file.name, text }, error, error);
  }
  if (before !== null) await adoptRoles(address, database, before, signal);
  return [...remarks.values()];
}

/** What the driver answers the server’s “copy in” by; its types leave it out. */
interface CopyingConnection {
  sendCopyFromChunk: (chunk: Buffer) => void;
  endCopyFrom: () => void;
}

/** Runs a text as it is; what it was refused for, where something else can be tried. */
async function inOrder(
  client: pg.Client,
  text: string,
  { noted, ours, copied }: { noted: Applying['noted']; ours: boolean; copied: readonly string[] },
): Promise<Refusal | null> {
  // A role that may make a role is to be able to act as it, as a superuser is. Servers before 16 know no such setting, and need none.
  if (ours) await client.query(`SELECT set_config(name, 'set, inherit', false) FROM pg_settings WHERE name = 'createrole_self_grant'`);
  let done = 0;
  let under = true;
  try {
    if (noted !== null) await client.query('BEGIN');
    await new Promise<void>((resolve, reject) => {
      const query = new pg.Query(text, (error) => (error == null ? resolve() : reject(error)));
      const rows = [...copied];
      Object.assign(query, {
        handleCopyInResponse: (connection: CopyingConnection) => {
          connection.sendCopyFromChunk(Buffer.from(rows.shift() ?? ''));
          connection.endCopyFrom();
        },
      });
      const submit = query.submit.bind(query);
      query.submit = (connection) => {
        connection.on('commandComplete', () => (under ? (done += 1) : undefined));
        submit(connection);
      };
      client.query(query);
    });
    if (noted === null) return null;
    // What pg_dump writes empties it for the whole session.
    await client.query('RESET search_path');
    await client.query(noted.text, noted.values);
    await client.query('COMMIT');
    return null;
  } catch (error) {
    under = false;
    if (noted !== null) await client.query('ROLLBACK').catch(() => undefined);
    if (error instanceof Error && 'code' in error && answerable.includes(String(error.code)))
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

/** What names a database of its own in place of the one that is there. */
const ofDatabase = /^(?:create|drop|alter)\s+database\b|^(?:grant|revoke|comment)\b[^]*\bon\s+database\b/i;
const makesIndex = /^((?:create(?:\s+unique)?|drop)\s+index)\s+concurrently\b/i;
/** What only gives to a role, or takes from it. */
const givesToRole = /^(?:grant|revoke|alter\s+default\s+privileges)\b|^alter\b[^]*\bowner\s+to\b/i;
const givenRole = new RegExp(String.raw`\b(?:owner\s+to|for\s+(?:role|user)|to|from)\s+${roleName}`, 'i');

/** Of roles that are there. */
const ofRoles: ReadonlySet<SqlRemark['kind']> = new Set(['role-changed', 'role-left', 'role-kept']);

/** What is done in place of a refused statement. `all`: it is done in place of each of these. */
interface Instead {
  text: string;
  kind: SqlRemark['kind'];
  reason: string;
  all?: SqlSpan[];
}

/** What is done in place of a statement that the server of a target refuses, and that its app does not need; null where it is another statement. */
function insteadOf(text: string, statement: string, { code }: Refusal['error'], ours: boolean): Instead | null {
  const nothing = 'SELECT 1';
  if (code === isUsed) {
    const role = dropsRole.exec(statement)?.groups?.['names'];
    return role === undefined ? null : { text: nothing, reason: role, kind: 'role-kept' };
  }
  if (code === isMissing) {
    const named = givesToRole.test(statement) ? givenRole.exec(statement)?.groups?.['name'] : undefined;
    if (named === undefined) return null;
    const role = named.replace(/^"(.*)"$/, '$1');
    const all = sqlStatements(text).filter(({ start, end }) => {
      const other = text.slice(start, end);
      return givesToRole.test(other) && givenRole.exec(other)?.groups?.['name'] === named;
    });
    return { text: nothing, reason: role, kind: 'role-missing', all };
  }
  if (code === standsAlone || code === noDatabase) {
    if (ofDatabase.test(statement)) return { text: nothing, reason: compacted(statement, shownChars), kind: 'database-left' };
    return makesIndex.test(statement) ? { text: statement.replace(makesIndex, '$1'), reason: 'CONCURRENTLY', kind: 'at-once' } : null;
  }
  const { kind, name, options = '' } = (code === isThere ? makesRole.exec(statement)?.groups : undefined) ?? {};
  if (name === undefined) return null;
  // On a server of the user's a role may be anybody's.
  if (!ours || onlyWhenMade.test(options)) return { text: nothing, reason: name, kind: 'role-left' };
  const login = kind?.toLowerCase() === 'user' && !/\b(?:no)?login\b/i.test(options) ? ' LOGIN' : '';
  return { text: `ALTER ROLE ${name} WITH${login} ${options}`, reason: name, kind: 'role-changed' };
}

/** A text with another in place of each of these statements; what follows stays on its line. */
function replaced(text: string, spans: readonly SqlSpan[], by: string): string {
  return [...spans]
    .reverse()
    .reduce(
      (whole, { start, end }) => whole.slice(0, start) + by + whole.slice(start, end).replace(/[^\n]+/g, '') + whole.slice(end),
      text,
    );
}

function sqlFailure(file: Pick<SqlFile, 'name' | 'text'>, error: unknown, known: unknown): unknown {
  if (known !== error) return known;
  const { position, message } = error as { position?: string; message?: string };
  if (message === undefined) return error;
  const line = position === undefined ? '' : `, line ${file.text.slice(0, Number(position)).split('\n').length}`;
  return failure('sql-failed', `${file.name}${line}: ${message}.`, 'Correct the SQL file; nothing of it was applied.');
}
